// Package oauthtest is a small world for tests of logins: an MCP endpoint that wants a token, and an
// authorization server that gives one, honest unless a test breaks them. It is never part of the program.
package oauthtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// World is the two servers and what they remember. Fields are set before the first request.
type World struct {
	// Endpoint answers what comes with a good token at /mcp; nil answers 200.
	Endpoint http.Handler
	// Need are the scopes that a request to the endpoint needs; nil needs none.
	Need func(r *http.Request, body string) []string
	// Challenge replaces the WWW-Authenticate field; "-" sends none.
	Challenge string
	// Resource and Server change a metadata document before it is sent; they may return anything, as JSON.
	Resource, Metadata func(doc map[string]any) any
	// Pages replace what a path of either server answers.
	Pages map[string]http.HandlerFunc
	// MCPPages are those of the MCP server alone.
	MCPPages map[string]http.HandlerFunc
	// Iss changes the iss parameter of redirects; "-" leaves it out.
	Iss string
	// Back changes the redirect's parameters.
	Back func(q url.Values)
	// Lifetime is expires_in.
	Lifetime int
	// NoRefresh issues no refresh tokens.
	NoRefresh bool

	MCP, AS *httptest.Server

	mu      sync.Mutex
	log     []string
	n       int
	clients map[string]string // id: secret
	codes   map[string]code
	tokens  map[string][]string // access token: scopes
	refresh map[string][]string
	forms   []url.Values
}

type code struct{ client, redirect, challenge, resource, scope string }

// New starts the servers; they end with the test.
func New(t testing.TB) *World {
	t.Helper()
	w := &World{Lifetime: 3600, clients: map[string]string{}, codes: map[string]code{}, tokens: map[string][]string{}, refresh: map[string][]string{}, Pages: map[string]http.HandlerFunc{}, MCPPages: map[string]http.HandlerFunc{}}
	w.MCP = httptest.NewServer(w.seen("mcp", w.mcp))
	w.AS = httptest.NewServer(w.seen("as", w.as))
	t.Cleanup(w.MCP.Close)
	t.Cleanup(w.AS.Close)
	return w
}

// URL is the endpoint.
func (w *World) URL() string { return w.MCP.URL + "/mcp" }

// Log is what was asked, like "as POST /token".
func (w *World) Log() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

// Count is how many times something was asked.
func (w *World) Count(what string) int {
	n := 0
	for _, l := range w.Log() {
		if l == what {
			n++
		}
	}
	return n
}

// Forms are the token requests and, with the key "page", the authorization requests.
func (w *World) Forms() []url.Values {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.forms)
}

// Client makes a client known.
func (w *World) Client(id, secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clients[id] = secret
}

// Revoke makes all access tokens worthless, and the refresh tokens with them if asked.
func (w *World) Revoke(refreshToo bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.tokens)
	if refreshToo {
		clear(w.refresh)
	}
}

func (w *World) seen(who string, h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.log = append(w.log, who+" "+r.Method+" "+r.URL.Path)
		page := w.Pages[r.URL.Path]
		if own := w.MCPPages[r.URL.Path]; own != nil && who == "mcp" {
			page = own
		}
		w.mu.Unlock()
		if page != nil {
			page(rw, r)
			return
		}
		h(rw, r)
	})
}

func send(rw http.ResponseWriter, status int, doc any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(doc)
}

func (w *World) mcp(rw http.ResponseWriter, r *http.Request) {
	const hint = "/.well-known/oauth-protected-resource/mcp"
	if r.URL.Path == hint {
		var doc any = map[string]any{"resource": w.URL(), "authorization_servers": []string{w.AS.URL}}
		if w.Resource != nil {
			doc = w.Resource(doc.(map[string]any))
		}
		send(rw, 200, doc)
		return
	}
	if r.URL.Path != "/mcp" {
		http.NotFound(rw, r)
		return
	}
	text, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(text)))
	challenge := func(status int, more string) {
		field := `Bearer resource_metadata="` + w.MCP.URL + hint + `"` + more
		if w.Challenge != "" {
			field = w.Challenge
		}
		if field != "-" {
			rw.Header().Set("WWW-Authenticate", field)
		}
		send(rw, status, map[string]any{"error": "no"})
	}
	var need []string
	if w.Need != nil {
		need = w.Need(r, string(text))
	}
	scope := ""
	if len(need) > 0 {
		scope = `, scope="` + strings.Join(need, " ") + `"`
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	w.mu.Lock()
	have, ok := w.tokens[token]
	w.mu.Unlock()
	if !ok {
		challenge(401, scope)
		return
	}
	for _, s := range need {
		if !slices.Contains(have, s) {
			challenge(403, `, error="insufficient_scope"`+scope)
			return
		}
	}
	if w.Endpoint != nil {
		w.Endpoint.ServeHTTP(rw, r)
	}
}

