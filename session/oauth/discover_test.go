package oauth

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestReadChallenge(t *testing.T) {
	for field, want := range map[string]Demand{
		`Bearer`: {Bearer: true},
		`Bearer resource_metadata="https://x/.well-known/p", scope="a b"`:                       {Bearer: true, ResourceMetadata: "https://x/.well-known/p", Scopes: []string{"a", "b"}},
		`bearer error="insufficient_scope",scope="w",error_description="say \"please\", or go"`: {Bearer: true, Error: "insufficient_scope", Scopes: []string{"w"}, Description: `say "please", or go`},
		`Basic realm="a, Bearer scope=\"x\"", Bearer scope="y"`:                                 {Bearer: true, Scopes: []string{"y"}},
		`Negotiate abc==, Bearer error = "invalid_token"`:                                       {Bearer: true, Error: "invalid_token"},
		`Bearer scope=""`:                   {Bearer: true},
		`Bearer realm="x", Basic realm="y"`: {Bearer: true},
		`Basic realm="x"`:                   {},
		``:                                  {},
		`Bearer resource_metadata=https://x/p, scope=a`: {Bearer: true, ResourceMetadata: "https://x/p", Scopes: []string{"a"}, Fault: "a value that needs quotes has none"},
		`Bearer scope="a`:             {Bearer: true, Scopes: []string{"a"}, Fault: "a quoted value does not end"},
		`Bearer scope="a", scope="b"`: {Bearer: true, Scopes: []string{"a"}, Fault: "the parameter scope stands twice"},
		`="x", Bearer scope="a"`:      {Bearer: true, Scopes: []string{"a"}, Fault: "a scheme is missing"},
	} {
		got := ReadChallenge([]string{field})
		if got.Bearer != want.Bearer || got.ResourceMetadata != want.ResourceMetadata || !slices.Equal(got.Scopes, want.Scopes) || got.Error != want.Error || got.Description != want.Description || got.Fault != want.Fault {
			t.Errorf("%s\n got %+v\nwant %+v", field, got, want)
		}
	}
	if d := ReadChallenge([]string{`Basic realm="x"`, `Bearer scope="a"`, `Bearer scope="b"`}); !slices.Equal(d.Scopes, []string{"a"}) {
		t.Errorf("of several fields %+v", d)
	}
}

