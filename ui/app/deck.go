package app

import (
	"context"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"mcploupe/ui/kit"
)

// Deck is the screen of one or several servers: one lies in front and hears keys, the others go on behind it. Each is a Model of
// its own, with its own session, journal, feed and book, so that nothing of one reaches another. With no server on it, it shows
// the page on which one is chosen. A Deck belongs to one goroutine, that of the program; Close may be called after it.
type Deck struct {
	ctx   context.Context
	o     Options
	cards []*card // in the order in which they were opened
	front *card   // always one: a server, or the page on which one is chosen
	size  tea.WindowSizeMsg
	uses  int

	profile colorprofile.Profile
	ground  *tea.BackgroundColorMsg // what the terminal said of its background; nil before

	shadowing shadowing

	cmds   []tea.Cmd      // begun while a message was dealt with
	errand *errand        // servers that are being opened; nil mostly
	ending sync.WaitGroup // servers that were taken off it and have not ended yet
}

// card is a server on the deck.
type card struct {
	m      *Model
	cancel context.CancelFunc
	name   string // what the person calls it, "" for what it calls itself; escaped
	used   int    // the higher, the later it was in front
	news   int    // what came since it was in front; nothing counts before it was there once
	left   int    // requests that were running when it was left
}

// NewDeck is a deck with the server or journal of o on it, or with the page on which one is chosen.
func NewDeck(ctx context.Context, o Options) (*Deck, error) {
	d := &Deck{ctx: ctx, o: o, profile: colorprofile.TrueColor}
	if o.NoColour {
		d.profile = colorprofile.ASCII
	}
	if o.Session == nil && o.Log == nil {
		home, err := d.newHome()
		if err != nil {
			return nil, err
		}
		d.front = home
		return d, nil
	}
	c, err := d.add(o)
	if err != nil {
		return nil, err
	}
	d.front, d.uses, c.used = c, 1, 1
	return d, nil
}

// add puts a server on the deck, behind the others.
func (d *Deck) add(o Options) (*card, error) {
	c, err := d.newCard(o)
	if err != nil {
		return nil, err
	}
	d.cards = append(d.cards, c)
	if o.Note != "" {
		c.m.note(kit.Escape(o.Note))
	}
	return c, nil
}

func (d *Deck) newCard(o Options) (*card, error) {
	ctx, cancel := context.WithCancel(d.ctx)
	m, err := New(ctx, o)
	if err != nil {
		cancel()
		return nil, err
	}
	m.deck = d
	c := &card{m: m, cancel: cancel, name: kit.Escape(o.Name)}
	if d.size.Width > 0 {
		m.route(d.size)
	}
	d.dress(m)
	return c, nil
}

// dress gives a screen the colours of the others.
func (d *Deck) dress(m *Model) {
	m.profile = d.profile
	if d.ground != nil {
		m.dark, m.darkKnown = d.ground.IsDark(), true
	}
	if d.front != nil {
		m.theme = d.front.m.theme
		m.env.Present = d.front.m.env.Present
	}
	_ = m.restyle() // the theme was loaded before
}

// Init implements tea.Model.
func (d *Deck) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, of(d.front.m, d.front.m.Init())}
	if d.front.m.home != nil {
		cmds = append(cmds, d.loadOffers(d.front.m.home))
	}
	if len(d.o.Start) > 0 {
		d.open(d.o.Start)
	}
	return tea.Batch(append(cmds, d.begun())...)
}

// begun is what was begun while a message was dealt with.
func (d *Deck) begun() tea.Cmd {
	cmds := d.cmds
	d.cmds = nil
	return tea.Batch(cmds...)
}

func (d *Deck) cardOf(m *Model) *card {
	if i := slices.IndexFunc(d.cards, func(c *card) bool { return c.m == m }); i >= 0 {
		return d.cards[i]
	}
	return nil
}

