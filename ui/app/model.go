package app

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/exchange"
	"mcploupe/ui/feed"
	"mcploupe/ui/findings"
	"mcploupe/ui/graphics"
	"mcploupe/ui/kit"
	"mcploupe/ui/learn"
	"mcploupe/ui/server"
	"mcploupe/ui/timeline"
)

// Model is the root: it holds the panes, knows which one has the focus, and routes.
type Model struct {
	ctx  context.Context
	o    Options
	feed *feed.Feed
	book *book.Book
	env  *kit.Env

	deck   *Deck    // that it lies on; nil in stories of one server
	home   *servers // it is no server's: the page on which one is chosen
	behind bool     // another server is in front: nothing of it is seen

	serverPanel *server.Panel
	tools       *catalogue.Panel
	resources   *catalogue.Panel
	prompts     *catalogue.Panel
	timeline    *timeline.Panel
	page        *server.Page
	call        *catalogue.Call
	exchange    *exchange.Pane
	found       *findings.Pane // nil until it is opened

	w, h    int
	focus   place
	driver  place // the panel whose selection the right side shows
	before  place // where the focus was before it went to the right side
	left    int   // chosen by dragging
	split   int
	middle  int
	drag    drag
	clicked click
	cursor  *tea.Cursor // where text is typed, as it was drawn; nil for nowhere
	labels  *labels     // shown over everything until a key; nil mostly
	head    []spot      // what can be pressed in the first line and in the last one, as they were drawn
	foot    []spot
	lay     layout
	overs   []overlay
	asks    []*asking // questions of the server, the first one on the screen
	aside   []*asking // questions to be answered later
	deft    bool      // the next question was asked for by a key
	tasks   tasksUnderWay
	said    said
	beats   beats
	pinned  wire.Ref // an exchange shown instead of the newest one of what is selected
	pinnedN wire.Ref // the newest one at that time

	theme     string // by name, as chosen; "" follows the terminal
	profile   colorprofile.Profile
	protocol  graphics.Protocol // by which pictures are shown on a screen of their own
	picturing *picturing        // such a picture that is being made
	dark      bool              // the terminal's background
	darkKnown bool

	asking  context.CancelFunc // of the newest question for suggestions
	repeat  wire.Ref           // the call to make again once the server is back, after its files changed
	probing context.CancelFunc // of the probes under way, nil when there are none
	subs    subscribing

	nextAside tea.Cmd     // waits for what was worked out beside the screen
	lesson    *learn.Pane // that stands beside; nil for none
	settled   bool        // what is asked for by itself was asked for once: what comes now is somebody's doing

	ready    bool   // it was ready once
	told     string // the name that Met was told
	quitting bool
	link     linked
	pressed  pressed
	game     game
	last     time.Time // of the newest entry
	listed   int       // the connection whose lists were asked for, by book.Server.Beginnings
	kept     wire.Seq  // arguments up to here are in the history
	epoch    int       // of the connection: answers of older ones are not waited for any more
}

// said is the line in the footer.
type said struct {
	text  string
	bad   bool
	note  bool // about how it was opened: the connection does not end it
	until time.Time
}

func (m *Model) build() error {
	m.book = book.New()
	m.env = &kit.Env{Now: m.o.Now, Present: m.o.Present, LogLevel: m.o.LogLevel, Still: m.o.Still}
	if m.env.Still {
		m.env.Frame = kit.StillFrame
	}
	if m.o.Session == nil {
		m.env.Now = func() time.Time {
			if m.last.IsZero() {
				return m.o.Now()
			}
			return m.last
		}
	}
	m.theme = m.o.Theme
	if err := m.restyle(); err != nil {
		return err
	}
	m.page = server.NewPage(m.env, m.book)
	m.page.Here = m.here()
	m.page.Others = func() bool { alone, _ := m.alone(); return alone == "" }
	m.serverPanel = server.NewPanel(m.env, m.book, m.page)
	m.tools = catalogue.NewPanel(m.env, m.book, 2, "Tools", book.Tools)
	m.resources = catalogue.NewPanel(m.env, m.book, 3, "Resources", book.Resources, book.Templates)
	m.prompts = catalogue.NewPanel(m.env, m.book, 4, "Prompts", book.Prompts)
	m.timeline = timeline.New(m.env, m.book)
	m.call = catalogue.NewCall(m.env, m.book, *m.o.Inputs)
	if m.o.Session != nil {
		m.call.Meta = m.o.Session.Meta
	}
	m.call.Kept = m.keptArgs
	m.exchange = exchange.New(m.env, m.book)
	m.exchange.Rounds = m.o.Rounds
	m.tasks = newTasksUnderWay(m.o.Tasks)
	m.focus, m.driver, m.before = atTools, atTools, atTools
	if m.o.Session == nil {
		m.focus, m.driver, m.before = atExchanges, atExchanges, atExchanges
	}
	m.w, m.h = 80, 24
	m.learnFrom()
	return nil
}

// restyle makes the styles of the chosen theme for the terminal as it is known.
func (m *Model) restyle() error {
	name := m.theme
	if name == "" {
		name = themes.Pick(m.dark, false)
	}
	t, err := themes.Load(name, m.o.ConfigDir)
	if err != nil {
		return err
	}
	m.env.Styles = t.Styles(m.profile)
	m.env.Pictures = m.pictures()
	return nil
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.pull(), m.workAside(), m.askGraphics()}
	if m.o.Session != nil {
		cmds = append(cmds, m.connect(false), m.nextQuestion(), m.nextStep(), m.nextChange())
	}
	return tea.Batch(cmds...)
}

