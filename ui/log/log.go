// Package log is the pane of what happens beside requests and answers: stderr of the child, log messages of
// the server, the connection's steps. It must never know: sessions.
package log

import (
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the list of lines, with the whole of the line under the cursor below it.
type Pane struct {
	kit.ListPane
	env   *kit.Env
	book  *book.Book
	least int // level from which lines are shown

	shown []int // indexes into the book's lines
	seen  int
	base  int // what the book had dropped when shown was made
	sum   int
}

// New is the pane.
func New(env *kit.Env, b *book.Book) *Pane {
	p := &Pane{env: env, book: b, seen: -1}
	p.List = kit.NewList(env, source{p})
	p.Follow = true
	p.Empty = "nothing was logged yet"
	p.Heading = p.heading
	p.Keys = p.keys
	return p
}

// The levels that the filter goes through.
var levels = [...]string{"everything", "info and above", "warnings and errors", "errors"}

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

func (p *Pane) keys() []kit.Row {
	none := ""
	if p.Len() == 0 {
		none = "there is no line"
	}
	return []kit.Row{
		{Keys: []string{"l"}, Words: "level", Group: "log", Do: func() kit.Intent {
			p.least = (p.least + 1) % len(levels)
			p.seen = -1
			return nil
		}},
		{Keys: []string{"y"}, Words: "copy line", Group: "copy", Off: none, Do: func() kit.Intent {
			return kit.Copy{Text: p.book.Log.Lines[p.shown[p.Selected()]].Text, What: "line"}
		}},
		{Keys: []string{"Y"}, Words: "copy all", Group: "copy", Off: none, Quiet: true, Do: func() kit.Intent {
			var b strings.Builder
			for _, i := range p.shown {
				b.WriteString(p.book.Log.Lines[i].Text + "\n")
			}
			return kit.Copy{Text: b.String(), What: kit.Count(len(p.shown), "line")}
		}},
	}
}

func (p *Pane) heading(bool) (title, right string) {
	s := p.env.Styles
	return s.Title.Render("Log") + " " + s.Muted.Render(kit.Count(p.Len(), "line")), s.Muted.Render(levels[p.least])
}

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration { return 0 }

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	var whole []string
	if i := p.Selected(); i >= 0 && h > 8 {
		whole = kit.Wrap(p.book.Log.Lines[p.shown[i]].Text, w)
		if len(whole) > h/3 {
			whole = whole[:h/3]
			whole[len(whole)-1] = kit.Cut(whole[len(whole)-1]+" …", w)
		}
	}
	n := h
	if len(whole) > 1 { // a line that does not fit
		n = h - len(whole) - 1
	} else {
		whole = nil
	}
	lines := kit.Lines(p.List.Draw(w, n, focused), w, n)
	if whole != nil {
		lines = append(lines, p.env.Styles.Border.Render(strings.Repeat("─", w)))
		for _, l := range whole {
			lines = append(lines, p.env.Styles.Text.Render(l))
		}
	}
	return kit.Block(lines, w, h)
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
		if rank(l.Lines[i].Level) >= p.least {
			p.shown = append(p.shown, i)
		}
	}
}

// source is the lines that pass the level.
type source struct{ p *Pane }

func (s source) Len() int          { s.p.pick(); return len(s.p.shown) }
func (s source) Version() int      { s.p.pick(); return s.p.sum }
func (s source) Key(i int) string  { return strconv.Itoa(s.p.base + s.p.shown[i]) }
func (s source) Text(i int) string { return s.line(i).Text }

func (s source) line(i int) *book.Line { return &s.p.book.Log.Lines[s.p.shown[i]] }

func (s source) Line(i, w int, match []int) string {
	st := s.p.env.Styles
	l := s.line(i)
	style := s.style(l)
	left := st.Faint.Render(l.At.Format("15:04:05.000")) + " " + st.Muted.Render(kit.Fit(kit.Escape(l.From), 10)) + " "
	if l.Level != "" {
		left += style.Render(kit.Fit(l.Level, 8)) + " "
	} else {
		left += kit.Blank(9)
	}
	return left + s.p.env.Matched(l.Text, match, style)
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
