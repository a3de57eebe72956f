package app

import (
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/kit"
)

// Which pane stands at a place, and what the right side shows of what is selected on the left.

// pane is the pane of a place.
func (m *Model) pane(p place) kit.Framed {
	if m.home != nil {
		return m.home
	}
	if list := m.panelOf(p); list != nil {
		return list
	}
	switch p {
	case atServer:
		return m.serverPanel
	case atExchanges:
		return m.timeline
	case atMain:
		switch {
		case m.showsServer():
			return m.page
		case m.driver == atExchanges:
			return m.exchange
		}
		return m.call
	}
	return m.exchange
}

// showsServer tells that the right side is about the server: it is selected, or there is nothing else to
// show because the connection never stood or could not be made.
func (m *Model) showsServer() bool {
	phase := m.book.Server.Phase
	return m.driver == atServer || m.driver != atExchanges && (!m.ready || phase == wire.Failed && m.book.Server.Try == 0)
}

// whole tells that main has the right side for itself.
func (m *Model) whole() bool { return m.showsServer() || m.driver == atExchanges }

// panelOf is the list that drives the right side.
func (m *Model) panelOf(p place) *catalogue.Panel {
	switch p {
	case atTools:
		return m.tools
	case atResources:
		return m.resources
	case atPrompts:
		return m.prompts
	}
	return nil
}

// sync lets the right side show what is selected on the left.
func (m *Model) sync() {
	if m.driver == atExchanges {
		m.exchange.Set(m.timeline.Row())
		m.exchange.Hint = []string{"Nothing was said yet."}
		if m.timeline.Filter() != "" {
			m.exchange.Hint = []string{"No exchange fits the filter."}
		}
		return
	}
	p := m.panelOf(m.driver)
	if p == nil {
		return
	}
	it := p.Item()
	m.call.Set(it)
	newest := catalogue.Newest(m.book, it)
	switch row := m.book.Timeline.Row(m.pinned); {
	case m.pinned != wire.Ref{} && row != nil && (newest == nil || newest.Ref == m.pinnedN):
		m.exchange.Set(row)
	default:
		m.pinned = wire.Ref{}
		m.exchange.Set(newest)
	}
	m.exchange.Hint = m.hint(it)
}

// hint is what stands in place of an answer that does not exist yet.
func (m *Model) hint(it *book.Item) []string {
	switch {
	case it == nil:
		return nil
	case m.o.Session == nil:
		return []string{"The journal holds no use of it."}
	case it.Kind == book.Resources:
		return []string{"Not read yet.", "enter reads it"}
	case it.Kind == book.Prompts:
		return []string{"Not asked for yet.", "ctrl+s gets it"}
	case it.Kind == book.Templates:
		return []string{"Not read yet.", "fill it in, then ctrl+s reads it"}
	}
	return []string{"Not called yet.", "ctrl+s sends the call"}
}

// setFocus moves the focus; a panel also takes over the right side.
func (m *Model) setFocus(p place) {
	if p < panels {
		if m.driver != p {
			m.pinned = wire.Ref{}
		}
		m.driver, m.before = p, p
	} else if m.focus < panels {
		m.before = m.focus
	}
	if p == atResult && m.whole() {
		p = atMain
	}
	if p == atMain && m.focus != atMain {
		m.call.Arrive()
	}
	m.focus = p
}

// arrange computes where everything stands now.
func (m *Model) arrange() {
	if m.home != nil {
		m.arrangeHome()
		return
	}
	m.sync()
	f := facts{focus: m.focus, grow: m.driver, whole: m.whole(), left: m.left, split: m.split, middle: m.middle}
	f.wants = [panels]int{m.serverPanel.Want(), m.tools.Want(), m.resources.Want(), m.prompts.Want(), m.timeline.Want()}
	if !f.whole {
		f.main = m.call.Want()
		f.idle = m.exchange.Ref() == wire.Ref{}
	}
	if m.env.Present && m.driver < panels { // rows take two lines where the focus is
		f.wants[m.driver] *= 2
	}
	w, h := m.room()
	m.lay = arrange(w, h, f)
}
