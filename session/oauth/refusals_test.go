package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mcploupe/session/oauth"
	"mcploupe/session/oauth/oauthtest"
)

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
			if n := len(p.steps); n == 0 || p.steps[n-1].Name != oauth.StepRefused || p.steps[n-1].Rule != c.rule {
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
