package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
	"mcploupe/ui/learn"
	"mcploupe/ui/lesson"
	"mcploupe/ui/query"
)

// Learning is how lessons reach the screen. The zero Learning, and a nil one, has none.
type Learning struct {
	// Lesson is the one that stands beside, of this Key, at Number in the list (0: a file of somebody's own); nil for none. Done are
	// the titles of the pages that were done before.
	Lesson *lesson.Lesson
	Key    string
	Number int
	Done   []string
	// Next is what the lesson after it is called, "" for none.
	Next string
	// Keep keeps how far somebody is: titles of pages that are done.
	Keep func(done []string)
	// List is all lessons with how far somebody is, and the key of the one to go on with.
	List func() (entries []learn.Entry, at string)
	// Open is a lesson to be opened, with a server of its own and a Learning that has it beside.
	Open func(key string) Offer
	// Listed opens the list at once.
	Listed bool
}

// others is what another server's screen needs beside one with a lesson: the list, and no lesson.
func (l *Learning) others() *Learning {
	if l == nil {
		return nil
	}
	return &Learning{List: l.List, Open: l.Open}
}

// openLessons opens the list of lessons; turnLesson goes a page on or back.
type (
	openLessons struct{}
	turnLesson  struct{ by int }
)

// learnFrom begins with what Options.Learning says.
func (m *Model) learnFrom() {
	l := m.o.Learning
	if l == nil {
		return
	}
	if l.Lesson != nil {
		m.lesson = learn.New(m.env, lesson.Begin(l.Lesson, l.Done, m.o.Log.Last()), l.Number)
		m.lesson.Next = l.Next
	}
	if l.Listed {
		m.openLessons()
	}
}

// room is what the lesson leaves of the screen.
func (m *Model) room() (w, h int) {
	h = m.h
	if m.presses() {
		h--
	}
	if m.lesson == nil {
		return m.w, h
	}
	side, below := m.lesson.Space(m.w, m.h)
	return m.w - side, h - below
}

// withLesson puts the lesson beside what is drawn: at the right of the panes, or under them, above the last line.
func (m *Model) withLesson(lines []string) []string {
	if m.lesson == nil || m.h < 3 {
		return lines
	}
	side, below := m.lesson.Space(m.w, m.h)
	m.lesson.Typing = m.listener().Typing()
	m.lesson.InForm = m.lesson.Typing && len(m.overs) == 0 && m.focus == atMain
	m.lesson.Beside = m.deck != nil && len(m.deck.cards) > 1
	switch {
	case side > 0:
		for i, l := range m.lesson.Draw(side, m.h-2) {
			lines[i+1] = kit.Fit(lines[i+1], m.w-side) + l
		}
	case below == 1:
		lines[m.h-2] = kit.Fit(m.lesson.Line(m.w), m.w)
	case below > 1:
		copy(lines[m.h-1-below:], m.lesson.Draw(m.w, below))
	}
	return lines
}

// lessonRect is where the lesson stands; empty where none does.
func (m *Model) lessonRect() rect {
	if m.lesson == nil {
		return rect{}
	}
	switch side, below := m.lesson.Space(m.w, m.h); {
	case side > 0:
		return rect{m.w - side, 1, side, m.h - 2}
	case below > 0:
		return rect{0, m.h - 1 - below, m.w, below}
	}
	return rect{}
}

// mouseLesson routes the mouse over the lesson: words of its lower line can be pressed, the wheel goes on within the page, and a
// press on the one line of a lesson that was put away brings it back. false when it is elsewhere.
func (m *Model) mouseLesson(msg tea.MouseMsg) (tea.Cmd, bool) {
	e, r := msg.Mouse(), m.lessonRect()
	if r.empty() || !r.holds(e.X, e.Y) {
		return nil, false
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if _, down := kit.Turned(msg); down != 0 {
			m.lesson.Rest(down)
		}
	case tea.MouseClickMsg:
		key := ""
		if r.h == 1 {
			key = "f9"
		} else if e.Y == r.y+r.h-1 {
			key = m.lesson.KeyAt(e.X - r.x)
		}
		row := kit.Find(m.lessonRows(), key)
		switch {
		case e.Button != tea.MouseLeft:
		case row != nil:
			return m.act(row.Do()), true
		case key == "T":
			return m.act(openServers{}), true
		}
	case tea.MouseReleaseMsg, tea.MouseMotionMsg:
		return nil, false // of something that is dragged
	}
	return nil, true
}

// lessonRows is the keys of a lesson. They hold whatever has the focus, windows included; while somebody types, those that type
// nothing do.
func (m *Model) lessonRows() []kit.Row {
	if m.lesson == nil {
		return nil
	}
	away := "lesson away"
	if !m.lesson.IsOpen() {
		away = "lesson back"
	}
	return []kit.Row{
		{Keys: []string{".", "f8"}, Words: "lesson: go on", Group: "lesson", Quiet: true, Do: func() kit.Intent { return turnLesson{1} }},
		{Keys: []string{",", "f7"}, Words: "lesson: page before", Group: "lesson", Quiet: true, Do: func() kit.Intent { return turnLesson{-1} }},
		{Keys: []string{"f6"}, Words: "lesson: hint", Group: "lesson", Quiet: true, Do: func() kit.Intent {
			if !m.lesson.Hint() {
				return kit.Say{Text: "there is no hint on this page"}
			}
			return nil
		}},
		{Keys: []string{"f9"}, Words: away, Group: "lesson", Quiet: true, Do: func() kit.Intent { m.lesson.Toggle(); return nil }},
	}
}

