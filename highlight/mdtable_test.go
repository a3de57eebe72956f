package highlight

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/ratiotest"
	"mcploupe/session/visible"
	"mcploupe/themes"
)

func TestMarkdownTablesStandInColumns(t *testing.T) {
	text := "Built:\n| what | **how** much |\n|:-----|-----:|\n| a | 1 |\n| `b|c` \\| d | 1000 | more |\n| |\nend\n\n| no | table |\n| at | all |\n"
	got := strings.Join(Markdown(text, 40, themes.Plain()), "\n") + "\n"
	compare(t, got, `
Built:

what  how much
──────────────────────────
a            1
`+"`b"+`      c`+"`"+` | d  1000  more

end

| no | table |
| at | all |
`)
	narrow := strings.Join(Markdown(text, 16, themes.Plain()), "\n")
	if !strings.Contains(narrow, "|:-----|-----:|") {
		t.Errorf("a table that does not fit is not as it was written:\n%s", narrow)
	}
}

// Lines that all could begin a table that is too wide at its end are looked at once.
func TestATableThatNeverFitsIsNoTrap(t *testing.T) {
	linear(t, func(n int) {
		Markdown(strings.Repeat("| a | b |\n|---|---|\n", 250*n)+"| "+strings.Repeat("wide ", 40)+"| b |\n", 80, themes.Plain())
	})
}

func TestFencesAreColouredByTheirLanguage(t *testing.T) {
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	s := theme.Styles(colorprofile.TrueColor)
	rows := Markdown("```python\ndef f():\n\treturn \"\x1b[2J\"\n```\n\n```JSON\n{\"a\": 1}\n```\n```x\ny\n```", 40, s)
	all := strings.Join(rows, "\n")
	for _, want := range []string{s.Keyword.Render("def"), s.Key.Render(`"a"`), s.Number.Render("1"), s.String.Render("y")} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%q", want, all)
		}
	}
	if hits := visible.Find(ansi.Strip(all)); len(hits) > 0 {
		t.Errorf("%+v", hits)
	}
	linear(t, func(n int) {
		Markdown(strings.Repeat("```python\nx = '''"+strings.Repeat("\\", 3000)+"\n```\n", 30*n), 80, s)
	})
}

func TestWhatLooksLikeMarkdown(t *testing.T) {
	for text, want := range map[string]bool{
		"# Title\n\nSome **bold** words.":       true,
		"```go\nx\n```":                         true,
		"| a | b |\n|---|---|\n| 1 | 2 |":       true,
		"- one\n- two\n\nSee [this](http://x).": true,
		"":                                      false,
		"The weather is fine.":                  false,
		"- one\n- two":                          false,
		"# a comment\nkey = value\n# another":   false,
		"2 * 3 * 4\na | b\n| c |":               false,
		"total 12\n-rw-r--r-- 1 root root 5 a\ndrwxr-xr-x x b": false,
	} {
		if got := LooksLikeMarkdown(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// linear fails when what f does for 16 times as much takes far more than 16 times as long.
func linear(t *testing.T, f func(n int)) {
	t.Helper()
	ratiotest.AtMost(t, 16*6, 40, func() (much, little time.Duration) {
		little = ratiotest.Timed(func() { f(1) })
		return ratiotest.Timed(func() { f(16) }), max(little, 250*time.Microsecond)
	})
}
