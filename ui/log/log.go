// Package log is the pane of what happens beside requests and answers: stderr of the child, log messages of
// the server, the connection's steps. It must never know: sessions.
package log

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the list of lines, with the whole of the line under the cursor below it.
type Pane struct {
	kit.ListPane
	env    *kit.Env
	book   *book.Book
	least  int // level from which lines are shown
	source int // whose lines are shown
	look   *kit.View
	looks  wire.Seq // the line that look shows

	shown []int // indexes into the book's lines
	seen  int
	base  int // what the book had dropped when shown was made
	sum   int
}

// New is the pane.
func New(env *kit.Env, b *book.Book) *Pane {
	p := &Pane{env: env, book: b, seen: -1, look: kit.NewView(env)}
	p.look.Bare = true
	p.List = kit.NewList(env, source{p})
	p.Follow, p.Exact = true, true
	p.Empty = "nothing was logged yet"
	p.Heading = p.heading
	p.Keys = p.keys
	p.Opened, p.Open = p.jump, "its exchange"
	return p
}

// levels are what the filter goes through.
func levels() []string {
	return []string{"every level", "info and above", "warnings and errors", "errors"}
}

// The sources that the filter goes through.
const (
	everybody = iota
	theServer
	theStderr
	theConnection
	nSources
)

func sourceWords(i int) string {
	return [nSources]string{"everybody", "the server's messages", "stderr", "the connection"}[i]
}

// rank is a level of the protocol (RFC 5424) on the filter's scale. Lines of stderr have no level: a server may
// put anything there, so they count as info.
func rank(level string) int {
	switch level {
	case "debug":
		return 0
	case "warning", "warn":
		return 2
	case "error", "critical", "alert", "emergency":
		return 3
	}
	return 1
}

// line is the one under the cursor, nil in an empty list.
func (p *Pane) line() *book.Line {
	if i := p.Selected(); i >= 0 {
		return &p.book.Log.Lines[p.shown[i]]
	}
	return nil
}

// jump goes to the exchange that a line came for.
func (p *Pane) jump() kit.Intent {
	l := p.line()
	switch {
	case l == nil:
		return nil
	case l.Row != wire.Ref{}:
		return kit.Several{kit.Back{}, kit.Show{Row: l.Row, Frame: l.Seq}}
	case l.From == "connection" && p.book.Timeline.Holding(l.Seq) != nil:
		return kit.Several{kit.Back{}, kit.Show{Frame: l.Seq}}
	}
	return kit.Say{Text: "this line belongs to no exchange"}
}

func (p *Pane) keys() []kit.Row {
	none := ""
	if p.Len() == 0 {
		none = "there is no line"
	}
	next := func(n *int, of int) func() kit.Intent {
		return func() kit.Intent {
			*n = (*n + 1) % of
			p.seen = -1
			return nil
		}
	}
	return []kit.Row{
		{Keys: []string{"l"}, Words: "level", Group: "log", Do: next(&p.least, len(levels()))},
		{Keys: []string{"s"}, Words: "source", Group: "log", Do: next(&p.source, nSources)},
		{Keys: []string{"f"}, Words: "follow", Group: "log", Off: none, Do: func() kit.Intent { p.End(); return nil }},
		{Keys: []string{"a"}, Words: "ask for level", Group: "log", Do: func() kit.Intent { return kit.OpenLevels{} }},
		{Keys: []string{"y"}, Words: "copy line", Group: "copy", Off: none, Quiet: true, Do: func() kit.Intent {
			if l := p.line(); l.Data != "" {
				return kit.Copy{Text: l.Data, What: "data"}
			}
			return kit.Copy{Text: p.line().Text, What: "line"}
		}},
		{Keys: []string{"Y"}, Words: "copy all", Group: "copy", Off: none, Quiet: true, Do: func() kit.Intent {
			var b strings.Builder
			for i := range p.Len() {
				l := &p.book.Log.Lines[p.shown[p.Row(i)]]
				b.WriteString(l.At.Format("15:04:05.000") + " " + l.From + " " + l.Level + " " + words(l) + "\n")
			}
			return kit.Copy{Text: b.String(), What: kit.Count(p.Len(), "line")}
		}},
	}
}

