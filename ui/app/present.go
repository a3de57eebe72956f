package app

import (
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
	"mcploupe/ui/slow"
)

// presentCommands are the commands for who shows the protocol to others.
func (m *Model) presentCommands() []kit.Row {
	none := ""
	if m.exchange.Ref() == (wire.Ref{}) {
		none = "none is on the screen"
	}
	return []kit.Row{
		{Words: "slow motion: play this frame by frame", Group: "teach", Off: none, Do: func() kit.Intent { return kit.OpenSlow{Ref: m.exchange.Ref()} }},
	}
}

// openSlow plays an exchange frame by frame.
func (m *Model) openSlow(ref wire.Ref) {
	row := m.book.Timeline.Row(ref)
	if row == nil {
		m.say("that exchange is not kept any more", true)
		return
	}
	m.open("slow", slow.New(m.env, m.book, row, m.o.Now), func(w, h int) (int, int) { return w - 4, h - 2 })
}
