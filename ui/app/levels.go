package app

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// noLevel is the choice of no log messages.
const noLevel = "none"

// openLevels lets a person choose from which level on log messages are asked for.
func (m *Model) openLevels() {
	names := append([]string{noLevel}, mcp.LogLevels()...)
	src := &words{env: m.env, texts: names}
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "ask for it"}
	p.Heading = func(bool) (string, string) {
		right := "with each request"
		if m.book.Server.Era == session.Legacy {
			right = "for the session"
		}
		if !m.book.Server.Capabilities.Get("logging").Exists() {
			right = "not declared"
		}
		return m.env.Styles.Title.Render("Log messages from"), m.env.Styles.Muted.Render(right)
	}
	p.Select(noLevel)
	if m.env.LogLevel != "" {
		p.Select(m.env.LogLevel)
	}
	p.Opened = func() kit.Intent {
		level := names[p.Selected()]
		if level == noLevel {
			level = ""
		}
		return kit.Several{kit.Back{}, kit.AskLevel{Level: level}}
	}
	m.open("levels", p, func(int, int) (int, int) { return 44, len(names) + 2 })
}

// askLevel takes the choice, and says what it means for this server.
func (m *Model) askLevel(level string) tea.Cmd {
	m.env.LogLevel = level
	legacy := m.book.Server.Era == session.Legacy
	switch {
	case !m.book.Server.Capabilities.Get("logging").Exists() && level != "":
		m.say("the server declares no logging; it is asked all the same", false)
	case legacy && level == "":
		m.say("a "+m.book.Server.Version+" server cannot be asked to be quiet again; the next session asks for nothing", false)
	case legacy:
		m.say("logging/setLevel asks for messages from "+level+" on, for the whole session", false)
	case level == "":
		m.say("no log messages are asked for any more", false)
	default:
		m.say("every request asks for log messages from "+level+" on — L shows them", false)
	}
	s, ctx := m.o.Session, m.ctx
	return func() tea.Msg {
		_, err := s.LogFrom(ctx, level)
		return failed(ctx, err)
	}
}
