package kit

import (
	tea "charm.land/bubbletea/v2"
)

// ListPane is a pane that is a list: what panels are made of. Its functions may be nil but for Heading.
type ListPane struct {
	*List
	Heading func(focused bool) (title, right string)
	Keys    func() []Row  // beside those that every list has
	Moved   func() Intent // the cursor stands on something else now
	Opened  func() Intent // enter, or two clicks on a row
	Open    string        // what enter does, in words; "open" when empty
}

// Rows implements Pane.
func (p *ListPane) Rows() []Row {
	if p.Typing() {
		return []Row{{Keys: []string{"enter"}, Words: "keep filter", Group: "list"}, {Keys: []string{"esc"}, Words: "drop filter", Group: "list"}}
	}
	var rows []Row
	if p.Opened != nil {
		off := ""
		if p.Len() == 0 {
			off = "nothing is selected"
		}
		words := p.Open
		if words == "" {
			words = "open"
		}
		rows = append(rows, Row{Keys: []string{"enter"}, Words: words, Group: "list", Off: off, Do: p.Opened})
	}
	if p.Keys != nil {
		rows = append(rows, p.Keys()...)
	}
	return append(rows, p.List.Rows(p.moved)...)
}

func (p *ListPane) moved() Intent {
	if p.Moved == nil {
		return nil
	}
	return p.Moved()
}

// Text implements Pane: the filter line.
func (p *ListPane) Text(msg tea.Msg) (Intent, bool) {
	if !p.List.Text(msg) {
		return nil, false
	}
	return p.moved(), true
}

// Draw implements Pane.
func (p *ListPane) Draw(w, h int, focused bool) string {
	return Block(p.List.Draw(w, h, focused), w, h)
}

// Head implements Framed.
func (p *ListPane) Head(focused bool) (title, right string) { return p.Heading(focused) }

// Click implements Pane.
func (p *ListPane) Click(_, y int, msg tea.MouseMsg) Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		if _, down := Turned(m); down != 0 {
			p.Wheel(3 * down)
		}
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft {
			return nil
		}
		if y == 0 && p.head > 0 && !p.typing {
			p.OpenFilter()
			return nil
		}
		if p.ClickAt(y) {
			return p.moved()
		}
	case DoubleClickMsg:
		if p.ClickAt(y) && p.Opened != nil {
			return p.Opened()
		}
	}
	return nil
}
