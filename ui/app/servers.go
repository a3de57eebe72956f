package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// servers is the list of servers: those on the deck, and below them those that can be opened. It lies over the screen of a server,
// or is the page that stands there while there is none.
type servers struct {
	*kit.ListPane
	d      *Deck
	env    *kit.Env
	src    *serverRows
	page   bool // it is the page, not an overlay
	offers []Offer
	loaded bool
	moved  bool // the person moved the cursor: it stays where he put it
	marked map[string]bool
}

// deckIntent is something that a person wants of the deck.
type deckIntent interface{ on(d *Deck) }

type (
	openServers struct{}              // shows the list
	stepServer  struct{ by int }      // the next server, or the one before
	raiseServer struct{ c *card }     // this one
	openOffers  struct{ all []Offer } // opens them
	dropServer  struct {              // closes it
		c   *card
		yes bool // also when requests are running
	}
	answerWanted struct { // gives a value that was asked for
		w    *wanted
		text string
		ok   bool
	}
)

func (openServers) on(d *Deck)    { d.openServers() }
func (i stepServer) on(d *Deck)   { d.step(i.by) }
func (i raiseServer) on(d *Deck)  { d.raise(i.c) }
func (i openOffers) on(d *Deck)   { d.open(i.all) }
func (i answerWanted) on(d *Deck) { d.answered(i.w, i.text, i.ok) }

func (i dropServer) on(d *Deck) {
	if n := i.c.m.running(); n > 0 && !i.yes {
		what := "A request is running there. Close " + i.c.called() + " and cut it off?"
		if n > 1 {
			what = kit.Number(n) + " requests are running there. Close " + i.c.called() + " and cut them off?"
		}
		d.front.m.openConfirm(kit.Confirm{Title: "Close a server", Text: []string{what}, Words: "close it",
			Then: func() kit.Intent { return dropServer{i.c, true} }})
		return
	}
	d.drop(i.c, i.c.called())
}

// openServers shows the list over the screen in front.
func (d *Deck) openServers() {
	m := d.front.m
	if m.home != nil {
		return
	}
	p := newServers(d, m.env, false)
	if c := d.latest(); c != nil {
		p.Select(p.src.keyOf(c))
	}
	m.open("servers", p, func(w, h int) (int, int) { return min(w-4, 110), min(max(p.src.Len(), 6)+3, h-4) })
	d.cmds = append(d.cmds, d.loadOffers(p))
}

func newServers(d *Deck, env *kit.Env, page bool) *servers {
	p := &servers{d: d, env: env, page: page, marked: map[string]bool{}, loaded: d.o.Offers == nil}
	p.src = &serverRows{p: p}
	p.ListPane = &kit.ListPane{List: kit.NewList(env, p.src)}
	p.Empty = "looking for servers…"
	p.None = "nothing matches: a URL is opened as it is, a command with -- before it"
	p.Heading = p.heading
	p.Opened = p.enter
	p.src.fill("")
	p.OpenFilter()
	return p
}

// offered takes the servers that can be opened.
func (p *servers) offered(offers []Offer) {
	p.offers, p.loaded = offers, true
	p.Empty = "no server is known yet: type a URL, or -- and a command"
	p.src.fill(p.Filter())
	if p.page && !p.moved && p.Filter() == "" && len(p.src.rows) > 0 {
		p.Select(p.src.Key(0)) // not what stood there before they came
	}
	if !p.page && !p.moved && len(p.d.cards) == 1 && p.Filter() == "" {
		for i := range p.src.rows {
			if p.src.rows[i].offer != nil {
				p.Select(p.src.Key(i))
				return
			}
		}
	}
}

func (p *servers) heading(focused bool) (title, right string) {
	s := p.env.Styles
	right = "type to filter, or a URL, -- COMMAND, journal"
	if n := len(p.marked); n > 0 {
		right = kit.SignMark + " " + kit.Number(n) + " marked"
	} else if p.d.o.Offers == nil {
		right = ""
	}
	return s.Title.Render("Servers"), s.Muted.Render(right)
}

// Typing implements kit.Pane: letters always filter.
func (p *servers) Typing() bool { return true }

// Rows implements kit.Pane.
func (p *servers) Rows() []kit.Row {
	open, off, end := "open", "", ""
	r := p.row()
	switch {
	case r == nil:
		off, end = "nothing fits", "nothing is selected"
	case len(p.marked) > 0:
		open = "open " + kit.Number(len(p.marked))
	case r.card != nil:
		open = "switch to it"
	case r.offer == nil:
		open = "show them"
	}
	rows := []kit.Row{{Keys: []string{"enter"}, Words: open, Group: "servers", Off: off, Do: p.enter}}
	if p.d.o.Offers != nil {
		markOff := end
		if r != nil && r.offer == nil {
			markOff = "that is no server to be opened"
		}
		rows = append(rows, kit.Row{Keys: []string{"tab"}, Words: "mark several", Group: "servers", Off: markOff, Do: p.mark})
	}
	switch {
	case r != nil && r.card != nil:
		off := ""
		if p.d.o.Offers == nil && len(p.d.cards) == 1 {
			off = "it is the only one: ctrl+c quits"
		}
		rows = append(rows, kit.Row{Keys: []string{"ctrl+x"}, Words: "close it", Group: "servers", Off: off, Do: p.remove})
	case r != nil && r.offer != nil && r.offer.Forget != nil:
		rows = append(rows, kit.Row{Keys: []string{"ctrl+x"}, Words: "forget it", Group: "servers", Do: p.remove})
	}
	words := "close"
	switch {
	case p.Filter() != "":
		words = "drop filter"
	case p.page:
		words = "quit"
	}
	return append(rows, kit.Row{Keys: []string{"esc"}, Words: words, Group: "servers", Quiet: !p.page && words == "close", Do: p.leave})
}

