package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/oauth"
	"mcploupe/session/oauth/oauthtest"
)

// person is a login with everything that was told on the way.
type person struct {
	t       *testing.T
	world   *oauthtest.World
	client  *oauth.Client
	steps   []oauth.Step
	secrets []string
}

func login(t *testing.T, w *oauthtest.World, cfg oauth.Config) *person {
	t.Helper()
	cfg.Auto = cfg.Visit == nil
	c, err := oauth.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, world: w, client: c}
}

// ask makes a request with the token there is, and tells the status and the challenge.
func (p *person) ask(body string) oauth.Challenge {
	p.t.Helper()
	req, _ := http.NewRequest(http.MethodPost, p.world.URL(), strings.NewReader(body))
	token := p.client.Bearer(p.world.URL())
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return oauth.Challenge{Server: p.world.URL(), Status: resp.StatusCode, Fields: resp.Header.Values("WWW-Authenticate"), Token: token, Operation: body}
}

// do asks until there is an answer, as a session does.
func (p *person) do(body string) (status int, err error) {
	p.t.Helper()
	for attempt := 0; ; attempt++ {
		ch := p.ask(body)
		if ch.Status != 401 && ch.Status != 403 {
			return ch.Status, nil
		}
		ch.Attempt = attempt
		if _, err := p.client.Authorize(p.t.Context(), ch, oauth.Help{
			Tell: func(s oauth.Step) { p.steps = append(p.steps, s) }, Hide: func(s string) { p.secrets = append(p.secrets, s) },
		}); err != nil {
			return ch.Status, err
		}
	}
}

func (p *person) story() string {
	var b strings.Builder
	for _, s := range p.steps {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, s.Text)
		for _, h := range []*oauth.Head{s.Request, s.Response} {
			if h != nil {
				fmt.Fprintf(&b, "  %s %s %d %v\n  %s\n", h.Method, h.URL, h.Status, h.Header, h.Body)
			}
		}
	}
	return b.String()
}

// start is the short address that the person is shown.
func (p *person) start() string {
	for _, s := range p.steps {
		if s.Name == oauth.StepAuthorize {
			_, text, _ := strings.Cut(s.Text, "open ")
			address, _, _ := strings.Cut(text, " ")
			return address
		}
	}
	p.t.Fatal("nothing to open")
	return ""
}

func (p *person) names() (all []string) {
	for _, s := range p.steps {
		all = append(all, s.Name)
	}
	return all
}