// learnCommands are the commands about lessons, by their words.
func (m *Model) learnCommands() []kit.Row {
	if m.o.Learning == nil || m.o.Learning.List == nil {
		return nil
	}
	return []kit.Row{{Words: "learn: lessons about the protocol", Group: "lesson", Do: func() kit.Intent { return openLessons{} }}}
}

func (m *Model) openLessons() {
	if m.o.Learning == nil || m.o.Learning.List == nil {
		return
	}
	entries, at := m.o.Learning.List()
	p := learn.NewList(m.env, entries, at)
	m.open("lessons", p, func(w, h int) (int, int) { return min(w-4, 76), min(len(entries)+2, h-2) })
}

// aboutLessons is the intents about lessons; false for all others.
func (m *Model) aboutLessons(i kit.Intent) (tea.Cmd, bool) {
	switch i := i.(type) {
	case openLessons:
		m.openLessons()
	case turnLesson:
		m.turnLesson(i.by)
	case learn.Answered:
		if m.lesson != nil && m.lesson.Run().Answered() {
			m.keepLesson()
		}
	case learn.Open:
		return m.chooseLesson(i.Key), true
	default:
		return nil, false
	}
	return nil, true
}

// turnLesson goes on or back: within a page that does not fit, over a question that wants an answer, to the next page, and at
// the end to the list of lessons.
func (m *Model) turnLesson(by int) {
	l := m.lesson
	if l == nil {
		return
	}
	if !l.IsOpen() {
		l.Toggle()
		return
	}
	if l.Rest(by) {
		return
	}
	page, i := l.Run().Page()
	if by > 0 && page.Question != nil && !l.Run().Done(i) {
		if slices.ContainsFunc(m.overs, func(o overlay) bool { return o.name == "check" }) {
			m.say("the question wants an answer", false)
			return
		}
		q := learn.NewQuestion(m.env, page)
		m.open("check", q, q.Size)
		return
	}
	m.begin() // at the latest, where a server leaves us waiting for its lists
	if l.Run().Turn(by) {
		l.Turned()
		m.lookLesson(true)
		m.closeOverlay("check") // it is about the page before
	} else if by > 0 {
		m.openLessons()
	}
}

// begin lets what happens count from now on, once the lists are there that are asked for by themselves.
func (m *Model) begin() {
	if m.settled {
		return
	}
	m.settled = true
	if m.lesson != nil {
		m.lesson.Run().Opened(m.o.Log.Last())
	}
}

// lookLesson notices that the task on the page was done: now, or before the page was opened.
func (m *Model) lookLesson(before bool) {
	if m.lesson == nil || !m.settled {
		return
	}
	run := m.lesson.Run()
	if run.Look(&query.Facts{Book: m.book, Now: m.env.Now()}) {
		m.lesson.ShowDone(before)
		m.keepLesson()
	}
}

func (m *Model) keepLesson() {
	if m.o.Learning.Keep != nil {
		m.o.Learning.Keep(m.lesson.Run().Titles())
	}
}

// chooseLesson opens a lesson as one more server on the deck: nothing ends for it. One that is open already comes to the front.
func (m *Model) chooseLesson(key string) tea.Cmd {
	l := m.o.Learning
	beside := m.lesson != nil && l.Key == key
	if beside && l.Listed {
		l.Listed = false // the list was only shown to choose another one
		m.shut()
		return nil
	}
	m.shut()
	if m.deck != nil && !beside {
		for _, c := range m.deck.cards {
			if c.m.lesson != nil && c.m.o.Learning.Key == key {
				return m.act(raiseServer{c})
			}
		}
	}
	return m.act(openOffers{[]Offer{l.Open(key)}})
}

// oneLesson closes the lesson that was open before another one: one is enough. The other servers go on, and it is said how they
// are reached.
func (d *Deck) oneLesson(now *card) {
	if now == nil || now.m.lesson == nil {
		return
	}
	for _, c := range d.cards {
		if c != now && c.m.lesson != nil {
			d.drop(c, "")
		}
	}
	if len(d.cards) > 1 {
		now.m.note("the other servers go on beside the lesson: T switches")
	}
}

// lessonBeside is the lesson that is in front, where other servers are open beside it; nil otherwise.
func (m *Model) lessonBeside() *card {
	if m.lesson == nil || m.deck == nil || len(m.deck.cards) < 2 {
		return nil
	}
	return m.deck.cardOf(m)
}

// openQuitLesson asks whether the lesson alone is meant: whoever learns beside his own servers rarely wants them to end with it.
// running is how many requests would be cut off by quitting.
func (m *Model) openQuitLesson(c *card, running int) {
	s := m.env.Styles
	what := "Close the lesson? The other servers go on. Quitting ends them too"
	if running > 0 {
		what += ", and cuts off " + kit.Count(running, "running request")
	}
	t := &text{title: s.Title.Render("Leave"), buttons: m.env, lines: func(w int) []string {
		out := []string{""}
		for _, l := range kit.Wrap(what+".", w) {
			out = append(out, s.Text.Render(l))
		}
		return append(out, "")
	}}
	t.rows = []kit.Row{
		{Keys: []string{"enter", "y"}, Words: "close the lesson", Group: "program", Do: func() kit.Intent { return kit.Several{kit.Back{}, dropServer{c, true}} }},
		{Keys: []string{"q"}, Words: "quit", Group: "program", Do: func() kit.Intent { return leave{} }},
		{Keys: []string{"esc", "n"}, Words: "stay", Group: "program", Do: func() kit.Intent { return kit.Back{} }},
	}
	m.open("quit", t, t.fitted(56))
}
