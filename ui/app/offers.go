package app

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// Offer is a server that can be opened. Its texts are plain, as they came; they are escaped where they are shown.
type Offer struct {
	ID    string    // tells it from the others, for as long as it is offered
	Group string    // a word: "recent", "configured", "built in"
	Name  string    // what it is called
	Kind  string    // "stdio", "http", "sse", or ""
	What  string    // the command or the URL, without secrets
	From  string    // whose configuration it stands in, or ""
	At    time.Time // when it was last opened; zero when that is not known
	Off   string    // why it cannot be opened; "" when it can
	// Open makes the server ready; it is not connected yet. It may ask the person for what is missing.
	Open func(ctx context.Context, ask Asker) (Options, error)
	// Forget removes it from what is kept; nil where nothing is.
	Forget func()
}

// Offers are the servers that can be opened, beside the one that the program was started with.
type Offers interface {
	// List is all of them. It may read files, and is called by a command.
	List() []Offer
	// Typed is what a person typed, as a server: a URL, or a command behind --. ok is false when it is none.
	Typed(line string) (o Offer, ok bool)
}

// Wanted is a value that is needed to open a server.
type Wanted struct {
	Title   string   // what it is; plain
	Text    string   // why it is wanted; plain, may be ""
	Default string   // what enter alone gives
	Secret  bool     // it is not shown
	Empty   bool     // it may be left empty
	Choices []string // the only values that there are; none: any
}

// Asker asks the person at the screen for a value. ErrLeft says that he would not.
type Asker func(ctx context.Context, w Wanted) (string, error)

// ErrLeft says that the person left a question instead of answering it.
var ErrLeft = errors.New("it was left")

// offersMsg is the servers that can be opened, for the list that asked for them.
type offersMsg struct {
	pane   *servers
	offers []Offer
}

// loadOffers reads what can be opened.
func (d *Deck) loadOffers(p *servers) tea.Cmd {
	from := d.o.Offers
	if from == nil {
		return nil
	}
	return func() tea.Msg { return offersMsg{p, from.List()} }
}

// errand is servers on their way to the deck: one after the other, since each may ask.
type errand struct {
	wants chan *wanted
	over  chan struct{} // closed when all are there
	stop  context.CancelFunc

	mu    sync.Mutex
	begun bool
	left  bool   // the deck has ended: nobody takes what comes
	made  []made // that nobody has taken yet
}

// wanted is a value that is waited for.
type wanted struct {
	Wanted
	reply chan string // one place; closed: it was left
}

type (
	wantedMsg struct{ w *wanted }
	openedMsg struct{ o *errand }
)

// made is what became of an offer.
type made struct {
	offer Offer
	o     Options
	err   error
}

// open makes servers ready, and puts them on the deck when all are.
func (d *Deck) open(offers []Offer) {
	if d.errand != nil {
		d.front.m.say("others are being opened", true)
		return
	}
	ctx, stop := context.WithCancel(d.ctx)
	o := &errand{wants: make(chan *wanted), over: make(chan struct{}), stop: stop}
	d.errand = o
	d.cmds = append(d.cmds, d.nextWanted(), func() tea.Msg {
		o.run(ctx, offers)
		return openedMsg{o}
	})
}

