package app

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
	"mcploupe/ui/question"
)

// Desk is where the questions of a server reach the person at the screen: its Ask is the session's, and the screen
// takes them from it, one after the other.
type Desk struct{ in chan *asking }

// asking is a round that waits for an answer.
type asking struct {
	ctx   context.Context
	round session.Round
	reply chan session.Replies // one place
	pane  *question.Pane
}

// NewDesk is an empty desk.
func NewDesk() *Desk { return &Desk{in: make(chan *asking)} }

// Ask is a session.Asker. It waits for the screen as long as ctx lasts.
func (d *Desk) Ask(ctx context.Context, r session.Round) (session.Replies, error) {
	a := &asking{ctx: ctx, round: r, reply: make(chan session.Replies, 1)}
	select {
	case d.in <- a:
	case <-ctx.Done():
		return session.Replies{}, context.Cause(ctx)
	}
	select {
	case answer := <-a.reply:
		return answer, nil
	case <-ctx.Done():
		return session.Replies{}, context.Cause(ctx)
	}
}

// grace is how long a dialog that opened by itself takes no keys: they were meant for something else.
const grace = 400 * time.Millisecond

// questionMsg is the next question on the desk; withdrawnMsg is one that needs no answer any more.
type (
	questionMsg  struct{ a *asking }
	withdrawnMsg struct{ a *asking }
)

// nextQuestion waits for one.
func (m *Model) nextQuestion() tea.Cmd {
	if m.o.Desk == nil {
		return nil
	}
	in, ctx := m.o.Desk.in, m.ctx
	return func() tea.Msg {
		select {
		case a := <-in:
			return questionMsg{a}
		case <-ctx.Done():
			return nil
		}
	}
}

// questioned puts a question to the others; the first of them is on the screen.
func (m *Model) questioned(a *asking) tea.Cmd {
	m.asks = append(m.asks, a)
	if len(m.asks) == 1 {
		m.openQuestion()
	}
	ctx := m.ctx
	return tea.Batch(m.nextQuestion(), func() tea.Msg {
		select {
		case <-a.ctx.Done():
			return withdrawnMsg{a}
		case <-ctx.Done():
			return nil
		}
	})
}

func (m *Model) openQuestion() {
	a := m.asks[0]
	if a.pane == nil {
		a.pane = question.New(m.env, *m.o.Inputs, m.asked(a.round))
	}
	m.open("question", a.pane, func(w, h int) (int, int) {
		w = min(w-4, 104)
		return w, min(a.pane.Want(w-4)+2, h-2)
	})
	if !m.deft { // it opened by itself
		m.overs[len(m.overs)-1].until = m.env.Now().Add(grace)
	}
	m.deft = false
}

// asked is a round as the dialog needs it.
func (m *Model) asked(from session.Round) question.Round {
	r := question.Round{Server: m.book.Server.Name(), Request: strings.TrimSpace(from.Method + " " + from.Name), N: from.N, Most: from.Most,
		Again: from.Again, Task: from.Task, Problem: from.Problem}
	if from.State.Exists() {
		r.State = from.State.Raw()
	}
	for _, q := range from.Questions {
		one := question.Question{Key: q.Key, Method: q.Method, Mode: q.Mode(), Params: q.Params}
		switch q.Method {
		case mcp.ElicitationCreate:
			one.Start = session.Defaults(q.Params.Get("requestedSchema"))
		case mcp.RootsList:
			var roots []session.Root
			if m.o.Session != nil {
				roots = m.o.Session.Roots()
			}
			one.Start = jsondoc.Indent(nil, jsondoc.Parse(session.RootsResult(roots)).Root(), "", "  ")
		default:
			one.Start = []byte("{}")
		}
		r.List = append(r.List, one)
	}
	return r
}

// decided hands the answer over and shows the next question.
func (m *Model) decided(d question.Decided) {
	if len(m.asks) == 0 || m.asks[0].pane != d.Pane {
		return
	}
	a := m.asks[0]
	out := session.Replies{Stop: d.Stop, Whole: d.Whole}
	for _, one := range d.List {
		r := session.Reply{Key: one.Key}
		switch {
		case one.LeftOut:
		case one.Accept:
			r.Result = session.Accept(one.Content)
		case one.Decline:
			r.Result = session.Decline()
		case one.Dismiss:
			r.Result = session.Dismiss()
		default:
			r.Result = one.Content
		}
		out.List = append(out.List, r)
	}
	a.reply <- out
	m.dropQuestion(a)
}

// closeQuestion takes the dialog of a question away.
func (m *Model) closeQuestion(a *asking) {
	for j := range m.overs {
		if m.overs[j].pane == kit.Framed(a.pane) {
			m.overs = append(m.overs[:j:j], m.overs[j+1:]...)
			return
		}
	}
}

// dropQuestion takes a question off the screen, or out of the queue.
func (m *Model) dropQuestion(a *asking) {
	for i := range m.asks {
		if m.asks[i] != a {
			continue
		}
		m.asks = append(m.asks[:i:i], m.asks[i+1:]...)
		if i > 0 {
			return
		}
		m.closeQuestion(a)
		if len(m.asks) > 0 {
			m.openQuestion()
		}
		return
	}
}

// withdrawn takes away a question that the server, or the end of the connection, took back.
func (m *Model) withdrawn(a *asking) {
	for i, b := range m.aside {
		if a == b {
			m.aside = append(m.aside[:i:i], m.aside[i+1:]...)
			return
		}
	}
	for _, b := range m.asks {
		if a == b {
			m.dropQuestion(a)
			m.say("the question is gone: nobody waits for its answer any more", true)
			return
		}
	}
}
