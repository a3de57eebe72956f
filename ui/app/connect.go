package app

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/server"
)

// connectedMsg is how an attempt to connect ended.
type connectedMsg struct {
	err   error
	epoch int
}

// connect opens the connection, or opens it anew, and lists what the server declares.
func (m *Model) connect(again bool) tea.Cmd {
	m.epoch++
	s, ctx, epoch := m.o.Session, m.ctx, m.epoch
	m.page.SetFailure(nil)
	if again {
		m.said = said{}
	}
	return func() tea.Msg {
		do := s.Connect
		if again {
			do = s.Restart
		}
		return connectedMsg{do(ctx), epoch}
	}
}

func (m *Model) connected(msg connectedMsg) tea.Cmd {
	if msg.epoch != m.epoch {
		return nil
	}
	if msg.err != nil {
		f := &server.Failure{Text: msg.err.Error()}
		if e, ok := errors.AsType[*session.ConnectError](msg.err); ok {
			f.Text, f.Hint, f.Exit, f.Stderr = e.Text, e.Hint, e.Exit, e.Stderr
		}
		m.page.SetFailure(f)
		return nil
	}
	return m.repeatCall()
}

// relist asks for what the server declares once a connection stands, whoever made it: a person, or the session by itself.
func (m *Model) relist() tea.Cmd {
	sv := &m.book.Server
	if m.o.Session == nil || sv.Phase != wire.Ready || m.listed == sv.Beginnings() {
		return nil
	}
	m.listed = sv.Beginnings()
	m.page.SetFailure(nil)
	s, ctx, lesson := m.o.Session, m.ctx, m.lesson != nil
	return tea.Batch(m.resubscribe(), func() tea.Msg {
		// One after the other: a stdio server works them off in turn anyway, and the tools come first.
		for _, k := range book.Kinds() {
			if !s.Info().Has(listKind(k).Capability()) {
				continue
			}
			if _, err := s.List(ctx, listKind(k), session.ListOptions{}); ctx.Err() != nil || errors.As(err, new(*session.NotConnected)) {
				return nil
			}
		}
		if lesson {
			return listedMsg{}
		}
		return nil
	})
}

// listedMsg says, where a lesson stands beside, that all was asked for that is asked for by itself when a connection stands.
type listedMsg struct{}