func (o *errand) run(ctx context.Context, offers []Offer) {
	o.mu.Lock()
	if o.left {
		o.mu.Unlock()
		return
	}
	o.begun = true
	o.mu.Unlock()
	defer close(o.over)
	var all []made
	for _, offer := range offers {
		if ctx.Err() != nil {
			break
		}
		one := made{offer: offer}
		one.o, one.err = offer.Open(ctx, o.ask)
		all = append(all, one)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made = all; o.left {
		o.drop(ctx)
	}
}

// ask is the Asker of an errand: it waits for the person at the screen.
func (o *errand) ask(ctx context.Context, want Wanted) (string, error) {
	w := &wanted{want, make(chan string, 1)}
	select {
	case o.wants <- w:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	select {
	case text, ok := <-w.reply:
		if !ok {
			return "", ErrLeft
		}
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// take hands over what was made, to be put on the deck.
func (o *errand) take() []made {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.made
	o.made = nil
	return all
}

// end leaves what is being made, and ends what was: the deck has ended, and the message that it is there may never be read.
func (o *errand) end(ctx context.Context) {
	o.stop()
	o.mu.Lock()
	o.left = true
	begun := o.begun
	o.drop(ctx)
	o.mu.Unlock()
	if !begun {
		close(o.over) // it never begins
		return
	}
	patience := time.NewTimer(closeTime)
	defer patience.Stop()
	select {
	case <-o.over:
	case <-patience.C: // it ends what it makes by itself
	}
}

// drop ends what nobody took.
func (o *errand) drop(ctx context.Context) {
	for i := range o.made {
		if o.made[i].err == nil {
			o.made[i].o.end(ctx)
		}
	}
	o.made = nil
}

// nextWanted waits for the next value that is wanted.
func (d *Deck) nextWanted() tea.Cmd {
	o := d.errand
	if o == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case w := <-o.wants:
			return wantedMsg{w}
		case <-o.over:
			return nil
		}
	}
}

// want asks the person.
func (d *Deck) want(w *wanted) {
	m := d.front.m
	p := newWantedPane(m.env, w)
	m.open("wanted", p, func(w, h int) (int, int) {
		w = min(w-4, 76)
		return w, min(p.lines(w-4)+2, h-2)
	})
}

// answered hands a value over; ok is false when the question was left.
func (d *Deck) answered(w *wanted, text string, ok bool) {
	if ok {
		w.reply <- text
	} else {
		close(w.reply)
	}
	d.front.m.closeOverlay("wanted")
	d.cmds = append(d.cmds, d.nextWanted())
}

// opened puts what was made ready on the deck; the first of it comes to the front.
func (d *Deck) opened(from *errand) {
	all := from.take()
	from.stop()
	if d.errand == from {
		d.errand = nil
	}
	var first *card
	var not []made
	for _, one := range all {
		switch {
		case errors.Is(one.err, ErrLeft):
			continue
		case one.err != nil:
			not = append(not, one)
			continue
		}
		c, err := d.add(d.furnished(one.o))
		if err != nil {
			ctx := d.ctx
			d.ending.Go(func() { one.o.end(ctx) })
			one.err = err
			not = append(not, one)
			continue
		}
		c.m.behind = true
		d.cmds = append(d.cmds, of(c.m, c.m.Init()))
		if first == nil {
			first = c
		}
	}
	d.raise(first)
	d.oneLesson(first)
	if len(not) > 0 && d.ctx.Err() == nil {
		d.failed(not)
	}
}

// furnished is the options of a further server, with what holds for the whole deck.
func (d *Deck) furnished(o Options) Options {
	o.NoColour, o.ASCII, o.ConfigDir, o.Now, o.Inputs = d.o.NoColour, d.o.ASCII, d.o.ConfigDir, d.o.Now, d.o.Inputs
	o.Offers, o.Start = d.o.Offers, nil
	if o.Learning == nil {
		o.Learning = d.o.Learning.others()
	}
	if o.Log == nil && o.Session != nil {
		o.Log = o.Session.Log()
	}
	return o
}

// failed says why servers could not be opened: each of them.
func (d *Deck) failed(all []made) {
	m := d.front.m
	s := m.env.Styles
	head := func(name string) string { return s.Must.Render(kit.SignMust + " " + name + " cannot be opened") }
	t := &text{title: head(kit.Number(len(all)) + " servers")}
	if len(all) == 1 {
		t.title = head(kit.Escape(all[0].offer.Name))
	}
	t.lines = func(w int) []string {
		out := []string{""}
		for i := range all {
			if len(all) > 1 {
				out = append(out, kit.Cut(head(kit.Escape(all[i].offer.Name)), w))
			}
			for _, l := range kit.Wrap(kit.Escape(all[i].err.Error()), w) {
				out = append(out, s.Text.Render(l))
			}
			out = append(out, "")
		}
		return out
	}
	m.open("failed", t, t.fitted(76))
}
