package app

import "mcploupe/ui/kit"

// openConfirm asks before something is done that a person should know about.
func (m *Model) openConfirm(c kit.Confirm) {
	s := m.env.Styles
	t := &text{title: s.Title.Render(c.Title), buttons: m.env, lines: func(w int) []string {
		out := []string{""}
		for _, paragraph := range c.Text {
			for _, l := range kit.Wrap(paragraph, w) {
				out = append(out, s.Text.Render(l))
			}
			out = append(out, "")
		}
		return out
	}}
	t.rows = []kit.Row{
		{Keys: []string{"enter", "y"}, Words: c.Words, Group: "window", Do: func() kit.Intent { return kit.Several{kit.Back{}, c.Then()} }},
		{Keys: []string{"esc", "n"}, Words: "leave it", Group: "window", Do: func() kit.Intent { return kit.Back{} }},
	}
	m.open("confirm", t, t.fitted(72))
}
