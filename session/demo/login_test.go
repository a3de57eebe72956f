package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// guarded is a station over HTTP that wants a login, and a client that follows no redirect.
func guarded(t *testing.T) (base string, client *http.Client) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Login: true})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String(), &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

type visited struct {
	status int
	header http.Header
	body   string
}

func (a visited) member(t *testing.T, name string) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(a.body), &doc); err != nil {
		t.Fatalf("%v in %q", err, a.body)
	}
	text, _ := doc[name].(string)
	return text
}

func visit(t *testing.T, client *http.Client, method, address, body string, header ...string) visited {
	t.Helper()
	r, err := http.NewRequest(method, address, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return visited{w.StatusCode, w.Header, string(text)}
}

const (
	form     = "application/x-www-form-urlencoded"
	redirect = "http://127.0.0.1/callback"
	verifier = "a-verifier-that-is-long-enough-for-everybody-who-reads-it"
)

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func TestALoginOnTheStation(t *testing.T) {
	base, c := guarded(t)
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	post := func(body, method, token string) visited {
		h := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}
		if token != "" {
			h = append(h, "Authorization", "Bearer "+token)
		}
		if method == "tools/call" {
			h = append(h, "Mcp-Name", "ring_bell")
		}
		return visit(t, c, "POST", base+Path, body, h...)
	}
	if a := post(discover, "server/discover", ""); a.status != 401 || !strings.Contains(a.header.Get("WWW-Authenticate"), base+"/.well-known/oauth-protected-resource/mcp") {
		t.Fatalf("without a token: %+v", a)
	}
	if a := post(discover, "server/discover", "made-up"); a.status != 401 || !strings.Contains(a.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		t.Errorf("with a made-up token: %+v", a)
	}
	if a := visit(t, c, "GET", base+"/.well-known/oauth-protected-resource/mcp", ""); a.member(t, "resource") != base+Path {
		t.Errorf("resource metadata: %+v", a)
	}
	if a := visit(t, c, "GET", base+"/.well-known/oauth-authorization-server", ""); a.member(t, "issuer") != base {
		t.Errorf("server metadata: %+v", a)
	}
	if a := visit(t, c, "POST", base+"/register", `{"redirect_uris":["https://evil.example/"]}`); a.status != 400 {
		t.Errorf("a client from elsewhere: %+v", a)
	}
	id := visit(t, c, "POST", base+"/register", `{"redirect_uris":["`+redirect+`"],"application_type":"native"}`).member(t, "client_id")

	page := func(change func(url.Values)) string {
		q := url.Values{"response_type": {"code"}, "client_id": {id}, "redirect_uri": {"http://127.0.0.1:4711/callback"}, "state": {"s1"}, "scope": {scopeRead},
			"code_challenge": {challengeOf(verifier)}, "code_challenge_method": {"S256"}, "resource": {base + Path}}
		if change != nil {
			change(q)
		}
		return base + "/authorize?" + q.Encode()
	}
	landed := func(a visited) url.Values {
		u, err := url.Parse(a.header.Get("Location"))
		if err != nil || a.status != 302 || u.Host != "127.0.0.1:4711" {
			t.Fatalf("not sent back: %+v", a)
		}
		return u.Query()
	}
	// A person sees a page and may say no; nothing of the request becomes markup.
	if a := visit(t, c, "GET", page(nil), "", "Accept", "text/html"); a.status != 200 || !strings.Contains(a.body, "Let it in") || strings.Contains(a.body, "<script") {
		t.Errorf("the page: %+v", a)
	}
	if q := landed(visit(t, c, "POST", page(nil), "answer=no", "Content-Type", form, "Accept", "text/html")); q.Get("error") != "access_denied" || q.Get("iss") != base {
		t.Errorf("a no: %v", q)
	}
	// Wrong requests come back with the reason, but never to an address that nobody vouched for.
	for name, change := range map[string]func(url.Values){
		"invalid_request": func(q url.Values) { q.Del("code_challenge") },
		"invalid_target":  func(q url.Values) { q.Set("resource", "https://elsewhere.example/") },
		"invalid_scope":   func(q url.Values) { q.Set("scope", "everything") },
	} {
		if q := landed(visit(t, c, "GET", page(change), "")); q.Get("error") != name || q.Get("state") != "s1" {
			t.Errorf("%s: %v", name, q)
		}
	}
	if a := visit(t, c, "GET", page(func(q url.Values) { q.Set("redirect_uri", "http://evil.example/callback") }), ""); a.status != 400 || a.header.Get("Location") != "" {
		t.Errorf("another address: %+v", a)
	}

	code := func(scope string) string {
		q := landed(visit(t, c, "GET", page(func(q url.Values) { q.Set("scope", scope) }), ""))
		if q.Get("state") != "s1" || q.Get("iss") != base {
			t.Errorf("redirect: %v", q)
		}
		return q.Get("code")
	}
	exchange := func(more url.Values) visited {
		f := url.Values{"grant_type": {"authorization_code"}, "client_id": {id}, "redirect_uri": {"http://127.0.0.1:4711/callback"}, "code_verifier": {verifier}, "resource": {base + Path}}
		for k, v := range more {
			f[k] = v
		}
		return visit(t, c, "POST", base+"/token", f.Encode(), "Content-Type", form)
	}
	if a := exchange(url.Values{"code": {code(scopeRead)}, "code_verifier": {"another"}}); a.status != 400 || a.member(t, "error") != "invalid_grant" {
		t.Errorf("a wrong verifier: %+v", a)
	}
	once := code(scopeRead)
	good := exchange(url.Values{"code": {once}})
	token := good.member(t, "access_token")
	if good.status != 200 || token == "" {
		t.Fatalf("the code: %+v", good)
	}
	if a := exchange(url.Values{"code": {once}}); a.status != 400 {
		t.Errorf("a code used twice: %+v", a)
	}
	if a := post(discover, "server/discover", token); a.status != 200 {
		t.Errorf("with the token: %+v", a)
	}
	// Changing something needs more.
	bell := strings.Replace(strings.Replace(discover, "server/discover", "tools/call", 1), `"params":{`, `"params":{"name":"ring_bell","arguments":{},`, 1)
	if a := post(bell, "tools/call", token); a.status != 403 || !strings.Contains(a.header.Get("WWW-Authenticate"), `error="insufficient_scope"`) || !strings.Contains(a.header.Get("WWW-Authenticate"), scopeKeep) {
		t.Errorf("ringing the bell: %+v", a)
	}
	more := exchange(url.Values{"code": {code(scopeRead + " " + scopeKeep)}}).member(t, "access_token")
	if a := post(bell, "tools/call", more); a.status != 200 {
		t.Errorf("with more scopes: %+v", a)
	}
	// A refresh token is good for one use.
	again := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {good.member(t, "refresh_token")}}
	if a := exchange(again); a.status != 200 || a.member(t, "access_token") == token {
		t.Errorf("refreshing: %+v", a)
	}
	if a := exchange(again); a.status != 400 {
		t.Errorf("refreshing twice: %+v", a)
	}
}
