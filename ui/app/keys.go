package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// listener is who hears keys first: the overlay on top, or the focused pane.
func (m *Model) listener() kit.Pane {
	if n := len(m.overs); n > 0 {
		return m.overs[n-1].pane
	}
	m.sync()
	return m.pane(m.focus)
}

// rows is every key that means something now, in footer order. A key of the focused pane hides the global
// one; while somebody types, keys that type are text.
func (m *Model) rows() []kit.Row { return m.gathered(m.listener().Typing(), false) }

// gathered is the rows as they are while somebody types, or does not; every: those too whose keys mean something else now, without
// them.
func (m *Model) gathered(typing, every bool) []kit.Row {
	p := m.listener()
	rows := slices.Clone(p.Rows())
	global := m.global()
	switch {
	case len(m.overs) > 0:
		global = m.overlayRows()
	case m.home != nil:
		global = kit.Unprinted(m.ends()) // to end, and to the background
	}
	global = append(global, m.lessonRows()...)
	if typing {
		global = kit.Unprinted(global)
		if n := len(rows); n > 0 && rows[0].Do != nil { // rows that only tell what the text is waiting for stay as they are
			rows = kit.Unprinted(rows)
		}
	}
	if phase := m.book.Server.Phase; (phase == wire.Failed || phase == wire.Lost) && len(m.overs) == 0 {
		// What helps now comes first.
		var helps []kit.Row
		for _, key := range []string{"ctrl+r", "L", "T"} {
			if r := kit.Find(global, key); r != nil && r.Off == "" {
				row := *r
				row.Quiet = false
				helps = append(helps, row)
			}
		}
		rows = append(helps, rows...)
	}
	for _, g := range global {
		keys := g.Keys[:0:0]
		for _, k := range g.Keys {
			if kit.Find(rows, k) == nil {
				keys = append(keys, k)
			}
		}
		if len(keys) > 0 || len(g.Keys) == 0 || every {
			g.Keys = keys
			rows = append(rows, g)
		}
	}
	return rows
}

// global is the rows that hold whatever has the focus.
func (m *Model) global() []kit.Row {
	to := func(p place) func() kit.Intent { return func() kit.Intent { m.setFocus(p); return nil } }
	intent := func(i kit.Intent) func() kit.Intent { return func() kit.Intent { return i } }
	recorded := ""
	if m.o.Session == nil {
		recorded = "this is a recorded journal"
	}
	restart := "restart the server"
	if m.book.Server.Kind == "http" || m.book.Server.Kind == "sse" {
		restart = "connect again"
	}
	alone, only := m.alone()
	first := []kit.Row{{Keys: []string{":", "f10"}, Words: "commands", Group: "open", Do: intent(kit.OpenPalette{})}} // the way to all others
	if m.game.on() {
		first = append(m.gameRows(), first...)
	} else {
		first = append(first, m.gameRows()...)
	}
	first = append(first, m.besideRows()...)
	return append(append(first, []kit.Row{
		{Keys: []string{"tab"}, Words: "next pane", Group: "go", Do: func() kit.Intent { m.cycle(1); return nil }},
		{Keys: []string{"shift+tab"}, Words: "pane before", Group: "go", Quiet: true, Do: func() kit.Intent { m.cycle(-1); return nil }},
		{Keys: []string{"1"}, Words: "server", Group: "go", Quiet: true, Do: to(atServer)},
		{Keys: []string{"2"}, Words: "tools", Group: "go", Quiet: true, Do: to(atTools)},
		{Keys: []string{"3"}, Words: "resources", Group: "go", Quiet: true, Do: to(atResources)},
		{Keys: []string{"4"}, Words: "prompts", Group: "go", Quiet: true, Do: to(atPrompts)},
		{Keys: []string{"5"}, Words: "exchanges", Group: "go", Quiet: true, Do: to(atExchanges)},
		{Keys: []string{"!"}, Words: "findings", Group: "open", Do: intent(kit.OpenFindings{})},
		{Keys: []string{"S"}, Words: "subscriptions", Group: "open", Quiet: true, Do: intent(kit.OpenSubscriptions{})},
		{Words: "subscribe", Group: "open", Quiet: true, Off: recorded, Do: intent(kit.OpenFilter{})},
		{Keys: []string{"L"}, Words: "log", Group: "open", Do: intent(kit.OpenLog{})},
		{Keys: []string{"T"}, Words: "servers", Group: "servers", Quiet: only != "", Off: alone, Do: intent(openServers{})},
		{Keys: []string{"}"}, Words: "next server", Group: "servers", Quiet: true, Off: only, Do: intent(stepServer{1})},
		{Keys: []string{"{"}, Words: "server before", Group: "servers", Quiet: true, Off: only, Do: intent(stepServer{-1})},
		{Keys: []string{";", "f5"}, Words: "jump", Group: "go", Quiet: true, Do: func() kit.Intent { m.openLabels(); return nil }},
		{Words: "era: this request under two revisions", Group: "open", Quiet: true, Do: intent(kit.OpenEra{})}, // before others with that word
		{Words: "theme", Group: "open", Quiet: true, Do: intent(kit.OpenThemes{})},
		{Keys: []string{"ctrl+r"}, Words: restart, Group: "server", Quiet: m.book.Server.Phase == wire.Ready, Off: recorded, Do: intent(kit.Restart{})},
		{Words: "detect the era anew", Group: "server", Quiet: true, Off: recorded, Do: intent(kit.Restart{Forget: true})},
		{Keys: []string{"?", "f1"}, Words: "help", Group: "open", Quiet: true, Do: intent(kit.OpenHelp{})},
		{Keys: []string{"q"}, Words: "quit", Group: "program", Quiet: true, Do: intent(kit.Quit{})},
	}...), append(m.ends(), m.resizeRows()...)...)
}

