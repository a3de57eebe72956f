package oauth_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/oauth"
	"mcploupe/session/oauth/oauthtest"
)

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
