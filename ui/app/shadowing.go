package app

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Where several servers are open, their tools are compared: which can be taken for one of another server, or is spoken of there
// (rule security-tool-shadowing). It is worked out beside the screen, from the lists as they stand, whenever one of them is another.

// shadowing is what came of it.
type shadowing struct {
	state []listState // of the lists that found is about, or that are being compared
	busy  bool
	cards []*card // of found: Shadow.Server is an index of it
	found []inspect.Shadow
}

// listState tells whether a server's list of tools is another one.
type listState struct {
	c       *card
	version int
	name    string
}

// shadowsMsg is the end of a comparison.
type shadowsMsg struct {
	cards []*card
	found []inspect.Shadow
}

// live are the servers whose tools a model could have before it at once: live ones, but for that of a lesson.
func (d *Deck) live() (all []*card) {
	for _, c := range d.cards {
		if c.m.o.Session != nil && c.m.lesson == nil {
			all = append(all, c)
		}
	}
	return all
}

// compare begins a comparison when a list has changed, or a server came or went.
func (d *Deck) compare() tea.Cmd {
	s := &d.shadowing
	if s.busy || len(d.cards) < 2 && len(s.state) < 2 {
		return nil
	}
	cards := d.live()
	var state []listState
	for _, c := range cards {
		state = append(state, listState{c, c.m.book.List(book.Tools).Version(), c.called()})
	}
	if slices.Equal(state, s.state) {
		return nil
	}
	s.state, s.busy = state, true
	all := make([]inspect.Offered, len(cards))
	for i, c := range cards {
		items := c.m.book.List(book.Tools).Items
		all[i] = inspect.Offered{Server: c.called(), Tools: make([]jsondoc.Value, len(items))}
		for j := range items {
			all[i].Tools[j] = items[j].Def
		}
	}
	return func() tea.Msg { return shadowsMsg{cards, inspect.Shadows(all)} }
}

// compared takes the end of a comparison. A server that was closed meanwhile is left out by the next one, which follows at once.
func (d *Deck) compared(msg shadowsMsg) {
	s := &d.shadowing
	before := len(s.found)
	s.busy, s.cards, s.found = false, msg.cards, msg.found
	by := make([]*kit.Shadows, len(msg.cards))
	tools := map[string]bool{}
	for i := range msg.found {
		one := &msg.found[i]
		if by[one.Server] == nil {
			by[one.Server] = &kit.Shadows{Of: map[string][]string{}}
		}
		of := by[one.Server].Of
		of[one.Name] = append(of[one.Name], inWords(one))
		if msg.cards[one.Server] == d.front {
			tools[one.Name] = true
		}
	}
	for i, c := range msg.cards {
		c.m.env.Shadows = by[i]
	}
	if before == 0 && len(tools) > 0 && !d.front.m.o.Now().Before(d.front.m.said.until) {
		d.front.m.say(kit.SignShadow+" shadowing across servers: "+kit.Count(len(tools), "tool")+" — : shadow lists them", false)
	}
}

// inWords is a likeness as a line; escaped.
func inWords(s *inspect.Shadow) string {
	other, of := kit.Escape(s.OtherName), s.OtherOf // what a server is called is escaped already
	switch s.How {
	case inspect.SameName:
		return of + " has a tool of the very same name"
	case inspect.AlikeName:
		return "it looks like " + other + " of " + of
	case inspect.NearName:
		return "it differs by one character from " + other + " of " + of
	case inspect.Mentions:
		return "it speaks of " + other + " of " + of + ordering(s) + ": “" + kit.Escape(s.Text) + "”"
	case inspect.Mentioned:
		return other + " of " + of + " speaks of it" + ordering(s) + ": “" + kit.Escape(s.Text) + "”"
	}
	return ""
}

func ordering(s *inspect.Shadow) string {
	if s.Ordering {
		return ", with orders to the model"
	}
	return ""
}

// shadowed is how many tools of a server can be taken for others', speak of them or are spoken of there.
func (c *card) shadowed() int {
	if s := c.m.env.Shadows; s != nil {
		return len(s.Of)
	}
	return 0
}