func TestLogin(t *testing.T) {
	w := oauthtest.New(t)
	store := oauth.NewStore(filepath.Join(t.TempDir(), "mcploupe", "tokens.json"))
	p := login(t, w, oauth.Config{Store: store})
	if status, err := p.do("tools/list"); err != nil || status != 200 {
		t.Fatalf("status %d, %v\n%s", status, err, p.story())
	}
	want := []string{oauth.StepChallenge, oauth.StepResource, oauth.StepServer, oauth.StepRegister, oauth.StepScopes, oauth.StepAuthorize, oauth.StepRedirect, oauth.StepToken}
	if !slices.Equal(p.names(), want) {
		t.Errorf("steps %v", p.names())
	}
	forms := w.Forms()
	if len(forms) != 2 || forms[0].Get("resource") != w.URL() || forms[1].Get("resource") != w.URL() || forms[0].Has("scope") {
		t.Errorf("requests %v", forms)
	}
	// Nothing that is secret is in what is shown, and all of it was told to be hidden.
	story := p.story()
	for _, secret := range []string{p.client.Bearer(w.URL()), forms[1].Get("code"), forms[1].Get("code_verifier"), "refresh-token-"} {
		if strings.Contains(story, secret) {
			t.Errorf("%q is shown in\n%s", secret, story)
		}
		if !slices.ContainsFunc(p.secrets, func(s string) bool { return strings.HasPrefix(s, secret) }) {
			t.Errorf("%q was not told to be hidden", secret)
		}
	}
	// The whole address that the person has to open is there.
	if !strings.Contains(story, w.AS.URL+"/authorize?") || !strings.Contains(story, "state="+forms[0].Get("state")) {
		t.Errorf("no address in\n%s", story)
	}
	if info, err := os.Stat(store.Path()); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the store: %v, %v", info, err)
	}

	// Another run uses what was kept and asks nobody.
	before := len(w.Log())
	again := login(t, w, oauth.Config{Store: oauth.NewStore(store.Path())})
	if status, err := again.do("tools/list"); err != nil || status != 200 || len(w.Log()) != before+1 {
		t.Errorf("status %d, %v, asked %v", status, err, w.Log()[before:])
	}

	// A token that was not asked for with the scopes wanted now is not used.
	if c, err := oauth.New(oauth.Config{Store: store, Scopes: []string{"more"}}); err != nil || c.Bearer(w.URL()) != "" {
		t.Errorf("used for other scopes: %v", err)
	}

	// A token that is refused is refreshed, without a person and without registering anew.
	w.Revoke(false)
	if status, err := again.do("tools/list"); err != nil || status != 200 {
		t.Errorf("status %d, %v\n%s", status, err, again.story())
	}
	if w.Count("as GET /authorize") != 1 || w.Count("as POST /register") != 1 || !slices.Contains(again.names(), oauth.StepRefresh) {
		t.Errorf("asked %v", w.Log())
	}
	last := w.Forms()[2]
	if last.Get("grant_type") != "refresh_token" || last.Get("resource") != w.URL() {
		t.Errorf("refreshed with %v", last)
	}

	// The first run, whose token is refused too, takes what the other one got: the refresh token might work no more.
	if status, err := p.do("tools/list"); err != nil || status != 200 || len(w.Forms()) != 3 || p.client.Bearer(w.URL()) != again.client.Bearer(w.URL()) {
		t.Errorf("status %d, %v, asked %v\n%s", status, err, w.Log(), p.story())
	}

	// A refresh token that is worthless too leads to a login.
	w.Revoke(true)
	if status, err := again.do("tools/list"); err != nil || status != 200 || w.Count("as GET /authorize") != 2 {
		t.Errorf("status %d, %v, asked %v", status, err, w.Log())
	}
}

// Scopes come from the challenge, else from the resource, and offline_access from the authorization server.
func TestScopesAndPlaces(t *testing.T) {
	w := oauthtest.New(t)
	w.Challenge = "-" // found at the well-known address
	w.Resource = func(doc map[string]any) any { doc["scopes_supported"] = []string{"a", "b"}; return doc }
	w.Metadata = func(doc map[string]any) any { doc["scopes_supported"] = []string{"a", "offline_access"}; return doc }
	p := login(t, w, oauth.Config{})
	if _, err := p.do("x"); err != nil {
		t.Fatal(err)
	}
	if got := w.Forms()[0].Get("scope"); got != "a b offline_access" {
		t.Errorf("asked for %q", got)
	}
}

// A client registered by hand is shown to its own authorization server and to no other.
func TestClientIsBoundToItsIssuer(t *testing.T) {
	w := oauthtest.New(t)
	w.Client("by-hand", "its-very-secret")
	p := login(t, w, oauth.Config{ClientID: "by-hand", ClientSecret: "its-very-secret"})
	if status, err := p.do("x"); err != nil || status != 200 || w.Count("as POST /register") != 0 {
		t.Fatalf("status %d, %v\n%s", status, err, p.story())
	}
	if strings.Contains(p.story(), "its-very-secret") {
		t.Error("the secret is shown")
	}
	other := oauthtest.New(t)
	w.Resource = func(doc map[string]any) any { doc["authorization_servers"] = []string{other.AS.URL}; return doc }
	w.Revoke(true)
	_, err := p.do("x")
	if err == nil || !strings.Contains(err.Error(), "not shown to it") || other.Count("as GET /authorize") != 0 || other.Count("as POST /token") != 0 {
		t.Errorf("%v, asked %v", err, other.Log())
	}
	q := login(t, w, oauth.Config{ClientID: "by-hand", ClientSecret: "its-very-secret", Issuer: "https://as.example"})
	if _, err := q.do("x"); err == nil || !strings.Contains(err.Error(), "as.example") {
		t.Errorf("%v", err)
	}
}