// ends are the keys that leave the screen, whatever is on it.
func (m *Model) ends() []kit.Row {
	return []kit.Row{
		{Keys: []string{"ctrl+c"}, Words: "quit at once", Group: "program", Quiet: true, Do: func() kit.Intent { return leave{} }},
		{Keys: []string{"ctrl+z"}, Words: "to the background", Group: "program", Quiet: true, Do: func() kit.Intent { return kit.Suspend{} }},
		screenshotRow(),
	}
}

// alone tells why the list of servers has nothing to offer, and only why there is none to go on to; "" when there is.
func (m *Model) alone() (alone, only string) {
	if m.deck == nil || len(m.deck.cards) < 2 {
		only = "there is one server"
	}
	if m.deck == nil || m.deck.o.Offers == nil {
		alone = only
	}
	return alone, only
}

// leave ends the program without a question.
type leave struct{}

// cycle moves the focus to the next pane on the right side, or back to the panels.
func (m *Model) cycle(d int) {
	order := []place{m.before, atMain, atResult}
	if m.whole() {
		order = order[:2]
	}
	at := slices.Index(order, m.focus)
	if at < 0 {
		at = 0
	}
	n := len(order)
	m.setFocus(order[((at+d)%n+n)%n])
}

// key routes a key: text first while somebody types, then the rows.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if name == "ctrl+c" {
		return m.act(leave{})
	}
	m.said = said{}
	if m.labels != nil {
		return m.labelKey(msg)
	}
	p := m.listener()
	if n := len(m.overs); n > 0 && m.overs[n-1].deaf(m.env.Now()) {
		return nil
	}
	if p.Typing() {
		if intent, used := p.Text(msg); used {
			m.pressed.typed(name)
			return m.act(intent)
		}
		if kit.Printable(name) {
			return nil
		}
	}
	r := kit.Find(m.rows(), name)
	switch {
	case r == nil:
		return nil
	case r.Off != "":
		m.say(r.Words+": "+r.Off, true)
		return nil
	case r.Do == nil:
		return nil
	}
	m.pressed.add(kit.KeyName(name), r.Words)
	return m.act(r.Do())
}
