package app

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = m.windowTitle()
	if m.darkKnown && m.env.Styles.Theme.Dark != m.dark && m.profile > colorprofile.ASCII {
		v.ForegroundColor, v.BackgroundColor = m.env.Styles.Theme.Colours()
	}
	v.ProgressBar = m.progressBar()
	v.Cursor = m.cursor
	return v
}

// progressBar is what the terminal shows of what runs, in its tab or task bar (OSC 9;4): the newest request that has run
// for a while; nil, which clears it, when none has. A subscription is meant to stay open, it is no work that goes on.
func (m *Model) progressBar() *tea.ProgressBar {
	if m.o.Session == nil {
		return nil
	}
	open := m.book.Timeline.Open
	for i := len(open) - 1; i >= 0; i-- {
		r := open[i]
		if r.X.Method() == mcp.Listen || m.env.Now().Sub(r.At()) < kit.Slow {
			continue
		}
		if part, ok := r.Shown.Part(); ok {
			return tea.NewProgressBar(tea.ProgressBarDefault, int(part*100))
		}
		if m.env.Still {
			return nil
		}
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return nil
}

func (m *Model) windowTitle() string {
	name := m.book.Server.Name()
	if name == "" {
		name = m.o.Title
	}
	if name == "" {
		return "mcploupe"
	}
	return "mcploupe — " + kit.Escape(name)
}

// screen is the whole screen as styled text: exactly h lines of w cells.
func (m *Model) screen() string {
	m.arrange()
	m.tools.Quiet, m.resources.Quiet, m.prompts.Quiet, m.timeline.Quiet = m.driver != atTools, m.driver != atResources, m.driver != atPrompts, m.driver != atExchanges
	lines := make([]string, m.h)
	if len(m.lay.columns) == 0 {
		for i := range lines {
			lines[i] = kit.Blank(m.w)
		}
		if m.h > 0 {
			need, have := fmt.Sprintf("%d×%d at least", minWidth, minHeight), fmt.Sprintf("%d×%d here", m.w, m.h)
			lines[m.h/2] = kit.Fit(kit.Longest(m.w, "too small: "+need+", "+have, "too small: "+need, need), m.w)
		}
		return m.finish(lines)
	}
	if m.home != nil {
		m.homeLines(lines)
	} else {
		lines[0] = m.header(m.w)
		for _, c := range m.lay.columns {
			y := m.lay.at[c[0]].y
			for _, line := range m.column(c) {
				lines[y] += line
				y++
			}
		}
	}
	m.pressLine(lines)
	lines[m.h-1] = m.footer(m.w)
	if n := len(m.overs); n > 0 {
		for i := range m.overs {
			lines = m.lay0(lines, &m.overs[i], i == n-1)
		}
	}
	lines = m.withLesson(lines)
	if m.labels != nil {
		m.labelled(lines)
	}
	return m.finish(lines)
}

func (m *Model) finish(lines []string) string {
	s, x, y, typing := kit.TakeCaret(kit.Steady(strings.Join(lines, "\n")))
	m.cursor = nil
	if typing && m.labels == nil {
		m.cursor = tea.NewCursor(x, y)
		m.cursor.Blink = !m.env.Still
	}
	if m.o.ASCII {
		s = kit.ToASCII(s)
	}
	return s
}

// column draws frames that stand on each other.
func (m *Model) column(c column) []string {
	var out []string
	above := false
	for i, p := range c {
		r := m.lay.at[p]
		f := m.frame(p)
		f.Top, f.Bottom, f.AboveOn = i == 0, i == len(c)-1, above
		pane := m.pane(p)
		n := r.h - f.Height(0)
		var body []string
		if n > 0 {
			body = strings.Split(pane.Draw(r.w-4, n, f.Focused), "\n")
		}
		f.Scroll = pane.Scroll()
		if t, ok := pane.(kit.Footed); ok && f.Bottom {
			f.Foot, f.FootEnd = t.Foot()
		}
		box := f.Draw(m.env.Styles, body, r.w)
		if m.env.Spotlight && p != m.focus {
			for i := range box {
				box[i] = m.env.Dim(box[i])
			}
		}
		out = append(out, box...)
		above = f.Focused
	}
	return out
}

// frame is the box of a place without its content.
func (m *Model) frame(p place) kit.Frame {
	pane := m.pane(p)
	f := kit.Frame{Focused: p == m.focus && len(m.overs) == 0}
	f.Title, f.Right = pane.Head(f.Focused)
	if t, ok := pane.(kit.Tabbed); ok && len(t.Tabs()) > 1 {
		more := f.Right
		f.Right = m.env.TabLine(t, f.Focused)
		room := max(m.lay.at[p].w-kit.Width(f.Right)-11, 10)
		if more != "" && kit.Width(f.Title)+kit.Width(more)+2 <= room {
			f.Title += "  " + more
		}
		cut := kit.Cut
		if p == atMain { // the title is a name, whose end tells as much as its beginning
			cut = kit.CutMiddle
		}
		f.Title = cut(f.Title, room)
	}
	return f
}

// which tells which server of how many this is, and that another one wants something; "" while there is one.
func (m *Model) which() string {
	if m.deck == nil || len(m.deck.cards) < 2 {
		return ""
	}
	s := m.env.Styles
	at, asks, name := 0, 0, ""
	for i, c := range m.deck.cards {
		if c.m == m {
			at, name = i+1, c.name
		} else {
			asks += len(c.m.asks)
		}
	}
	text := s.Keycap.Render(kit.Number(at) + "/" + kit.Number(len(m.deck.cards)))
	if name != "" {
		text += " " + s.Text.Render(kit.Cut(name, 16))
	}
	if asks > 0 {
		text += s.Should.Render(" " + kit.SignQuestion)
	}
	return text
}

// runningAnywhere is running in all servers, and how many of them have something.
func (m *Model) runningAnywhere() (requests, servers int) {
	if m.deck != nil {
		return m.deck.running()
	}
	n := m.running()
	return n, min(n, 1)
}

// running is the number of requests that would be cut off by leaving.
func (m *Model) running() int {
	if m.o.Session == nil || m.book.Server.Phase != wire.Ready {
		return 0
	}
	return len(m.book.Timeline.Open)
}
