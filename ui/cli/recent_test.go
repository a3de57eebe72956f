package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/shell"
)

// remembering gives a story a place for state of its own.
func remembering(t *testing.T) (file string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	return filepath.Join(dir, "mcploupe", "recent.json")
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What a target is called before it has said its name is what it starts, not what that is given.
func TestNamesBeforeTheServersOwn(t *testing.T) {
	for line, want := range map[string]string{
		"docker run -i --rm -e API_TOKEN=abcdef -e MODE=fast mcp/github": "github",
		"npx -y @modelcontextprotocol/server-everything":                 "server-everything",
		"node --api-key abcdef server.js":                                "server.js",
		"sh -c":                                                          "sh",
	} {
		if got := (&flags{}).shortName(session.Target{Argv: strings.Fields(line)}); got != want {
			t.Errorf("%s is called %q, want %q", line, got, want)
		}
	}
}

// Nothing secret of a target is kept, wherever it stood.
func TestNoSecretOfATargetIsKept(t *testing.T) {
	for name, story := range map[string]struct {
		f    flags
		t    session.Target
		keep []string
	}{
		"environment": {flags{env: []string{"API_KEY=zzsecret1"}}, session.Target{Argv: []string{"node", "server.js", "--use=zzsecret1"}, Env: []string{"API_KEY=zzsecret1"}},
			[]string{`{"env": "API_KEY"}`, "server.js"}},
		"headers": {flags{}, session.Target{URL: "https://example.test/mcp", Header: []wire.Field{{Name: "Authorization", Value: "Bearer zzsecret2"}, {Name: "X-Api-Key", Value: "zzsecret3"}}},
			[]string{"example.test/mcp", `{"env": "TOKEN"}`}},
		"URL":                {flags{}, session.Target{URL: "https://ada:zzsecret4@example.test/mcp?token=zzsecret5&page=2"}, []string{"example.test", "page=2"}},
		"words":              {flags{}, session.Target{Argv: []string{"server", "--api-key", "zzsecret6", "--token=zzsecret7", "postgres://u:zzsecret8@db/x", "ghp_zzsecret9zzsecret9"}}, []string{"--api-key", "postgres://"}},
		"a container":        {flags{}, session.Target{Argv: []string{"docker", "run", "-i", "-e", "API_TOKEN=zzsecret14", "ghcr.io/github/github-mcp-server"}}, []string{"github-mcp-server"}},
		"a flag first":       {flags{}, session.Target{Argv: []string{"node", "--api-key", "zzsecret15", "server.js"}}, []string{"server.js"}},
		"URL without a path": {flags{}, session.Target{URL: "https://example.test?token=zzsecret16"}, []string{"example.test"}},
		"JSON in a word":     {flags{}, session.Target{Argv: []string{"npx", "cli", "run", "--config", `{"apiKey": "zz secret20 zzsecret21\"zzsecret22","units":"mm"}`}}, []string{"units", "apiKey"}},
		"a header in a word": {flags{}, session.Target{Argv: []string{"npx", "mcp-remote", "https://example.test/mcp", "--header", "Authorization: Bearer zzsecret18", "--header", "Authorization:Basic zzsecret19"}}, []string{"mcp-remote", "Authorization: Bearer "}},
		"a shell":            {flags{}, session.Target{Argv: []string{"sh", "-c", "API_TOKEN=zzsecret10 node server.js"}}, []string{"node server.js"}},
		"asked for":          {flags{secrets: []string{"zzsecret11"}}, session.Target{Argv: []string{"server", "zzsecret11"}}, []string{"server"}},
		"from a file":        {flags{config: "mcp.json", named: "api", secrets: []string{"zzsecret12"}}, session.Target{URL: "https://x/zzsecret12", Header: []wire.Field{{Name: "X", Value: "zzsecret12"}}}, []string{"mcp.json", `"api"`}},
		"file and header":    {flags{config: "mcp.json", named: "api", headers: []string{"Authorization: Bearer zzsecret13"}}, session.Target{URL: "https://x"}, []string{`{"env": "TOKEN"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			file := remembering(t)
			met := story.f.met(story.t)
			if met == nil {
				t.Fatal("it is not kept at all")
			}
			if text := read(t, file); strings.Contains(text, "zzsecret") {
				t.Errorf("a secret is kept until it has said its name:\n%s", text)
			}
			met("Weather")
			text := read(t, file)
			if strings.Contains(text, "zzsecret") {
				t.Errorf("a secret is kept:\n%s", text)
			}
			for _, want := range story.keep {
				if !strings.Contains(text, want) {
					t.Errorf("%s is missing:\n%s", want, text)
				}
			}
		})
	}
}

func TestWhatIsNotKept(t *testing.T) {
	file := remembering(t)
	if (&flags{noHistory: true}).met(session.Target{URL: "https://example.test"}) != nil {
		t.Error("--no-history keeps it")
	}
	plain, err := self("--serve", "both")
	must(t, err)
	if (&flags{}).met(session.Target{Argv: plain}) != nil {
		t.Error("the built-in server is kept")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
	(&flags{}).met(session.Target{URL: "https://example.test"})
	if !strings.Contains(read(t, file), "example.test") {
		t.Error("it is not kept")
	}
	(&flags{forget: true}).met(session.Target{URL: "https://example.test"})
	if strings.Contains(read(t, file), "example.test") {
		t.Error("--forget did not forget it")
	}
}

// asker answers what is asked at the screen, and keeps what was.
type asker struct {
	answers []string
	asked   []app.Wanted
}

func (a *asker) ask(_ context.Context, w app.Wanted) (string, error) {
	a.asked = append(a.asked, w)
	if len(a.answers) == 0 {
		return "", app.ErrLeft
	}
	v := a.answers[0]
	a.answers = a.answers[1:]
	return v, nil
}

// A target that needs what was not kept says so, and asks for it.
func TestARecentTargetAsksForItsSecrets(t *testing.T) {
	words := []shell.Word{
		shell.Text("--header"), {{Text: "Authorization: Bearer "}, {Env: "TOKEN"}}, shell.Text("--header"), {{Text: "X-Key: "}, {Env: "X_KEY"}},
		shell.Text("--env"), {{Text: "LOUPE_TEST_SET="}, {Env: "LOUPE_TEST_SET"}}, shell.Text("--env"), {{Text: "LOUPE_TEST_UNSET="}, {Env: "LOUPE_TEST_UNSET"}},
		shell.Text("--"), shell.Text("server"), shell.Text("--env"), {{Text: "--key="}, {Env: "SECRET"}},
	}
	t.Setenv("LOUPE_TEST_SET", "of ours")
	t.Setenv("TOKEN", "of another server") // never sent because it happens to have that name
	a := &asker{answers: []string{"first", "", "third", "fourth"}}
	line, secrets, err := filledIn(t.Context(), words, a.ask)
	must(t, err)
	want := []string{"--header", "Authorization: Bearer first", "--env", "LOUPE_TEST_SET=of ours", "--env", "LOUPE_TEST_UNSET=third", "--", "server", "--env", "--key=fourth"}
	if !slices.Equal(line, want) {
		t.Errorf("the line is %q, want %q", line, want)
	}
	if !slices.Equal(secrets, []string{"first", "third", "fourth"}) {
		t.Errorf("secret are %q", secrets)
	}
	for i, want := range []string{"header Authorization", "header X-Key", "variable LOUPE_TEST_UNSET", "--key=…"} {
		if w := a.asked[i]; !w.Secret || !w.Empty || !strings.Contains(w.Text, want) {
			t.Errorf("asked was %+v, want %q", w, want)
		}
	}
	for i, want := range []string{"Authorization", "X-Key", "LOUPE_TEST_UNSET", "key"} {
		if a.asked[i].Title != want {
			t.Errorf("asked is for %q, want %q", a.asked[i].Title, want)
		}
	}
	if _, _, err := filledIn(t.Context(), words, (&asker{}).ask); err != app.ErrLeft {
		t.Errorf("leaving gives %v", err)
	}
}

// What stood alone behind a flag of the server's command is asked for by the flag's name, and left out with it.
func TestASecretBehindAFlagIsAskedForByItsName(t *testing.T) {
	words := (&flags{}).reaching(session.Target{Argv: []string{"server", "--api-key", "zzone", "-v", "ghp_zztwo2zztwo2zz", "API_TOKEN=zzthree", "--to", "https://u:zzfour@h/", "end"}})
	a := &asker{answers: []string{"", "", "three", "four"}}
	line, _, err := filledIn(t.Context(), words, a.ask)
	must(t, err)
	if want := []string{"--", "server", "API_TOKEN=three", "--to", "https://u:four@h/", "end"}; !slices.Equal(line, want) {
		t.Errorf("the line is %q, want %q", line, want)
	}
	for i, want := range []app.Wanted{{Title: "api-key", Text: "--api-key …"}, {Title: "SECRET", Text: "-v …"}, {Title: "API_TOKEN", Text: "API_TOKEN=…"}, {Title: "SECRET", Text: "address held a secret, https://u:…@h/"}} {
		if got := a.asked[i]; got.Title != want.Title || !strings.Contains(got.Text, want.Text) {
			t.Errorf("asked was %q: %s; want %q: …%s", got.Title, got.Text, want.Title, want.Text)
		}
	}
	a = &asker{answers: []string{"one", "two", "three", "four"}}
	line, _, err = filledIn(t.Context(), words, a.ask)
	must(t, err)
	if want := []string{"--", "server", "--api-key", "one", "-v", "two", "API_TOKEN=three", "--to", "https://u:four@h/", "end"}; !slices.Equal(line, want) {
		t.Errorf("the line is %q, want %q", line, want)
	}
}

func TestWhatCanBeOpened(t *testing.T) {
	remembering(t)
	dir := t.TempDir()
	t.Chdir(dir)
	must(t, os.WriteFile(".mcp.json", []byte(`{"mcpServers":{"files":{"command":"npx","args":["server-files","--token=zzsecret","--header","Authorization: Bearer zzsecret","{\"token\":\"zzsecret\"}"]},"odd":{}}}`), 0o600))
	must(t, os.WriteFile("other.json", []byte(`{"servers":{"there":{"url":"https://there.test/mcp"}}}`), 0o600))
	(&flags{}).met(session.Target{URL: "https://example.test/mcp"})
	(&flags{config: ".mcp.json", named: "files"}).met(session.Target{Argv: []string{"npx"}})

	list := func(f *flags) (lines []string) {
		for _, o := range f.offers().List() {
			if strings.Contains(o.What, "zzsecret") {
				t.Errorf("a secret is shown: %s", o.What)
			}
			lines = append(lines, o.Group+"/"+o.Name+"/"+o.Off)
		}
		return lines
	}
	got := list(&flags{})
	slices.Sort(got[:2]) // both within a second
	if want := []string{"recent/example.test/", "recent/files/", "configured/odd/it has neither command nor url", "built in/demo/"}; !slices.Equal(got, want) {
		t.Errorf("without --config: %q, want %q", got, want)
	}
	got = list(&flags{config: "other.json"})
	if want := []string{"configured/there/", "built in/demo/"}; got[0] != want[0] || got[len(got)-1] != want[1] || len(got) != 4 {
		t.Errorf("with --config: %q", got)
	}
	if got := list(&flags{noHistory: true}); got[0] != "configured/files/" {
		t.Errorf("with --no-history: %q", got)
	}
}

func TestWhatIsTypedIsATarget(t *testing.T) {
	remembering(t)
	o := (&flags{}).offers()
	for line, ok := range map[string]bool{
		"https://example.test/mcp": true, " http://localhost:1/x ": true, "-- node server.js": true, "-- sh -c 'a b'": true,
		"--header 'K: V' https://example.test/mcp": true, "--era legacy -- server": true, "--nonsense https://x": false, "--config x.json name": true,
		"files": false, "": false, "--": false, "-- ": false, "ftp://x": false, "https://a b": false,
	} {
		if _, got := o.Typed(line); got != ok {
			t.Errorf("%q: %v", line, got)
		}
	}
	one, _ := o.Typed("-- sh -c 'a  b'")
	made, err := one.Open(t.Context(), nil)
	must(t, err)
	if got := shell.Line(made.Target); !strings.HasSuffix(got, "-- sh -c 'a  b'") {
		t.Errorf("it reaches %s", got)
	}
}

// Headers and variables that were given for one server are no other's business.
func TestOneServersHeadersAreNotSentToAnother(t *testing.T) {
	remembering(t)
	f := &flags{headers: []string{"Authorization: Bearer zzsecret"}, env: []string{"KEY=zzsecret"}, cleanEnv: true, era: "legacy"}
	one, _ := f.offers().Typed("https://other.test/mcp")
	made, err := one.Open(t.Context(), nil)
	must(t, err)
	if got := shell.Line(made.Target); got != "https://other.test/mcp" {
		t.Errorf("it is reached by %s", got)
	}
}