func (p *Pane) heading(bool) (title, right string) {
	s := p.env.Styles
	title = s.Title.Render("Log") + " " + s.Muted.Render(kit.Count(p.Len(), "line"))
	if n := p.book.Log.Dropped; n > 0 {
		title += s.Muted.Render(", " + kit.Number(n) + " older ones are gone")
	}
	asked := "no level is asked for"
	if l := p.env.LogLevel; l != "" {
		asked = "asks for " + l
	}
	follows := "following"
	if !p.Following() {
		follows = "paused"
	}
	return title, s.Muted.Render(strings.Join([]string{levels()[p.least], sourceWords(p.source), asked, follows}, " "+kit.SignDot+" "))
}

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration { return 0 }

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	s := p.env.Styles
	var whole []string
	if l := p.line(); l != nil && h > 8 {
		whole = p.whole(l, w, h/3)
	}
	n := h - len(whole)
	if len(whole) > 0 {
		n--
	}
	lines := kit.Lines(p.List.Draw(w, n, focused), w, n)
	if len(whole) > 0 {
		lines = append(append(lines, s.Border.Render(strings.Repeat("─", w))), whole...)
	}
	return kit.Block(lines, w, h)
}

// whole is everything that is known of a line, in at most h lines; nothing when the row says it all.
func (p *Pane) whole(l *book.Line, w, h int) []string {
	s := p.env.Styles
	if l.Data != "" {
		if p.looks != l.Seq {
			p.looks = l.Seq
			p.look.SetJSON(jsondoc.Parse([]byte(l.Data)), nil)
		}
		return p.look.Draw(w, min(max(p.look.Lines(), 1), h), false)
	}
	text := words(l)
	if kit.Width(text)+prefix <= w && l.More == 0 {
		return nil
	}
	out := kit.Wrap(text, w)
	if l.More > 0 {
		out = append(out, fmt.Sprintf("… and %s more; the exchange has it all", kit.Size(int64(l.More))))
	}
	if len(out) > h {
		last := out[len(out)-1]
		out = out[:h]
		if out[h-1] = kit.Cut(out[h-1]+" …", w); l.More > 0 {
			out[h-1] = last
		}
	}
	for i := range out {
		out[i] = s.Text.Render(kit.Cut(out[i], w))
	}
	return out
}

// words are logger and text, as they stand in a row.
func words(l *book.Line) string {
	if l.Logger != "" {
		return l.Logger + ": " + l.Text
	}
	return l.Text
}

// pick brings shown up to date.
func (p *Pane) pick() {
	l := &p.book.Log
	if p.seen == l.Version() {
		return
	}
	p.seen = l.Version()
	p.sum++
	p.base = l.Dropped
	p.shown = p.shown[:0]
	for i := range l.Lines {
		if rank(l.Lines[i].Level) >= p.least && p.from(l.Lines[i].From) {
			p.shown = append(p.shown, i)
		}
	}
}

func (p *Pane) from(who string) bool {
	switch p.source {
	case theServer:
		return who == "server"
	case theStderr:
		return who == "stderr"
	case theConnection:
		return who == "connection" || who == "client"
	}
	return true
}

// source is the lines that pass the level.
type source struct{ p *Pane }

func (s source) Len() int          { s.p.pick(); return len(s.p.shown) }
func (s source) Version() int      { s.p.pick(); return s.p.sum }
func (s source) Key(i int) string  { return strconv.Itoa(s.p.base + s.p.shown[i]) }
func (s source) Text(i int) string { return words(s.line(i)) }

func (s source) line(i int) *book.Line { return &s.p.book.Log.Lines[s.p.shown[i]] }

// prefix is the cells before the words of a row, the cursor's included.
const prefix = 2 + 12 + 1 + 10 + 1 + 9 + 1

func (s source) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	l := s.line(i)
	style := s.style(l)
	left := st.Faint.Render(l.At.Format("15:04:05.000")) + " " + st.Muted.Render(kit.Fit(kit.Escape(l.From), 10)) + " " +
		style.Render(kit.Fit(l.Level, 9)) + " " + s.p.env.Matched(s.Text(i), match, style)
	right := ""
	if ref := l.Row; w >= 90 && ref != (wire.Ref{}) {
		if l.During != (wire.Ref{}) {
			ref, right = l.During, "during "
		}
		right += fmt.Sprintf("#%d", ref.Seq)
		if r := s.p.book.Timeline.Row(ref); r != nil && r.Name != "" {
			right += " " + kit.Cut(r.Name, 20)
		}
	}
	return kit.Ends(left, st.Faint.Render(right), w)
}

func (s source) style(l *book.Line) *lipgloss.Style {
	st := s.p.env.Styles
	switch rank(l.Level) {
	case 3:
		return &st.Must
	case 2:
		return &st.Should
	case 0:
		return &st.Faint
	}
	return &st.Text
}
