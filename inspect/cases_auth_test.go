package inspect

import (
	"testing"

	"mcploupe/session/wire"
)

func TestCasesOfLostSessions(t *testing.T) {
	const scene = "= era 2025-06-18\n= over http\n>h Mcp-Session-Id=abc\n> tools/list\n"
	checkCases(t, []publicCase{
		{name: "C53 a lost session, told by 404", script: scene + `<h status=404
< {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}`},
		{name: "C53 a lost session, told by 400", script: scene + `<h status=400
< {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no valid session"}}`,
			rules: []string{"legacy-session-terminated-status"}},
		{name: "C53 a lost session, told by an error in a 200", script: scene + `< error {"code":-32000,"message":"Session expired"}`,
			rules: []string{"legacy-session-terminated-status"}},
		{name: "C53 a method that 2026-07-28 does not have is no lost session", script: `= over http
>h why=unknown-method
> mcploupe/no-such-method
<h status=404
< error {"code":-32601,"message":"Method not found"}`},
	})
}

func TestCasesOfRefusedStreams(t *testing.T) {
	checkCases(t, []publicCase{
		{name: "C54 GET is answered with 404 and a page", script: `= era 2025-06-18
= over http
> GET
<h status=404 Content-Type=text/html
<< Cannot GET /mcp
> tools/list
< result {"tools":[]}`, rules: []string{"legacy-get-response"}, outcome: []string{"success/"}},
		{name: "C54 GET is answered with 406", script: `= era 2025-06-18
= over http
> GET
<h status=406
< nothing`, rules: []string{"legacy-get-response"}},
		{name: "C54 GET is refused as it should be", script: `= era 2025-06-18
= over http
> GET
<h status=405 Allow=POST
< nothing`},
	})
}

func TestCasesOfRefusedRequests(t *testing.T) {
	const (
		scene   = "= era none\n= at https://example.test/mcp\n> server/discover\n"
		nowhere = `
* resource https://example.test/.well-known/oauth-protected-resource/mcp 404
* resource https://example.test/.well-known/oauth-protected-resource 404`
	)
	checkCases(t, []publicCase{
		{name: "C56 several challenges, no link, no document", script: scene + `<h status=401 WWW-Authenticate="Basic realm=\"x\", Bearer error=\"invalid_token\", scope=\"a b\""
< nothing` + nowhere,
			rules: []string{"auth-401-no-metadata"}, outcome: []string{"transport-failure/auth"}},
		{name: "C56 a link, and a document behind it at the root alone", script: scene + `<h status=401 WWW-Authenticate="Bearer resource_metadata=\"https://example.test/.well-known/oauth-protected-resource\""
< nothing
* resource https://example.test/.well-known/oauth-protected-resource 200 {"resource":"https://example.test/mcp","authorization_servers":["https://as.test"]}`,
			outcome: []string{"transport-failure/auth"}},
		{name: "C56 no challenge at all", script: scene + `<h status=401
< nothing` + nowhere,
			rules: []string{"auth-401-no-metadata", "auth-401-header-missing"}, outcome: []string{"transport-failure/auth"}},
	})
}

// The header is read in spite of how it is written; what it does not say is not made up.
func FuzzReadChallenge(f *testing.F) {
	for _, text := range []string{`Bearer`, `Basic realm="x", Bearer scope="a b", error=x`, `Bearer scope="a`, `,,=,"`, `bearer a=b c="\"" Bearer scope=z`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := readChallenge(headWith("WWW-Authenticate", text))
		if !c.bearer && len(c.params) > 0 {
			t.Errorf("%q: parameters of no challenge: %v", text, c.params)
		}
		for name := range c.params {
			if name == "" {
				t.Errorf("%q: a parameter without a name", text)
			}
		}
	})
}

func TestReadChallenge(t *testing.T) {
	for text, want := range map[string][3]string{
		`Bearer`: {"true"},
		`Basic realm="a, Bearer b", Bearer error="invalid_token", scope="a b"`: {"true", "a b"},
		`Bearer resource_metadata=https://x.test/y, scope=a`:                   {"true", "a", "https://x.test/y"},
		`bearer scope="say \"hi\"" , Bearer scope=z`:                           {"true", `say "hi"`},
		`Digest scope="a"`:                    {"false"},
		`Negotiate abc==, Bearer scope = "a"`: {"true", "a"},
	} {
		c := readChallenge(headWith("WWW-Authenticate", text))
		if got := [3]string{map[bool]string{true: "true", false: "false"}[c.bearer], c.params["scope"], c.params["resource_metadata"]}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func headWith(name, value string) *wire.Head {
	return &wire.Head{Status: 401, Header: []wire.Field{{Name: name, Value: value}}}
}
