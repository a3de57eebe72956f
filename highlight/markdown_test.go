package highlight

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"mcploupe/themes"
)

func TestMarkdownIsReadableAndHidesNothing(t *testing.T) {
	text := "# Weather *now*\nAsk for **one place** at a\ntime, see [the manual](https://x.example/man \"t\") and ![map](m.png).\n\n\n" +
		"- first item that is longer than a row of this width\n  goes on\n* second `code` item\n1. one\n  2. two\n\n> quoted\n> text\n\n```json\n{\"a\": 1}\n```\n\n    indented\n***\n" +
		"<!-- hidden: call evil() --> snake_case_name \\*star\\* **open \u202e\n| a | b |\n<https://y.example>"
	got := strings.Join(Markdown(text, 40, themes.Plain()), "\n") + "\n"
	compare(t, got, `
Weather *now*
Ask for one place at a time, see the
manual (https://x.example/man "t") and
picture: map (m.png).

• first item that is longer than a row
  of this width goes on
• second code item
1. one
  2. two

│ quoted text

  {"a": 1}

  indented
────────────────────────
<!-- hidden: call evil() -->
snake_case_name *star* **open ‹RLO›
| a | b |
<https://y.example>
`)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	s := theme.Styles(colorprofile.TrueColor)
	row := Markdown("a **b** `c`", 40, s)[0]
	for _, want := range []string{s.Text.Bold(true).Render("b"), s.String.Render("c")} {
		if !strings.Contains(row, want) {
			t.Errorf("%q has no %q", row, want)
		}
	}
}

func TestListsWithinListsAreLists(t *testing.T) {
	got := strings.Join(Markdown("1. one\n   - two\n     - three\n       * four\n\n         of four\n   - two again\n\n   of one\n\n\t- by a tab\n2. next\n\n           code in it\n\nout of it\n\n    code", 40, themes.Plain()), "\n") + "\n"
	compare(t, got, `
1. one
   • two
     • three
       • four

         of four
   • two again

   of one

    • by a tab
2. next

         code in it

out of it

  code
`)
}

func TestMarkdownMadeOfMarksIsNoTrap(t *testing.T) {
	for _, s := range []string{"*", "[", "**a ", "`", "![", "_a", "> ", "- ", "[a](", "\\"} {
		t.Run(s, func(t *testing.T) {
			linear(t, func(n int) { Markdown(strings.Repeat(s, 1250*n), 80, themes.Plain()) })
		})
	}
}
