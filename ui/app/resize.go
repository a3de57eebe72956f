package app

import (
	"mcploupe/ui/kit"
)

// The lines between panes, moved by keys: what the mouse drags.

// resizeRows are the keys that move them.
func (m *Model) resizeRows() []kit.Row {
	beside, above := "", ""
	if m.lay.divider < 0 {
		beside = "the panels stand alone on a screen this narrow"
	}
	if m.lay.cut < 0 && m.lay.middle < 0 {
		above = "there is no second pane on the right"
	}
	move := func(dx, dy int) func() kit.Intent { return func() kit.Intent { m.resize(dx, dy); return nil } }
	return []kit.Row{
		{Keys: []string{"alt+left"}, Words: "narrower panels", Group: "panes", Quiet: true, Off: beside, Do: move(-2, 0)},
		{Keys: []string{"alt+right"}, Words: "wider panels", Group: "panes", Quiet: true, Off: beside, Do: move(2, 0)},
		{Keys: []string{"alt+up"}, Words: "smaller upper pane", Group: "panes", Quiet: true, Off: above, Do: move(0, -1)},
		{Keys: []string{"alt+down"}, Words: "larger upper pane", Group: "panes", Quiet: true, Off: above, Do: move(0, 1)},
		{Words: "panes as at first", Group: "panes", Quiet: true, Do: func() kit.Intent { m.left, m.split, m.middle = 0, 0, 0; return nil }},
	}
}

// resize moves the line between panels and main, or that between main and the result, by cells from where it is.
func (m *Model) resize(dx, dy int) {
	m.arrange()
	switch {
	case dx != 0 && m.lay.divider >= 0:
		m.left = m.lay.divider + dx
	case dy != 0 && m.lay.middle >= 0:
		m.middle = m.lay.middle - m.lay.at[atMain].x + 2*dy
	case dy != 0 && m.lay.cut >= 0:
		m.split = m.lay.cut - m.lay.at[atMain].y + dy
	}
}
