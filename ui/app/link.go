package app

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// linked is a link in an answer that is followed: what it leads to is shown when it comes.
type linked struct {
	uri   string
	after wire.Seq // of what was there before
}

// followLink reads what a link of an answer leads to, past the cache, so that there is an exchange to show.
func (m *Model) followLink(i kit.FollowLink) tea.Cmd {
	m.link = linked{i.URI, m.o.Log.Last()}
	return m.act(kit.Reread(i))
}

// linkRead shows what a followed link led to, beside what it stood in.
func (m *Model) linkRead() {
	if m.link.uri == "" {
		return
	}
	rows := m.book.Timeline.Rows
	for i := len(rows) - 1; i >= 0 && rows[i].Ref.Seq > m.link.after; i-- {
		if r := rows[i]; r.X.Method() == mcp.ResourcesRead && r.Of == m.link.uri && r.X.End != wire.Open {
			m.link = linked{}
			if len(m.overs) == 0 { // whoever does something else by now is not taken away from it
				m.show(kit.Show{Row: r.Ref})
			}
			return
		}
	}
}
