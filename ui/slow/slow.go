// Package slow is the pane that plays an exchange frame by frame, forward and back: the diagram grows by one message at a time,
// and beside it stands the message itself. The times that it shows are those of the journal; how fast it plays is the person's
// choice, and nothing moves until he says so. It must never know: sessions, or how a story is gathered.
package slow

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/story"
)

// Paces: how long a step stands while it plays.
const (
	usualPace = 1500 * time.Millisecond
	leastPace = 500 * time.Millisecond
	mostPace  = 6 * time.Second
)

// mostBody is the largest message that is laid out at once, within the time that a key may take. Larger ones are opened in full.
const mostBody = 256 << 10

// Pane plays one story.
type Pane struct {
	env   *kit.Env
	now   func() time.Time // of the person's day, also where the journal's time stands still
	story story.Story
	rows  []*book.Row // the exchanges of the story
	at    int         // the newest row that is shown
	pace  time.Duration
	until time.Time // when the next one comes; zero while nothing plays

	msgRow *book.Row     // the exchange that holds msg
	msg    *wire.Message // of the step; nil where something happened that is no message

	view   *kit.View
	lines  [][]string // of each row, in colour, set for a width; nil before
	w      int
	styles any
	scroll kit.Scroll
}

// New plays the story of an exchange from its first message on.
func New(env *kit.Env, b *book.Book, of *book.Row, now func() time.Time) *Pane {
	p := &Pane{env: env, now: now, pace: usualPace, view: kit.NewView(env)}
	p.story, p.rows = env.Frames(b, of)
	p.show()
	return p
}

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	if p.view.Typing() {
		return p.view.Rows()
	}
	p.tick() // the footer is drawn first
	last, first := "", ""
	if p.at >= len(p.story.Rows)-1 {
		last = "this is the last one"
	}
	if p.at == 0 {
		first = "this is the first one"
	}
	play := "play"
	if p.playing() {
		play, last = "stop", ""
	}
	do := func(f func()) func() kit.Intent { return func() kit.Intent { f(); return nil } }
	rows := []kit.Row{
		{Keys: []string{"right", "l"}, Words: "forward", Group: "slow motion", Off: last, Do: do(func() { p.stop(); p.step(p.at + 1) })},
		{Keys: []string{"left", "h"}, Words: "back", Group: "slow motion", Off: first, Do: do(func() { p.stop(); p.step(p.at - 1) })},
		{Keys: []string{"space"}, Words: play, Group: "slow motion", Do: do(p.toggle)},
		{Keys: []string{"+"}, Words: "faster", Group: "slow motion", Do: do(func() { p.pace = max(p.pace-leastPace, leastPace) })},
		{Keys: []string{"-"}, Words: "slower", Group: "slow motion", Do: do(func() { p.pace = min(p.pace+leastPace, mostPace) })},
		{Keys: []string{"g", "home"}, Words: "first message", Group: "slow motion", Quiet: true, Do: do(func() { p.stop(); p.step(0) })},
		{Keys: []string{"G", "end"}, Words: "last message", Group: "slow motion", Quiet: true, Do: do(func() { p.stop(); p.step(len(p.story.Rows) - 1) })},
		{Keys: []string{"enter"}, Words: "open it", Group: "slow motion", Off: p.unopened(), Do: p.open},
	}
	for _, r := range p.view.Rows() {
		keys := r.Keys[:0:0]
		for _, k := range r.Keys {
			if kit.Find(rows, k) == nil {
				keys = append(keys, k)
			}
		}
		if r.Keys = keys; len(keys) > 0 {
			r.Quiet = true
			rows = append(rows, r)
		}
	}
	return rows
}

func (p *Pane) playing() bool { return !p.until.IsZero() }

func (p *Pane) stop() { p.until = time.Time{} }

// toggle plays on, from the beginning when it has come to its end, or stops.
func (p *Pane) toggle() {
	if p.playing() {
		p.stop()
		return
	}
	if p.at >= len(p.story.Rows)-1 {
		p.step(0)
	}
	p.until = p.now().Add(p.pace)
}

// step shows the story up to a row, and that row's message.
func (p *Pane) step(to int) {
	p.at = min(max(to, 0), max(len(p.story.Rows)-1, 0))
	p.show()
}

// tick goes on while it plays.
func (p *Pane) tick() {
	for now := p.now(); p.playing() && !now.Before(p.until); {
		p.step(p.at + 1)
		if p.at >= len(p.story.Rows)-1 {
			p.stop()
			return
		}
		if p.until = p.until.Add(p.pace); p.until.Before(now) {
			p.until = now.Add(p.pace) // the program was asleep meanwhile
		}
	}
}

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration {
	if !p.playing() {
		return 0
	}
	return max(p.until.Sub(p.now()), 10*time.Millisecond)
}

// row is the row of the step; nil in a story without any.
func (p *Pane) row() *story.Row {
	if len(p.story.Rows) == 0 {
		return nil
	}
	return &p.story.Rows[p.at]
}

// show puts the step's message into the view, with what was found in it. An exchange may hold thousands: it is looked for once a step.
func (p *Pane) show() {
	p.msgRow, p.msg = nil, nil
	if r := p.row(); r != nil {
		p.msgRow, p.msg = book.MessageIn(p.rows, r.Frame)
	}
	x, m := p.msgRow, p.msg
	switch {
	case m == nil || len(m.Body) == 0:
		p.view.SetText(nil, "")
	case len(m.Body) > mostBody:
		p.view.SetText([]byte(kit.Size(int64(len(m.Body)))+": enter opens it"), "")
	case m.Doc().Valid():
		d := m.Doc()
		var marks []highlight.Mark
		gravest, level := -1, inspect.Level(0)
		for i := range x.Findings {
			f := &x.Findings[i]
			if f.At.Frame != m.Seq || !f.At.Part.InText() {
				continue
			}
			if mark, ok := kit.MarkOf(d, f); ok {
				if f.Level() > level {
					gravest, level = len(marks), f.Level()
				}
				marks = append(marks, mark)
			}
		}
		p.view.SetJSON(d, marks)
		if gravest >= 0 {
			p.view.GotoMark(gravest)
		}
	default:
		p.view.SetText(m.Body, "")
	}
}

