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
	due    time.Time
	looked time.Time
	n      int
}

// beatMsg is the one with number n; others were overtaken.
type beatMsg struct{ n int }

func (b *beats) came(msg beatMsg) {
	if msg.n == b.n {
		b.due = time.Time{}
	}
}

// stillBeat is how often what is under way is looked at where nothing shall move by itself.
const stillBeat = 5 * time.Second

// beaten is what a beat changes: the spinner's turn, and how far what runs is.
func (m *Model) beaten() {
	if !m.env.Still {
		m.env.Frame = int(m.o.Now().UnixMilli() / 100)
	} else if now := m.o.Now(); now.Sub(m.beats.looked) < stillBeat {
		return
	} else {
		m.beats.looked = now
	}
	m.book.Timeline.Beat()
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
	if m.env.Still && least > 0 {
		least = max(least, 500*time.Millisecond)
	}
	return least
}
