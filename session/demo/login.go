package demo

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// The scopes of the station: whoever may look, and whoever may change something.
const (
	scopeRead = "station:read"
	scopeKeep = "station:keep"
)

// Bounds on what a login leaves behind.
const (
	tokenLife   = 10 * time.Minute
	codeLife    = time.Minute
	mostClients = 1000
)

// login is the station's own authorization server (2026-07-28, basic/authorization: OAuth 2.1 with PKCE, protected resource
// metadata, RFC 8414 metadata, dynamic registration, iss in the redirect). It knows no passwords: its page lets anybody in
// who says yes, which is enough to see how a login goes. Everything lives in memory.
type login struct {
	base   string                 // where the server stands, "http://127.0.0.1:8123"; also the issuer
	serves func(path string) bool // whether there is an endpoint, a protected resource

	mu      sync.Mutex
	clients map[string][]string // id: redirect URIs
	codes   map[string]grant
	tokens  map[string]grant // access tokens
	refresh map[string]grant
}

// grant is what a code or token stands for.
type grant struct {
	client, redirect, challenge, resource string
	scopes                                []string
	until                                 time.Time
}

func newLogin(base string, serves func(path string) bool) *login {
	return &login{base: base, serves: serves, clients: map[string][]string{}, codes: map[string]grant{}, tokens: map[string]grant{}, refresh: map[string]grant{}}
}

// mount adds the documents and endpoints.
func (l *login) mount(mux *http.ServeMux) {
	const resources = "/.well-known/oauth-protected-resource"
	mux.HandleFunc("GET "+resources+"/", func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, resources)
		if !l.serves(path) {
			http.NotFound(w, r)
			return
		}
		reply(w, http.StatusOK, map[string]any{
			"resource": l.base + path, "resource_name": "Skerry Light weather station",
			"authorization_servers": []string{l.base}, "scopes_supported": []string{scopeRead, scopeKeep}, "bearer_methods_supported": []string{"header"},
		})
	})
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{
			"issuer": l.base, "authorization_endpoint": l.base + "/authorize", "token_endpoint": l.base + "/token", "registration_endpoint": l.base + "/register",
			"response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "refresh_token"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
			"scopes_supported": []string{scopeRead, scopeKeep}, "authorization_response_iss_parameter_supported": true,
		})
	})
	mux.HandleFunc("POST /register", l.register)
	mux.HandleFunc("GET /authorize", l.authorize)
	mux.HandleFunc("POST /authorize", l.authorize)
	mux.HandleFunc("POST /token", l.token)
}

func reply(w http.ResponseWriter, status int, doc any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(doc) // whoever is gone needs no answer
}

