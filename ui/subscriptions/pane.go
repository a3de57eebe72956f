// Package subscriptions is the window of what the server is subscribed to: the list of subscriptions with what
// each asked for, was granted and brought, and the editor in which a new one is put together. It must never know: sessions.
package subscriptions

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/subs"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the list of subscriptions, with all about the one under the cursor below it.
type Pane struct {
	kit.ListPane
	env  *kit.Env
	book *book.Book
	// Kept tells that a filter is asked for again whenever its subscription ends; nil for never.
	Kept func(subs.Filter) bool
	// Off says why nothing can be asked for; "" when it can.
	Off string
}

// New is the pane.
func New(env *kit.Env, b *book.Book) *Pane {
	p := &Pane{env: env, book: b}
	p.List = kit.NewList(env, source{p})
	p.Empty = "nothing is subscribed to: n asks for notifications"
	p.Heading = p.heading
	p.Keys = p.keys
	p.Open = "show its exchange"
	p.Opened = func() kit.Intent {
		if s := p.sub(); s != nil {
			return kit.Several{kit.Back{}, kit.Show{Row: s.Ref, Frame: s.Ref.Seq}}
		}
		return nil
	}
	return p
}

// sub is the subscription under the cursor, nil in an empty list.
func (p *Pane) sub() *subs.Sub {
	if i := p.Selected(); i >= 0 {
		return p.book.Subs.All[i]
	}
	return nil
}

func (p *Pane) keys() []kit.Row {
	s := p.sub()
	none := p.Off
	if none == "" && s == nil {
		none = "there is no subscription"
	}
	running, again := none, none
	if none == "" && !s.Running() && !p.kept(s) {
		running = "it has ended"
	}
	if none == "" && s.Running() {
		again = "it is open"
	}
	return []kit.Row{
		{Keys: []string{"n"}, Words: "new", Group: "subscription", Off: p.Off, Do: func() kit.Intent { return kit.OpenFilter{} }},
		{Keys: []string{"x"}, Words: "end", Group: "subscription", Off: running, Do: func() kit.Intent { return kit.Unsubscribe{Seq: s.Ref.Seq} }},
		{Keys: []string{"r"}, Words: "ask again", Group: "subscription", Off: again, Do: func() kit.Intent { return kit.Subscribe{Filter: s.Asked} }},
		{Keys: []string{"a"}, Words: "ask again by itself whenever it ends", Group: "subscription", Quiet: true, Off: again, Do: func() kit.Intent {
			return kit.Subscribe{Filter: s.Asked, Keep: true}
		}},
	}
}

func (p *Pane) kept(s *subs.Sub) bool { return p.Kept != nil && p.Kept(s.Asked) }

func (p *Pane) heading(bool) (title, right string) {
	s := p.env.Styles
	l := p.book.Subs
	title = s.Title.Render("Subscriptions")
	if n := len(l.All) + l.Dropped; n > 0 {
		title += " " + s.Muted.Render(kit.Number(n))
	}
	if n := l.Running(); n > 0 {
		right = s.Running.Render(kit.Number(n) + " open")
	}
	return title, right
}

// Beat implements kit.Lively: ages count.
func (p *Pane) Beat() time.Duration {
	if p.book.Subs.Running() > 0 {
		return time.Second
	}
	return 0
}

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	s := p.sub()
	if s == nil || h < 10 {
		return p.ListPane.Draw(w, h, focused)
	}
	about := p.about(s, w)
	n := min(max(p.Len(), 3), max(h-len(about)-1, h/3))
	lines := kit.Lines(p.List.Draw(w, n, focused), w, n)
	return kit.Block(append(append(lines, ""), about...), w, h)
}

