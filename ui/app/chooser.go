package app

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// chooser is a list whose filter is open from the start: enter takes what is selected, esc closes at once.
type chooser struct {
	*kit.ListPane
	take  func() kit.Intent  // enter; in the words of Open
	typed func(typed string) // the filter is another one now; may be nil
}

// Rows implements kit.Pane.
func (p *chooser) Rows() []kit.Row {
	return []kit.Row{{Keys: []string{"enter"}, Words: p.Open, Group: "window", Do: p.take}}
}

// Text implements kit.Pane.
func (p *chooser) Text(msg tea.Msg) (kit.Intent, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			return p.take(), true
		case "esc":
			return kit.Back{}, true
		case "backspace":
			if p.Filter() == "" {
				return nil, true
			}
		}
	}
	before := p.Filter()
	intent, used := p.ListPane.Text(msg)
	if now := p.Filter(); now != before && p.typed != nil {
		p.typed(now)
	}
	return intent, used
}
