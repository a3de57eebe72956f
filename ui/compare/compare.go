// Package compare is the pane of two exchanges held against each other: how each went, and what differs in what was asked and
// in what came. It must never know: sessions, or how a difference is found.
package compare

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane holds two exchanges against each other.
type Pane struct {
	env  *kit.Env
	book *book.Book
	a, b *book.Row
	view *kit.DiffView
}

// New compares two exchanges, the older one first.
func New(env *kit.Env, book *book.Book, a, b *book.Row) *Pane {
	p := &Pane{env: env, book: book, a: a, b: b, view: kit.NewDiffView(env)}
	p.set()
	return p
}

func (p *Pane) set() {
	p.view.Set([2]*book.Row{p.a, p.b}, p.a, p.b)
}

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	open := func(r *book.Row) func() kit.Intent {
		return func() kit.Intent { return kit.Several{kit.Back{}, kit.Show{Row: r.Ref, Frame: r.Ref.Seq}} }
	}
	rows := append(p.view.Rows(),
		kit.Row{Keys: []string{"x"}, Words: "swap", Group: "difference", Do: func() kit.Intent { p.a, p.b = p.b, p.a; p.set(); return nil }},
		kit.Row{Keys: []string{"enter"}, Words: fmt.Sprintf("open #%d", p.b.Ref.Seq), Group: "difference", Do: open(p.b)},
		kit.Row{Keys: []string{"o"}, Words: fmt.Sprintf("open #%d", p.a.Ref.Seq), Group: "difference", Quiet: true, Do: open(p.a)})
	return rows
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Pane) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Pane) Click(_, _ int, msg tea.MouseMsg) kit.Intent { p.view.Click(msg); return nil }

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll { return p.view.Scroll() }

// Foot implements kit.Footed.
func (p *Pane) Foot() (left, right string) { return p.view.Foot() }

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	s := p.env.Styles
	title = s.Title.Render(fmt.Sprintf("#%d %s #%d", p.a.Ref.Seq, kit.SignSent, p.b.Ref.Seq)) + " " + s.Text.Render(name(p.b))
	if name(p.a) != name(p.b) {
		title = s.Title.Render(fmt.Sprintf("#%d", p.a.Ref.Seq)) + " " + s.Text.Render(name(p.a)) +
			s.Title.Render(fmt.Sprintf(" %s #%d", kit.SignSent, p.b.Ref.Seq)) + " " + s.Text.Render(name(p.b))
	}
	where, which := p.view.Foot()
	if where != "" {
		which += "  " + where
	}
	return title, which
}

// name is the method and what it was used on; escaped.
func name(r *book.Row) string {
	if r.Name == "" {
		return r.Method
	}
	return r.Method + " " + r.Name
}

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, _ bool) string {
	s := p.env.Styles
	var lines []string
	for _, r := range []*book.Row{p.a, p.b} {
		sign := s.Must.Render("- ")
		if r == p.b {
			sign = s.OK.Render("+ ")
		}
		head := sign + s.Muted.Render(fmt.Sprintf("#%-4d ", r.Ref.Seq))
		lines = append(lines, head+p.env.Strip(r, p.book.FreshnessOf(r, p.env.Now()), max(w-kit.Width(head), 10)))
	}
	lines = append(lines, "")
	return kit.Block(append(lines, p.view.Draw(w, max(h-len(lines), 1))...), w, h)
}

// ScrollTo implements kit.Scroller.
func (p *Pane) ScrollTo(from int) { p.view.ScrollTo(from) }
