package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// item is one thing to choose: both texts are escaped.
type item struct{ text, note string }

// menu is the list below a row from which one thing is chosen: letters narrow it.
type menu struct {
	items  []item
	shown  []int // of items
	at     int   // of shown
	top    int
	filter line
	do     func(i int) kit.Intent
}

// tallest is how many lines of a list are in view.
const tallest = 8

// show opens a list below the row; at is what is chosen now, -1 for nothing.
func (f *Form) show(items []item, at int, do func(i int) kit.Intent) {
	f.Suggest(nil)
	f.menu = &menu{items: items, do: do}
	f.menu.narrow()
	f.menu.move(max(at, 0))
}

// narrow shows what holds all the words typed.
func (m *menu) narrow() {
	m.shown = m.shown[:0]
	words := strings.Fields(strings.ToLower(m.filter.text))
	for i, it := range m.items {
		all := true
		for _, word := range words {
			all = all && strings.Contains(strings.ToLower(it.text+" "+it.note), word)
		}
		if all {
			m.shown = append(m.shown, i)
		}
	}
	m.at, m.top = 0, 0
}

func (m *menu) move(by int) {
	if n := len(m.shown); n > 0 {
		m.at = min(max(m.at+by, 0), n-1)
		m.top = min(max(m.top, m.at-tallest+1), m.at)
	}
}

// key handles a key while the list is open: it has all of them.
func (f *Form) menuKey(msg tea.Msg) (kit.Intent, bool) {
	m := f.menu
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			f.menu = nil
			return nil, true
		case "enter", "tab":
			return f.chooseShown(), true
		case "up", "ctrl+p":
			m.move(-1)
			return nil, true
		case "down", "ctrl+n":
			m.move(1)
			return nil, true
		case "pgup":
			m.move(-tallest)
			return nil, true
		case "pgdown":
			m.move(tallest)
			return nil, true
		}
	}
	changed, used := m.filter.key(msg)
	if changed {
		m.narrow()
	}
	return nil, used
}

func (f *Form) chooseShown() kit.Intent {
	m := f.menu
	if len(m.shown) == 0 {
		return nil
	}
	f.menu = nil
	return m.do(m.shown[m.at])
}

// filtered tells that the line of the filter stands above the list.
func (m *menu) filtered() bool { return m.filter.text != "" || len(m.items) > tallest }

func (m *menu) lines() int {
	n := min(max(len(m.shown), 1), tallest)
	if m.filtered() {
		n++
	}
	return n
}

// draw is at most h lines of w cells, set in by from cells.
func (m *menu) draw(env *kit.Env, from, w, h int) []string {
	s := env.Styles
	room := max(w-from, 1)
	var out []string
	if m.filtered() {
		count := s.Faint.Render(fmt.Sprintf("%d of %d", len(m.shown), len(m.items)))
		out = append(out, kit.Ends(s.Keycap.Render("/")+m.filter.draw(s, max(room-14, 1)), count, room))
	}
	if len(m.shown) == 0 {
		out = append(out, "  "+s.Ghost.Render("nothing fits; backspace goes back"))
	}
	wide := 0
	for _, i := range m.shown {
		wide = max(wide, kit.Width(m.items[i].text))
	}
	wide = min(wide, room*3/5)
	n := min(len(m.shown), tallest, max(h-len(out), 1))
	top := min(m.top, max(len(m.shown)-n, 0))
	if m.at >= top+n {
		top = m.at - n + 1
	}
	for k := top; k < top+n && k < len(m.shown); k++ {
		it := m.items[m.shown[k]]
		text := kit.Fit(kit.Cut(it.text, wide), wide)
		if it.note != "" && room > wide+8 {
			text += "  " + s.Muted.Render(kit.Cut(it.note, room-wide-6))
		}
		if k == m.at {
			out = append(out, kit.Under(s.Accent.Render(kit.SignPointer)+" "+text, s.Selected, room))
		} else {
			out = append(out, "  "+text)
		}
	}
	for i := range out {
		out[i] = kit.Fit(kit.Blank(from)+out[i], w)
	}
	return out[:min(len(out), h)]
}

// menuRows are the keys while the list is open.
func (f *Form) menuRows(group string) []kit.Row {
	walk := func(by int) func() kit.Intent { return func() kit.Intent { f.menu.move(by); return nil } }
	return []kit.Row{
		{Keys: []string{"enter", "tab"}, Words: "take", Group: group, Do: f.chooseShown},
		{Keys: []string{"esc"}, Words: "leave the list", Group: group, Do: func() kit.Intent { f.menu = nil; return nil }},
		{Keys: []string{"down"}, Words: "next", Group: group, Do: walk(1)},
		{Keys: []string{"up"}, Words: "the one before", Group: group, Quiet: true, Do: walk(-1)},
	}
}
