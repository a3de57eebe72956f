package app

import (
	"strings"

	"mcploupe/ui/kit"
)

// What is said of a server in this run: how it was opened, what is done for it, and how it comes back.

// note says how a server was opened, and what that means for it.
func (m *Model) note(text string) {
	m.say(text, false)
	m.said.note = true
}

// here is what this run does for the server beside talking to it.
func (m *Model) here() (pairs [][2]string) {
	if m.o.Recorded != "" {
		pairs = append(pairs, [2]string{"recorded in", kit.Escape(m.o.Recorded)})
	}
	if len(m.o.Watched) > 0 {
		pairs = append(pairs, [2]string{"watched files", kit.Escape(strings.Join(m.o.Watched, "  "))})
	}
	return pairs
}

// wayBack is what brings a lost server back, "" where nothing does or it happens by itself. It stands before the reason, which may be
// long.
func (m *Model) wayBack() string {
	sv := &m.book.Server
	switch {
	case m.o.Session == nil || sv.Pause > 0:
		return ""
	case sv.Kind == "http" || sv.Kind == "sse":
		return ", ctrl+r connects again"
	}
	return ", ctrl+r starts it again"
}