func (p *Pane) unopened() string {
	if p.msg == nil {
		return "it is no message"
	}
	return ""
}

func (p *Pane) open() kit.Intent {
	return kit.Several{kit.Back{}, kit.Show{Row: p.msgRow.Ref, Frame: p.msg.Seq}}
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { return p.view.Typing() }

// Text implements kit.Pane.
func (p *Pane) Text(msg tea.Msg) (kit.Intent, bool) { return nil, p.view.Text(msg) }

// Click implements kit.Pane: the wheel steps.
func (p *Pane) Click(_, _ int, msg tea.MouseMsg) kit.Intent {
	if m, ok := msg.(tea.MouseWheelMsg); ok {
		p.stop()
		if _, down := kit.Turned(m); down != 0 {
			p.step(p.at + down)
		}
	}
	return nil
}

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll { return p.scroll }

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	p.tick()
	s := p.env.Styles
	title = s.Title.Render("Slow motion") + "  " + s.Text.Render(p.story.Title)
	right = fmt.Sprintf("%d of %d", p.at+1, len(p.story.Rows))
	if p.playing() {
		right = s.Running.Render(fmt.Sprintf("plays, %s a step", kit.Took(p.pace))) + "  " + right
	}
	return title, s.Muted.Render(right)
}

// Least widths of diagram and message side by side.
const besideFrom = 96

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	p.tick()
	s := p.env.Styles
	if w < besideFrom {
		top := max(h*2/5, 4)
		lines := kit.Lines(p.diagram(w, top), w, top)
		lines = append(lines, s.Border.Render(strings.Repeat("─", w)))
		return kit.Block(append(lines, p.said(w, h-len(lines), focused)...), w, h)
	}
	left := w / 2
	diagram := kit.Lines(p.diagram(left, h), left, h)
	said := kit.Lines(p.said(w-left-3, h, focused), w-left-3, h)
	for i := range diagram {
		diagram[i] += " " + s.Border.Render("│") + " " + said[i]
	}
	return kit.Block(diagram, w, h)
}

// diagram is the end of the story up to the step, the step itself in view and pointed at. Rows above the screen are not set.
func (p *Pane) diagram(w, h int) []string {
	if p.w != w || p.styles != any(p.env.Styles) {
		p.w, p.styles, p.lines = w, p.env.Styles, make([][]string, len(p.story.Rows))
	}
	first, n := min(p.at+1, len(p.lines)), 0
	for first > 0 && n < h {
		first--
		if p.lines[first] == nil {
			p.lines[first] = p.env.PaintStory(p.story.RowLines(first, w-2))
		}
		n += len(p.lines[first])
	}
	var all []string
	from := 0
	for i := first; i <= p.at && i < len(p.lines); i++ {
		if i == p.at {
			from = len(all)
		}
		all = append(all, p.lines[i]...)
	}
	if p.at == len(p.story.Rows)-1 {
		all = append(all, "", p.env.Styles.Muted.Render(kit.Cut(p.story.Summary(), w-2)))
	}
	if p.at == 0 && len(all) > 1 { // the names of the two sides stand before the first row
		from++
	}
	top := max(len(all)-h, 0)
	p.scroll = kit.Scroll{}
	out := make([]string, 0, h)
	for i := top; i < len(all); i++ {
		mark := "  "
		if i == from {
			mark = p.env.Styles.Accent.Render(kit.SignPointer) + " "
		}
		out = append(out, mark+all[i])
	}
	return out
}

// said is the message of the step: who says it, when, and its text.
func (p *Pane) said(w, h int, focused bool) []string {
	s := p.env.Styles
	r := p.row()
	if r == nil {
		return []string{s.Ghost.Render("nothing was said")}
	}
	m := p.msg
	who := s.Text.Render("what happened")
	switch {
	case m != nil && m.Dir == wire.Sent:
		who = s.Sent.Render(kit.SignSent + " mcploupe says")
	case m != nil:
		who = s.Received.Render(kit.SignReceived + " " + kit.Cut(p.story.Server, max(w-32, 10)) + " says")
	}
	when := "+" + kit.Took(r.At)
	if p.at > 0 {
		when = kit.Took(r.At-p.story.Rows[p.at-1].At) + " later  " + when
	}
	lines := []string{kit.Ends(who, s.Muted.Render(when), w), s.Title.Render(kit.Cut(strings.TrimSpace(r.Name()+" "+r.Number), w))}
	if r.Verdict != "" {
		lines = append(lines, s.Text.Render(kit.Cut(r.Verdict, w)))
	}
	if m != nil && m.HTTP != nil {
		text := strings.TrimSpace(m.HTTP.Method + " " + m.HTTP.URL)
		if m.HTTP.Status != 0 {
			text = fmt.Sprintf("HTTP %d", m.HTTP.Status)
		}
		lines = append(lines, s.Muted.Render(kit.Cut(kit.Escape(text), w)))
	}
	lines = append(lines, "")
	if m == nil {
		for _, d := range r.Detail {
			for _, l := range kit.Wrap(d, w) {
				lines = append(lines, s.Text.Render(l))
			}
		}
		return lines
	}
	return append(lines, p.view.Draw(w, max(h-len(lines), 1), focused)...)
}