// pageMsg is a page of the feed, or its end.
type pageMsg struct {
	page feed.Page
	err  error
}

// pull waits for the next page of the feed: one message for many frames. It takes values, not the model.
func (m *Model) pull() tea.Cmd {
	f, ctx := m.feed, m.ctx
	f.Pace = frameTime
	if m.behind {
		f.Pace = behindTime
	}
	return func() tea.Msg {
		page, err := f.Next(ctx)
		return pageMsg{page, err}
	}
}

// Update implements tea.Model: it routes, and asks for the next beat.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.suggest(), m.beat())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pageMsg:
		if msg.err != nil {
			return nil // the log was closed, or we are ending
		}
		m.take(&msg.page)
		return tea.Batch(m.keepArgs(m.sentArgs(&msg.page)), m.relist(), m.pull(), m.reread(), m.tellName())
	case beatMsg:
		m.beats.came(msg)
		m.beaten()
		return nil
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return nil
	case tea.KeyPressMsg:
		m.movedOn()
		return m.key(msg)
	case tea.PasteMsg:
		m.movedOn()
		if n := len(m.overs); n > 0 && m.overs[n-1].deaf(m.env.Now()) {
			return nil
		}
		p := m.listener()
		if p.Typing() {
			intent, _ := p.Text(msg)
			return m.act(intent)
		}
		if taker, ok := p.(kit.Paster); ok {
			return m.act(taker.Paste(msg.Content))
		}
		return nil
	case tea.MouseMsg:
		if _, moved := msg.(tea.MouseMotionMsg); !moved {
			m.movedOn()
		}
		return m.mouse(msg)
	case tea.BackgroundColorMsg:
		m.dark, m.darkKnown = msg.IsDark(), true
		_ = m.restyle() // the theme was loaded before
		return nil
	case tea.ColorProfileMsg:
		if !m.o.NoColour {
			m.profile = msg.Profile
			_ = m.restyle()
		}
		return nil
	case connectedMsg:
		return m.connected(msg)
	case listedMsg:
		m.begin()
		return nil
	case doneMsg:
		return m.done(msg)
	case probedMsg:
		m.probed(msg)
	case changedMsg:
		return m.fileChanged(msg)
	case suggestedMsg:
		m.call.Completed(msg.number, msg.result, msg.problem, msg.failed)
	case heldMsg:
		delete(m.subs.held, msg.key)
		if d, ok := msg.done.(doneMsg); ok {
			return m.done(d)
		}
	case rereadMsg:
		m.subs.due = false
		return m.reread()
	case asideMsg:
		msg.then()
		return m.nextAside
	case outsideMsg:
		m.edited(msg)
	case uv.PrimaryDeviceAttributesEvent:
		m.answered(msg)
	case pictureMsg:
		return m.drawPicture(msg)
	case shownMsg:
		return m.pictureShown(msg)
	case questionMsg:
		return m.questioned(msg.a)
	case withdrawnMsg:
		m.withdrawn(msg.a)
	case taskBegunMsg:
		return m.begun(msg)
	case taskStepMsg:
		m.taskStep(msg.st)
		return m.nextStep()
	case taskLeftMsg:
		m.taskLeft(msg)
	}
	return nil
}

// loginPatience is how long the address of a login stands in the last line; a login takes no longer.
const loginPatience = 5 * time.Minute

// take brings the book up to date, and what follows from it: the connection came or went, the newest
// exchange of what is selected is another one.
func (m *Model) take(p *feed.Page) {
	was, before := m.book.Server.Phase, m.book.Server.Text
	m.game.hide(p)
	m.book.Take(p)
	m.met()
	if n := len(p.Entries); n > 0 {
		m.last = p.Entries[n-1].At
	}
	m.book.Timeline.LetGo(p.Cut, m.o.Log.Get)
	m.completed(p)
	m.subscriptionsEnded()
	m.linkRead()
	m.lookLesson(false)
	m.soughtCame(p)
	m.forget()
	now := m.book.Server.Phase
	if now == wire.Ready {
		m.ready = true
	}
	if now == wire.Lost && m.book.Server.Text != before {
		m.say("the server is gone"+m.wayBack()+": "+m.book.Server.Text, true)
	}
	if now == was {
		if text := m.book.Server.Text; now == wire.Ready && text != before {
			m.say(text, false) // a login in the midst of it: what to open, and what came of it
			if strings.HasPrefix(text, "authorization: ") {
				m.said.until = m.o.Now().Add(loginPatience)
			}
		}
		return
	}
	switch now {
	case wire.Failed:
		if m.arrange(); !m.lay.wide && m.book.Server.Try == 0 {
			m.setFocus(atMain)
		}
	case wire.Ready:
		if !m.said.note {
			m.said = said{}
		}
		if m.focus == atMain && m.driver != atServer && m.call.Empty() {
			m.setFocus(m.before)
		}
	}
}

// say puts a line into the footer for a while.
func (m *Model) say(text string, bad bool) {
	m.said = said{text: text, bad: bad, until: m.o.Now().Add(6 * time.Second)}
}
