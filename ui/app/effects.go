package app

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/kit"
	"mcploupe/ui/question"
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
		if m.deck != nil { // in stories of one server there is none
			i.on(m.deck)
		}
	case leave:
		m.quitting = true
		return tea.Quit
	case kit.Quit:
		n, servers := m.runningAnywhere()
		switch c := m.lessonBeside(); {
		case c != nil:
			m.openQuitLesson(c, n)
			return nil
		case n > 0:
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
