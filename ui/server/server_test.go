package server

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

func TestASuggestionFitsHowTheChildEnded(t *testing.T) {
	for _, c := range []struct {
		exit wire.Exit
		want string
	}{
		{wire.Exit{Code: 127}, "not found"},
		{wire.Exit{Code: 1, Stderr: []string{"Error: Cannot find module 'x'"}}, "not installed"},
		{wire.Exit{Code: 1, Stderr: []string{"ModuleNotFoundError: x"}}, "not installed"},
		{wire.Exit{Code: 126}, "executable"},
		{wire.Exit{Code: 0}, "argument"},
		{wire.Exit{Code: 3, Stderr: []string{"cannot open db"}}, "run the same command in a shell"},
	} {
		if got := suggestion(&c.exit); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c.exit, got)
		}
	}
}

func TestFlagsNamesWhatIsTrue(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`: "yes", `{"listChanged":true,"subscribe":false}`: "listChanged, subscribe false", `true`: "true", `{"x":{"y":1}}`: `x {"y":1}`,
	} {
		if got := flags(jsondoc.Parse([]byte(raw)).Root()); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestThePageFitsAnyWidth(t *testing.T) {
	b := book.New()
	b.Server = book.Server{
		Phase: wire.Failed, Text: strings.Repeat("a long text ", 20), Target: strings.Repeat("x", 300), Kind: "stdio",
		Exit:  &wire.Exit{Argv: []string{"a b", strings.Repeat("y", 200)}, Code: 1, Stderr: []string{strings.Repeat("z", 500)}},
		Steps: []book.Step{{At: time.Now(), Phase: wire.Failed, Text: strings.Repeat("step ", 50), Evidence: 7}},
	}
	b.Server.Capabilities = jsondoc.Parse([]byte(`{"tools":{}}`)).Root()
	env := &kit.Env{Styles: themes.Plain(), Now: time.Now}
	p := NewPage(env, b)
	panel := NewPanel(env, b, p)
	for w := 10; w < 120; w += 7 {
		for name, text := range map[string]string{"page": p.Draw(w, 40, true), "panel": panel.Draw(w, 5, true)} {
			for i, line := range strings.Split(text, "\n") {
				if ansi.StringWidth(line) != w {
					t.Errorf("%s, %d: line %d has %d cells: %q", name, w, i, ansi.StringWidth(line), line)
				}
			}
		}
	}
}
