package kit

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
)

// Search is the search line of something that can be searched: what is typed behind the /, and whether somebody types. What is found,
// and where one stands in it, its owner knows.
type Search struct {
	line   prompt
	typing bool
}

// Open begins to type.
func (s *Search) Open() { s.typing = true }

// Typing tells that keys go into the line.
func (s *Search) Typing() bool { return s.typing }

// Pattern is what is searched for, "" for nothing.
func (s *Search) Pattern() string { return s.line.text() }

// Shown tells that the line takes a row of the screen.
func (s *Search) Shown() bool { return s.typing || s.Pattern() != "" }

// End ends the search: nothing is looked for any more.
func (s *Search) End() {
	s.typing = false
	s.line.set("")
}

// What a key did in the search line.
type Sought uint8

const (
	Unused  Sought = iota // it means nothing there
	Used                  // it did something, but to the pattern
	Changed               // the pattern is another, or enter says that it is what was meant: look for it
	Ended                 // nothing is looked for any more
)

// Text takes a key or a paste while somebody types.
func (s *Search) Text(msg tea.Msg) Sought {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch key := k.String(); {
		case key == "enter":
			s.typing = false
			return Changed
		case key == "esc":
			s.End()
			return Ended
		case key == "backspace" && s.Pattern() == "":
			s.typing = false
			return Used
		}
	}
	changed, used := s.line.key(msg)
	switch {
	case changed:
		return Changed
	case used:
		return Used
	}
	return Unused
}

// Rows are the keys while somebody types.
func (s *Search) Rows(group string) []Row {
	return []Row{{Keys: []string{"enter"}, Words: "search", Group: group}, {Keys: []string{"esc"}, Words: "stop searching", Group: group}}
}

// Draw is the line, w cells wide: the pattern, and how many hits there are: n, below 0 while they are still looked for. at is the one
// that somebody stands at, counted from 0, -1 for none.
func (s *Search) Draw(e *Env, at, n, w int) string {
	all := Number(n)
	if n >= highlight.MaxHits {
		all = "more than " + Number(highlight.MaxHits-1)
	}
	count := ""
	switch {
	case s.Pattern() == "":
	case n < 0:
		count = e.Styles.Running.Render("searching …")
	case n == 0:
		count = e.Styles.Should.Render("not found")
	case at < 0:
		count = e.Styles.Muted.Render(all + " found")
	default:
		count = e.Styles.Muted.Render(Number(at+1) + " of " + all)
	}
	return Ends(s.line.draw(e.Styles, s.typing), count, w)
}