type (
	openShadows struct{} // shows the list
	gotoTool    struct { // brings a tool to the front
		c    *card
		name string
	}
)

func (openShadows) on(d *Deck) { d.openShadows() }

func (i gotoTool) on(d *Deck) {
	if d.cardOf(i.c.m) == nil {
		return
	}
	d.raise(i.c)
	m := i.c.m
	m.setFocus(atTools)
	if !m.tools.SelectItem(book.Tools, i.name) {
		m.say(kit.Escape(i.name)+" is not in the list any more", true)
	}
}

// openShadows lists what can be taken for what, that of the server in front first.
func (d *Deck) openShadows() {
	m, s := d.front.m, &d.shadowing
	src := &shadowRows{env: m.env}
	for _, front := range []bool{true, false} {
		for i := range s.found {
			one := &s.found[i]
			if c := s.cards[one.Server]; (c == d.front) == front && d.cardOf(c.m) != nil {
				src.rows = append(src.rows, shadowRow{c, one.Name, c.called(), kit.Escape(one.Name), inWords(one)})
				last := &src.rows[len(src.rows)-1]
				src.of, src.name = max(src.of, kit.Width(last.of)), max(src.name, kit.Width(last.name))
			}
		}
	}
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "go to the tool"}
	p.Empty = "no tool can be taken for a tool of another open server"
	if len(d.live()) < 2 {
		p.Empty = "one server is open: T opens another, and their tools are compared"
	}
	p.Heading = func(bool) (string, string) {
		return m.env.Styles.Title.Render("Tool shadowing"), m.env.Styles.Muted.Render(kit.Number(p.Len()) + " · advice, no findings")
	}
	p.Opened = func() kit.Intent {
		i := p.Selected()
		if i < 0 {
			return nil
		}
		return kit.Several{kit.Back{}, gotoTool{src.rows[i].c, src.rows[i].tool}}
	}
	p.Keys = func() []kit.Row {
		return []kit.Row{{Keys: []string{"i"}, Words: "explain", Group: "list", Do: func() kit.Intent { return kit.Explain{Rule: inspect.ToolShadowing} }}}
	}
	m.open("shadows", p, func(w, h int) (int, int) { return w - 6, min(max(len(src.rows), 1)+2, h*2/3) })
}

// shadowRow is one likeness in the list.
type shadowRow struct {
	c              *card
	tool           string // raw
	of, name, text string // server, tool, and in what way; escaped
}

// shadowRows is the list's source.
type shadowRows struct {
	env      *kit.Env
	rows     []shadowRow
	of, name int // the widest
}

func (s *shadowRows) Len() int         { return len(s.rows) }
func (s *shadowRows) Version() int     { return 0 }
func (s *shadowRows) Key(i int) string { return s.Text(i) }
func (s *shadowRows) Text(i int) string {
	r := &s.rows[i]
	return r.name + "  " + r.of + "  " + r.text
}

func (s *shadowRows) Line(i, w int, match []int) string {
	st := s.env.Styles
	r := &s.rows[i]
	cells := []struct {
		text string
		w    int
	}{{r.name, min(s.name, w/4)}, {r.of, min(s.of, w/5)}, {r.text, w}}
	out, from := st.Should.Render(kit.SignShadow), 0
	for j, c := range cells {
		var here []int
		for _, at := range match {
			if at >= from && at < from+len(c.text) {
				here = append(here, at-from)
			}
		}
		from += len(c.text) + 2
		style := &st.Text
		if j > 0 {
			style = &st.Muted
		}
		cell := s.env.Matched(c.text, here, style)
		if j < 2 {
			cell = kit.Fit(cell, c.w)
		}
		out += "  " + cell
	}
	return kit.Cut(out, w)
}

// shadowCommand is the command about it.
func (m *Model) shadowCommand() kit.Row {
	words := "tool shadowing: which can be taken for one of another server"
	if c := m.deck.cardOf(m); c != nil && c.shadowed() > 0 {
		words = strings.Replace(words, ":", " ("+kit.Number(c.shadowed())+"):", 1)
	}
	return kit.Row{Words: words, Group: "servers", Do: func() kit.Intent { return openShadows{} }}
}
