package exchange

import (
	"slices"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// explain says what is under the cursor: the page of a finding that lies there, else what the field means. A cursor that has not
// been moved yet stands for the first finding of the tab, and in the first tab for the first of all.
func (p *Pane) explain() kit.Intent {
	if i := p.findingHere(); i >= 0 {
		f := p.row.Findings[i]
		return kit.Explain{Rule: f.Rule.ID, Found: &book.Found{Finding: f, Row: p.ref}}
	}
	return p.field()
}

// findingHere is the finding that the cursor stands on, -1 for none.
func (p *Pane) findingHere() int {
	n := len(p.row.Findings)
	if n == 0 {
		return -1
	}
	if it := p.headAt(); it != nil {
		for i := range p.row.Findings {
			if p.onHead(&p.row.Findings[i], it) {
				return i
			}
		}
		return -1
	}
	v := p.view()
	if v == nil || !v.Node().Exists() { // nothing to stand on
		return max(p.finding, 0)
	}
	node, path := v.Node().Node(), v.Path()
	if i := p.finding; i >= 0 && p.places[i].tab == p.tab && (p.lookedAt == node || p.places[i].mark >= 0 && isAt(&p.row.Findings[i], path)) {
		return i
	}
	for i := range p.row.Findings {
		f := &p.row.Findings[i]
		if p.places[i].mark >= 0 && p.places[i].tab == p.tab && isAt(f, path) && f.At.Part.InText() {
			return i
		}
	}
	if p.finding < 0 && path == "" {
		for i, at := range p.places {
			if at.tab == p.tab || p.tab == p.tabs()[0] {
				return i
			}
		}
	}
	return -1
}

// isAt tells that a finding is about the value that a path leads to.
func isAt(f *inspect.Finding, path jsondoc.Pointer) bool {
	return slices.ContainsFunc(f.Places(), func(at inspect.Place) bool { return at.Path == path })
}

// field asks what the thing under the cursor means: a member, a header, a status; else the message.
func (p *Pane) field() kit.Intent {
	ask := kit.ExplainField{Row: p.ref}
	if m := p.main(); m != nil {
		ask.Frame = m.Seq
	} else if m := p.row.X.Request; m != nil {
		ask.Frame = m.Seq
	}
	if it := p.headAt(); it != nil {
		ask.Header, ask.Ours, ask.Frame = it.name, it.ours, 0
		if it.name == "" {
			ask.Status = it.status
		}
		if it.ours {
			ask.Frame = p.sentSeq()
		}
		return ask
	}
	switch x := &p.row.X; {
	case p.tab == tabRequest && x.Request != nil:
		ask.Frame = x.Request.Seq
	case p.tab == tabBetween && len(x.During) > 0:
		ask.Frame = x.During[len(x.During)-1].Seq
	case p.tab == tabBetween && len(x.Late) > 0:
		ask.Frame = x.Late[len(x.Late)-1].Seq
	}
	if v := p.view(); v != nil && p.tab != tabRaw {
		ask.Path = v.Path()
	}
	return ask
}
