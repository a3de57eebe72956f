package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/visible"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// search is the line in which somebody types what to find, and where it is.
type search struct {
	open bool
	what string
	from pos // where the cursor was when it began
}

// hits are the places where the text that is searched for stands.
type hits struct {
	version int
	what    string
	at      []pos
}

// maxHits bounds how many places are kept; there is no use in walking through more.
const maxHits = 10_000

// Find opens the search.
func (e *Editor) Find() {
	e.popup = nil
	e.search.open, e.search.from = true, e.buf.cur
}

// found are the places of the text that is searched for. Without capital letters in it, capitals of ASCII do not matter.
func (e *Editor) found() []pos {
	what := e.search.what
	if what == "" {
		return nil
	}
	if e.hits.version == e.buf.Version() && e.hits.what == what {
		return e.hits.at
	}
	exact := strings.ToLower(what) != what
	var at []pos
	for n, line := range e.buf.lines {
		for i := 0; len(at) < maxHits; {
			k := strings.Index(line[i:], what)
			if !exact {
				k = indexFold(line[i:], what)
			}
			if k < 0 {
				break
			}
			at = append(at, pos{n, i + k})
			i += k + len(what)
		}
	}
	e.hits = hits{version: e.buf.Version(), what: what, at: at}
	return at
}

// indexFold finds a text of small letters, where capitals of ASCII count as small ones.
func indexFold(s, small string) int {
	first := small[0]
	upper := first
	if first >= 'a' && first <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := 0; i+len(small) <= len(s); i++ {
		if c := s[i]; c != first && c != upper {
			continue
		}
		k := 1
		for ; k < len(small); k++ {
			c := s[i+k]
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if c != small[k] {
				break
			}
		}
		if k == len(small) {
			return i
		}
	}
	return -1
}

// after is the first hit at p or behind it, from the start again when there is none; -1 without any.
func (e *Editor) after(p pos, strictly bool) int {
	at := e.found()
	for i, h := range at {
		if h.line > p.line || h.line == p.line && (h.col > p.col || h.col == p.col && !strictly) {
			return i
		}
	}
	return min(0, len(at)-1)
}

// Next goes to the next place, or to the one before.
func (e *Editor) Next(by int) bool {
	at := e.found()
	if len(at) == 0 {
		return false
	}
	i := e.after(e.buf.cur, true)
	if by < 0 {
		i = e.after(e.buf.cur, false) - 1
		if i < 0 {
			i = len(at) - 1
		}
		if p := e.buf.cur; at[len(at)-1].line < p.line || at[len(at)-1].line == p.line && at[len(at)-1].col < p.col {
			i = len(at) - 1
		}
	}
	e.buf.move(at[i])
	return true
}

// searchKey handles a key while the search is open: it has all of them.
func (e *Editor) searchKey(msg tea.Msg) bool {
	s := &e.search
	retype := func() {
		if i := e.after(s.from, false); i >= 0 {
			e.buf.move(e.found()[i])
		} else {
			e.buf.move(s.from)
		}
	}
	switch m := msg.(type) {
	case tea.PasteMsg:
		s.what, _, _ = strings.Cut(s.what+m.Content, "\n")
		retype()
		return true
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			s.open = false
		case "enter", "down", "ctrl+f", "f3":
			if m.String() == "ctrl+f" && s.what == "" {
				s.open = false
				return true
			}
			e.Next(1)
		case "up", "shift+enter", "shift+f3":
			e.Next(-1)
		case "backspace":
			if s.what == "" {
				s.open = false
				return true
			}
			_, n := utf8.DecodeLastRuneInString(s.what)
			s.what = s.what[:len(s.what)-n]
			retype()
		case "ctrl+u", "ctrl+w":
			s.what = ""
			retype()
		default:
			if m.Text == "" || m.Mod&^tea.ModShift != 0 {
				return false
			}
			s.what += m.Text
			retype()
		}
		return true
	}
	return false
}

// searchLine is the line of the search in w cells.
func (e *Editor) searchLine(w int, s *themes.Styles) string {
	at := e.found()
	count := ""
	switch {
	case e.search.what == "":
		count = "enter next · ↑ before · esc done"
	case len(at) == 0:
		count = "not found"
	default:
		here := 0
		for i, p := range at {
			if p == e.buf.cur {
				here = i + 1
			}
		}
		more := ""
		if len(at) == maxHits {
			more = "+"
		}
		if count = fmt.Sprintf("%d%s places", len(at), more); here > 0 {
			count = fmt.Sprintf("%d of %d%s", here, len(at), more)
		}
	}
	room := max(w-cells(count)-3, 1)
	what := visible.Escape(e.search.what)
	for cells(what) > room-6 && what != "" {
		n, _, _ := cluster(what)
		what = what[n:]
	}
	left := s.Keycap.Render("find") + " " + s.Input.Render(what) + kit.Caret(s.Input, " ")
	return kit.Fit(left, w-cells(count)) + s.Muted.Render(kit.Cut(count, w))
}
