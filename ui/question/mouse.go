package question

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// Click implements kit.Pane: the input's, and over the introduction the wheel reads on in that.
func (p *Pane) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	v := p.view()
	switch {
	case p.whole != nil:
		return p.submitted(v.Click(x, y, msg))
	case v != nil && y >= p.input:
		return p.submitted(v.Click(x, y-p.input, msg))
	}
	p.intro.Click(msg)
	return nil
}

// Spots implements kit.Spotted: those of the input.
func (p *Pane) Spots() []kit.Spot {
	s, ok := p.view().(kit.Spotted)
	if !ok || p.whole != nil {
		return nil
	}
	return kit.Moved(s.Spots(), 0, p.input)
}

// ScrollTo implements kit.Scroller.
func (p *Pane) ScrollTo(from int) { p.intro.ScrollTo(from) }
