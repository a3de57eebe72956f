package app

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// serverRow is one server in the list: on the deck, or to be opened; with neither it is the lessons.
type serverRow struct {
	card  *card
	offer *Offer
	text  string // what the filter looks at: name and target; escaped
	name  int    // bytes of it that are the name
}

// serverRows is the source of the list of servers.
type serverRows struct {
	p       *servers
	rows    []serverRow
	version int
	state   string // of the rows on the deck, as the filter sees them
}

const (
	openGroup  = "open"
	typedGroup = "typed"
	learnGroup = "new here"
)

// fill makes the rows, with the one that what was typed makes.
func (s *serverRows) fill(typed string) {
	s.version++
	s.rows = s.rows[:0]
	for _, c := range s.p.d.cards {
		s.add(serverRow{card: c}, c.called(), c.target())
	}
	if from := s.p.d.o.Offers; from != nil && typed != "" {
		if o, ok := from.Typed(typed); ok {
			o.Group, o.ID = typedGroup, typedGroup // it may be in the list too
			s.add(serverRow{offer: &o}, "open", kit.Escape(typed))
		}
	}
	for i := range s.p.offers {
		o := &s.p.offers[i]
		if slices.ContainsFunc(s.p.d.cards, func(c *card) bool { return c.m.o.ID == o.ID }) {
			continue // it stands above, open
		}
		s.add(serverRow{offer: o}, kit.Escape(o.Name), kit.Escape(o.What))
	}
	if l := s.p.d.o.Learning; s.p.page && l != nil && l.List != nil {
		s.add(serverRow{}, "lessons", "learn the protocol by doing, on the built-in server")
	}
	s.state = s.look()
}

func (s *serverRows) add(r serverRow, name, what string) {
	r.text, r.name = name, len(name)
	if what != "" {
		r.text += "  " + what
	}
	s.rows = append(s.rows, r)
}

// look is what the filter sees of the servers on the deck; it changes while they are connected.
func (s *serverRows) look() string {
	var b strings.Builder
	for _, c := range s.p.d.cards {
		b.WriteString(c.called() + "\x00" + c.target() + "\x00")
	}
	return b.String()
}

// refresh makes the rows anew when a server on the deck has told who it is.
func (s *serverRows) refresh() {
	if s.state != s.look() {
		s.fill(s.p.Filter())
	}
}

// target is how a server on the deck is reached. Escaped.
func (c *card) target() string {
	if c.m.o.Session == nil {
		return kit.Escape(c.m.o.Title)
	}
	return c.m.book.Server.Target
}

func (s *serverRows) keyOf(c *card) string { return fmt.Sprintf("open %p", c) }

func (s *serverRows) Len() int     { return len(s.rows) }
func (s *serverRows) Version() int { return s.version }
func (s *serverRows) Key(i int) string {
	switch r := &s.rows[i]; {
	case r.card != nil:
		return s.keyOf(r.card)
	case r.offer != nil:
		return "offer " + r.offer.ID
	}
	return "lessons"
}
func (s *serverRows) Text(i int) string { return s.rows[i].text }

func (s *serverRows) group(i int) string {
	switch r := &s.rows[i]; {
	case r.card != nil:
		return openGroup
	case r.offer != nil:
		return r.offer.Group
	}
	return learnGroup
}

// Line is a row: its group where that begins, then number or mark, name, kind and target, and at the right end how it stands.
func (s *serverRows) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	r := &s.rows[i]
	group := s.group(i)
	if i > 0 && s.p.Filter() == "" && s.group(i-1) == group {
		group = ""
	}
	mark := "  "
	switch {
	case r.card != nil: // its number, as in the header
		style := &st.Muted
		if r.card == s.p.d.front {
			style = &st.Accent
		}
		mark = style.Render(kit.Fit(kit.Number(slices.Index(s.p.d.cards, r.card)+1), 2))
	case r.offer != nil && s.p.marked[r.offer.ID]:
		mark = st.Accent.Render(kit.SignMark) + " "
	}
	var head, rest []int
	for _, at := range match {
		if at < r.name {
			head = append(head, at)
		} else if at >= r.name+2 {
			rest = append(rest, at-r.name-2)
		}
	}
	nameStyle, kind := &st.Text, ""
	switch {
	case r.card != nil:
		if r.card.m.o.Session != nil {
			kind = r.card.m.book.Server.Kind
		}
		if r.card == s.p.d.front {
			nameStyle = &st.Title
		}
	case r.offer != nil:
		kind = kit.Escape(r.offer.Kind)
		if r.offer.Off != "" {
			nameStyle = &st.Faint
		}
	}
	right := s.right(r, w)
	room := w - kit.Width(right) - 2
	left := st.Muted.Render(kit.Fit(kit.Escape(group), 11)) + mark
	left += kit.Fit(s.p.env.Matched(r.text[:r.name], head, nameStyle), min(28, max(w/4, 8))) + " " + st.Muted.Render(kit.Fit(kind, 6))
	if more := room - kit.Width(left); more > 3 && len(r.text) > r.name {
		cut := kit.Cut
		if strings.ContainsAny(r.text[r.name:], `/\-.`) { // no sentence: commands and addresses begin alike, what tells them apart stands at the end
			cut = kit.CutMiddle
		}
		left += cut(s.p.env.Matched(r.text[r.name+2:], rest, &st.Faint), more)
	}
	return kit.Ends(left, right, w)
}

// right is how a server stands: on the deck its connection, findings and what came since; else where it is from.
func (s *serverRows) right(r *serverRow, w int) string {
	st, env := s.p.env.Styles, s.p.env
	if o := r.offer; o != nil {
		text := kit.Escape(o.From)
		switch {
		case o.Off != "":
			text = kit.Escape(kit.Cut(o.Off, 36))
		case !o.At.IsZero():
			if text = kit.Ago(env.Now().Sub(o.At)); text != "now" {
				text += " ago"
			}
		}
		return st.Faint.Render(text)
	}
	if r.card == nil {
		return ""
	}
	m := r.card.m
	sv := &m.book.Server
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if n := r.card.news; n > 0 {
		add(st.Accent.Render(kit.Number(n) + " new"))
	}
	if n := len(m.asks) + len(m.aside); n > 0 {
		add(st.Should.Render(kit.SignQuestion + " " + kit.Number(n)))
	}
	if n := m.running(); n > 0 {
		add(st.Running.Render(kit.Number(n) + " running"))
	}
	if n := r.card.shadowed(); n > 0 {
		add(st.Should.Render(kit.SignShadow + " " + kit.Number(n)))
	}
	if len(m.o.Watched) > 0 {
		add(st.Muted.Render("watched"))
	}
	if m.o.Recorded != "" {
		add(st.Muted.Render("rec"))
	}
	counts, _ := m.counts(false)
	add(counts)
	if m.o.Session == nil {
		add(st.Muted.Render("recorded"))
	} else {
		if sv.Phase == wire.Ready && w >= 80 {
			add(st.Muted.Render(sv.Era))
		}
		add(env.Phase(sv.Phase))
	}
	return strings.Join(parts, "  ")
}
