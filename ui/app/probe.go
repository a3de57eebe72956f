package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/inspect"
	"mcploupe/ui/kit"
)

// Prober sends the probes: deliberately odd requests that make a server show how it handles them. unsafe adds those that may do
// something when the server is at fault. What comes of it is in the log; the error is the end of the channel or of ctx.
type Prober func(ctx context.Context, unsafe bool) error

// probedMsg says that the probes are over.
type probedMsg struct {
	err    error
	before int // exchanges and findings, when they began
	found  int
}

// probeCommands are the rows of the palette.
func (m *Model) probeCommands() []kit.Row {
	off := ""
	switch {
	case m.o.Session == nil || m.o.Probe == nil:
		off = "this is a recorded journal"
	case m.probing != nil:
		return []kit.Row{{Words: "stop probing", Group: "server", Do: func() kit.Intent { return kit.StopProbing{} }}}
	}
	return []kit.Row{
		{Words: "probe the server with odd requests", Group: "server", Off: off, Do: func() kit.Intent { return m.askProbe(false) }},
		{Words: "probe the server, also with requests that may do something", Group: "server", Off: off, Do: func() kit.Intent { return m.askProbe(true) }},
	}
}

// askProbe asks before odd requests are sent, and says what they are.
func (m *Model) askProbe(unsafe bool) kit.Intent {
	sv := &m.book.Server
	safe, rest := 0, 0
	for _, p := range inspect.Probes() {
		switch {
		case !p.For(sv.Era, sv.Version, sv.Kind):
		case p.Safe:
			safe++
		default:
			rest++
		}
	}
	text := []string{
		fmt.Sprintf("%s get up to %d kinds of deliberately odd requests, each wrong in one way: an unknown tool, a method that does not exist, metadata left out, an invented cursor, headers that contradict the body.", orServer(sv.Name()), safe),
		"They change nothing on a server that does as it should, and no tool of it is called. They stand in the exchanges with their reason, and in the server's own log.",
	}
	if unsafe {
		text = append(text, fmt.Sprintf("And %d kinds that may do something when the server is at fault, such as reading outside of what it offers or ending a session.", rest))
	}
	if sv.Kind != "stdio" && !m.o.Local {
		text = append(text, "This server is not on your machine: it may be somebody else's. Probe it only if you may.")
	}
	return kit.Confirm{Title: "Probe the server", Text: text, Words: "send them", Then: func() kit.Intent { return kit.Probe{Unsafe: unsafe} }}
}

func orServer(name string) string {
	if name == "" {
		return "The server will"
	}
	return name + " will"
}

// probe sends them beside everything else.
func (m *Model) probe(unsafe bool) tea.Cmd {
	if m.probing != nil || m.o.Probe == nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.probing = stop
	m.say("probing — they appear in the exchanges; : stop probing ends it", false)
	before, found := (len(m.book.Timeline.Rows) + m.book.Timeline.Dropped), m.book.Findings.Count.Total()
	send := m.o.Probe
	return func() tea.Msg {
		defer stop()
		err := send(ctx, unsafe)
		time.Sleep(4 * frameTime) // the screen is a frame or two behind the log, and the last answers are counted too
		return probedMsg{err, before, found}
	}
}

// probed says what came of it.
func (m *Model) probed(msg probedMsg) {
	m.probing = nil
	sent, found := (len(m.book.Timeline.Rows)+m.book.Timeline.Dropped)-msg.before, m.book.Findings.Count.Total()-msg.found
	text := fmt.Sprintf("probed: exchanges +%s, findings +%s", kit.Number(sent), kit.Number(found))
	switch {
	case errors.Is(msg.err, context.Canceled):
		m.say("stopped; "+text, false)
	case msg.err != nil:
		m.say(text+"; then it ended: "+kit.Escape(msg.err.Error()), true)
	case found > 0:
		m.say(text+" — ! lists them", false)
	default:
		m.say(text, false)
	}
}
