package app

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/kit"
	"mcploupe/ui/question"
	"mcploupe/ui/server"
)

// Session is what the screen needs of a session.Session. Its methods block; they are called from commands only.
type Session interface {
	Log() *wire.Log
	Info() session.Info
	Connect(ctx context.Context) error
	Restart(ctx context.Context) error
	Forget()
	Close(ctx context.Context) error
	List(ctx context.Context, kind session.ListKind, o session.ListOptions) (*session.Listing, error)
	CallTool(ctx context.Context, name string, args []byte, o session.CallOptions) (session.Answer, error)
	Prompt(ctx context.Context, name string, args []byte, o session.CallOptions) (session.Answer, error)
	Read(ctx context.Context, uri string, o session.CallOptions) (session.Answer, error)
	Do(ctx context.Context, r session.Request) (session.Answer, error)
	Complete(ctx context.Context, q session.Completion, o session.CallOptions) (session.Answer, error)
	LogFrom(ctx context.Context, level string) (session.Answer, error)
	Finish(ctx context.Context, a session.Answer, o session.CallOptions) (session.Answer, error)
	Reopen(ctx context.Context, seq wire.Seq) (session.Answer, error)
	Roots() []session.Root
	SetRoots(ctx context.Context, roots []session.Root) (told string, err error)
	Meta(method string) []byte
	Cancel(seq wire.Seq, reason string) bool
	taskSession
	Listen(ctx context.Context, f session.Filter, why string) (*session.Subscription, error)
	Hold(ctx context.Context, f session.Filter, o session.HoldOptions) (*session.Subscription, error)
	Subscribe(ctx context.Context, uri string) (session.Answer, error)
	Unsubscribe(ctx context.Context, uri string) (session.Answer, error)
}

// connectedMsg is how an attempt to connect ended.
type connectedMsg struct {
	err   error
	epoch int
}

// doneMsg is how something asked of the session ended. What came is in the log already.
type doneMsg struct {
	text string // to say, "" for nothing
	bad  bool
}

// act turns an intent into what it means: something changes on the screen, or a command is started.
func (m *Model) act(i kit.Intent) tea.Cmd {
	switch i := i.(type) {
	case nil:
		return nil
	case kit.Several:
		var cmds []tea.Cmd
		for _, one := range i {
			cmds = append(cmds, m.act(one))
		}
		return tea.Batch(cmds...)
	case command:
		return m.act(i.do())
	case deckIntent:
		i.on(m.deck)
	case leave:
		m.quitting = true
		return tea.Quit
	case kit.Quit:
		if n, servers := m.runningAnywhere(); n > 0 {
			m.openQuit(n, servers)
			return nil
		}
		return m.act(leave{})
	case kit.Suspend:
		return tea.Suspend
	case kit.Say:
		m.say(i.Text, i.Bad)
	case kit.Copy:
		return m.copy(i)
	case saveCall:
		return m.saveCall(i.name)
	case openCalls:
		m.openCalls()
	case kit.EditOutside:
		return m.editOutside(i)
	case kit.Spotlight:
		m.env.Spotlight = !m.env.Spotlight
	case present:
		m.present(!m.env.Present)
	case shoot:
		return m.screenshot()
	case kit.HandOut:
		return m.handOut(i.Ref)
	case kit.ShowPicture:
		return m.showPicture(i)
	case kit.Write:
		return writeFile(i)
	case kit.Theme:
		m.takeTheme(i)
	default:
		if cmd, ok := m.aboutLessons(i); ok {
			return cmd
		}
		if cmd, ok := m.move(i); ok {
			return cmd
		}
		return m.ask(i)
	}
	return nil
}

// move is the intents that move the focus or open something.
func (m *Model) move(i kit.Intent) (tea.Cmd, bool) {
	switch i := i.(type) {
	case kit.Selected:
		m.pinned = wire.Ref{}
	case kit.Enter:
		m.setFocus(atMain)
	case kit.Back:
		if len(m.overs) > 0 {
			m.shut()
		} else {
			m.setFocus(m.before)
		}
	case kit.Show:
		m.show(i)
	case kit.Edit:
		m.edit(i.Ref)
	case kit.Compare:
		m.openCompare(i)
	case kit.OpenCopy:
		m.openCopy(i)
	case catalogue.SendNow, kit.Submit:
		m.sync()
		return m.act(m.call.Send(false)), true
	case kit.Confirm:
		m.openConfirm(i)
	case kit.OpenFindings:
		if m.game.on() {
			m.openGame()
			break
		}
		m.openFindings()
	case kit.OpenSlow:
		m.openSlow(i.Ref)
	case kit.OpenEra:
		m.openEra()
	case kit.OpenLevels:
		m.openLevels()
	case kit.OpenSubscriptions:
		m.openSubscriptions()
	case kit.OpenFilter:
		m.openFilter()
	case kit.OpenLog:
		m.openLog()
	case kit.OpenHelp:
		m.openHelp()
	case kit.OpenPalette:
		m.openPalette("")
	case kit.FollowTask:
		m.openPalette("task ")
	case kit.OpenThemes:
		m.openThemes()
	case kit.Explain:
		m.openRule(i)
	case kit.ExplainField:
		m.openField(i)
	case openExplain:
		m.openPalette(explainWord)
	case kit.Mute:
		m.mute(i)
	case kit.Evidence:
		m.openEvidence(i.Ref)
	case question.Decided:
		m.decided(i)
	case openRoots:
		m.openRoots()
	case keepRoots:
		return m.keepRoots(i), true
	case question.Aside:
		m.putAside(i.Pane)
	case question.OpenAddress:
		return m.openAddress(i), true
	case kit.Answer:
		return m.answer(i.Ref), true
	default:
		return m.aboutFaults(i)
	}
	return nil, true
}

