// Package exchange is the pane of one exchange: the verdict in one line, and below it the answer with what
// is wrong marked in it, the request, the bytes, the headers. It must never know: sessions, or how a
// verdict is reached.
package exchange

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/content"
	"mcploupe/ui/kit"
)

// Pane shows the exchange it was told to show.
type Pane struct {
	env  *kit.Env
	book *book.Book
	// Rounds is how many rounds a request may take; 0 when that is not known.
	Rounds int
	Hint   []string // what stands there while there is no exchange: what to do to get one

	ref     wire.Ref
	row     *book.Row
	tab     string
	chosen  string // the tab that a person chose; kept from one exchange to the next
	finding int    // index into the row's findings of the one that is looked at, -1
	nth     int    // at which of its places: 0 for the first
	state   state  // of the exchange that the views were made for

	answer, request, raw *kit.View
	rawFor               state         // that raw was made for
	parts, bytes         *content.View // what the answer holds for people; its bytes in hex
	partsFor, bytesFor   state
	inHex                bool // the raw tab shows bytes
	heads                heads
	lookedAt             int32    // the value under the cursor when a finding was gone to
	page                 kit.Page // headers, notifications, why there is no answer
	pageFor              pageKey
	places               []place   // per finding: where it is shown
	before               *book.Row // the exchange that this one is held against
	sameAs               string    // with which arguments, compared with those of this one
	earlierFor, readFor  state     // that before and read were made for
	read                 string    // how what came changed
	readKnown            bool      // it was compared
	comparing            kit.Latest
	showAfter            wire.Seq // see ShowChanges
	shown                wire.Ref // of which they were shown by themselves
	diff                 *kit.DiffView
	scroll               kit.Scroll
	top                  int            // lines above the body at the last drawing
	verdict              []kit.Stripped // the parts of the first line, as it was drawn
	tale                 tale
	reading, readBefore  *reading // of large messages, and the one before: going to and fro reads once; nil of others
}

// state is what tells that an exchange looks different from before.
type state struct {
	ref                    wire.Ref
	end                    wire.End
	findings, during, late int
	brought                int // by a subscription
	mutes                  int // how often rules were muted
	reply                  *wire.Message
	rounds                 int
}

type pageKey struct {
	state  state
	tab    string
	w      int
	styles any
	at     int
	head   int // under the cursor among the headers
}

// place is where a finding is shown: a tab and the index of its mark there, -1 for none, and of its marks where the same is wrong once
// more.
type place struct {
	tab   string
	mark  int
	again []int
}

// The tabs.
const (
	tabAnswer  = "Response"
	tabContent = "Content"
	tabRequest = "Request"
	tabRaw     = "Raw"
	tabHeaders = "Headers"
	tabBetween = "Notifications"
	tabRounds  = "Rounds"
	tabChanges = "Changes"
	tabMessage = "Message"
	tabStory   = "Story"
)

// New is the pane, showing nothing yet.
func New(env *kit.Env, b *book.Book) *Pane {
	return &Pane{env: env, book: b, finding: -1, answer: kit.NewView(env), request: kit.NewView(env), raw: kit.NewView(env), diff: kit.NewDiffView(env),
		parts: content.New(env), bytes: content.New(env)}
}

// Set shows an exchange; nil shows none.
func (p *Pane) Set(r *book.Row) {
	if r == nil {
		p.row, p.ref = nil, wire.Ref{}
		return
	}
	if r.Ref != p.ref {
		p.ref, p.finding, p.state = r.Ref, -1, state{}
		p.page.Top()
		p.heads = heads{}
		p.tab = ""
		p.earlierFor, p.before = state{}, nil
	}
	p.row = r
}

// Ref is the exchange that is shown; the zero Ref for none.
func (p *Pane) Ref() wire.Ref { return p.ref }

// refresh brings views and marks up to date with the exchange.
func (p *Pane) refresh() {
	r := p.row
	if r == nil {
		return
	}
	if p.reads() {
		p.state, p.tab = state{}, ""
		return
	}
	now := state{ref: r.Ref, end: r.X.End, findings: len(r.Findings), during: len(r.X.During), late: len(r.X.Late), reply: r.X.Reply, rounds: p.chained(r), mutes: p.book.Findings.Mutes()}
	if sub := p.book.Subs.Sub(r.Ref.Seq); sub != nil {
		now.brought = sub.Count + sub.Acks
	}
	if now == p.state && p.tab != "" {
		return
	}
	if now.mutes != p.state.mutes {
		p.finding = -1 // which one it was the others do not tell any more
	}
	if now.reply != nil && p.state.reply == nil && p.finding < 0 {
		p.tab = "" // there is more to see than while it was awaited
	}
	p.state = now
	p.tab = p.pick()
	p.marks()
	p.compareAnswers()
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool {
	p.refresh()
	if v := p.view(); v != nil {
		return v.Typing()
	}
	sheet := p.sheet()
	return sheet != nil && sheet.Typing()
}

// Text implements kit.Pane.
func (p *Pane) Text(msg tea.Msg) (kit.Intent, bool) {
	if v := p.view(); v != nil {
		return nil, v.Text(msg)
	}
	if sheet := p.sheet(); sheet != nil {
		return nil, sheet.Text(msg)
	}
	return nil, false
}

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	p.scroll, p.top, p.verdict = kit.Scroll{}, 0, nil
	if p.row == nil {
		return kit.Block(p.empty(w, h), w, h)
	}
	p.refresh()
	strip, verdict := p.env.StripParts(p.row, p.book.FreshnessOf(p.row, p.env.Now()), w)
	p.verdict = verdict
	lines := []string{strip}
	if p.tab == "" {
		return kit.Block(append(lines, "", p.env.Styles.Muted.Render("Reading "+kit.Size(int64(len(p.biggest())))+" …")), w, h)
	}
	if _, edited := p.row.EditedFrom(); edited {
		lines = append(lines, p.env.Styles.Should.Render("└ "+p.row.X.Request.Why))
	}
	lines = append(lines, p.taskLines(w)...)
	if line := p.changed(w); line != "" {
		lines = append(lines, line)
	}
	if p.tab == tabChanges {
		lines = append(lines, p.against(w), "")
	} else {
		lines = append(append(lines, p.elsewhere(w, max(1, h/5))...), "")
	}
	p.top = len(lines)
	room := max(h-len(lines), 1)
	if p.tab == tabChanges {
		v := p.difference()
		lines = append(lines, v.Draw(w, room)...)
		p.scroll = v.Scroll()
	} else if v := p.view(); v != nil {
		lines = append(lines, v.Draw(w, room, focused)...)
		p.scroll = v.Scroll()
	} else if v := p.sheet(); v != nil {
		lines = append(lines, v.Draw(w, room, focused)...)
		p.scroll = v.Scroll()
	} else {
		end := p.page.Scroll()
		if p.fill(w); p.follows() && end.Total > 0 && end.From+end.Shown >= end.Total {
			p.page.By(1 << 20) // whoever reads the newest goes on doing so
		}
		if p.tab == tabHeaders {
			p.headInView(room)
		}
		lines = append(lines, p.page.Draw(w, room)...)
		p.scroll = p.page.Scroll()
	}
	return kit.Block(lines, w, h)
}