// guard lets a request through that has a token with the scopes it needs, and tells others where to get one.
func (l *login) guard(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
		if err != nil {
			http.Error(w, "the body could not be read", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		need := []string{scopeRead}
		if changes(body) {
			need = append(need, scopeKeep)
		}
		challenge := func(status int, problem string) {
			field := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource%s", scope="%s"`, l.base, path, strings.Join(need, " "))
			if problem != "" {
				field += fmt.Sprintf(`, error="%s"`, problem)
			}
			w.Header().Set("WWW-Authenticate", field)
			http.Error(w, "the station wants a login", status)
		}
		token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		l.mu.Lock()
		g, known := l.tokens[token]
		l.mu.Unlock()
		switch {
		case !bearer:
			challenge(http.StatusUnauthorized, "")
		case !known || time.Now().After(g.until) || g.resource != l.base+path:
			challenge(http.StatusUnauthorized, "invalid_token")
		case slices.ContainsFunc(need, func(s string) bool { return !slices.Contains(g.scopes, s) }):
			challenge(http.StatusForbidden, "insufficient_scope")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// changes tells whether a message calls a tool that does more than look.
func changes(body []byte) bool {
	root := jsondoc.Parse(body).Root()
	return root.Get("method").Text() == mcp.ToolsCall && slices.Contains([]string{"log_observation", "delete_observation", "ring_bell", "hang_instrument"}, root.Get("params").Get("name").Text())
}

// register makes a client known (RFC 7591). Only addresses of the same machine can be come back to: this is for native programs.
func (l *login) register(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Redirects []string `json:"redirect_uris"`
		Name      string   `json:"client_name"`
		Type      string   `json:"application_type"`
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&asked) != nil || len(asked.Redirects) == 0 || len(asked.Redirects) > 10 {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_client_metadata", "error_description": "redirect_uris is missing"})
		return
	}
	for _, to := range asked.Redirects {
		if u, err := url.Parse(to); err != nil || u.Scheme != "http" || !isLoopback(u.Hostname()) {
			reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_redirect_uri", "error_description": "only http addresses of this machine"})
			return
		}
	}
	id := secret()
	l.mu.Lock()
	full := len(l.clients) >= mostClients
	if !full {
		l.clients[id] = asked.Redirects
	}
	l.mu.Unlock()
	if full {
		reply(w, http.StatusServiceUnavailable, map[string]any{"error": "temporarily_unavailable"})
		return
	}
	reply(w, http.StatusCreated, map[string]any{
		"client_id": id, "client_name": asked.Name, "redirect_uris": asked.Redirects, "application_type": asked.Type,
		"token_endpoint_auth_method": "none", "grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	})
}

// authorize asks the person in the browser. Whoever is no browser is let in at once: nobody is there to ask.
func (l *login) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	redirect, err := url.Parse(q.Get("redirect_uri"))
	l.mu.Lock()
	known := l.clients[q.Get("client_id")]
	l.mu.Unlock()
	if err != nil || !slices.ContainsFunc(known, func(to string) bool { return sameButPort(to, q.Get("redirect_uri")) }) {
		http.Error(w, "This client is not known, or wants to be answered elsewhere than it said.", http.StatusBadRequest)
		return // never to an address that nobody vouched for
	}
	back := func(more url.Values) {
		more.Set("state", q.Get("state"))
		more.Set("iss", l.base)
		redirect.RawQuery = more.Encode()
		http.Redirect(w, r, redirect.String(), http.StatusFound)
	}
	resource := q.Get("resource")
	scopes := strings.Fields(q.Get("scope"))
	if len(scopes) == 0 {
		scopes = []string{scopeRead}
	}
	switch {
	case q.Get("response_type") != "code":
		back(url.Values{"error": {"unsupported_response_type"}})
		return
	case q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "":
		back(url.Values{"error": {"invalid_request"}, "error_description": {"PKCE with S256 is needed"}})
		return
	case resource != "" && !l.isResource(resource):
		back(url.Values{"error": {"invalid_target"}})
		return
	case slices.ContainsFunc(scopes, func(s string) bool { return s != scopeRead && s != scopeKeep }):
		back(url.Values{"error": {"invalid_scope"}})
		return
	}
	if r.Method == http.MethodGet && browser(r) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		_, _ = io.WriteString(w, consent(q.Get("client_id"), redirect.Host, scopes)) // whoever is gone needs no page
		return
	}
	if r.Method == http.MethodPost && r.PostFormValue("answer") != "yes" {
		back(url.Values{"error": {"access_denied"}})
		return
	}
	if resource == "" {
		resource = l.base + Path // revisions before 2025-06-18 name none
	}
	code := secret()
	l.mu.Lock()
	l.expire()
	l.codes[code] = grant{q.Get("client_id"), q.Get("redirect_uri"), q.Get("code_challenge"), resource, scopes, time.Now().Add(codeLife)}
	l.mu.Unlock()
	back(url.Values{"code": {code}})
}

func (l *login) isResource(address string) bool {
	path, ours := strings.CutPrefix(address, l.base)
	return ours && l.serves(path)
}

// sameButPort compares redirect URIs; a native client chooses its port anew each time (RFC 8252 §7.3).
func sameButPort(a, b string) bool {
	u, errA := url.Parse(a)
	v, errB := url.Parse(b)
	return errA == nil && errB == nil && u.Scheme == v.Scheme && u.Hostname() == v.Hostname() && u.Path == v.Path && u.RawQuery == v.RawQuery
}

// browser tells whether a person sees what is answered.
func browser(r *http.Request) bool {
	for _, part := range strings.Split(r.Header.Get("Accept"), ",") {
		if t, _, err := mime.ParseMediaType(strings.TrimSpace(part)); err == nil && t == "text/html" {
			return true
		}
	}
	return false
}

// consent is the page that asks the person. Nothing of the request becomes markup.
func consent(client, to string, scopes []string) string {
	var list strings.Builder
	for _, scope := range scopes {
		list.WriteString("<li><code>" + html.EscapeString(scope) + "</code></li>")
	}
	return `<!doctype html><meta charset="utf-8"><title>Skerry Light</title>
<style>body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}code{overflow-wrap:anywhere}button{font:inherit;padding:.4rem 1.2rem;margin-right:.6rem}</style>
<h1>Skerry Light weather station</h1>
<p>The client <code>` + html.EscapeString(client) + `</code> wants to come in, and be answered at <code>` + html.EscapeString(to) + `</code>. It asks for:</p>
<ul>` + list.String() + `</ul>
<form method="post"><button name="answer" value="yes">Let it in</button><button name="answer" value="no">No</button></form>
<p>This is the built-in server of mcploupe: nobody needs a password here.</p>
`
}

// token exchanges a code, or a refresh token, for an access token (RFC 6749, PKCE: RFC 7636, resource: RFC 8707).
func (l *login) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	refuse := func(status int, problem, text string) {
		reply(w, status, map[string]any{"error": problem, "error_description": text})
	}
	if r.ParseForm() != nil {
		refuse(http.StatusBadRequest, "invalid_request", "the form could not be read")
		return
	}
	f := r.PostForm
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expire()
	client := f.Get("client_id")
	if l.clients[client] == nil {
		refuse(http.StatusUnauthorized, "invalid_client", "this client is not known")
		return
	}
	var g grant
	switch f.Get("grant_type") {
	case "authorization_code":
		code := f.Get("code")
		given, ok := l.codes[code]
		delete(l.codes, code) // good for one use
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		proof := base64.RawURLEncoding.EncodeToString(sum[:])
		switch {
		case !ok || given.client != client || given.redirect != f.Get("redirect_uri"):
			refuse(http.StatusBadRequest, "invalid_grant", "the code is not good")
			return
		case subtle.ConstantTimeCompare([]byte(proof), []byte(given.challenge)) != 1:
			refuse(http.StatusBadRequest, "invalid_grant", "the code verifier does not fit")
			return
		case f.Get("resource") != "" && f.Get("resource") != given.resource:
			refuse(http.StatusBadRequest, "invalid_target", "the code is for another resource")
			return
		}
		g = given
	case "refresh_token":
		given, ok := l.refresh[f.Get("refresh_token")]
		if !ok || given.client != client {
			refuse(http.StatusBadRequest, "invalid_grant", "the refresh token is not good")
			return
		}
		delete(l.refresh, f.Get("refresh_token")) // each is good for one use
		g = given
	default:
		refuse(http.StatusBadRequest, "unsupported_grant_type", "a code or a refresh token")
		return
	}
	access, again := secret(), secret()
	g.until = time.Now().Add(tokenLife)
	l.tokens[access] = g
	g.until = time.Now().Add(24 * time.Hour)
	l.refresh[again] = g
	reply(w, http.StatusOK, map[string]any{
		"access_token": access, "token_type": "Bearer", "expires_in": int(tokenLife.Seconds()), "refresh_token": again, "scope": strings.Join(g.scopes, " "),
	})
}

// expire forgets what is no good any more. It is called with the lock held.
func (l *login) expire() {
	now := time.Now()
	for _, all := range []map[string]grant{l.codes, l.tokens, l.refresh} {
		for name, g := range all {
			if now.After(g.until) {
				delete(all, name)
			}
		}
	}
}

// secret is a name that nobody can guess.
func secret() string { return rand.Text() }