// show brings an exchange onto the screen, and a place in it.
func (m *Model) show(i kit.Show) {
	row := m.book.Timeline.Row(i.Row)
	if row == nil {
		row = m.book.Timeline.Holding(i.Frame)
	}
	if row == nil {
		m.say("that exchange is not kept any more", true)
		return
	}
	if p := m.panelOf(m.driver); p != nil && i.Frame == 0 {
		// It was chosen beside the call of an item: that stays.
		m.pinned = row.Ref
		m.pinnedN = wire.Ref{}
		if n := catalogue.Newest(m.book, p.Item()); n != nil {
			m.pinnedN = n.Ref
		}
		m.setFocus(atResult)
		return
	}
	m.setFocus(atExchanges)
	m.timeline.SelectRow(row.Ref)
	m.sync()
	m.exchange.Goto(i)
	m.setFocus(atMain)
}

// edit puts the arguments of an earlier request into the call of the same item.
func (m *Model) edit(ref wire.Ref) {
	row := m.book.Timeline.Row(ref)
	if row == nil {
		return
	}
	at, kind := atTools, book.Tools
	if row.X.Method() == "prompts/get" {
		at, kind = atPrompts, book.Prompts
	}
	if !m.panelOf(at).SelectItem(kind, row.Of) {
		m.say(row.Name+" is not in the list, so there is nothing to edit it with", true)
		return
	}
	m.setFocus(at)
	m.sync()
	m.call.Edit(row)
	m.setFocus(atMain)
}

// ask is the intents that ask something of the session.
func (m *Model) ask(i kit.Intent) tea.Cmd {
	s, ctx := m.o.Session, m.ctx
	if s == nil {
		m.say("this is a recorded journal: nothing can be sent", true)
		return nil
	}
	switch i := i.(type) {
	case kit.Restart:
		connect := m.connect(true)
		if !i.Forget {
			return connect
		}
		return func() tea.Msg { s.Forget(); return connect() }
	case kit.Cancel:
		return func() tea.Msg {
			if !s.Cancel(i.Seq, "cancelled by hand") {
				return doneMsg{"it had ended already", false}
			}
			return nil
		}
	case kit.Subscribe:
		return m.subscribe(i)
	case kit.Unsubscribe:
		return m.unsubscribe(i.Seq)
	case kit.Watch:
		return m.watch(i)
	case kit.Refresh:
		return func() tea.Msg {
			l, err := s.List(ctx, listKind(i.Kind), session.ListOptions{Fresh: i.Past})
			return listDone(ctx, i.Kind, l, err)
		}
	case kit.Use:
		if i.From != 0 {
			m.call.Sent()
		}
		if m.arrange(); m.focus < panels && m.lay.at[m.focus].h > 0 && m.lay.at[atMain].h == 0 {
			m.setFocus(atMain) // on a screen of one column the answer would come unseen
		}
		return func() tea.Msg { return use(ctx, s, i) }
	case kit.FollowLink:
		return m.followLink(i)
	case kit.Reread:
		return func() tea.Msg {
			a, err := s.Read(ctx, i.URI, session.CallOptions{Fresh: true})
			if err == nil {
				_, err = s.Finish(ctx, a, session.CallOptions{})
			}
			return failed(ctx, err)
		}
	case kit.SendAgain:
		return m.sendAgain(i.Ref)
	case kit.Complete:
		return m.complete(i)
	case kit.AskLevel:
		return m.askLevel(i.Level)
	case kit.Probe:
		return m.probe(i.Unsafe)
	case kit.StopProbing:
		if m.probing != nil {
			m.probing()
		}
	}
	cmd, _ := m.aboutTasks(i)
	return cmd
}

// use sends the request that belongs to an item.
func use(ctx context.Context, s Session, i kit.Use) tea.Msg {
	var a session.Answer
	var err error
	o := options(i.Meta)
	if i.From != 0 && i.Meta == nil { // with another _meta it is odd on purpose, and judged as such
		o.Why = wire.Edited(i.From)
	}
	switch i.Kind {
	case book.Tools:
		if i.Task {
			o.Tasks = &i.Task
		}
		a, err = s.CallTool(ctx, i.ID, i.Args, o)
	case book.Prompts:
		a, err = s.Prompt(ctx, i.ID, i.Args, o)
	default:
		a, err = s.Read(ctx, i.ID, o)
	}
	if err == nil {
		a, err = s.Finish(ctx, a, o) // what it asks back comes to the desk
	}
	if made := madeTask(a, i.ID); err == nil && made != nil {
		return made
	}
	if err == nil && a.Cached {
		return doneMsg{"served from cache, " + kit.Ago(a.Age) + " old — R asks the server", false}
	}
	return failed(ctx, err)
}

