package cli

import (
	"testing"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/shell"
)

func TestWordsThatReachTheSameServerHoldNoSecret(t *testing.T) {
	for _, c := range []struct {
		f    flags
		t    session.Target
		want string
	}{
		{flags{era: "auto", transport: "auto"}, session.Target{Argv: []string{"node", "my server.js", "--x=$y"}}, `-- node 'my server.js' '--x=$y'`},
		{flags{era: "legacy", protocol: "2025-06-18"}, session.Target{Argv: []string{"x"}, Dir: "/a b", Env: []string{"API_KEY=secret", "odd name=1"}, CleanEnv: true},
			`--era legacy --protocol 2025-06-18 --cwd '/a b' --clean-env --env API_KEY="$API_KEY" -- x`},
		{flags{secrets: []string{"hush"}}, session.Target{Argv: []string{"x", "--key=hush"}}, `-- x --key="$SECRET"`},
		{flags{login: loginFlags{on: true}}, session.Target{URL: "https://u:pass@host/mcp?token=abc&x=1", Insecure: true, Header: []wire.Field{{Name: "Authorization", Value: "Bearer abc"}, {Name: "X-Api-Key", Value: "abc"}, {Name: "X-Tenant", Value: "it's"}}},
			`--insecure --login --header 'Authorization: Bearer '"$TOKEN" --header 'X-Api-Key: '"$X_API_KEY" --header 'X-Tenant: it'\''s' https://u:"$SECRET"'@host/mcp?token='"$SECRET"'&x=1'`},
	} {
		if got := shell.Line(c.f.reaching(c.t)); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}
