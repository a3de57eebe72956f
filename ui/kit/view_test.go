package kit

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

const doc = `{"name":"x","list":[{"a":1,"b":{"deep":[1,2,3],"more":"text that is searched for"}},{"a":2}],"n":1.50e+3}`

func view(w, h int) *View {
	v := NewView(testEnv())
	v.SetJSON(jsondoc.Parse([]byte(doc)), nil)
	v.Draw(w, h, true)
	return v
}

func do(t *testing.T, v *View, key string) Intent {
	t.Helper()
	if v.Typing() {
		msg := tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
		if key == "enter" {
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
		v.Text(msg)
		return nil
	}
	r := Find(v.Rows(), key)
	if r == nil {
		t.Fatalf("there is no key %s", key)
	}
	return r.Do()
}

func drawn(v *View) string { return ansi.Strip(strings.Join(v.Draw(60, 14, true), "\n")) }

func TestWalkingAndFolding(t *testing.T) {
	v := view(60, 14)
	for _, step := range []struct{ key, path, shows string }{
		{"j", "/name", `"name": "x"`},
		{"j", "/list", `"list": [`},
		{"space", "/list", "… 2 elements"},
		{"j", "/n", "1.50e+3"},
		{"k", "/list", "… 2 elements"},
		{"l", "/list", `"deep": [1, 2, 3]`}, // unfolds
		{"l", "/list/0", ""},                // goes in
		{"h", "/list/0", "… 2 members"},     // folds
		{"h", "/list", ""},                  // goes out
		{"G", "", "}"},
		{"g", "", "{"},
	} {
		do(t, v, step.key)
		if got := string(v.Path()); got != step.path {
			t.Errorf("after %s the cursor is at %q, want %q", step.key, got, step.path)
		}
		if s := drawn(v); !strings.Contains(s, step.shows) {
			t.Errorf("after %s: no %q in\n%s", step.key, step.shows, s)
		}
	}
	do(t, v, "z")
	if !v.Typing() {
		t.Error("z does not wait for a digit")
	}
	do(t, v, "1")
	if s := drawn(v); v.Lines() != 5 || !strings.Contains(s, "… 2 elements") {
		t.Errorf("folded to depth 1 it has %d lines:\n%s", v.Lines(), s)
	}
	do(t, v, "z")
	do(t, v, "0")
	if v.Lines() < 10 {
		t.Error("z 0 does not unfold everything")
	}
}

func TestSearchFindsInFoldsAndGoesRound(t *testing.T) {
	v := view(60, 14)
	do(t, v, "z")
	do(t, v, "1")
	do(t, v, "/")
	for _, c := range "a" {
		do(t, v, string(c))
	}
	do(t, v, "enter")
	first := v.Path()
	if first != "/name" {
		t.Errorf("the first hit is at %s", first)
	}
	var seen []string
	for range 3 {
		do(t, v, "n")
		seen = append(seen, string(v.Path()))
	}
	if got := strings.Join(seen, " "); got != "/list/0/a /list/0/b/more /list/0/b/more" {
		t.Errorf("n walks %s", got)
	}
	do(t, v, "N")
	do(t, v, "N")
	if v.Path() != "/list/0/a" {
		t.Errorf("N goes to %s", v.Path())
	}
	if s := drawn(v); !strings.Contains(s, "/a") || !strings.Contains(s, "2 of 5") {
		t.Errorf("the search line is not there:\n%s", s)
	}
	do(t, v, "esc")
	if s := drawn(v); strings.Contains(s, " of 5") {
		t.Error("esc does not end the search")
	}
}

func TestMarksAreShownAndWalked(t *testing.T) {
	v := NewView(testEnv())
	d := jsondoc.Parse([]byte(doc))
	marks := []highlight.Mark{{Node: d.At("/n").Node(), Role: themes.Must, Note: "want less"}, {Node: d.At("/list/0/b/deep").Node(), Role: themes.Advice, Note: "think again"}}
	v.SetJSON(d, marks)
	v.Draw(60, 14, true)
	do(t, v, "z")
	do(t, v, "1")
	v.GotoMark(1)
	if s := drawn(v); v.Path() != "/list/0/b/deep" || !strings.Contains(s, "└ think again") {
		t.Errorf("at %s:\n%s", v.Path(), s)
	}
	v.GotoMark(0)
	if s := drawn(v); v.Path() != "/n" || !strings.Contains(s, "✖") || !strings.Contains(s, "└ want less") {
		t.Errorf("at %s:\n%s", v.Path(), s)
	}
	at := v.Path()
	v.SetJSON(d, append([]highlight.Mark(nil), marks...))
	if v.Path() != at || v.AtMark() != 0 {
		t.Error("the same marks once more move the cursor")
	}
	v.GotoMark(7) // nothing
}

func TestRawShowsTheBytesAtTheSameValue(t *testing.T) {
	v := view(60, 14)
	v.Goto("/n")
	do(t, v, "b")
	if s := drawn(v); !strings.Contains(s, `{"name":"x","list":[`) {
		t.Errorf("no raw text:\n%s", s)
	}
	if c, ok := do(t, v, "y").(Copy); !ok || c.Text != doc {
		t.Errorf("copied %+v", c)
	}
	do(t, v, "b")
	if v.Path() != "/n" {
		t.Errorf("back from the bytes the cursor is at %q", v.Path())
	}
	if c, ok := do(t, v, "y").(Copy); !ok || c.Text != "1.50e+3" {
		t.Errorf("copied %+v: digits are copied as they stand", c)
	}
	v.Goto("/list/0/b/nothing/there")
	if v.Path() != "/list/0/b" {
		t.Errorf("a place that does not exist leads to %q", v.Path())
	}
}

func TestOtherTextAndNothing(t *testing.T) {
	v := NewView(testEnv())
	v.SetText([]byte("<html>\n<body>\x1b[31mno\n"), "text/html")
	lines := v.Draw(40, 6, true)
	if s := ansi.Strip(strings.Join(lines, "\n")); !strings.Contains(s, "␛[31mno") {
		t.Errorf("it shows %q", s)
	}
	for _, k := range []string{"j", "G", "g", "w", "left", "right", "ctrl+d", "ctrl+u"} {
		do(t, v, k)
		v.Draw(40, 6, true)
	}
	if Find(v.Rows(), "space").Off == "" {
		t.Error("text can be folded")
	}
	v.SetJSON(jsondoc.Parse(nil), nil)
	v.Draw(40, 6, true)
	for _, k := range []string{"j", "G", "w", "y"} {
		do(t, v, k)
		v.Draw(40, 6, true)
	}
}

func TestClicksSelectAndFold(t *testing.T) {
	v := view(60, 14)
	v.Click(20, 2, tea.MouseClickMsg{Button: tea.MouseLeft})
	if v.Path() != "/list" {
		t.Errorf("a click selects %q", v.Path())
	}
	v.Click(10, 2, tea.MouseClickMsg{Button: tea.MouseLeft})
	if s := drawn(v); !strings.Contains(s, "… 2 elements") {
		t.Errorf("a click on the line under the cursor does not fold:\n%s", s)
	}
	top := v.Scroll().From
	v.Draw(60, 3, true)
	v.Click(1, 1, tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	v.Draw(60, 3, true)
	if v.Scroll().From == top {
		t.Error("the wheel does not scroll")
	}
}

// The view survives any bytes, any size, any keys.
func FuzzView(f *testing.F) {
	f.Add([]byte(doc), "jjz1/a\nnNwbGg ", 40, 10)
	f.Add([]byte("[[[[{\"a\":"), "zlhlh  ", 3, 1)
	f.Add([]byte("\xff\x1b"), "bjk", 80, 24)
	f.Fuzz(func(t *testing.T, text []byte, keys string, w, h int) {
		w, h = min(max(w, 1), 200), min(max(h, 1), 60)
		v := NewView(testEnv())
		v.SetJSON(jsondoc.Parse(text), nil)
		for _, k := range keys[:min(len(keys), 40)] {
			name := string(k)
			if name == " " {
				name = "space"
			}
			if v.Typing() {
				if k == '\n' {
					v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
				} else {
					v.Text(tea.KeyPressMsg{Code: k, Text: string(k)})
				}
			} else if r := Find(v.Rows(), name); r != nil && r.Off == "" {
				r.Do()
			}
			if n := len(v.Draw(w, h, true)); n > h+1 {
				t.Fatalf("%d lines of %d", n, h)
			}
		}
	})
}

// The path of the whole is an empty text: copying it would leave the clipboard as it was, and say otherwise.
func TestThePathOfAllOfItIsNotCopied(t *testing.T) {
	v := NewView(&Env{Styles: themes.Plain()})
	v.SetJSON(jsondoc.Parse([]byte(`{"a/b":[1]}`)), nil)
	v.Draw(60, 10, true)
	for _, rows := range [][]Row{v.Rows(), v.Copies()} {
		for _, r := range rows {
			if strings.Contains(r.Words, "path") && r.Off != "this is all of it: its path is empty" || strings.Contains(r.Words, "name") && r.Off == "" {
				t.Errorf("%q works: %q", r.Words, r.Off)
			}
		}
	}
	Find(v.Rows(), "down").Do()
	if c, _ := Find(v.Rows(), "Y").Do().(Copy); c.Text != "/a~1b" {
		t.Errorf("the path is %q", c.Text)
	}
	if c, _ := Find(v.Copies(), "n").Do().(Copy); c.Text != "a/b" || c.What != "name" {
		t.Errorf("the name is %+v", c)
	}
}
