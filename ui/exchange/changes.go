package exchange

import (
	"fmt"

	"mcploupe/session/mcp"
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

// ShowChanges has the difference shown by itself, instead of the response, when an exchange that comes after this one brings something
// else than the same call did before.
func (p *Pane) ShowChanges(after wire.Seq) { p.showAfter = after }

// shows tells that the difference is to be shown by itself.
func (p *Pane) shows() bool { return p.showAfter != 0 && p.ref.Seq > p.showAfter }

// changed is a line that says that what came is another thing than the last time; "" when it is not, or nobody knows.
func (p *Pane) changed(w int) string {
	s := p.env.Styles
	switch {
	case p.read != "":
		return kit.Cut(s.Should.Render(kit.SignUpdated+" changed")+s.Muted.Render(p.read), w)
	case p.shows() && p.readKnown && p.compared():
		return kit.Cut(s.OK.Render("=")+s.Muted.Render(fmt.Sprintf(" the same answer as #%d", p.before.Ref.Seq)), w)
	}
	return ""
}

// compared tells that the answer was held against the earlier one: what was found later about it changes nothing in it.
func (p *Pane) compared() bool {
	return p.readFor.ref == p.state.ref && p.readFor.reply == p.state.reply
}

// Bounds of what is compared without being asked for: bytes of both answers that are compared while somebody walks through a list, and
// those that are compared at all. What is longer is compared by the key.
const (
	soonCompared = 128 << 10
	mostCompared = 8 << 20
)

// compareAnswers says how what came differs from the last time, as far as the same was asked; of large answers once that is known.
func (p *Pane) compareAnswers() {
	if p.compared() {
		return
	}
	p.readFor, p.read, p.readKnown = p.state, "", false
	switch p.row.X.Method() {
	case mcp.ResourcesRead, mcp.ToolsCall, mcp.PromptsGet:
	default:
		return
	}
	before := p.earlier()
	if before == nil || !book.SameArguments(before, p.row) {
		return
	}
	of, seq := p.readFor, before.Ref.Seq
	a, b := before.X.Reply, p.row.X.Reply
	work := func() func() {
		words := kit.Answered(a, b)
		return func() {
			if p.readFor != of {
				return
			}
			p.readKnown = true
			if words == "" {
				return
			}
			p.read = fmt.Sprintf(" since #%d: %s", seq, words)
			if p.shows() && p.shown != p.ref {
				p.shown, p.tab = p.ref, tabChanges
			}
		}
	}
	switch size := len(a.Body) + len(b.Body); {
	case size <= soonCompared:
		work()()
	case size <= mostCompared, p.row.X.Method() == mcp.ResourcesRead, p.shows():
		p.comparing.Do(p.env, work)
	}
}

// against is the line above the difference: what it is held against.
func (p *Pane) against(w int) string {
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
