package cli

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/oauth/oauthtest"
)

// A server that wants a login is judged by how it asks for one, although nobody logs in. That it could not be judged
// further is still what the exit code says.
func TestCheckOfAGuardedServer(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*oauthtest.World)
		probe  bool
		want   []string // at must and should
	}{
		{name: "faithful", probe: true},
		{name: "C56 several challenges, no link, no document", change: func(w *oauthtest.World) {
			w.Challenge = `Basic realm="x", Bearer error="invalid_token", scope="a b"`
			w.Pages["/.well-known/oauth-protected-resource/mcp"] = http.NotFound
		}, want: []string{"auth-401-no-metadata"}},
		{name: "C56 a link to a document at the root alone", change: func(w *oauthtest.World) {
			w.Challenge = `Bearer resource_metadata="` + w.MCP.URL + `/.well-known/oauth-protected-resource"`
			w.Pages["/.well-known/oauth-protected-resource/mcp"] = http.NotFound
			w.MCPPages["/.well-known/oauth-protected-resource"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = rw.Write([]byte(`{"resource":"` + w.MCP.URL + `","authorization_servers":["` + w.AS.URL + `"]}`))
			}
		}},
		{name: "C56 no challenge", change: func(w *oauthtest.World) {
			w.Challenge = "-"
			w.Pages["/.well-known/oauth-protected-resource/mcp"] = http.NotFound
		}, want: []string{"auth-401-header-missing", "auth-401-no-metadata"}},
		{name: "another resource, another issuer, no PKCE", change: func(w *oauthtest.World) {
			w.Resource = func(doc map[string]any) any { doc["resource"] = "https://evil.example"; return doc }
			w.Metadata = func(doc map[string]any) any {
				doc["issuer"] = w.AS.URL + "/"
				delete(doc, "code_challenge_methods_supported")
				doc["token_endpoint"] = "http://as.example/token"
				return doc
			}
		}, want: []string{"auth-as-endpoints-https", "auth-as-metadata-issuer", "auth-pkce-unadvertised", "auth-prm-resource-mismatch"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := guardedServer(t)
			if c.change != nil {
				c.change(w)
			}
			words := []string{"check", w.URL(), "--json"}
			if c.probe {
				words = append(words, "--probe")
			}
			r := program(t, words...)
			lines, summary := contract(t, r.out)
			var got []string
			for found := range grave(lines) {
				_, id, _ := strings.Cut(found, " ")
				got = append(got, id)
			}
			if slices.Sort(got); r.code != exitAuth || !slices.Equal(got, c.want) {
				t.Errorf("exit %d, found %v, want %v\n%s\n%s", r.code, got, c.want, r.err, clipText(r.out))
			}
			if c.probe && !slices.ContainsFunc(lines, func(l jsonLine) bool { return l.Why == "made-up-token" }) {
				t.Error("no made-up token was tried")
			}
			if summary.Era != "" {
				t.Errorf("the era is %q, which nobody can know", summary.Era)
			}
		})
	}
}

// After a login the same is found: the documents were fetched anyway, and the journal tells it again.
func TestCheckBehindALogin(t *testing.T) {
	w := guardedServer(t)
	w.Metadata = func(doc map[string]any) any {
		delete(doc, "authorization_response_iss_parameter_supported")
		return doc
	}
	record := filepath.Join(t.TempDir(), "journal.jsonl")
	r := program(t, "check", w.URL(), "--login", "--oauth-callback", "auto", "--token-store", "none", "--json", "--record", record, "--probe", "--fail-on", "never")
	lines, _ := contract(t, r.out)
	found := grave(lines)
	if r.code != exitOK || found["should auth-iss-parameter"] != 1 {
		t.Errorf("%v: %s", found, r)
	}
	for id := range found {
		if strings.Contains(id, " auth-") && id != "should auth-iss-parameter" {
			t.Errorf("%s is found", id)
		}
	}
	again, _ := contract(t, program(t, "check", record, "--json", "--fail-on", "never").out)
	if grave(again)["should auth-iss-parameter"] != 1 {
		t.Errorf("the journal does not tell it again: %v", grave(again))
	}
}