func (p *servers) row() *serverRow {
	i := p.Selected()
	if i < 0 || i >= len(p.src.rows) {
		return nil
	}
	return &p.src.rows[i]
}

// enter opens what is marked, or switches to what is under the cursor or opens it.
func (p *servers) enter() kit.Intent {
	r := p.row()
	var chosen []Offer
	for i := range p.offers {
		if p.marked[p.offers[i].ID] {
			chosen = append(chosen, p.offers[i])
		}
	}
	switch {
	case len(chosen) > 0:
	case r == nil:
		return nil
	case r.card != nil:
		return kit.Several{p.shut(), raiseServer{r.card}}
	case r.offer == nil:
		return openLessons{}
	case r.offer.Off != "":
		return kit.Say{Text: kit.Escape(r.offer.Name + ": " + r.offer.Off), Bad: true}
	default:
		chosen = []Offer{*r.offer}
	}
	clear(p.marked)
	return kit.Several{p.shut(), openOffers{chosen}}
}

// shut closes the list, where it lies over something.
func (p *servers) shut() kit.Intent {
	if p.page {
		return nil
	}
	return kit.Back{}
}

func (p *servers) mark() kit.Intent {
	r := p.row()
	switch {
	case r == nil || r.offer == nil || r.offer.Group == typedGroup:
		return nil
	case r.offer.Off != "":
		return kit.Say{Text: kit.Escape(r.offer.Name + ": " + r.offer.Off), Bad: true}
	case p.marked[r.offer.ID]:
		delete(p.marked, r.offer.ID)
	default:
		p.marked[r.offer.ID] = true
	}
	p.moved = true
	p.Move(1)
	return nil
}

// remove closes a server, or forgets a recent one.
func (p *servers) remove() kit.Intent {
	r := p.row()
	switch {
	case r == nil:
		return nil
	case r.card != nil:
		return kit.Several{p.shut(), dropServer{c: r.card}}
	case r.offer == nil || r.offer.Forget == nil:
		return nil
	}
	gone := *r.offer
	delete(p.marked, gone.ID)
	for i := range p.offers {
		if p.offers[i].ID == gone.ID {
			p.offers = append(p.offers[:i:i], p.offers[i+1:]...)
			break
		}
	}
	p.src.fill(p.Filter())
	p.d.cmds = append(p.d.cmds, func() tea.Msg { gone.Forget(); return nil }) // it writes a file
	return kit.Say{Text: kit.Escape(gone.Name) + " is forgotten"}
}

func (p *servers) leave() kit.Intent {
	switch {
	case p.Filter() != "":
		p.TypeFilter("")
		p.src.fill("")
		return nil
	case p.page:
		return kit.Quit{}
	}
	return kit.Back{}
}

// Text implements kit.Pane.
func (p *servers) Text(msg tea.Msg) (kit.Intent, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter", "esc", "tab", "ctrl+x":
			return nil, false
		case "backspace":
			if p.Filter() == "" {
				return nil, true
			}
		case "space":
			if p.Filter() == "" {
				return p.mark(), true
			}
		case "up", "down", "ctrl+p", "ctrl+n":
			p.moved = true
		case "pgup", "pgdown":
			p.moved = true
			p.Page(map[string]float64{"pgup": -0.5, "pgdown": 0.5}[k.String()])
			return nil, true
		}
	}
	before := p.Filter()
	p.List.Text(msg)
	if now := p.Filter(); now != before {
		p.src.fill(now)
		for i := range p.src.rows {
			if o := p.src.rows[i].offer; o != nil && o.Group == typedGroup { // whoever types all of it means that, not what is like it
				p.Select(p.src.Key(i))
			}
		}
	}
	return nil, true
}

// Draw implements kit.Pane.
func (p *servers) Draw(w, h int, focused bool) string {
	p.src.refresh()
	return p.ListPane.Draw(w, h, focused)
}

// Click implements kit.Pane.
func (p *servers) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	p.moved = true
	return p.ListPane.Click(x, y, msg)
}

// serverCommands are the commands about servers.
func (m *Model) serverCommands() []kit.Row {
	if m.deck == nil {
		return nil
	}
	row := func(words string, do kit.Intent) kit.Row {
		return kit.Row{Words: words, Group: "servers", Do: func() kit.Intent { return do }}
	}
	var rows []kit.Row
	for i, c := range m.deck.cards {
		if c.m != m { // with its number: two may have one name
			rows = append(rows, row("switch to "+kit.Number(i+1)+" "+c.called(), raiseServer{c}))
		}
	}
	if m.deck.o.Offers != nil {
		rows = append(rows, row("open another server, or a recorded journal", openServers{}))
	}
	if m.deck.o.Offers != nil || len(m.deck.cards) > 1 {
		rows = append(rows, m.shadowCommand())
	}
	if c := m.deck.cardOf(m); c != nil && (m.deck.o.Offers != nil || len(m.deck.cards) > 1) {
		rows = append(rows, row("close "+c.called(), dropServer{c: c}))
	}
	return rows
}

// openWords is what the palette's line begins with when something is to be opened; a URL, -- and a command, or a file stands behind it.
const openWords = "open "

// openCommands is what the line of the palette opens.
func (m *Model) openCommands(typed string) []kit.Row {
	what, ok := strings.CutPrefix(typed, openWords)
	if !ok || m.deck == nil || m.deck.o.Offers == nil {
		return nil
	}
	offer, ok := m.deck.o.Offers.Typed(what)
	if !ok {
		return nil
	}
	return []kit.Row{{Words: kit.Escape(typed), Group: "servers", Do: func() kit.Intent { return openOffers{[]Offer{offer}} }}}
}