// about is all that is known of one.
func (p *Pane) about(s *subs.Sub, w int) []string {
	now := p.env.Now()
	words := func(f subs.Filter) string {
		if f.Empty() {
			return ""
		}
		return kit.Escape(f.String())
	}
	asked := kit.Escape(s.Asked.String())
	title := "Subscription " + kit.Escape(s.ID)
	if s.Legacy {
		title = "resources/subscribe " + kit.Escape(s.ID)
	}
	acknowledged, granted := "", ""
	if !s.Acked.IsZero() {
		acknowledged = "after " + kit.Took(s.Acked.Sub(s.Opened))
		if s.Acks > 1 {
			acknowledged += ", and " + kit.Number(s.Acks-1) + " more times"
		}
		granted = kit.Escape(s.Granted.String())
	}
	state := kit.Escape(s.Words())
	if s.Running() {
		state += " " + p.env.Lasting(now.Sub(s.Opened))
	} else {
		state += ", " + ago(now.Sub(s.Ended)) + ", after " + kit.Took(s.Ended.Sub(s.Opened))
	}
	if p.kept(s) {
		state += " (asked for again whenever it ends)"
	}
	last := ""
	if s.Count > 0 {
		last = strings.TrimSpace(strings.TrimSpace(kit.Escape(s.Last.Method)+" "+kit.Escape(s.Last.URI)) + fmt.Sprintf(" #%d, ", s.Last.Seq) + ago(now.Sub(s.Last.At)))
	}
	odd := kit.SignShould + " "
	out := []string{p.env.Section(title, w)}
	return append(out, p.env.Labelled([][2]string{
		{"request", fmt.Sprintf("#%d", s.Ref.Seq)}, {"asked for", asked}, {"granted", granted},
		{odd + "not granted", words(s.Withheld())}, {odd + "granted unasked", words(s.Extra())},
		{"acknowledged", acknowledged}, {"state", state}, {"brought", brought(s)}, {"last", last},
	}, w)...)
}

// ago is an age in words.
func ago(d time.Duration) string {
	if t := kit.Ago(d); t != "now" {
		return t + " ago"
	}
	return "just now"
}

// brought is what came, by kind.
func brought(s *subs.Sub) string {
	if s.Count == 0 {
		return "nothing yet"
	}
	var parts []string
	rest := s.Count
	for _, k := range []struct {
		n    int
		word string
	}{{s.Tools, "tools/list_changed"}, {s.Prompts, "prompts/list_changed"}, {s.Lists, "resources/list_changed"}, {s.Updates, "resources/updated"}} {
		if k.n > 0 {
			parts = append(parts, kit.Number(k.n)+" "+k.word)
			rest -= k.n
		}
	}
	if rest > 0 {
		parts = append(parts, kit.Number(rest)+" others")
	}
	text := strings.Join(parts, ", ")
	if s.Mistaken > 0 {
		text += "; " + kit.Number(s.Mistaken) + " of them under another subscriptionId or none"
	}
	return text
}

// source is the rows of the book for the list.
type source struct{ p *Pane }

func (s source) Len() int     { return len(s.p.book.Subs.All) }
func (s source) Version() int { return s.p.book.Subs.Version() }
func (s source) Key(i int) string {
	return strconv.FormatUint(uint64(s.p.book.Subs.All[i].Ref.Seq), 10)
}

func (s source) Text(i int) string {
	sub := s.p.book.Subs.All[i]
	return kit.Escape(sub.ID) + " " + kit.Escape(sub.Asked.String())
}

func (s source) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	sub := s.p.book.Subs.All[i]
	sign, style, base := kit.SignReady, &st.OK, &st.Text
	switch {
	case sub.Running() && sub.Acked.IsZero():
		sign, style = kit.SignWaiting, &st.Running
	case sub.Running():
	case sub.How == subs.Ours:
		sign, style, base = kit.SignOff, &st.Muted, &st.Muted
	case sub.How.Graceful():
		sign, style, base = kit.SignOK, &st.Muted, &st.Muted
	default:
		sign, style, base = kit.SignMust, &st.Must, &st.Muted
	}
	right := ""
	if sub.Running() && !sub.Withheld().Empty() {
		right = st.Should.Render("not all granted") + "  "
	}
	if sub.Count > 0 {
		right += st.Text.Render(kit.Number(sub.Count)) + st.Faint.Render(" "+s.p.env.Age(s.p.env.Now().Sub(sub.Last.At)))
	} else {
		right += st.Faint.Render("nothing yet")
	}
	return kit.Ends(style.Render(sign)+" "+s.p.env.Matched(s.Text(i), match, base), right, w)
}
