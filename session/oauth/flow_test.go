package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
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
	if cfg.Visit == nil {
		cfg.Visit = oauth.Fetch(http.DefaultTransport)
	}
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
	if info, err := os.Stat(store.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the store: %v, %v", info, err)
	}

	// Another run uses what was kept and asks nobody.
	before := len(w.Log())
	again := login(t, w, oauth.Config{Store: oauth.NewStore(store.Path())})
	if status, err := again.do("tools/list"); err != nil || status != 200 || len(w.Log()) != before+1 {
		t.Errorf("status %d, %v, asked %v", status, err, w.Log()[before:])
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

	// A refresh token that is worthless too leads to a login.
	w.Revoke(true)
	if status, err := again.do("tools/list"); err != nil || status != 200 || w.Count("as GET /authorize") != 2 {
		t.Errorf("status %d, %v, asked %v", status, err, w.Log())
	}
}

// Each thing that must not be accepted: who is to blame, and where it stops.
func TestRefusals(t *testing.T) {
	set := func(name string, value any) func(map[string]any) any {
		return func(doc map[string]any) any { doc[name] = value; return doc }
	}
	page := func(status int, mediaType, text string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", mediaType)
			rw.WriteHeader(status)
			fmt.Fprint(rw, text)
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusTemporaryRedirect) }
	}
	const prm, asm = "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"
	elsewhere := oauthtest.New(t)
	for name, c := range map[string]struct {
		break_ func(w *oauthtest.World)
		step   string
		rule   string
		text   string
		never  string // must not have been asked
	}{
		"resource of somebody else":        {func(w *oauthtest.World) { w.Resource = set("resource", "https://evil.example/mcp") }, oauth.StepResource, "auth-prm-resource-mismatch", "evil.example", "as GET " + asm},
		"resource is a sibling":            {func(w *oauthtest.World) { w.Resource = set("resource", w.MCP.URL+"/mc") }, oauth.StepResource, "auth-prm-resource-mismatch", "/mc", "as GET " + asm},
		"no resource":                      {func(w *oauthtest.World) { w.Resource = set("resource", nil) }, oauth.StepResource, "auth-prm-resource-mismatch", "", "as GET " + asm},
		"no authorization server":          {func(w *oauthtest.World) { w.Resource = set("authorization_servers", []string{}) }, oauth.StepResource, "auth-prm-authorization-servers", "names no", "as GET " + asm},
		"authorization server in clear":    {func(w *oauthtest.World) { w.Resource = set("authorization_servers", []string{"http://as.example"}) }, oauth.StepResource, "auth-prm-authorization-servers", "not https", ""},
		"authorization server is a script": {func(w *oauthtest.World) { w.Resource = set("authorization_servers", []string{"javascript:alert(1)"}) }, oauth.StepResource, "auth-prm-authorization-servers", "", ""},
		"no metadata anywhere":             {func(w *oauthtest.World) { w.Pages[prm] = page(404, "text/plain", "") }, oauth.StepResource, "auth-401-no-metadata", "nowhere", "as GET " + asm},
		"web page for resource metadata":   {func(w *oauthtest.World) { w.Pages[prm] = page(200, "text/html", "<html>hello") }, oauth.StepResource, "auth-401-no-metadata", "", "as GET " + asm},
		"issuer with a slash":              {func(w *oauthtest.World) { w.Metadata = set("issuer", w.AS.URL+"/") }, oauth.StepServer, "auth-as-metadata-issuer", "character by character", "as GET /authorize"},
		"no server metadata":               {func(w *oauthtest.World) { w.Pages[asm] = page(404, "text/plain", "") }, oauth.StepServer, "auth-as-metadata-absent", "none of the places", "as GET /authorize"},
		"web page for server metadata":     {func(w *oauthtest.World) { w.Pages[asm] = page(200, "text/html", "<!doctype html>") }, oauth.StepServer, "auth-as-metadata-absent", "", "as GET /authorize"},
		"server metadata elsewhere":        {func(w *oauthtest.World) { w.Pages[asm] = redirect(elsewhere.AS.URL + asm) }, oauth.StepServer, "auth-as-metadata-absent", "", "as GET /authorize"},
		"server metadata too long": {func(w *oauthtest.World) {
			w.Pages[asm] = page(200, "application/json", `{"issuer":"`+strings.Repeat("x", 2<<20)+`"}`)
		}, oauth.StepServer, "auth-as-metadata-absent", "", "as GET /authorize"},
		"no PKCE":                 {func(w *oauthtest.World) { w.Metadata = set("code_challenge_methods_supported", nil) }, oauth.StepServer, "auth-pkce-unadvertised", "PKCE", "as POST /register"},
		"PKCE plain only":         {func(w *oauthtest.World) { w.Metadata = set("code_challenge_methods_supported", []string{"plain"}) }, oauth.StepServer, "auth-pkce-unadvertised", "PKCE", "as POST /register"},
		"token endpoint in clear": {func(w *oauthtest.World) { w.Metadata = set("token_endpoint", "http://as.example/token") }, oauth.StepServer, "auth-as-endpoints-https", "token_endpoint", "as GET /authorize"},
		"no way to be a client":   {func(w *oauthtest.World) { w.Metadata = set("registration_endpoint", nil) }, oauth.StepClient, "", "knows no client of ours", "as GET /authorize"},
		"registration refused": {func(w *oauthtest.World) {
			w.Pages["/register"] = page(400, "application/json", `{"error":"invalid_redirect_uri"}`)
		}, oauth.StepRegister, "", "invalid_redirect_uri", "as GET /authorize"},
		"iss wrong":        {func(w *oauthtest.World) { w.Iss = "https://evil.example" }, oauth.StepRedirect, "auth-iss-parameter", "evil.example", "as POST /token"},
		"iss with a slash": {func(w *oauthtest.World) { w.Iss = w.AS.URL + "/" }, oauth.StepRedirect, "auth-iss-parameter", "", "as POST /token"},
		"iss missing":      {func(w *oauthtest.World) { w.Iss = "-" }, oauth.StepRedirect, "auth-iss-parameter", "announces", "as POST /token"},
		"iss wrong, with an error": {func(w *oauthtest.World) {
			w.Iss = "https://evil.example"
			w.Back = func(q url.Values) { q.Set("error", "SHOWN-ERROR") }
		}, oauth.StepRedirect, "auth-iss-parameter", "evil.example", "as POST /token"},
		"state of another login": {func(w *oauthtest.World) { w.Back = func(q url.Values) { q.Set("state", "x") } }, oauth.StepRedirect, "", "another login", "as POST /token"},
		"two codes":              {func(w *oauthtest.World) { w.Back = func(q url.Values) { q.Add("code", "x") } }, oauth.StepRedirect, "", "more than once", "as POST /token"},
		"the person said no": {func(w *oauthtest.World) {
			w.Back = func(q url.Values) { q.Del("code"); q.Set("error", "access_denied") }
		}, oauth.StepRedirect, "", "access_denied", "as POST /token"},
		"code expired":             {func(w *oauthtest.World) { w.Back = func(q url.Values) { q.Set("code", "code-of-yesterday") } }, oauth.StepToken, "", "invalid_grant", ""},
		"web page for a token":     {func(w *oauthtest.World) { w.Pages["/token"] = page(200, "text/html", "<html>") }, oauth.StepToken, "", "a web page instead of JSON", ""},
		"token endpoint redirects": {func(w *oauthtest.World) { w.Pages["/token"] = redirect(elsewhere.AS.URL + "/token") }, oauth.StepToken, "", "not followed", ""},
		"token of another type": {func(w *oauthtest.World) {
			w.Pages["/token"] = page(200, "application/json", `{"access_token":"abc","token_type":"mac"}`)
		}, oauth.StepToken, "", `"mac"`, ""},
		"token with a line break": {func(w *oauthtest.World) {
			w.Pages["/token"] = page(200, "application/json", `{"access_token":"a\r\nX: y","token_type":"Bearer"}`)
		}, oauth.StepToken, "", "no token that could be sent", ""},
		"login page for people": {func(w *oauthtest.World) { w.Pages["/authorize"] = page(200, "text/html", "<form>") }, oauth.StepAuthorize, "", "wants to be seen by a person", "as POST /token"},
		"login page elsewhere":  {func(w *oauthtest.World) { w.Pages["/authorize"] = redirect(elsewhere.AS.URL + "/x") }, oauth.StepAuthorize, "", "another origin", "as POST /token"},
	} {
		t.Run(name, func(t *testing.T) {
			w := oauthtest.New(t)
			c.break_(w)
			p := login(t, w, oauth.Config{})
			_, err := p.do("tools/list")
			r, ok := errors.AsType[*oauth.Refusal](err)
			if !ok {
				t.Fatalf("got %v\n%s", err, p.story())
			}
			if r.Step != c.step || r.Rule != c.rule || !strings.Contains(r.Text, c.text) || strings.Contains(r.Text, "SHOWN-ERROR") {
				t.Errorf("refused by %q (rule %q): %s", r.Step, r.Rule, r.Text)
			}
			if c.never != "" && w.Count(c.never) > 0 {
				t.Errorf("asked %v", w.Log())
			}
			if n := len(p.steps); n == 0 || p.steps[n-1].Name != oauth.StepRefused {
				t.Errorf("the last step does not say so:\n%s", p.story())
			}
			if p.client.Bearer(w.URL()) != "" {
				t.Error("there is a token")
			}
		})
	}
	for _, l := range elsewhere.Log() {
		t.Errorf("another origin was asked: %s", l)
	}
}

