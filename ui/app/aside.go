package app

import tea "charm.land/bubbletea/v2"

// asideMsg brings what was worked out beside the screen.
type asideMsg struct{ then func() }

// workAside lets panes do what takes long beside the screen (kit.Env.Later), and waits for what comes of it.
func (m *Model) workAside() tea.Cmd {
	came, ctx := make(chan func()), m.ctx
	m.env.Aside = func(work func() func()) {
		go func() {
			then := work()
			select {
			case came <- then:
			case <-ctx.Done():
			}
		}()
	}
	m.nextAside = func() tea.Msg {
		select {
		case then := <-came:
			return asideMsg{then}
		case <-ctx.Done():
			return nil
		}
	}
	return m.nextAside
}