// called is what a server is called on the deck: by its person, else by itself. Escaped.
func (c *card) called() string {
	if c.name != "" {
		return c.name
	}
	if name := c.m.book.Server.Name(); name != "" {
		return name
	}
	switch {
	case c.m.o.Session == nil:
		return kit.Escape(c.m.o.Title)
	case c.m.book.Server.Target != "":
		return c.m.book.Server.Target
	}
	return "a server"
}

// raise brings a server to the front. Where it was left, there it is.
func (d *Deck) raise(c *card) {
	if c == nil || c == d.front {
		return
	}
	d.dress(c.m)
	if old := d.front; d.cardOf(old.m) != nil {
		old.m.behind, old.left = true, old.m.running()
	}
	c.m.behind = false
	d.uses++
	d.front, c.used, c.news = c, d.uses, 0
	d.cmds = append(d.cmds, of(c.m, c.m.beat()))
}

// step brings the next server to the front, or the one before.
func (d *Deck) step(by int) {
	n := len(d.cards)
	if i := slices.Index(d.cards, d.front); i >= 0 && n > 1 {
		d.raise(d.cards[((i+by)%n+n)%n])
	}
}

// latest is the server that was in front before this one; nil when there is no other.
func (d *Deck) latest() *card {
	var best *card
	for _, c := range d.cards {
		if c != d.front && (best == nil || c.used > best.used) {
			best = c
		}
	}
	return best
}

// running is the number of requests that would be cut off by leaving, and of servers that work on them.
func (d *Deck) running() (requests, servers int) {
	for _, c := range d.cards {
		if n := c.m.running(); n > 0 {
			requests, servers = requests+n, servers+1
		}
	}
	return requests, servers
}

// closedMsg tells that a server was closed; name is "" where that goes without saying.
type closedMsg struct{ name string }

// drop takes a server off the deck and ends it, in the background; name is what is said to be closed.
func (d *Deck) drop(c *card, name string) {
	i := slices.Index(d.cards, c)
	if i < 0 {
		return
	}
	for _, o := range c.m.overs {
		if p, ok := o.pane.(*wantedPane); ok { // it goes with the screen that it stands on: nobody could answer any more
			close(p.w.reply)
			d.cmds = append(d.cmds, d.nextWanted())
		}
	}
	d.cards = slices.Delete(slices.Clone(d.cards), i, i+1)
	if c == d.front {
		next := d.latest()
		if next == nil {
			home, err := d.newHome()
			if err != nil { // it can not: the theme was loaded before
				d.cmds = append(d.cmds, tea.Quit)
				return
			}
			next = home
			d.cmds = append(d.cmds, d.loadOffers(home.m.home))
		}
		d.raise(next)
	}
	ctx, ended := d.ctx, make(chan struct{})
	d.ending.Go(func() {
		c.end(ctx)
		close(ended)
	})
	d.cmds = append(d.cmds, func() tea.Msg {
		<-ended
		return closedMsg{name}
	})
}

// end closes the session and the log, and lets go of what waits for them.
func (c *card) end(ctx context.Context) {
	c.m.o.end(ctx)
	c.cancel()
}

// end ends what the options hold: the session with its child, the log, and what Closed ends.
func (o *Options) end(ctx context.Context) {
	if s := o.Session; s != nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer stop()
		_ = s.Close(ctx) // what did not end in time was killed, and there is nothing to be done about it
		s.Log().Close()
	}
	if o.Closed != nil {
		o.Closed()
	}
}

// Close ends all servers, at once, and waits for those that were being closed already, or opened: no process is left behind.
func (d *Deck) Close() {
	var all sync.WaitGroup
	if o := d.errand; o != nil {
		all.Go(func() { o.end(d.ctx) })
	}
	for _, c := range d.cards {
		all.Go(func() { c.end(d.ctx) })
	}
	all.Wait()
	d.ending.Wait()
}

// View implements tea.Model.
func (d *Deck) View() tea.View { return d.front.m.View() }
