package exchange

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// Click implements kit.Pane: parts of the strip lead to what they rest on, a finding's mark or note is that finding, two presses
// on it are its page; two presses on a plain value or a header say what it means; the rest is the body's.
func (p *Pane) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	if p.row == nil {
		return nil
	}
	_, press := msg.(tea.MouseClickMsg)
	_, double := msg.(kit.DoubleClickMsg)
	if y == 0 && press {
		for _, at := range p.verdict {
			if at.X <= x && x < at.X+at.W {
				return p.pressed(at.Part)
			}
		}
		return nil
	}
	v := p.view()
	if v != nil && (press || double) && y >= p.top {
		if mark := v.MarkAt(x, y-p.top); mark >= 0 {
			if i := p.findingOf(mark); i >= 0 {
				p.look(i, slices.Index(p.places[i].again, mark)+1)
				if double {
					return p.explain()
				}
				return nil
			}
		}
	}
	switch {
	case p.tab == tabChanges:
		p.diff.Click(msg)
	case v != nil && y >= p.top:
		if n := v.Node(); double && n.Exists() && !n.Is(jsondoc.Object) && !n.Is(jsondoc.Array) { // those fold
			return p.explain()
		}
		v.Click(x, y-p.top, msg)
	case p.tab == tabHeaders && (press || double) && y >= p.top:
		if p.headUnder(p.page.Scroll().From+y-p.top) && double {
			return p.explain()
		}
	case v == nil && p.sheet() != nil:
		if _, wheel := msg.(tea.MouseWheelMsg); wheel || y >= p.top {
			p.sheet().Click(x, y-p.top, msg)
		}
	case v == nil:
		p.page.Click(msg)
	}
	return nil
}

// pressed is what a part of the strip leads to.
func (p *Pane) pressed(part kit.StripPart) kit.Intent {
	switch {
	case part == kit.PartStop:
		return kit.Cancel{Seq: p.ref.Seq}
	case part != kit.PartFindings:
		return kit.Evidence{Ref: p.ref}
	case len(p.row.Findings) > 0:
		return p.walk(1)
	}
	return kit.OpenFindings{}
}

// findingOf is the finding that a mark of the document in view stands for, -1 for none.
func (p *Pane) findingOf(mark int) int {
	for i, at := range p.places {
		if (at.mark == mark || slices.Contains(at.again, mark)) && (at.tab == p.tab || p.tab == tabMessage && at.tab == p.Tabs()[0]) {
			return i
		}
	}
	return -1
}

// Spots implements kit.Spotted: the parts of the strip, and the lines of the document.
func (p *Pane) Spots() []kit.Spot {
	if p.row == nil {
		return nil
	}
	var out []kit.Spot
	end := 0
	for _, at := range p.verdict {
		part := at.Part
		out = append(out, kit.Spot{X: at.X, W: at.W, Free: at.X - end, Key: "strip " + string(rune('0'+part)), Do: func() kit.Intent { return p.pressed(part) }})
		end = at.X + at.W
	}
	if v := p.view(); v != nil && p.tab != tabChanges {
		out = append(out, kit.Moved(v.Spots(), 0, p.top)...)
	} else if v := p.sheet(); v != nil {
		out = append(out, kit.Moved(v.Spots(), 0, p.top)...)
	}
	return out
}

// ScrollTo implements kit.Scroller.
func (p *Pane) ScrollTo(from int) {
	switch v := p.view(); {
	case p.tab == tabChanges:
		p.diff.ScrollTo(from)
	case v != nil:
		v.ScrollTo(from)
	case p.sheet() != nil:
		p.sheet().ScrollTo(from)
	default:
		p.page.ScrollTo(from)
	}
}