func FuzzReadChallenge(f *testing.F) {
	for _, s := range []string{`Bearer scope="a b", error=x`, `Basic, Bearer a==,b="\`, `Negotiate abc== , x y z`, "Bearer \"\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		d := ReadChallenge([]string{field})
		if d.Bearer && !strings.Contains(strings.ToLower(field), "bearer") {
			t.Errorf("a Bearer challenge out of %q", field)
		}
		for _, s := range d.Scopes {
			if strings.ContainsAny(s, " \t") || s == "" {
				t.Errorf("scope %q out of %q", s, field)
			}
		}
	})
}

// The order in which documents are asked for, told by what is known.
func TestLadder(t *testing.T) {
	missing := Answer{Status: 404}
	walk := func(k Known, answers map[string]Answer) (asked []string, last Known, err error) {
		for range 20 {
			a, ok, err := k.Next()
			if err != nil || !ok {
				return asked, k, err
			}
			asked = append(asked, a.URL)
			got, known := answers[a.URL]
			if !known {
				got = missing
			}
			if k, _, _, err = k.Learn(a, got); err != nil {
				return asked, k, err
			}
		}
		t.Fatal("it does not end")
		return nil, k, nil
	}
	json := func(body string) Answer {
		return Answer{Status: 200, MediaType: "application/json", Body: []byte(body)}
	}
	const server = "https://mcp.example/a/mcp"
	resource := func(as string) Answer {
		return json(`{"resource":"` + server + `","authorization_servers":["` + as + `"]}`)
	}
	meta := func(issuer string) Answer {
		return json(`{"issuer":"` + issuer + `","token_endpoint":"https://as.example/token","authorization_endpoint":"https://as.example/authorize"}`)
	}
	const path, root = "https://mcp.example/.well-known/oauth-protected-resource/a/mcp", "https://mcp.example/.well-known/oauth-protected-resource"
	for name, c := range map[string]struct {
		hint    string
		answers map[string]Answer
		asked   []string
		rule    string // "" for everything known
	}{
		"by the challenge": {"https://mcp.example/custom", map[string]Answer{"https://mcp.example/custom": resource("https://as.example"), "https://as.example/.well-known/oauth-authorization-server": meta("https://as.example")},
			[]string{"https://mcp.example/custom", "https://as.example/.well-known/oauth-authorization-server"}, ""},
		"a challenge that leads nowhere": {"https://mcp.example/custom", map[string]Answer{path: resource("https://as.example"), "https://as.example/.well-known/openid-configuration": meta("https://as.example")},
			[]string{"https://mcp.example/custom", path, "https://as.example/.well-known/oauth-authorization-server", "https://as.example/.well-known/openid-configuration"}, ""},
		"at the root, issuer with a path": {"", map[string]Answer{root: resource("https://as.example/t/1"), "https://as.example/t/1/.well-known/openid-configuration": meta("https://as.example/t/1")},
			[]string{path, root, "https://as.example/.well-known/oauth-authorization-server/t/1", "https://as.example/.well-known/openid-configuration/t/1", "https://as.example/t/1/.well-known/openid-configuration"}, ""},
		"as in 2025-03-26": {"", map[string]Answer{"https://mcp.example/.well-known/oauth-authorization-server": meta("https://mcp.example")},
			[]string{path, root, "https://mcp.example/.well-known/oauth-authorization-server"}, ""},
		"nothing at all": {"", nil,
			[]string{path, root, "https://mcp.example/.well-known/oauth-authorization-server", "https://mcp.example/.well-known/openid-configuration"}, "auth-401-no-metadata"},
		"names in another case": {"", map[string]Answer{path: json(`{"Resource":"` + server + `","Authorization_Servers":["https://as.example"]}`)}, []string{path}, "auth-prm-resource-mismatch"},
	} {
		t.Run(name, func(t *testing.T) {
			asked, k, err := walk(Known{Server: server, Demand: Demand{ResourceMetadata: c.hint}}, c.answers)
			if !slices.Equal(asked, c.asked) {
				t.Errorf("asked %q", asked)
			}
			r, _ := errors.AsType[*Refusal](err)
			switch {
			case c.rule == "" && (err != nil || k.Metadata == nil):
				t.Errorf("%v", err)
			case c.rule != "" && (r == nil || r.Rule != c.rule):
				t.Errorf("%v, want rule %s", err, c.rule)
			}
		})
	}
}

func TestIdentifies(t *testing.T) {
	for _, c := range []struct {
		resource, server string
		want             bool
	}{
		{"https://x/mcp", "https://x/mcp", true},
		{"https://x", "https://x/mcp", true},
		{"https://X:443/", "https://x/mcp", true},
		{"https://x/a", "https://x/a/mcp", true},
		{"https://x/a", "https://x/ab", false},
		{"https://x/mcp/", "https://x/mcp", true},
		{"https://x/mcp/b", "https://x/mcp", false},
		{"http://x/mcp", "https://x/mcp", false},
		{"https://x:8443/mcp", "https://x/mcp", false},
		{"https://x/mcp#f", "https://x/mcp", false},
		{"https://x@y/mcp", "https://y/mcp", false},
		{"https://x/mcp?a=1", "https://x/mcp", false},
		{"https://x/mcp?a=1", "https://x/mcp?a=1", true},
		{"x/mcp", "https://x/mcp", false},
		{"", "https://x/mcp", false},
	} {
		if got := identifies(c.resource, c.server); got != c.want {
			t.Errorf("%q identifies %q: %v", c.resource, c.server, got)
		}
	}
}

func TestUnsafe(t *testing.T) {
	for _, c := range []struct {
		address, by string
		safe        bool
	}{
		{"https://as.example/x", "https://mcp.example", true},
		{"http://as.example/x", "https://mcp.example", false},
		{"http://localhost:1/x", "http://127.0.0.1:2", true},
		{"http://localhost:1/x", "https://mcp.example", false},
		{"https://10.0.0.1/x", "https://mcp.example", false},
		{"https://169.254.169.254/latest", "https://mcp.example", false},
		{"https://10.0.0.1/x", "https://10.0.0.2/mcp", true},
		{"https://[::1]/x", "https://mcp.example", false},
		{"https://a:b@as.example/", "https://mcp.example", false},
		{"https://as.example/#f", "https://mcp.example", false},
		{"javascript:alert(1)", "https://mcp.example", false},
		{"file:///etc/passwd", "https://mcp.example", false},
		{"//as.example/x", "https://mcp.example", false},
		{"", "https://mcp.example", false},
	} {
		if why := unsafe(c.address, c.by); (why == "") != c.safe {
			t.Errorf("%q named by %q: %q", c.address, c.by, why)
		}
	}
}

func FuzzLearn(f *testing.F) {
	f.Add(`{"resource":"https://x/mcp","authorization_servers":["https://as"]}`, `{"issuer":"https://as","token_endpoint":"https://as/t"}`, "application/json")
	f.Add(`<html>`, `{"issuer":1}`, "text/html")
	f.Add(`{"resource":["https://x/mcp"],"authorization_servers":"https://as"}`, `[]`, "")
	f.Fuzz(func(t *testing.T, resource, metadata, mediaType string) {
		const server = "https://x/mcp"
		k := Known{Server: server}
		for range 12 {
			a, ok, err := k.Next()
			if err != nil {
				return
			}
			if !ok {
				break
			}
			body := resource
			if a.Step == StepServer {
				body = metadata
			}
			if k, _, _, err = k.Learn(a, Answer{Status: 200, MediaType: mediaType, Body: []byte(body)}); err != nil {
				return
			}
		}
		if k.Metadata == nil || k.Metadata.Issuer != k.Resource.Servers[0] || unsafe(k.Metadata.Token, k.Metadata.Issuer) != "" || !identifies(k.Resource.Resource, server) {
			t.Errorf("%+v and %+v are taken", k.Resource, k.Metadata)
		}
	})
}
