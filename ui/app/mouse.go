package app

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// mouse routes a press, a release or a turn of the wheel to the pane under it. A press also moves the
// focus there; lines between panes can be dragged; names of tabs can be pressed.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	e := msg.Mouse()
	if n := len(m.overs); n > 0 {
		return m.mouseOver(&m.overs[n-1], msg)
	}
	m.arrange()
	switch msg.(type) {
	case tea.MouseReleaseMsg:
		m.drag = places
		return nil
	case tea.MouseMotionMsg:
		switch m.drag {
		case atMain:
			m.left = e.X
		case atResult:
			m.split = e.Y - m.lay.at[atMain].y
		}
		return nil
	case tea.MouseClickMsg:
		switch {
		case m.lay.divider >= 0 && (e.X == m.lay.divider || e.X == m.lay.divider-1) && e.Y > 0 && e.Y < m.h-1:
			m.drag = atMain
			return nil
		case e.Y == m.lay.cut && m.tabUnder(atResult, e.X) < 0 && m.lay.at[atResult].holds(e.X, e.Y):
			m.drag = atResult
			return nil
		}
	}
	at := m.lay.hit(e.X, e.Y)
	if at == places {
		return nil
	}
	r := m.lay.at[at]
	p := m.pane(at)
	if c, ok := msg.(tea.MouseClickMsg); ok && c.Button == tea.MouseLeft {
		if m.focus != at {
			m.setFocus(at)
		}
		if e.Y == r.y {
			if i := m.tabUnder(at, e.X); i >= 0 {
				p.(kit.Tabbed).SetTab(i)
			}
			return nil
		}
	}
	return m.act(p.Click(e.X-r.x-2, e.Y-r.y-1, msg))
}

// tabUnder is the tab at a column of a pane's upper line, -1 for none.
func (m *Model) tabUnder(at place, x int) int {
	t, ok := m.pane(at).(kit.Tabbed)
	if !ok || len(t.Tabs()) < 2 {
		return -1
	}
	r := m.lay.at[at]
	from := r.x + r.w - 3 - kit.Width(m.env.TabLine(t, false)) // as kit.Frame sets what stands at the right end
	return kit.TabAt(t, x-from)
}