// Authority answers as the authorization server does, wherever it stands.
func (w *World) Authority(rw http.ResponseWriter, r *http.Request) { w.as(rw, r) }

func (w *World) as(rw http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		var doc any = map[string]any{
			"issuer": w.AS.URL, "authorization_endpoint": w.AS.URL + "/authorize", "token_endpoint": w.AS.URL + "/token", "registration_endpoint": w.AS.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
			"grant_types_supported":                 []string{"authorization_code", "refresh_token", "client_credentials"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic", "client_secret_post", "private_key_jwt"},
		}
		if w.Metadata != nil {
			doc = w.Metadata(doc.(map[string]any))
		}
		send(rw, 200, doc)
	case "/register":
		var doc map[string]any
		_ = json.NewDecoder(r.Body).Decode(&doc)
		if doc["application_type"] != "native" {
			send(rw, 400, map[string]any{"error": "invalid_client_metadata"})
			return
		}
		w.mu.Lock()
		w.n++
		id := fmt.Sprintf("client-%d", w.n)
		w.clients[id] = ""
		w.mu.Unlock()
		send(rw, 201, map[string]any{"client_id": id, "redirect_uris": doc["redirect_uris"], "token_endpoint_auth_method": "none"})
	case "/authorize":
		w.authorize(rw, r)
	case "/token":
		w.token(rw, r)
	default:
		http.NotFound(rw, r)
	}
}

func (w *World) authorize(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.mu.Lock()
	w.n++
	name := fmt.Sprintf("code-number-%d", w.n)
	w.codes[name] = code{q.Get("client_id"), q.Get("redirect_uri"), q.Get("code_challenge"), q.Get("resource"), q.Get("scope")}
	q.Set("page", "authorize")
	w.forms = append(w.forms, q)
	_, known := w.clients[q.Get("client_id")]
	w.mu.Unlock()
	if !known || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") == "" {
		http.Error(rw, "wrong authorization request", 400)
		return
	}
	back := url.Values{"code": {name}, "state": {q.Get("state")}, "iss": {w.AS.URL}}
	if w.Iss == "-" {
		back.Del("iss")
	} else if w.Iss != "" {
		back.Set("iss", w.Iss)
	}
	if w.Back != nil {
		w.Back(back)
	}
	http.Redirect(rw, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (w *World) token(rw http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f := r.PostForm
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forms = append(w.forms, f)
	client := f.Get("client_id")
	if id, secret, ok := r.BasicAuth(); ok {
		client = id
		if w.clients[id] != secret || secret == "" {
			send(rw, 401, map[string]any{"error": "invalid_client"})
			return
		}
	}
	if _, known := w.clients[client]; !known {
		send(rw, 401, map[string]any{"error": "invalid_client"})
		return
	}
	var scopes []string
	switch f.Get("grant_type") {
	case "authorization_code":
		c, ok := w.codes[f.Get("code")]
		delete(w.codes, f.Get("code")) // good for one use
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		if !ok || c.client != client || c.redirect != f.Get("redirect_uri") || c.resource != f.Get("resource") || c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			send(rw, 400, map[string]any{"error": "invalid_grant", "error_description": "the code is not good"})
			return
		}
		scopes = strings.Fields(c.scope)
	case "refresh_token":
		old, ok := w.refresh[f.Get("refresh_token")]
		if !ok {
			send(rw, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(w.refresh, f.Get("refresh_token"))
		scopes = old
	case "client_credentials":
		scopes = strings.Fields(f.Get("scope"))
	default:
		send(rw, 400, map[string]any{"error": "unsupported_grant_type"})
		return
	}
	w.n++
	access, again := fmt.Sprintf("access-token-%d-%s", w.n, "secret"), fmt.Sprintf("refresh-token-%d-%s", w.n, "secret")
	w.tokens[access] = scopes
	answer := map[string]any{"access_token": access, "token_type": "bearer", "expires_in": w.Lifetime, "scope": strings.Join(scopes, " ")}
	if !w.NoRefresh && f.Get("grant_type") != "client_credentials" {
		w.refresh[again] = scopes
		answer["refresh_token"] = again
	}
	send(rw, 200, answer)
}
