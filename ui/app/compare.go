package app

import (
	"fmt"

	"mcploupe/session/wire"
	"mcploupe/ui/compare"
	"mcploupe/ui/kit"
)

// openCompare holds two exchanges against each other, or one against the earlier one of the same call.
func (m *Model) openCompare(i kit.Compare) {
	t := &m.book.Timeline
	a, b := t.Row(i.A), t.Row(i.B)
	if i.B == (wire.Ref{}) {
		if b = a; b == nil {
			return
		}
		if a = t.Earlier(b); a == nil {
			what := fmt.Sprintf("there is no earlier answer to the same call as #%d: mark two with space", b.Ref.Seq)
			if b.X.Reply == nil {
				what = fmt.Sprintf("#%d has no answer to compare: mark two with space", b.Ref.Seq)
			}
			m.say(what, true)
			return
		}
	}
	if a == nil || b == nil {
		m.say("that exchange is not kept any more", true)
		return
	}
	m.open("compare", compare.New(m.env, m.book, a, b), large)
}