// options are those of a request whose _meta a person may have changed.
func options(m *kit.Meta) session.CallOptions {
	if m == nil {
		return session.CallOptions{}
	}
	omit, set := session.SplitMeta(jsondoc.Parse(m.Ours).Root(), jsondoc.Parse(m.Written).Root())
	return session.CallOptions{OmitMeta: omit, SetMeta: set}
}

// sendAgain sends the params of an earlier request once more, under the metadata of now.
func (m *Model) sendAgain(ref wire.Ref) tea.Cmd {
	row := m.book.Timeline.Row(ref)
	if row == nil || row.X.Request == nil || row.X.Request.Method == "" {
		m.say("there is no request to send again", true)
		return nil
	}
	s, ctx := m.o.Session, m.ctx
	method := row.X.Request.Method
	if method == "tools/call" {
		// Its headers are made from the tool's schema: the session knows how.
		return func() tea.Msg {
			return use(ctx, s, kit.Use{Kind: book.Tools, ID: row.Of, Args: catalogue.SentArgs(row)})
		}
	}
	params := catalogue.SentParams(row)
	return func() tea.Msg {
		a, err := s.Do(ctx, session.Request{Method: method, Params: params})
		if err == nil {
			_, err = s.Finish(ctx, a, session.CallOptions{})
		}
		return failed(ctx, err)
	}
}

// connect opens the connection, or opens it anew, and lists what the server declares.
func (m *Model) connect(again bool) tea.Cmd {
	m.epoch++
	s, ctx, epoch := m.o.Session, m.ctx, m.epoch
	m.page.SetFailure(nil)
	if again {
		m.said = said{}
	}
	return func() tea.Msg {
		do := s.Connect
		if again {
			do = s.Restart
		}
		return connectedMsg{do(ctx), epoch}
	}
}

func (m *Model) connected(msg connectedMsg) tea.Cmd {
	if msg.epoch != m.epoch {
		return nil
	}
	if msg.err != nil {
		f := &server.Failure{Text: msg.err.Error()}
		if e, ok := errors.AsType[*session.ConnectError](msg.err); ok {
			f.Text, f.Hint, f.Exit, f.Stderr = e.Text, e.Hint, e.Exit, e.Stderr
		}
		m.page.SetFailure(f)
		return nil
	}
	return m.repeatCall()
}

// relist asks for what the server declares once a connection stands, whoever made it: a person, or the session by itself.
func (m *Model) relist() tea.Cmd {
	sv := &m.book.Server
	if m.o.Session == nil || sv.Phase != wire.Ready || m.listed == sv.Beginnings() {
		return nil
	}
	m.listed = sv.Beginnings()
	m.page.SetFailure(nil)
	s, ctx := m.o.Session, m.ctx
	return tea.Batch(m.resubscribe(), func() tea.Msg {
		// One after the other: a stdio server works them off in turn anyway, and the tools come first.
		for _, k := range book.Kinds() {
			if !s.Info().Has(listKind(k).Capability()) {
				continue
			}
			if _, err := s.List(ctx, listKind(k), session.ListOptions{}); ctx.Err() != nil || errors.As(err, new(*session.NotConnected)) {
				return nil
			}
		}
		return nil
	})
}

// done says how something ended, where that is not on the screen by itself.
func (m *Model) done(msg doneMsg) tea.Cmd {
	if msg.text != "" {
		m.say(msg.text, msg.bad)
	}
	return nil
}

// failed is what to say of an error. A request that ended without an answer is an exchange on the screen;
// one that could not even be sent is not.
func failed(ctx context.Context, err error) tea.Msg {
	if err == nil || ctx.Err() != nil || errors.As(err, new(*session.NoReply)) {
		return nil
	}
	text := err.Error()
	if errors.As(err, new(*session.NotConnected)) {
		text += " — ctrl+r connects"
	}
	return doneMsg{kit.Escape(text), true}
}

func listDone(ctx context.Context, k book.Kind, l *session.Listing, err error) tea.Msg {
	if err != nil {
		return failed(ctx, err)
	}
	cached, oldest := l != nil && len(l.Pages) > 0, time.Duration(0)
	for i := range l.Pages {
		cached = cached && l.Pages[i].Answer.Cached
		oldest = max(oldest, l.Pages[i].Answer.Age)
	}
	if cached {
		return doneMsg{"the list of " + k.Noun() + "s is still fresh, " + kit.Ago(oldest) + " old — R asks the server", false}
	}
	return nil
}

func listKind(k book.Kind) session.ListKind {
	return [...]session.ListKind{session.Tools, session.Resources, session.Templates, session.Prompts}[k]
}
