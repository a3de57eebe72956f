// Package findings is everything that was found, by level, rule or place, and the page that explains a rule. It must never
// know: sessions, or how a rule decides.
package findings

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the list of rules that were broken, or of the exchanges in which; each opens into the places.
type Pane struct {
	kit.ListPane
	env   *kit.Env
	book  *book.Book
	order order
	muted bool            // those of muted rules are listed too
	other map[string]bool // by key: folded otherwise than the order has it

	rows []row
	seen int
	sum  int

	below *Explained // the page of what is under the cursor
	cut   int        // the line of the last drawing where that page begins, 0 for none
}

// New is the pane, the gravest first.
func New(env *kit.Env, b *book.Book) *Pane {
	p := &Pane{env: env, book: b, other: map[string]bool{}, seen: -1}
	p.List = kit.NewList(env, source{p})
	p.Heading = p.heading
	p.Keys = p.keys
	p.Opened = p.jump
	p.Open = "go there"
	return p
}

// Gravest puts the cursor on the first rule of a level.
func (p *Pane) Gravest(l inspect.Level) {
	p.pick()
	for i := range p.rows {
		if r := &p.rows[i]; r.group != nil && r.found == nil && r.group.Rule.Level == l {
			p.Select(r.key())
			return
		}
	}
}

func (p *Pane) heading(bool) (title, right string) {
	s := p.env.Styles
	f := &p.book.Findings
	right = p.env.Counts(f.Count, true)
	if f.Muted > 0 {
		right = strings.TrimSpace(right + "  " + s.Muted.Render(kit.Number(f.Muted)+" muted"))
	}
	return s.Title.Render("Findings") + " " + s.Muted.Render("by "+p.order.String()), right
}

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration { return 0 }

// Draw implements kit.Pane: the list, and below it the page of what is under the cursor.
func (p *Pane) Draw(w, h int, focused bool) string {
	p.cut = 0
	f := p.place()
	n := min(max(p.Len()+1, 3), h/2)
	if f == nil || h < 14 {
		return p.ListPane.Draw(w, h, focused)
	}
	if p.below == nil || p.below.found == nil || p.below.found.Rule != f.Rule || p.below.found.At != f.At {
		p.below = NewExplained(p.env, f.Rule.ID, f)
	}
	p.cut = n
	list := kit.Lines(p.List.Draw(w, n, focused), w, n)
	head := kit.Fit(p.env.Section(f.Rule.ID, w), w)
	return strings.Join(list, "\n") + "\n" + head + "\n" + p.below.Draw(w, h-n-1, false)
}

// Click implements kit.Pane: over the page below the list it is about that page.
func (p *Pane) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	if p.cut > 0 && y >= p.cut {
		return p.below.Click(x, y-p.cut-1, msg)
	}
	return p.ListPane.Click(x, y, msg)
}

func (p *Pane) at() *row {
	if i := p.Selected(); i >= 0 {
		return &p.rows[i]
	}
	return nil
}

// place is the finding under the cursor: of a rule or an exchange the first one.
func (p *Pane) place() *book.Found {
	if r := p.at(); r != nil {
		return r.first()
	}
	return nil
}

func (p *Pane) jump() kit.Intent {
	f := p.place()
	if f == nil {
		return nil
	}
	return kit.Several{kit.Back{}, kit.Show{Row: f.Row, Frame: f.At.Frame, Path: f.At.Path, Key: f.At.Part == inspect.Key}}
}

func (p *Pane) keys() []kit.Row {
	r := p.at()
	none := ""
	if r == nil {
		none = "nothing was found"
	}
	set := func(open bool) func() kit.Intent {
		return func() kit.Intent {
			key := p.at().head
			p.other[key] = open != p.order.unfolded()
			p.seen = -1
			if !open {
				p.Select(key)
			}
			return nil
		}
	}
	toggle := func() kit.Intent { return set(!p.opened(p.at().head))() }
	mute := "mute the rule"
	if r != nil && p.book.Findings.IsMuted(r.first().Rule.ID) {
		mute = "unmute the rule"
	}
	shown, hidden := "show muted", ""
	if p.muted {
		shown = "hide muted"
	} else if len(p.book.Findings.MutedRules()) == 0 {
		hidden = "no rule is muted"
	}
	return []kit.Row{
		{Keys: []string{"i"}, Words: "explain", Group: "findings", Off: none, Do: func() kit.Intent {
			f := p.place()
			return kit.Explain{Rule: f.Rule.ID, Found: f}
		}},
		{Keys: []string{"space"}, Words: "places", Group: "findings", Off: none, Do: toggle},
		{Keys: []string{"m"}, Words: mute, Group: "findings", Off: none, Do: func() kit.Intent {
			id := p.place().Rule.ID
			return kit.Mute{Rule: id, On: !p.book.Findings.IsMuted(id)}
		}},
		{Keys: []string{"M"}, Words: shown, Group: "findings", Off: hidden, Quiet: !p.muted && p.book.Findings.Muted == 0, Do: func() kit.Intent {
			p.muted, p.seen = !p.muted, -1
			return nil
		}},
		{Keys: []string{"o"}, Words: "by " + p.order.next().String(), Group: "findings", Do: func() kit.Intent { p.reorder(); return nil }},
		{Keys: []string{"right", "l"}, Words: "show all places", Group: "findings", Off: none, Quiet: true, Do: set(true)},
		{Keys: []string{"left", "h"}, Words: "hide the places", Group: "findings", Off: none, Quiet: true, Do: set(false)},
		{Keys: []string{"y"}, Words: "copy", Group: "copy", Off: none, Quiet: true, Do: func() kit.Intent {
			f := p.place()
			return kit.Copy{Text: book.Note(&f.Finding) + " at " + string(f.At.Path) + ", got " + f.Got, What: "finding"}
		}},
	}
}

// reorder takes the next order; the cursor stays on what it was about.
func (p *Pane) reorder() {
	var was *book.Found
	if f := p.place(); f != nil {
		c := *f
		was = &c
	}
	p.order, p.other, p.seen = p.order.next(), map[string]bool{}, -1
	if was == nil {
		return
	}
	p.pick()
	for i := range p.rows {
		r := &p.rows[i]
		if f := r.first(); f.Rule == was.Rule && (p.order != byPlace || r.found != nil && f.At == was.At && f.Row == was.Row) {
			p.Select(r.key())
			return
		}
	}
}

// row is a rule or an exchange, or one finding under it.
type row struct {
	head  string      // key of the rule or exchange, its own or that above it
	group *book.Group // nil by place
	found *book.Found // nil for the rule or exchange itself
	n     int
	place *placed // by place
}

// placed is all findings of an exchange.
type placed struct {
	ref   wire.Ref
	row   *book.Row // nil when it is not kept any more
	all   []*book.Found
	count inspect.Count
}

func (r *row) first() *book.Found {
	switch {
	case r.found != nil:
		return r.found
	case r.place != nil:
		return r.place.all[0]
	}
	return &r.group.First
}
