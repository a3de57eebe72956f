package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/subs"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Fault is a way in which the built-in server can misbehave.
type Fault struct {
	Name  string // "ttl-negative"
	What  string // one sentence: what the server does then
	Rule  string // the id of the rule that catches it
	Group string // the area of that rule
	Try   string // what makes it show, in the words of the command line
	Off   string // why it cannot show in this conversation; "" when it can
	// Opening says that it shows only while a connection opens: the server is started again when it is switched.
	Opening bool
	// Use makes it show; nil where that takes more than one request.
	Use *FaultUse
	// Plain says that it shows by ordinary use: listing, reading, calling.
	Plain bool
}

// FaultUse is what makes a fault show: the first of these that is set.
type FaultUse struct {
	List   *book.Kind
	Use    *kit.Use
	Listen *subs.Filter
	Probe  bool // the odd requests that a person is asked about before they are sent
}

// Faults are the ways in which the server of this screen can be told to misbehave, beside the wire.
type Faults struct {
	All []Fault
	// On are the names of those that are on.
	On []string
	// Set tells the server which ones are on from its next request. It is quick.
	Set func(on []string) error
	// Again is the command line by which others choose among the same faults: "mcploupe demo".
	Again string
	// Find begins with the game of finding a fault; Seed chooses which, 0 leaves that to chance.
	Find bool
	Seed uint64
}

// faultsOf are the faults of this screen, nil where the server is not ours to spoil.
func (m *Model) faultsOf() *Faults {
	if m.o.Session == nil {
		return nil
	}
	return m.o.Faults
}

// faultCommands are the commands about faults.
func (m *Model) faultCommands() []kit.Row {
	const words = "fault: let the server misbehave"
	f := m.faultsOf()
	if f == nil {
		rows := []kit.Row{{Words: words, Group: "teach", Off: "only in mcploupe demo", Do: func() kit.Intent { return nil }}}
		if m.game.on() {
			rows = append(rows, m.gameCommands()...)
		}
		return rows
	}
	off := ""
	if m.game.on() {
		off = "not while one is sought"
	}
	rows := []kit.Row{{Words: words, Group: "teach", Off: off, Do: func() kit.Intent { m.openFaults(); return nil }}}
	if len(f.On) > 0 && off == "" {
		rows = append(rows, kit.Row{Words: "faults all off: let the server behave", Group: "teach", Do: func() kit.Intent { return setFaults{} }})
	}
	return append(rows, m.gameCommands()...)
}

// setFaults wants exactly these faults to be on.
type setFaults struct{ names []string }

// tryFault wants a fault to be on, and what makes it show to be done.
type tryFault struct{ name string }

// aboutFaults is the intents about faults and the game of finding one.
func (m *Model) aboutFaults(i kit.Intent) (tea.Cmd, bool) {
	switch i := i.(type) {
	case setFaults:
		return m.switchFaults(i.names), true
	case tryFault:
		return m.tryFault(i.name), true
	}
	return m.aboutGame(i)
}

// switchFaults makes exactly these faults be on, notes it in the log, and starts the server again where the change shows
// only then.
func (m *Model) switchFaults(names []string) tea.Cmd {
	f := m.faultsOf()
	if f == nil {
		return nil
	}
	if err := f.Set(names); err != nil {
		m.say("the faults could not be switched: "+kit.Escape(err.Error()), true)
		return nil
	}
	was := f.On
	f.On = slices.Clone(names)
	var changed []string
	opening := false
	for i := range f.All {
		one := &f.All[i]
		is := slices.Contains(names, one.Name)
		if is == slices.Contains(was, one.Name) {
			continue
		}
		word := "off"
		if is {
			word = "on"
		}
		changed = append(changed, one.Name+" is "+word)
		m.remark("fault " + word + ": " + one.Name + " (" + one.Rule + "), from the next request on")
		opening = opening || one.Opening
	}
	if len(changed) == 0 {
		return nil
	}
	text := changed[0]
	if n := len(changed); n > 1 {
		text = kit.Number(n) + " faults were switched"
	}
	if opening {
		cmd := m.act(kit.Restart{})
		m.say(text+": the server starts again to show it", false)
		return cmd
	}
	m.say(text+", from the next request on", false)
	return nil
}

// remark puts a line of ours into the log, where the journal keeps it too. It is no message: the server never sees it.
func (m *Model) remark(text string) {
	m.o.Log.Append(wire.Entry{Note: &wire.Note{From: "client", Level: "info", Text: text}})
}

// tryFault switches the fault on if need be, and does what makes it show.
func (m *Model) tryFault(name string) tea.Cmd {
	f := m.faultsOf()
	i := slices.IndexFunc(f.All, func(x Fault) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	one := &f.All[i]
	if one.Off != "" {
		m.say(one.Name+": "+one.Off, true)
		return nil
	}
	var cmds []tea.Cmd
	isOn := slices.Contains(f.On, name)
	if !isOn {
		cmds = append(cmds, m.switchFaults(append(slices.Clone(f.On), name)))
		if !slices.Contains(f.On, name) {
			return nil // why not was said
		}
	}
	for len(m.overs) > 0 {
		m.shut()
	}
	m.setFocus(atExchanges)
	m.timeline.End()
	switch {
	case one.Opening && isOn:
		cmds = append(cmds, m.act(kit.Restart{}))
	case one.Opening:
	case one.Use == nil:
		m.say(one.Name+" is on; it shows by more than one request: mcploupe "+one.Try, false)
	case one.Use.Probe:
		m.say(one.Name+" is on; it shows by the probes", false)
		cmds = append(cmds, m.act(m.askProbe(false)))
	default:
		cmds = append(cmds, m.act(one.Use.intent()))
	}
	return tea.Batch(cmds...)
}

func (u *FaultUse) intent() kit.Intent {
	switch {
	case u.List != nil:
		return kit.Refresh{Kind: *u.List, Past: true}
	case u.Use != nil:
		return *u.Use
	case u.Listen != nil:
		return kit.Subscribe{Filter: *u.Listen}
	}
	return nil
}

// faultSign is what the header says of the faults that are on.
func (m *Model) faultSign() string {
	f, s := m.faultsOf(), m.env.Styles
	switch {
	case m.game.on():
		return s.Should.Render(m.game.sign())
	case f == nil:
		return ""
	case len(f.On) == 0:
		return ""
	case len(f.On) == 1:
		return s.Should.Render("1 fault on")
	}
	return s.Should.Render(kit.Number(len(f.On)) + " faults on")
}
