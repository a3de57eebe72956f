package form

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// Click implements kit.Pane: a press goes to the row, and what is a button, a box to tick, a choice or a line of text takes it at
// once; parts open and close by two presses. The wheel moves.
func (f *Form) Click(_, y int, msg tea.MouseMsg) kit.Intent {
	_, double := msg.(kit.DoubleClickMsg)
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		_, by := kit.Turned(m)
		switch {
		case f.menu != nil:
			f.menu.move(by)
		case by != 0: // by nothing would begin to type anew
			f.move(by)
		}
		return nil
	case tea.MouseClickMsg, kit.DoubleClickMsg:
		if m.Mouse().Button != tea.MouseLeft {
			return nil
		}
	default:
		return nil
	}
	i, below := f.rowAt(y)
	switch {
	case below >= 0:
		return f.clickBelow(below)
	case i < 0:
		return nil
	}
	open := f.menu != nil && i == f.cur
	f.move(i - f.cur)
	r := f.row()
	switch {
	case open: // it closes by a press on its own row
	case r.typable():
		if !f.typing {
			f.begin()
		}
	case r.kind == container || r.kind == rest || r.kind == batch:
		if double {
			return f.open()
		}
	case !double: // what was done by the first press is not done again by the second
		return f.open()
	}
	return nil
}

// rowAt is the row at a line of the last drawing, or the line of the list below the row; -1 for none.
func (f *Form) rowAt(y int) (i, below int) {
	if y < 0 || y >= f.scroll.Shown { // what stands below the line
		return -1, -1
	}
	i = f.top + y
	if n := f.below(); n > 0 && i > f.cur {
		if i <= f.cur+n {
			return -1, i - f.cur - 1
		}
		i -= n
	}
	if i >= len(f.rows) {
		return -1, -1
	}
	return i, -1
}

// clickBelow takes what stands in line y of the list below the row.
func (f *Form) clickBelow(y int) kit.Intent {
	if m := f.menu; m != nil {
		if m.filtered() {
			y--
		}
		if at := m.top + y; y >= 0 && at < len(m.shown) {
			m.at = at
			return f.chooseShown()
		}
		return nil
	}
	if at := f.offers.top + y; at < len(f.offers.values) {
		f.offers.at = at
		return f.accept()
	}
	return nil
}

// Spots implements kit.Spotted: the rows in view.
func (f *Form) Spots() []kit.Spot {
	var out []kit.Spot
	for y := range f.scroll.Shown {
		if i, _ := f.rowAt(y); i >= 0 {
			r := &f.rows[i]
			out = append(out, kit.Spot{X: 2, Y: y, Free: 2, Margin: true, Key: fmt.Sprintf("%d %s %d %s", r.kind, r.at, r.items, r.label)})
		}
	}
	return out
}

// ScrollTo implements kit.Scroller: the cursor goes along, for the row under it is always in view.
func (f *Form) ScrollTo(from int) {
	from = min(max(from, 0), max(len(f.rows)-f.scroll.Shown, 0))
	f.top = from
	f.move(min(max(f.cur, from), from+f.scroll.Shown-1) - f.cur)
}