// When the authorization server changes, we register anew, and the old refresh token goes nowhere.
func TestAuthorizationServerMoves(t *testing.T) {
	w, other := oauthtest.New(t), oauthtest.New(t)
	p := login(t, w, oauth.Config{Store: oauth.NewStore(filepath.Join(t.TempDir(), "tokens.json"))})
	if _, err := p.do("x"); err != nil {
		t.Fatal(err)
	}
	w.Resource = func(doc map[string]any) any { doc["authorization_servers"] = []string{other.AS.URL}; return doc }
	w.Revoke(true)
	_, err := p.do("x") // the endpoint knows only tokens of its own server, so this ends in a refusal
	if err == nil || other.Count("as POST /register") != 1 || w.Count("as POST /token") != 1 {
		t.Errorf("%v, asked %v and %v", err, w.Log(), other.Log())
	}
	for _, f := range other.Forms() {
		if f.Has("refresh_token") {
			t.Errorf("a refresh token of another server was sent: %v", f)
		}
	}
}

// Nobody comes: the wait ends. The listener takes nothing but the right state.
func TestWaitingForTheBrowser(t *testing.T) {
	w := oauthtest.New(t)
	var address, back string
	var p *person
	p = login(t, w, oauth.Config{Visit: func(_ context.Context, a, b string) (string, error) {
		address, back = a, b
		if resp, err := http.Get(b + "?code=forged-code&state=guess"); err != nil || resp.StatusCode != 400 {
			t.Errorf("a forged redirect got %v, %v", resp, err)
		}
		if resp, err := http.Get(strings.TrimSuffix(b, "callback")); err != nil || resp.StatusCode != 400 {
			t.Errorf("a guessed start got %v, %v", resp, err)
		}
		if resp, err := http.Get(p.start()); err != nil || resp.StatusCode != 200 { // a browser: follows the redirect to us
			t.Errorf("the browser got %v, %v", resp, err)
		}
		return "", nil
	}})
	if status, err := p.do("x"); err != nil || status != 200 {
		t.Fatalf("status %d, %v\n%s", status, err, p.story())
	}
	if !strings.HasPrefix(back, "http://127.0.0.1:") || !strings.HasPrefix(address, w.AS.URL) {
		t.Errorf("address %q, back %q", address, back)
	}
	q := login(t, w, oauth.Config{Patience: 20 * time.Millisecond, Visit: func(context.Context, string, string) (string, error) { return "", nil }})
	if _, err := q.client.Authorize(t.Context(), p401(w), oauth.Help{}); err == nil || !strings.Contains(err.Error(), "nobody came back") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := login(t, w, oauth.Config{Visit: func(context.Context, string, string) (string, error) { cancel(); return "", nil }})
	if _, err := r.client.Authorize(ctx, p401(w), oauth.Help{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func p401(w *oauthtest.World) oauth.Challenge {
	return oauth.Challenge{Server: w.URL(), Status: 401, Operation: "x"}
}

// Revision 2025-03-26 knew no resource metadata, and servers without any metadata; only there are endpoints assumed.
func TestOldServer(t *testing.T) {
	for _, old := range []bool{true, false} {
		w := oauthtest.New(t)
		w.Challenge = "-"
		w.Pages["/.well-known/oauth-protected-resource/mcp"] = http.NotFound
		// The MCP server is its own authorization server here.
		forward := func(rw http.ResponseWriter, r *http.Request) { w.Authority(rw, r) }
		for _, path := range []string{"/authorize", "/token", "/register"} {
			w.MCPPages[path] = forward
		}
		w.Iss = "-"
		p := login(t, w, oauth.Config{Old: old})
		status, err := p.do("x")
		if old && (err != nil || status != 200) || !old && (err == nil || w.Count("mcp POST /register") != 0) {
			t.Errorf("old %v: status %d, %v\n%s", old, status, err, p.story())
		}
	}
}

// Of several authorization servers the one that our client belongs to is taken.
func TestSeveralServers(t *testing.T) {
	w := oauthtest.New(t)
	w.Client("by-hand", "")
	w.Resource = func(doc map[string]any) any {
		doc["authorization_servers"] = []string{"https://as.example", w.AS.URL}
		return doc
	}
	p := login(t, w, oauth.Config{ClientID: "by-hand", Issuer: w.AS.URL})
	if status, err := p.do("x"); err != nil || status != 200 {
		t.Errorf("status %d, %v\n%s", status, err, p.story())
	}
}
