package exchange

import (
	"fmt"

	"mcploupe/session/jsondiff"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// The difference to the earlier result of the same call.

// earlier is the exchange that this one is held against, nil when there is none.
func (p *Pane) earlier() *book.Row {
	if p.earlierFor != p.state || p.state.reply == nil {
		p.earlierFor, p.before, p.sameAs = p.state, nil, "with other arguments"
		if p.state.reply != nil {
			p.before = p.book.Timeline.Earlier(p.row)
		}
		if p.before != nil && book.SameArguments(p.before, p.row) {
			p.sameAs = "with the same arguments"
		}
	}
	return p.before
}

// difference brings the view of the difference up to date.
func (p *Pane) difference() *kit.DiffView {
	p.diff.Set(p.state, p.earlier(), p.row)
	return p.diff
}

// changed is a line that says that what was read is another than the last time; "" when it is not, or nobody knows.
func (p *Pane) changed(w int) string {
	if p.row.X.Method() != "resources/read" {
		return ""
	}
	if p.readFor != p.state {
		p.readFor, p.read = p.state, ""
		if before := p.earlier(); before != nil {
			p.compareRead(before.Ref.Seq, before.X.Reply, p.row.X.Reply)
		}
	}
	if p.read == "" {
		return ""
	}
	s := p.env.Styles
	return kit.Cut(s.Should.Render(kit.SignUpdated+" changed")+s.Muted.Render(p.read), w)
}

// compareRead says in read how two readings of a resource differ; of large ones when that is known.
func (p *Pane) compareRead(seq wire.Seq, before, after *wire.Message) {
	of := p.readFor
	work := func() func() {
		read := ""
		old, now := before.Result().Get("contents"), after.Result().Get("contents")
		if old.Is(jsondoc.Array) && now.Is(jsondoc.Array) {
			if d := jsondiff.Compare(old, now, jsondiff.Options{}); d.Changes() > 0 {
				read = fmt.Sprintf(" since #%d: %s", seq, kit.Summary(&d))
			}
		}
		return func() {
			if p.readFor == of {
				p.read = read
			}
		}
	}
	if len(before.Body)+len(after.Body) < kit.Heavy {
		work()()
		return
	}
	p.env.Later(work)
}

// compared is the line above the difference: what it is held against.
func (p *Pane) compared(w int) string {
	s := p.env.Styles
	before := p.earlier()
	return kit.Cut(s.Must.Render("- ")+s.Muted.Render(fmt.Sprintf("#%d, %s", before.Ref.Seq, p.sameAs))+s.OK.Render("   + ")+s.Muted.Render(fmt.Sprintf("#%d, shown here", p.ref.Seq)), w)
}

// changeRows is the key that shows what changed, and goes back.
func (p *Pane) changeRows() []kit.Row {
	if p.row.Lone() || p.row.Listens() {
		return nil
	}
	off := ""
	if p.earlier() == nil {
		off = "there is no earlier answer to the same call"
	}
	words, tab := "what changed", tabChanges
	if p.tab == tabChanges {
		words, tab = "the response", tabAnswer
	}
	return []kit.Row{{Keys: []string{"d"}, Words: words, Group: "difference", Off: off, Do: func() kit.Intent {
		p.tab, p.chosen = tab, tab
		p.page.Top()
		return nil
	}}}
}
