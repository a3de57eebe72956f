package app

import (
	"mcploupe/ui/kit"
)

// mute leaves a rule's findings out of everything, or takes them back in, and says so.
func (m *Model) mute(i kit.Mute) {
	n := -m.book.Findings.Muted
	m.book.Mute(i.Rule, i.On)
	n += m.book.Findings.Muted
	if !i.On {
		m.say(kit.Escape(i.Rule)+" counts again: "+kit.Count(-n, "finding"), false)
		return
	}
	m.say(kit.Escape(i.Rule)+" is muted until you quit: "+kit.Count(n, "finding")+" left out; M in the findings shows what is muted", false)
}
