package app

import (
	"strings"

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

// counts is the findings in the header: by level, and how many are muted.
func (m *Model) counts(long bool) string {
	text := m.env.Counts(m.book.Findings.Count, long)
	if n := m.book.Findings.Muted; n > 0 {
		text = strings.TrimSpace(text + "  " + m.env.Styles.Muted.Render(kit.Number(n)+" muted"))
	}
	return text
}
