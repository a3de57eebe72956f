// Package findings is everything that was found, by rule, and the page that explains a rule. It must never
// know: sessions, or how a rule decides.
package findings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the list of rules that were broken; each opens into the places where.
type Pane struct {
	kit.ListPane
	env  *kit.Env
	book *book.Book
	open map[string]bool // rules whose places are shown

	rows []row
	seen int
	sum  int

	below *Explained // the page of what is under the cursor
}

// row is a rule, or one place under it.
type row struct {
	group *book.Group
	found *book.Found // nil for the rule itself
	n     int
}

// New is the pane.
func New(env *kit.Env, b *book.Book) *Pane {
	p := &Pane{env: env, book: b, open: map[string]bool{}, seen: -1}
	p.List = kit.NewList(env, source{p})
	p.Empty = "nothing was found: so far the server does what it should"
	p.Heading = p.heading
	p.Keys = p.keys
	p.Opened = p.jump
	p.Open = "go there"
	return p
}

func (p *Pane) heading(bool) (title, right string) {
	return p.env.Styles.Title.Render("Findings"), p.env.Counts(p.book.Findings.Count, true)
}

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration { return 0 }

// Draw implements kit.Pane: the list, and below it the page of what is under the cursor.
func (p *Pane) Draw(w, h int, focused bool) string {
	f := p.place()
	n := min(max(p.Len()+1, 3), h/2)
	if f == nil || h < 14 {
		return p.ListPane.Draw(w, h, focused)
	}
	if p.below == nil || p.below.found != f {
		p.below = NewExplained(p.env, f.Rule.ID, f)
	}
	list := kit.Lines(p.List.Draw(w, n, focused), w, n)
	head := kit.Fit(p.env.Section(f.Rule.ID, w), w)
	return strings.Join(list, "\n") + "\n" + head + "\n" + p.below.Draw(w, h-n-1, false)
}

func (p *Pane) at() *row {
	if i := p.Selected(); i >= 0 {
		return &p.rows[i]
	}
	return nil
}

// place is the finding under the cursor: of a rule the first one.
func (p *Pane) place() *book.Found {
	r := p.at()
	switch {
	case r == nil:
		return nil
	case r.found != nil:
		return r.found
	}
	return &r.group.First
}

func (p *Pane) jump() kit.Intent {
	f := p.place()
	if f == nil {
		return nil
	}
	return kit.Several{kit.Back{}, kit.Show{Row: f.Row, Frame: f.At.Frame, Path: f.At.Path, Key: f.At.Part == inspect.Key}}
}

func (p *Pane) keys() []kit.Row {
	none := ""
	if p.at() == nil {
		none = "nothing was found"
	}
	set := func(open bool) func() kit.Intent {
		return func() kit.Intent {
			id := p.at().group.Rule.ID
			p.open[id] = open
			p.seen = -1
			if !open {
				p.Select(id)
			}
			return nil
		}
	}
	toggle := func() kit.Intent { return set(!p.open[p.at().group.Rule.ID])() }
	return []kit.Row{
		{Keys: []string{"i"}, Words: "explain", Group: "findings", Off: none, Do: func() kit.Intent {
			f := p.place()
			return kit.Explain{Rule: f.Rule.ID, Found: f}
		}},
		{Keys: []string{"space"}, Words: "all places", Group: "findings", Off: none, Do: toggle},
		{Keys: []string{"right", "l"}, Words: "show all places", Group: "findings", Off: none, Quiet: true, Do: set(true)},
		{Keys: []string{"left", "h"}, Words: "hide the places", Group: "findings", Off: none, Quiet: true, Do: set(false)},
		{Keys: []string{"y"}, Words: "copy", Group: "copy", Off: none, Quiet: true, Do: func() kit.Intent {
			f := p.place()
			return kit.Copy{Text: book.Note(&f.Finding) + " at " + string(f.At.Path) + ", got " + f.Got, What: "finding"}
		}},
	}
}

// pick brings the rows up to date.
func (p *Pane) pick() {
	f := &p.book.Findings
	if p.seen == f.Version() {
		return
	}
	p.seen = f.Version()
	p.sum++
	p.rows = p.rows[:0]
	for _, g := range f.Groups {
		p.rows = append(p.rows, row{group: g})
		if p.open[g.Rule.ID] {
			for i := range g.All {
				p.rows = append(p.rows, row{group: g, found: &g.All[i], n: i})
			}
		}
	}
}

type source struct{ p *Pane }

func (s source) Len() int     { s.p.pick(); return len(s.p.rows) }
func (s source) Version() int { s.p.pick(); return s.p.sum }

func (s source) Key(i int) string {
	r := &s.p.rows[i]
	if r.found == nil {
		return r.group.Rule.ID
	}
	return r.group.Rule.ID + "/" + strconv.Itoa(r.n)
}

func (s source) Text(i int) string {
	r := &s.p.rows[i]
	f := r.found
	if f == nil {
		f = &r.group.First
	}
	where := kit.Escape(string(f.At.Path))
	switch f.At.Part {
	case inspect.Status:
		where = "HTTP status"
	case inspect.Timing:
		where = "timing"
	case inspect.Stream:
		where = "framing"
	}
	got := ""
	if f.Got != "" {
		got = "  got " + kit.Escape(f.Got)
	}
	if r.found == nil {
		return r.group.Rule.ID + "  " + where + got
	}
	return fmt.Sprintf("#%d  %s%s", f.At.Frame, where, got)
}

func (s source) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	r := &s.p.rows[i]
	if r.found != nil {
		return "     " + s.p.env.Matched(s.Text(i), match, &st.Muted)
	}
	f := &r.group.First
	sign, style := s.p.env.Level(r.group.Rule.Level)
	if f.Profile == inspect.ProfileSEP2145 {
		sign = kit.SignSEP
	}
	fold := " "
	if r.group.Count > 1 {
		fold = kit.SignFolded
		if s.p.open[r.group.Rule.ID] {
			fold = kit.SignUnfolded
		}
	}
	right := ""
	if r.group.Count > 1 {
		right = st.Muted.Render(kit.Number(r.group.Count) + "×")
	}
	return kit.Ends(style.Render(sign)+" "+st.Faint.Render(fold)+" "+s.p.env.Matched(s.Text(i), match, &st.Text), right, w)
}
