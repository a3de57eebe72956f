package app

import (
	"reflect"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/session/wire"
)

// cardMsg is a message of one server's screen, which finds its way back to it wherever it lies.
type cardMsg struct {
	m   *Model
	msg tea.Msg
}

// of marks what a command brings as one screen's. Messages of Bubble Tea are orders to the program and stay as they are.
func of(m *Model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		batch, several := msg.(tea.BatchMsg)
		switch {
		case msg == nil:
			return nil
		case several:
			for i := range batch {
				batch[i] = of(m, batch[i])
			}
			return batch
		case reflect.TypeOf(msg).PkgPath() == teaPath:
			return msg
		}
		return cardMsg{m, msg}
	}
}

const teaPath = "charm.land/bubbletea/v2"

// Update implements tea.Model.
func (d *Deck) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := d.route(msg)
	return d, tea.Batch(cmd, d.compare(), d.begun())
}

func (d *Deck) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case cardMsg:
		return d.deliver(msg.m, msg.msg)
	case tea.WindowSizeMsg:
		d.size = msg
		return d.all(msg)
	case tea.BackgroundColorMsg:
		if d.ground != nil {
			return nil // told again, it may be the background that a theme gave the terminal
		}
		d.ground = &msg
		return d.all(msg)
	case tea.ColorProfileMsg:
		if !d.o.NoColour {
			d.profile = msg.Profile
		}
		return d.all(msg)
	case uv.PrimaryDeviceAttributesEvent:
		return d.all(msg)
	case offersMsg:
		msg.pane.offered(msg.offers)
		return nil
	case wantedMsg:
		d.want(msg.w)
		return nil
	case openedMsg:
		d.opened(msg.o)
		return nil
	case shadowsMsg:
		d.compared(msg)
		return nil
	case closedMsg:
		if msg.name != "" {
			d.front.m.say(msg.name+" is closed", false)
		}
		return nil
	}
	return d.update(d.front.m, msg)
}

// all gives a message to every screen.
func (d *Deck) all(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{d.update(d.front.m, msg)}
	for _, c := range d.cards {
		if c != d.front {
			cmds = append(cmds, d.update(c.m, msg))
		}
	}
	return tea.Batch(cmds...)
}

func (d *Deck) update(m *Model, msg tea.Msg) tea.Cmd {
	_, cmd := m.Update(msg)
	return of(m, cmd)
}

// deliver gives a screen its message, also behind the others; what a person should know of it is said in front.
func (d *Deck) deliver(m *Model, msg tea.Msg) tea.Cmd {
	c := d.cardOf(m)
	switch {
	case c == nil && d.front.m != m:
		return nil // closed meanwhile
	case c == nil || c == d.front:
		return d.update(m, msg)
	}
	before := m.book.Server.Phase
	cmd := d.update(m, msg)
	say := func(text string, bad bool) { d.front.m.say(c.called()+" "+text+" — T switches", bad) }
	switch msg := msg.(type) {
	case pageMsg:
		if c.used > 0 {
			c.news += heard(&msg)
		}
		phase := m.book.Server.Phase
		switch {
		case phase != before && phase == wire.Lost:
			say("is gone", true)
		case phase != before && phase == wire.Failed:
			say("could not be connected", true)
		case c.left > 0 && m.running() == 0 && phase == wire.Ready:
			c.left = 0
			say("is done with what was running", false)
		}
	case questionMsg:
		say("asks something", false)
	}
	return cmd
}

// heard is how many messages of a page came from the server: answers, and what it said by itself.
func heard(p *pageMsg) (n int) {
	for i := range p.page.Entries {
		if f := p.page.Entries[i].Frame; f != nil && f.Dir == wire.Received {
			n++
		}
	}
	return n
}
