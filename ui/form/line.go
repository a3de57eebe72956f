package form

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// line is one line of text under a cursor. Unlike the common widgets it may hold any character: what could do harm
// on a terminal is shown as a sign and kept as it is.
type line struct {
	text string
	cur  int // byte, on a grapheme boundary
}

// key handles a key or paste; changed tells that the text is another now, used that the key was editing.
func (l *line) key(msg tea.Msg) (changed, used bool) {
	switch m := msg.(type) {
	case tea.PasteMsg:
		l.insert(strings.TrimRight(m.Content, "\r\n"))
		return true, true
	case tea.KeyPressMsg:
		if m.Text != "" && m.Mod&^tea.ModShift == 0 {
			l.insert(m.Text)
			return true, true
		}
		switch m.String() {
		case "left":
			l.cur = l.left()
		case "right":
			l.cur = l.right()
		case "home", "ctrl+a":
			l.cur = 0
		case "end", "ctrl+e":
			l.cur = len(l.text)
		case "ctrl+left", "alt+b":
			l.cur = l.word()
		case "backspace":
			return l.cut(l.left(), l.cur), true
		case "delete":
			return l.cut(l.cur, l.right()), true
		case "ctrl+w", "alt+backspace":
			return l.cut(l.word(), l.cur), true
		case "ctrl+u":
			return l.cut(0, l.cur), true
		case "ctrl+k":
			return l.cut(l.cur, len(l.text)), true
		default:
			return false, false
		}
		return false, true
	}
	return false, false
}

func (l *line) insert(s string) {
	l.text = l.text[:l.cur] + s + l.text[l.cur:]
	l.cur += len(s)
}

func (l *line) cut(from, to int) bool {
	l.text = l.text[:from] + l.text[to:]
	l.cur = from
	return from != to
}

func (l *line) left() int {
	at := 0
	for g := graphemes.FromString(l.text); g.Next() && g.End() <= l.cur; {
		at = g.Start()
	}
	return at
}

func (l *line) right() int {
	g := graphemes.FromString(l.text[l.cur:])
	if !g.Next() {
		return l.cur
	}
	return l.cur + g.End()
}

func (l *line) word() int {
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }
	head := strings.TrimRightFunc(l.text[:l.cur], blank)
	return len(strings.TrimRightFunc(head, func(r rune) bool { return !blank(r) }))
}

// draw is the line in w cells with the cursor in view.
func (l *line) draw(s *themes.Styles, w int) string {
	before, at, after := kit.Escape(l.text[:l.cur]), " ", ""
	if l.cur < len(l.text) {
		at, after = kit.Escape(l.text[l.cur:l.right()]), kit.Escape(l.text[l.right():])
	}
	if room := w - kit.Width(at); kit.Width(before) > room {
		before = kit.CutLeft(before, room)
	}
	out := s.Input.Render(before) + kit.Caret(s.Input, at) + s.Input.Render(after)
	return kit.Fit(out, w)
}