func TestStepUp(t *testing.T) {
	w := oauthtest.New(t)
	w.Need = func(_ *http.Request, body string) []string {
		if body == "tools/call" {
			return []string{"write"}
		}
		return []string{"read"}
	}
	p := login(t, w, oauth.Config{})
	for _, body := range []string{"tools/list", "tools/call", "tools/list"} {
		if status, err := p.do(body); err != nil || status != 200 {
			t.Fatalf("%s: status %d, %v\n%s", body, status, err, p.story())
		}
	}
	var scopes []string
	for _, f := range w.Forms() {
		if f.Has("page") {
			scopes = append(scopes, f.Get("scope"))
		}
	}
	if !slices.Equal(scopes, []string{"read", "read write"}) {
		t.Errorf("asked for %q", scopes)
	}
}

// A server that always wants more does not keep us logging in.
func TestStepUpLoops(t *testing.T) {
	for name, c := range map[string]struct {
		need func(n int) []string
		want string
		most int // logins
	}{
		"the same scope again": {func(int) []string { return []string{"admin"} }, "which the token has", 1},
		"ever new scopes":      {func(n int) []string { return []string{fmt.Sprintf("scope-%d", n)} }, "still refused", oauth.MaxAttempts},
		"which one it is":      {func(int) []string { return nil }, "not which one", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := oauthtest.New(t)
			n := 0
			w.Pages["/mcp"] = func(rw http.ResponseWriter, r *http.Request) {
				n++
				status, more := 403, `, error="insufficient_scope"`
				if r.Header.Get("Authorization") == "" {
					status, more = 401, ""
				}
				rw.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer scope="%s"%s`, strings.Join(c.need(n), " "), more))
				rw.WriteHeader(status)
			}
			p := login(t, w, oauth.Config{})
			_, err := p.do("tools/call x")
			if err == nil || !strings.Contains(err.Error(), c.want) || w.Count("as GET /authorize") > c.most {
				t.Errorf("%v after %d logins\n%s", err, w.Count("as GET /authorize"), p.story())
			}
		})
	}
	t.Run("a new token is not accepted", func(t *testing.T) {
		w := oauthtest.New(t)
		w.Pages["/mcp"] = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(401) }
		p := login(t, w, oauth.Config{})
		if _, err := p.do("tools/list"); err == nil || !strings.Contains(err.Error(), "just issued") || w.Count("as GET /authorize") != 1 {
			t.Errorf("%v, asked %v", err, w.Log())
		}
	})
	t.Run("a 403 that no scope helps", func(t *testing.T) {
		w := oauthtest.New(t)
		w.Pages["/mcp"] = func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("WWW-Authenticate", "Bearer")
			rw.WriteHeader(403)
		}
		p := login(t, w, oauth.Config{})
		r, ok := errors.AsType[*oauth.Refusal](second(p.do("tools/list")))
		if !ok || r.Rule != "auth-insufficient-scope-shape" || w.Count("as GET /authorize") != 0 {
			t.Errorf("%v, asked %v", r, w.Log())
		}
	})
}

func second(_ int, err error) error { return err }

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

// The other side goes away at each step of a login: it ends, with the step, and tells nobody's secrets.
func TestConnectionsBreak(t *testing.T) {
	hang := func(rw http.ResponseWriter, _ *http.Request) {
		if c, _, err := http.NewResponseController(rw).Hijack(); err == nil {
			_ = c.Close()
		}
	}
	half := func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Length", "1000")
		_, _ = rw.Write([]byte(`{"access_token":"half-a-token`))
		_ = http.NewResponseController(rw).Flush()
		hang(rw, nil)
	}
	for path, step := range map[string]string{
		"/.well-known/oauth-protected-resource/mcp": oauth.StepResource,
		"/.well-known/oauth-authorization-server":   oauth.StepServer,
		"/register":  oauth.StepRegister,
		"/authorize": oauth.StepAuthorize,
		"/token":     oauth.StepToken,
	} {
		for name, page := range map[string]http.HandlerFunc{"closed": hang, "half": half} {
			if name == "half" && path == "/authorize" {
				continue // its body does not matter
			}
			t.Run(path+" "+name, func(t *testing.T) {
				w := oauthtest.New(t)
				w.Pages[path] = page
				p := login(t, w, oauth.Config{})
				_, err := p.do("x")
				if r, ok := errors.AsType[*oauth.Refusal](err); !ok || r.Step != step {
					t.Errorf("%v\n%s", err, p.story())
				}
				if strings.Contains(p.story(), "half-a-token") {
					t.Errorf("half a token is shown:\n%s", p.story())
				}
			})
		}
	}
}

// Whoever waits for a server that says nothing can stop waiting.
func TestSilentServer(t *testing.T) {
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register", "/token"} {
		w := oauthtest.New(t)
		ctx, cancel := context.WithCancel(t.Context())
		w.Pages[path] = func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the asker left
			cancel()
			<-r.Context().Done()
		}
		p := login(t, w, oauth.Config{})
		if _, err := p.client.Authorize(ctx, p401(w), oauth.Help{}); err == nil {
			t.Errorf("%s: a token out of nothing", path)
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
