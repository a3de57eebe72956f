package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// order is what the list is sorted and grouped by.
type order int

const (
	byLevel order = iota // rules, the gravest first
	byRule               // rules by name
	byPlace              // exchanges in their order, with what was found in each
	orders
)

// String is the order in a word.
func (o order) String() string { return [...]string{"level", "rule", "place"}[o] }

func (o order) next() order { return (o + 1) % orders }

// unfolded tells that what is under the rows of the first level shows without being asked for.
func (o order) unfolded() bool { return o == byPlace }

func (p *Pane) opened(key string) bool { return p.order.unfolded() != p.other[key] }

// pick brings the rows up to date.
func (p *Pane) pick() {
	f := &p.book.Findings
	if p.seen == f.Version() {
		return
	}
	p.seen = f.Version()
	p.sum++
	p.rows = p.rows[:0]
	p.Empty = "nothing was found: so far the server does what it should"
	if f.Muted > 0 {
		p.Empty = "all that was found is muted: M shows it"
	}
	groups := make([]*book.Group, 0, len(f.Groups))
	for _, g := range f.Groups {
		if !g.Muted || p.muted {
			groups = append(groups, g)
		}
	}
	if p.order == byPlace {
		p.byPlace(groups)
		return
	}
	slices.SortStableFunc(groups, func(a, b *book.Group) int { // what is muted comes last
		switch {
		case a.Muted != b.Muted:
			return map[bool]int{true: 1, false: -1}[a.Muted]
		case p.order == byRule:
			return strings.Compare(a.Rule.ID, b.Rule.ID)
		}
		return 0
	})
	for _, g := range groups {
		p.rows = append(p.rows, row{head: g.Rule.ID, group: g})
		if p.opened(g.Rule.ID) {
			for i := range g.All {
				p.rows = append(p.rows, row{head: g.Rule.ID, group: g, found: &g.All[i], n: i})
			}
		}
	}
}

// byPlace makes the rows by exchange, and in each by frame.
func (p *Pane) byPlace(groups []*book.Group) {
	var all []*book.Found
	for _, g := range groups {
		for i := range g.All {
			all = append(all, &g.All[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *book.Found) int {
		return cmp.Or(cmp.Compare(a.Row.Seq, b.Row.Seq), cmp.Compare(a.Row.Part, b.Row.Part), cmp.Compare(a.At.Frame, b.At.Frame), cmp.Compare(b.Rule.Level, a.Rule.Level))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Row == all[0].Row {
			n++
		}
		at := &placed{ref: all[0].Row, row: p.book.Timeline.Row(all[0].Row), all: all[:n]}
		for _, f := range at.all {
			at.count.Add(f.Finding)
		}
		head := placeKey(at.ref)
		p.rows = append(p.rows, row{head: head, place: at})
		if p.opened(head) {
			for i, f := range at.all {
				p.rows = append(p.rows, row{head: head, place: at, found: f, n: i})
			}
		}
		all = all[n:]
	}
}

func placeKey(ref wire.Ref) string { return fmt.Sprintf("#%d/%d", ref.Seq, ref.Part) }

func (r *row) key() string {
	if r.found == nil {
		return r.head
	}
	return r.head + "/" + strconv.Itoa(r.n)
}

type source struct{ p *Pane }

func (s source) Len() int         { s.p.pick(); return len(s.p.rows) }
func (s source) Version() int     { s.p.pick(); return s.p.sum }
func (s source) Key(i int) string { return s.p.rows[i].key() }

// Text is the row in words: rule and place of a rule; number and place of one finding under it; the exchange; rule and place of
// one finding in that.
func (s source) Text(i int) string {
	r := &s.p.rows[i]
	f := r.first()
	switch {
	case r.place != nil && r.found == nil:
		if r.place.row == nil {
			return fmt.Sprintf("#%d", r.place.ref.Seq)
		}
		return strings.TrimSpace(fmt.Sprintf("#%d %s %s", r.place.ref.Seq, what(r.place.row), r.place.row.Name))
	case r.place != nil || r.found == nil:
		return f.Rule.ID + "  " + where(f)
	}
	return fmt.Sprintf("#%d  %s", f.At.Frame, where(f))
}

func what(r *book.Row) string {
	if r.Method == "" {
		return "a message without method"
	}
	return r.Method
}

// where is the place of a finding, and what stood there.
func where(f *book.Found) string {
	text := kit.Escape(string(f.At.Path))
	switch f.At.Part {
	case inspect.Status:
		text = "HTTP status"
	case inspect.Timing:
		text = "timing"
	case inspect.Stream:
		text = "framing"
	}
	if f.Got != "" {
		text += "  got " + kit.Escape(f.Got)
	}
	return text
}

// Line implements the list's source.
func (s source) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	r := &s.p.rows[i]
	f := r.first()
	sign, style := s.p.env.Level(f.Rule.Level)
	if f.Profile == inspect.ProfileSEP2145 {
		sign = kit.SignSEP
	}
	fold := kit.SignFolded
	if s.p.opened(r.head) {
		fold = kit.SignUnfolded
	}
	muted := s.p.book.Findings.IsMuted(f.Rule.ID)
	base, right := &st.Text, ""
	if muted {
		style, base = &st.Faint, &st.Faint
		right = st.Muted.Render("muted")
	}
	text := s.Text(i)
	switch {
	case r.place != nil && r.found == nil:
		return kit.Ends(st.Faint.Render(fold)+" "+s.p.env.Matched(text, match, &st.Title), s.p.env.Counts(r.place.count, false), w)
	case r.place != nil:
		return kit.Ends("  "+style.Render(sign)+" "+s.p.env.Matched(text, match, base), right, w)
	case r.found != nil:
		return "     " + s.p.env.Matched(text, match, &st.Muted)
	}
	if r.group.Count == 1 {
		fold = " "
	} else {
		right = st.Muted.Render(strings.TrimSpace(kit.Number(r.group.Count) + "× " + map[bool]string{true: "muted"}[muted]))
	}
	return kit.Ends(style.Render(sign)+" "+st.Faint.Render(fold)+" "+s.p.env.Matched(text, match, base), right, w)
}
