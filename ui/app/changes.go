package app

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// The inner loop of whoever writes a server: its files change, it is started again, and what was called last is called again.

// changedMsg says that a watched file changed.
type changedMsg struct {
	path string
	err  error
}

// nextChange waits for a change of the watched files.
func (m *Model) nextChange() tea.Cmd {
	if m.o.Changes == nil || m.o.Session == nil {
		return nil
	}
	changes, ctx := m.o.Changes, m.ctx
	return func() tea.Msg {
		path, err := changes(ctx)
		return changedMsg{path, err}
	}
}

// fileChanged starts the server again.
func (m *Model) fileChanged(msg changedMsg) tea.Cmd {
	switch {
	case m.ctx.Err() != nil:
		return nil
	case msg.err != nil:
		m.say(kit.Escape(msg.err.Error()), true)
		return nil
	}
	if last := m.lastCall(); last != nil {
		m.repeat = last.Ref
	}
	restart := m.act(kit.Restart{})
	m.say(kit.Escape(filepath.Base(msg.path))+" changed: starting the server again", false)
	return tea.Batch(restart, m.nextChange())
}

// lastCall is the newest tool call that a person made, nil when there is none.
func (m *Model) lastCall() *book.Row {
	return m.book.Timeline.Last(func(r *book.Row) bool {
		q := r.X.Request
		return q != nil && q.Dir == wire.Sent && q.Method == mcp.ToolsCall && r.X.Retries == 0 && !q.Aside()
	})
}

// repeatCall calls again what was called before the server was started again.
func (m *Model) repeatCall() tea.Cmd {
	ref := m.repeat
	if ref == (wire.Ref{}) {
		return nil
	}
	m.repeat = wire.Ref{}
	row := m.book.Timeline.Row(ref)
	if row == nil {
		return nil
	}
	m.say("started again; "+kit.Escape(row.Of)+" is called again", false)
	m.exchange.ShowChanges(m.book.Timeline.Latest())
	return m.sendAgain(ref)
}
