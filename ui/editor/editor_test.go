package editor

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

func screen(e *Editor, w, h int) []string {
	return strings.Split(ansi.Strip(e.Draw(w, h, true, themes.Plain())), "\n")
}

func TestDrawIsExactlyAsLargeAsAsked(t *testing.T) {
	texts := []string{"", "{}", "{\n  \"a\": [1, 2]\n}", strings.Repeat("x", 500), "\x1b[2J\u202e\x00\xff", "日本語\n👨‍👩‍👧\tq", strings.Repeat("1,\n", 300)}
	for _, text := range texts {
		for _, size := range [][2]int{{20, 3}, {60, 12}, {7, 1}} {
			e := New(text)
			e.buf.Bottom()
			lines := screen(e, size[0], size[1])
			if len(lines) != size[1] {
				t.Errorf("%.10q: %d lines, want %d", text, len(lines), size[1])
			}
			for _, l := range lines {
				if ansi.StringWidth(l) != size[0] {
					t.Errorf("%.10q at %v: line %q is %d wide", text, size, l, ansi.StringWidth(l))
				}
			}
		}
	}
}

func TestNoControlCharacterIsDrawn(t *testing.T) {
	e := New("{\"a\": \"\x1b]52;c;aGk=\x07\u202e\u009b\"}")
	for _, l := range screen(e, 60, 2) {
		for _, r := range l {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e {
				t.Errorf("line %q holds %U", l, r)
			}
		}
	}
}

func TestWhatIsWrongIsMarkedWhileTyping(t *testing.T) {
	e := New("{\n  \"a\": 1,\n}")
	if len(e.Problems()) != 1 {
		t.Fatalf("problems %v, want one: the trailing comma", e.Problems())
	}
	if got := screen(e, 30, 3); !strings.HasPrefix(got[1]+got[2], "✖") && !strings.HasPrefix(got[2], "✖") {
		t.Errorf("no mark on %q", got)
	}
	e.Judge = func(d *jsondoc.Document) []Problem {
		return []Problem{{At: d.Nodes[1].Value, Text: "must be a string"}}
	}
	e.SetText("{\n  \"a\": 1\n}")
	if p := e.Problems(); len(p) != 1 || p[0].Text != "must be a string" {
		t.Fatalf("problems %v, want the judge's", p)
	}
	if got := screen(e, 30, 3); !strings.HasPrefix(got[1], "✖") {
		t.Errorf("no mark on the line of the value: %q", got)
	}
}

func TestKeysEditAndOthersPass(t *testing.T) {
	e := New("")
	for _, r := range "{\"n\":1" {
		e.Key(tea.KeyPressMsg{Text: string(r), Code: r})
	}
	e.Key(tea.PasteMsg{Content: "}"})
	if got := e.Text(); got != `{"n":1}` {
		t.Errorf("typed %q", got)
	}
	for _, other := range []tea.KeyPressMsg{{Code: tea.KeyTab}, {Code: tea.KeyEscape}, {Code: 's', Mod: tea.ModCtrl}} {
		if e.Key(other) {
			t.Errorf("%s was taken as editing", other)
		}
	}
	e.Format()
	if got, want := e.Text(), "{\n  \"n\": 1\n}"; got != want {
		t.Errorf("formatted %q, want %q", got, want)
	}
	e.Key(tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl})
	if got := e.Text(); got != `{"n":1}` {
		t.Errorf("after undo %q", got)
	}
}
