package app

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// spot is a place of the screen that a press chooses: with the mouse, or by its label.
type spot struct {
	x, y, w int
	free    int    // cells before x that a label may cover
	margin  bool   // they are the margin of a row
	key     string // with at and over tells it from all others for as long as it is there
	at      place  // the pane that it is in; places: none
	over    bool   // it is in the overlay on top
	frame   bool   // it belongs to the frame around the pane, not to its content
	do      func() tea.Cmd
}

func (s *spot) holds(x, y int) bool { return s.y == y && s.x <= x && x < s.x+s.w }

// id tells a spot from all others.
func (s *spot) id() string { return fmt.Sprint(s.at, s.over, s.frame, s.key) }

// spots are those of the last drawing, the ones of the pane that has the focus first.
func (m *Model) spots() []spot {
	var out []spot
	if n := len(m.overs); n > 0 {
		o := &m.overs[n-1]
		for _, s := range spotsOf(o.pane) {
			if s.Y < 0 || s.Y >= o.at.h-2 {
				continue
			}
			out = append(out, m.spotAt(s, o.at, func(do func() kit.Intent) tea.Cmd { return m.act(do()) }, func(s *spot) { s.at, s.over = places, true }))
		}
		return append(out, m.foot...)
	}
	order := []place{m.focus}
	for p := place(0); p < places; p++ {
		if p != m.focus {
			order = append(order, p)
		}
	}
	for _, p := range order {
		if !m.lay.shown(p) {
			continue
		}
		f := m.frame(p)
		r := m.lay.at[p]
		f.Bottom = m.lowest(p)
		for _, s := range spotsOf(m.pane(p)) {
			if s.Y < 0 || s.Y >= r.h-f.Height(0) {
				continue
			}
			out = append(out, m.spotAt(s, r, func(do func() kit.Intent) tea.Cmd { m.setFocus(p); return m.act(do()) }, func(s *spot) { s.at = p }))
		}
	}
	for _, p := range order {
		if m.lay.shown(p) {
			out = append(out, m.frameSpots(p)...)
		}
	}
	out = append(out, m.head...)
	return append(out, m.foot...)
}

func spotsOf(p kit.Pane) []kit.Spot {
	if s, ok := p.(kit.Spotted); ok {
		return s.Spots()
	}
	return nil
}

// spotAt is a pane's spot on the screen: the pane's content begins two cells and a line into its rectangle.
func (m *Model) spotAt(s kit.Spot, r rect, act func(func() kit.Intent) tea.Cmd, of func(*spot)) spot {
	out := spot{x: r.x + 2 + s.X, y: r.y + 1 + s.Y, w: s.W, free: s.Free, margin: s.Margin, key: s.Key}
	if s.X == 0 {
		out.free = 1 // the blank beside the frame
	}
	if out.w <= 0 || s.X+out.w > r.w-4 {
		out.w = max(r.w-4-s.X, 1)
	}
	of(&out)
	if s.Do != nil {
		out.do = func() tea.Cmd { return act(s.Do) }
	}
	return out
}

// frameSpots are the title of a pane and the names of its tabs.
func (m *Model) frameSpots(p place) []spot {
	f := m.frame(p)
	r := m.lay.at[p]
	x, w, right, rightW := f.Words(r.w)
	out := []spot{{x: r.x + x, y: r.y, w: w, free: 2, key: "title", at: p, frame: true, do: func() tea.Cmd { m.setFocus(p); return nil }}}
	t, ok := m.pane(p).(kit.Tabbed)
	if !ok || len(t.Tabs()) < 2 {
		return out
	}
	at := 0
	for i, name := range t.Tabs() {
		n := kit.Width(name)
		if at+n > rightW {
			break // it was cut away
		}
		out = append(out, spot{x: r.x + right + at, y: r.y, w: n, free: 2, key: "tab " + name, at: p, frame: true, do: func() tea.Cmd {
			m.setFocus(p)
			t.SetTab(i)
			return nil
		}})
		at += n + 3
	}
	return out
}

// lowest tells that a place is the lowest of its column.
func (m *Model) lowest(p place) bool {
	for _, c := range m.lay.columns {
		if c[len(c)-1] == p {
			return true
		}
	}
	return false
}

// press is what a press on the spot does.
func (m *Model) press(s *spot) tea.Cmd {
	if s.do != nil {
		return s.do()
	}
	return m.mouse(tea.MouseClickMsg{X: s.x, Y: s.y, Button: tea.MouseLeft})
}
