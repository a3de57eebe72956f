package app

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
	"mcploupe/ui/kit"
	"mcploupe/ui/question"
)

// Questions need not be answered at once: they are put aside and come back by a key, on the exchange that they belong to.

// putAside takes the dialog away and keeps the question.
func (m *Model) putAside(p *question.Pane) {
	if len(m.asks) == 0 || m.asks[0].pane != p {
		return
	}
	a := m.asks[0]
	m.closeQuestion(a)
	m.asks = m.asks[1:]
	m.aside = append(m.aside, a)
	m.say("the question waits: a on its exchange opens it again", false)
	if len(m.asks) > 0 {
		m.openQuestion()
	}
}

// answer opens what an exchange asks: a question that waits, else one that was left or answered before.
func (m *Model) answer(ref wire.Ref) tea.Cmd {
	row := m.book.Timeline.Row(ref)
	if row == nil {
		return nil
	}
	if a := m.waiting(row); a != nil {
		if len(m.asks) > 0 {
			m.closeQuestion(m.asks[0])
		}
		m.asks = append([]*asking{a}, m.asks...)
		m.openQuestion()
		m.overs[len(m.overs)-1].until = m.env.Now() // it was asked for
		return nil
	}
	if m.o.Session == nil {
		m.say("this is a recorded journal: nothing can be answered", true)
		return nil
	}
	if row.X.Request == nil && m.book.Server.Era == session.Modern {
		m.say("a server of 2026-07-28 cannot send requests: it is shown, and not answered", true)
		return nil
	}
	if row.X.Request == nil || row.X.Reply == nil {
		m.say("nobody waits for an answer to this any more", true)
		return nil
	}
	s, ctx := m.o.Session, m.ctx
	m.deft = true
	return func() tea.Msg {
		a, err := s.Reopen(ctx, row.X.Request.Seq)
		if made := madeTask(a, row.Of); err == nil && made != nil {
			return made
		}
		if errors.As(err, new(*session.Unanswered)) {
			return nil // the person knows
		}
		return failed(ctx, err)
	}
}

// waiting takes the question of an exchange out of those that wait; nil when none does.
func (m *Model) waiting(row *book.Row) *asking {
	for _, list := range []*[]*asking{&m.aside, &m.asks} {
		for i, a := range *list {
			if a.of(row) {
				*list = append((*list)[:i:i], (*list)[i+1:]...)
				return a
			}
		}
	}
	return nil
}

// of tells that the question was asked in this exchange.
func (a *asking) of(row *book.Row) bool {
	return a.round.Request != 0 && a.round.Request == row.Ref.Seq || row.Holds(a.round.Of)
}

// completed tells a dialog that the server is done with what it asked for (notifications/elicitation/complete).
func (m *Model) completed(p *feed.Page) {
	for i := range p.Exchanges {
		x := &p.Exchanges[i].Exchange
		one := func(n *wire.Message) {
			if n.Method != mcp.ElicitationComplete || n.Dir != wire.Received {
				return
			}
			id := n.Params().Get("elicitationId").Text()
			for _, a := range m.asks {
				if a.pane != nil && a.pane.Completed(id) {
					return
				}
			}
			m.say("the server says that "+kit.Escape(id)+" is complete: what it asked for is done", false)
		}
		if x.Lone != nil {
			one(x.Lone)
		} else if x.End == wire.Open && len(x.During) > 0 {
			one(&x.During[len(x.During)-1])
		}
	}
}

// openAddress opens a page in the person's browser. He saw the whole address and said yes twice.
func (m *Model) openAddress(i question.OpenAddress) tea.Cmd {
	open := m.o.Browse
	if open == nil {
		m.say("no browser can be opened from here: y copies the address", true)
		return nil
	}
	return func() tea.Msg {
		if err := open(i.URL); err != nil {
			return doneMsg{"opening the address: " + kit.Escape(err.Error()) + " — y copies it", true}
		}
		return doneMsg{"the address is open in your browser", false}
	}
}