// empty is what stands there without an exchange.
func (p *Pane) empty(w, h int) []string {
	s := p.env.Styles
	out := make([]string, max(0, min(h/3, h-len(p.Hint))))
	for _, line := range p.Hint {
		line = kit.Cut(line, w)
		out = append(out, kit.Blank((w-kit.Width(line))/2)+s.Ghost.Render(line))
	}
	return out
}

// Head implements kit.Framed.
func (p *Pane) Head(focused bool) (title, right string) {
	s := p.env.Styles
	if p.row == nil {
		return s.Muted.Render("No exchange yet"), ""
	}
	style := s.Title
	title = s.Muted.Render(fmt.Sprintf("#%d ", p.ref.Seq)) + style.Render(titleOf(p.row))
	switch t := p.row.Task; {
	case t != nil && t.Row != p.row && t.Tool != "":
		title += " " + s.Text.Render(kit.Escape(t.Tool))
	case p.row.Name != "":
		title += " " + s.Text.Render(p.row.Name)
	}
	if p.row.Round == 1 && p.Rounds > 0 && p.row.AsksBack() {
		right = s.Muted.Render(fmt.Sprintf("round 1 of at most %d", p.Rounds))
	}
	if p.row.Round > 1 {
		right = s.Muted.Render(fmt.Sprintf("round %d of #%d", p.row.Round, p.row.First.Seq))
	}
	if why := p.why(); why != "" && !(p.row.Round > 1 && p.row.X.Request.Why == wire.Retry) {
		if right != "" {
			right += s.Faint.Render(" " + kit.SignDot + " ")
		}
		right += s.Should.Render(kit.Escape(why))
	}
	return title, right
}

// why is the reason why a request was sent wrong, or at all.
func (p *Pane) why() string {
	if p.row.Round > 1 && p.row.Altered() {
		return strings.TrimPrefix(p.row.X.Request.Why, wire.Retry+"-")
	}
	if _, edited := p.row.EditedFrom(); edited {
		return "" // a line says so
	}
	if m := p.row.X.Request; m != nil && m.Why != "" {
		return "sent as " + m.Why
	}
	return ""
}

// Foot implements kit.Footed.
func (p *Pane) Foot() (left, right string) {
	s := p.env.Styles
	if p.row == nil {
		return "", ""
	}
	if v := p.view(); v != nil {
		left = s.Muted.Render(v.Where())
	}
	if v := p.sheet(); v != nil {
		left = s.Muted.Render(v.Where())
	}
	if p.tab == tabChanges {
		left, right = p.diff.Foot()
	}
	if p.finding >= 0 && p.finding < len(p.row.Findings) {
		f := &p.row.Findings[p.finding]
		sign, style := p.env.Level(f.Level())
		right = style.Render(fmt.Sprintf("%s %d of %d", sign, p.finding+1, len(p.row.Findings))) + " " + s.Text.Render(f.Rule.ID)
		if n := len(p.places[p.finding].again); n > 0 {
			right += s.Muted.Render(fmt.Sprintf(" %s place %d of %d", kit.SignDot, p.nth+1, n+1))
		}
	}
	return left, right
}

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll { return p.scroll }

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration {
	switch {
	case p.row == nil:
		return 0
	case p.row.Running() && p.row.Listens():
		return time.Second
	case p.row.Running():
		return 100 * time.Millisecond
	case p.row.Task != nil && p.row.Task.Follow.On:
		return time.Second
	case !p.row.V.Ended:
		return 0
	}
	switch p.book.FreshnessOf(p.row, p.env.Now()).Name {
	case fresh.Fresh, fresh.Stale:
		return time.Second
	}
	return 0
}

// titleOf is the method, or what an HTTP exchange beside the protocol was for. Escaped.
func titleOf(r *book.Row) string {
	if f := r.X.Fetch; f != nil && r.Method == "" {
		return kit.Escape(f.For)
	}
	return r.Method
}
