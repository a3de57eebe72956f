package kit

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// lastLine is the search line of a view.
func lastLine(v *View) string {
	lines := v.Draw(60, 10, true)
	return ansi.Strip(lines[len(lines)-1])
}

func types(t *testing.T, v *View, text string) {
	t.Helper()
	Find(v.Rows(), "/").Do()
	for _, r := range text {
		if !v.Text(tea.KeyPressMsg{Code: r, Text: string(r)}) {
			t.Fatalf("%c is not taken", r)
		}
	}
}

// Through a long document it is looked beside the screen, one search at a time; enter looks for nothing anew.
func TestALongDocumentIsSearchedBesideTheScreen(t *testing.T) {
	var aside []func() func()
	v := NewView(&Env{Styles: themes.Plain(), Aside: func(work func() func()) { aside = append(aside, work) }})
	d := jsondoc.Parse([]byte(`[` + strings.Repeat(`"some words",`, Heavy/10) + `"the needle"]`))
	v.SetJSON(d, nil)
	v.Draw(60, 10, true)
	types(t, v, "needle")
	if got := lastLine(v); !strings.HasSuffix(got, "searching …") {
		t.Errorf("it says %q", got)
	}
	for n := 0; len(aside) > 0; n++ {
		if len(aside) > 1 || n > 1 {
			t.Fatalf("%d searches at once, the %dth", len(aside), n+1)
		}
		work := aside[0]
		aside = nil
		work()()
	}
	if got := lastLine(v); !strings.HasSuffix(got, "1 of 1") {
		t.Errorf("it says %q", got)
	}
	if got := string(v.Node().Raw()); got != `"the needle"` {
		t.Errorf("the cursor is at %s", got)
	}
	v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
	if len(aside) > 0 || v.Typing() {
		t.Error("enter looks again")
	}
	Find(v.Rows(), "b").Do()
	if got := lastLine(v); !strings.HasSuffix(got, "1 of 1") || len(aside) > 0 {
		t.Errorf("among the bytes it says %q", got)
	}
}

// What was searched for in one document is looked for in the next: it is never said to be missing where nobody looked.
func TestTheNextDocumentIsSearchedForTheSame(t *testing.T) {
	v := NewView(&Env{Styles: themes.Plain()})
	v.SetJSON(jsondoc.Parse([]byte(`["a needle"]`)), nil)
	v.Draw(60, 10, true)
	types(t, v, "needle")
	v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
	v.SetJSON(jsondoc.Parse([]byte(`["other",["needle","needle"]]`)), nil)
	if got := lastLine(v); !strings.HasSuffix(got, "2 found") {
		t.Errorf("it says %q", got)
	}
	Find(v.Rows(), "n").Do()
	if got := lastLine(v); !strings.HasSuffix(got, "1 of 2") || v.Path() != "/1/0" {
		t.Errorf("it says %q at %s", got, v.Path())
	}
	v.SetJSON(jsondoc.Parse([]byte(`["`+strings.Repeat("needle", 20_000)+`"]`)), nil)
	if got := lastLine(v); !strings.HasSuffix(got, "more than 9,999 found") {
		t.Errorf("it says %q", got)
	}
}
