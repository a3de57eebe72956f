package app

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// suggestedMsg is the answer to a question for suggestions.
type suggestedMsg struct {
	number          int
	result, problem jsondoc.Value
	failed          string // why neither came; escaped
}

// suggest asks for what the call's form wants suggested, if it is typed into.
func (m *Model) suggest() tea.Cmd {
	if m.o.Session == nil || len(m.overs) > 0 || m.focus != atMain || m.pane(atMain) != kit.Framed(m.call) {
		return nil
	}
	return m.act(m.call.Wants())
}

// complete asks the server. A question before it that is still open is given up.
func (m *Model) complete(i kit.Complete) tea.Cmd {
	if m.asking != nil {
		m.asking()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.asking = cancel
	s := m.o.Session
	q := session.Completion{Ref: session.PromptRef(i.ID), Argument: i.Argument, Value: i.Text, Context: i.Context}
	if i.Kind == book.Templates {
		q.Ref = session.TemplateRef(i.ID)
	}
	return func() tea.Msg {
		defer cancel()
		a, err := s.Complete(ctx, q, session.CallOptions{})
		msg := suggestedMsg{number: i.Number, result: a.Result(), problem: a.Err()}
		if err != nil {
			msg.failed = kit.Escape(err.Error())
		}
		return msg
	}
}
