package app

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// A screen on which nothing counts does not wake up. As long as something that is shown counts down, turns
// or ages, a message comes as often as that changes; panes say so themselves.

// beats is the message that is under way, if one is.
type beats struct {
	due time.Time
	n   int
}

// beatMsg is the one with number n; others were overtaken.
type beatMsg struct{ n int }

func (b *beats) came(msg beatMsg) {
	if msg.n == b.n {
		b.due = time.Time{}
	}
}

// beat asks for the next message, unless one is coming early enough.
func (m *Model) beat() tea.Cmd {
	if m.behind {
		return nil
	}
	d := m.interval()
	if d <= 0 {
		return nil
	}
	now := time.Now() // of the machine, not of the screen: this is a timer
	if !m.beats.due.IsZero() && !m.beats.due.After(now.Add(d)) {
		return nil
	}
	m.beats.n++
	m.beats.due = now.Add(d)
	n := m.beats.n
	return tea.Tick(d, func(time.Time) tea.Msg { return beatMsg{n} })
}

// interval is how soon anything on the screen changes by itself, 0 for never.
func (m *Model) interval() time.Duration {
	least := time.Duration(0)
	add := func(d time.Duration) {
		if d > 0 && (least == 0 || d < least) {
			least = d
		}
	}
	for p := place(0); p < places && m.o.Session != nil; p++ { // in a recorded journal time stands still
		if m.lay.shown(p) {
			if l, ok := m.pane(p).(kit.Lively); ok {
				add(l.Beat())
			}
		}
	}
	if n := len(m.overs); n > 0 {
		if l, ok := m.overs[n-1].pane.(kit.Lively); ok {
			add(l.Beat())
		}
	}
	if m.said.text != "" {
		add(max(m.said.until.Sub(m.o.Now()), 50*time.Millisecond))
	}
	return least
}
