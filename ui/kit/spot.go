package kit

import (
	tea "charm.land/bubbletea/v2"
)

// Spot is a place of a pane's last drawing that a press chooses: a row, a field, a part of a line. The mouse presses it, and a
// label jumps to it, which is the same.
type Spot struct {
	X, Y, W int    // the cells of what it is known by, from the pane's upper left corner
	Free    int    // cells before X in which a label hides nothing that tells one spot from another
	Margin  bool   // they are the margin of a row
	Key     string // tells it from the pane's other spots for as long as it is there
	// Do is what a press does beside giving the pane the focus; nil: what Click does at X, Y.
	Do func() Intent
}

// Spotted is a pane that tells its spots.
type Spotted interface {
	// Spots are those of the last drawing.
	Spots() []Spot
}

// Scroller is a pane whose content can be moved to where a person drags it.
type Scroller interface {
	// ScrollTo brings a line of the content, as Scroll counts them, to the upper edge.
	ScrollTo(from int)
}

// DoubleClickMsg is the second of two presses at the same cell within a moment; the first came as a click.
type DoubleClickMsg tea.Mouse

// Mouse implements tea.MouseMsg.
func (m DoubleClickMsg) Mouse() tea.Mouse { return tea.Mouse(m) }

// String implements tea.MouseMsg.
func (m DoubleClickMsg) String() string { return "double " + tea.Mouse(m).String() }

// Moved is spots of a part of a pane that begins at x, y.
func Moved(spots []Spot, x, y int) []Spot {
	for i := range spots {
		spots[i].X += x
		spots[i].Y += y
	}
	return spots
}

// Spots implements Spotted: the rows in view.
func (l *List) Spots() []Spot {
	l.sync()
	var out []Spot
	for i := l.top; i < l.Len() && i < l.top+l.h; i++ {
		out = append(out, Spot{X: 2, Y: l.head + (i-l.top)*max(l.step, 1), Free: 2, Margin: true, Key: l.keyAt(i)})
	}
	return out
}

// ScrollTo implements Scroller.
func (l *List) ScrollTo(from int) { l.Wheel(from - l.top) }

// ScrollTo implements Scroller.
func (p *Page) ScrollTo(from int) { p.By(from - p.top) }

// ScrollTo implements Scroller.
func (v *View) ScrollTo(from int) { v.top = min(max(from, 0), max(v.Lines()-v.h, 0)) }

// ScrollTo implements Scroller.
func (v *DiffView) ScrollTo(from int) { v.page.ScrollTo(from) }

// Spots implements Spotted: the lines in view of a document that is laid out, in which each line is a value. The label lies over
// the line's number.
func (v *View) Spots() []Spot {
	if !v.isPretty() || v.Bare {
		return nil
	}
	p := v.painter()
	var out []Spot
	for k := v.top; k < p.Rows() && k < v.top+v.h; k++ {
		r := p.Row(k, v.x)
		if r.Mark >= 0 || r.Node < 0 || r.Sub > 0 || p.RowOf(r.Node) != k { // a note, the rest of a long line, a closing bracket
			continue
		}
		out = append(out, Spot{X: 4, Y: k - v.top, Free: 3, Margin: true, Key: Number(k), Do: func() Intent { v.goTo(k, 0); return nil }})
	}
	return out
}

// MarkAt is the mark that a line of the last drawing is about: its note, or the sign before a marked value; -1 for none.
func (v *View) MarkAt(x, y int) int {
	p := v.painter()
	k := v.top + y
	if y < 0 || y >= v.h || k >= p.Rows() {
		return -1
	}
	if m := p.Row(k, v.x).Mark; m >= 0 {
		return m
	}
	if x >= 2 || v.Bare {
		return -1
	}
	for i := range v.marks {
		if row, _ := p.RowOfMark(i); row == k {
			return i
		}
	}
	return -1
}

// Turned tells which way the wheel went by one notch: -1 is left or up, 1 right or down, 0 neither. How far that is, is up to what
// scrolls.
func Turned(m tea.MouseWheelMsg) (right, down int) {
	switch m.Button {
	case tea.MouseWheelUp:
		return 0, -1
	case tea.MouseWheelDown:
		return 0, 1
	case tea.MouseWheelLeft:
		return -1, 0
	case tea.MouseWheelRight:
		return 1, 0
	}
	return 0, 0
}
