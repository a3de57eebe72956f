// Package meaning is the page that says what something in a message means: a member, a header, a status, a method, an error code. It
// shows the text of inspect/fields with what stands there, and leads to the rules about it. It must never know: sessions, or where a
// verdict comes from.
package meaning

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Pane is the page of one thing. From it one can go on to others, and back.
type Pane struct {
	env  *kit.Env
	row  *book.Row // where it was asked; nil for a name alone
	now  subject
	back []subject

	lines  []string
	links  []link
	at     int // the link under the cursor, -1
	top, h int
	w      int
	styles *themes.Styles
}

// link is a line that leads on: to a rule's page or to another field.
type link struct {
	line        int
	rule, field string
}

// New is the page for what was asked in an exchange; row may be nil.
func New(env *kit.Env, row *book.Row, ask kit.ExplainField) *Pane {
	return &Pane{env: env, row: row, now: about(row, ask), at: -1}
}

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	if p.w == 0 {
		p.layout(72)
	}
	do := func(f func()) func() kit.Intent { return func() kit.Intent { f(); return nil } }
	none := ""
	if len(p.links) == 0 {
		none = "nothing leads on from here"
	}
	rows := []kit.Row{{Keys: []string{"enter"}, Words: p.leads(), Group: "field", Off: none, Do: p.follow}}
	if n := len(p.back); n > 0 {
		rows = append(rows, kit.Row{Keys: []string{"backspace", "left", "h"}, Words: "back to " + kit.Cut(kit.Escape(p.back[n-1].name), 20), Group: "field", Do: do(p.goBack)})
	}
	return append(rows,
		kit.Row{Keys: []string{"y"}, Words: "copy the text", Group: "copy", Do: func() kit.Intent { return kit.Copy{Text: p.now.plain(), What: "what is said of " + p.now.name} }},
		kit.Row{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: do(func() { p.move(1) })},
		kit.Row{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: do(func() { p.move(-1) })},
		kit.Row{Keys: []string{"ctrl+d", "pgdown"}, Words: "half a page down", Group: "move", Quiet: true, Do: do(func() { p.scroll(max(p.h/2, 1)) })},
		kit.Row{Keys: []string{"ctrl+u", "pgup"}, Words: "half a page up", Group: "move", Quiet: true, Do: do(func() { p.scroll(-max(p.h/2, 1)) })},
		kit.Row{Keys: []string{"g", "home"}, Words: "first line", Group: "move", Quiet: true, Do: do(func() { p.at = -1; p.scroll(-len(p.lines)) })},
		kit.Row{Keys: []string{"G", "end"}, Words: "last line", Group: "move", Quiet: true, Do: do(func() { p.at = len(p.links) - 1; p.scroll(len(p.lines)) })},
	)
}

// leads says what enter does.
func (p *Pane) leads() string {
	switch i := max(p.at, 0); {
	case i >= len(p.links):
		return "open"
	case p.links[i].rule != "":
		return "the rule's page"
	}
	return "what " + kit.Cut(kit.Escape(p.links[max(p.at, 0)].field), 24) + " means"
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Pane) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Beat implements kit.Lively.
func (p *Pane) Beat() time.Duration { return 0 }

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	s := p.env.Styles
	return s.Title.Render(kit.Escape(p.now.name)), s.Muted.Render(p.now.kind)
}

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll { return kit.Scroll{From: p.top, Shown: p.h, Total: len(p.lines)} }

// ScrollTo implements kit.Scroller.
func (p *Pane) ScrollTo(from int) { p.scroll(from - p.top) }

// Size is how large the page would like to be within the screen: as wide as is good to read, as high as its text.
func (p *Pane) Size(w, h int) (int, int) {
	w = min(w-8, 92)
	p.layout(w - 4)
	return w, min(len(p.lines)+2, h-4)
}

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, focused bool) string {
	p.layout(w)
	p.h = h
	p.scroll(0)
	out := make([]string, 0, h)
	for i := p.top; i < len(p.lines) && i < p.top+h; i++ {
		line := kit.Cut(p.lines[i], w)
		if p.at >= 0 && p.at < len(p.links) && p.links[p.at].line == i {
			line = kit.Under(line, p.env.Styles.SelectedUp, w)
		}
		out = append(out, line)
	}
	return kit.Block(out, w, h)
}

// Click implements kit.Pane: a press on a rule or a name chooses it, a second one opens it.
func (p *Pane) Click(_, y int, msg tea.MouseMsg) kit.Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		if _, down := kit.Turned(m); down != 0 {
			p.scroll(3 * down)
		}
	case tea.MouseClickMsg, kit.DoubleClickMsg:
		for i, l := range p.links {
			if l.line == p.top+y {
				p.at = i
				if _, double := msg.(kit.DoubleClickMsg); double {
					return p.follow()
				}
			}
		}
	}
	return nil
}

// Spots implements kit.Spotted: the lines that lead on.
func (p *Pane) Spots() []kit.Spot {
	var out []kit.Spot
	for i, l := range p.links {
		if y := l.line - p.top; y >= 0 && y < p.h {
			out = append(out, kit.Spot{X: 2, Y: y, Free: 2, Margin: true, Key: l.rule + l.field, Do: func() kit.Intent { p.at = i; return p.follow() }})
		}
	}
	return out
}

func (p *Pane) scroll(d int) { p.top = min(max(p.top+d, 0), max(len(p.lines)-p.h, 0)) }

// move goes to the next line that leads on if it is in view, else a line on.
func (p *Pane) move(d int) {
	next := p.at + d
	if next < 0 || next >= len(p.links) {
		if next < 0 {
			p.at = -1
		}
		p.scroll(d)
		return
	}
	if l := p.links[next].line; l < p.top || l >= p.top+p.h {
		p.scroll(d)
		if l = p.links[next].line; l < p.top || l >= p.top+p.h {
			return
		}
	}
	p.at = next
}

// follow opens what the line under the cursor leads to.
func (p *Pane) follow() kit.Intent {
	i := max(p.at, 0)
	if i >= len(p.links) {
		return nil
	}
	if rule := p.links[i].rule; rule != "" {
		return kit.Explain{Rule: rule, Found: p.now.found(p.row, rule)}
	}
	p.back = append(p.back, p.now)
	p.turn(about(nil, kit.ExplainField{Name: p.links[i].field}))
	return nil
}

func (p *Pane) goBack() {
	n := len(p.back) - 1
	last := p.back[n]
	p.back = p.back[:n]
	p.turn(last)
}

// turn shows another subject.
func (p *Pane) turn(s subject) { p.now, p.at, p.top, p.w = s, -1, 0, 0 }

// layout sets the text, when the width or the colours are others.
func (p *Pane) layout(w int) {
	if w == p.w && p.styles == p.env.Styles {
		return
	}
	p.w, p.styles = w, p.env.Styles
	p.lines, p.links = nil, nil
	s := p.env.Styles
	add := func(lines ...string) { p.lines = append(p.lines, lines...) }
	gap := func() {
		if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
			add("")
		}
	}
	if p.now.where != "" {
		for _, l := range kit.Wrap(p.now.where, w) {
			add(s.Muted.Render(l))
		}
		gap()
	}
	if p.now.note != "" {
		add(highlight.Markdown(p.now.note, w, s)...)
		gap()
	}
	for i, part := range p.now.parts {
		e := part.entry
		if part.head != "" {
			gap()
			add(p.env.Section(part.head, w))
		}
		add(highlight.Markdown(e.Text, w, s)...)
		if stands := e.Stands(p.now.revision); stands != "" {
			for _, l := range kit.Wrap(stands, w) {
				add(s.Should.Render(l))
			}
		}
		gap()
		rows := [][2]string{{"values", kit.Escape(e.Values)}}
		if i == 0 {
			rows = append(rows, p.now.seen...)
		}
		rows = append(rows, [2]string{"sent by", e.From}, [2]string{"revisions", e.Life()}, [2]string{"source", e.Source})
		if len(p.now.parts) > 1 && i > 0 || p.now.where == "" {
			rows = append(rows, [2]string{"where", strings.Join(e.Places(), ", ")})
		}
		add(p.env.Labelled(rows, w)...)
	}
	if len(p.now.parts) == 0 && len(p.now.seen) > 0 {
		add(p.env.Labelled(p.now.seen, w)...)
	}
	p.leadOn(w, add, gap)
}

// leadOn sets the lines that lead to rules and other fields.
func (p *Pane) leadOn(w int, add func(...string), gap func()) {
	s := p.env.Styles
	rules, names := p.now.leads()
	if len(rules) > 0 {
		gap()
		add(p.env.Section(fmt.Sprintf("Rules about it %d", len(rules)), w))
		idw := 0
		for _, id := range rules {
			idw = max(idw, kit.Width(id))
		}
		for _, id := range rules {
			r, ok := inspect.Lookup(id)
			if !ok {
				continue
			}
			sign, style := p.env.Level(r.Level)
			text := inspect.Title(r)
			if p.now.found(p.row, id) != nil {
				text = s.Should.Render("found here") + s.Faint.Render(" · ") + text
			}
			p.links = append(p.links, link{line: len(p.lines), rule: id})
			add("  " + style.Render(sign) + " " + s.Name.Render(kit.Fit(id, min(idw, w/2))) + "  " + s.Muted.Render(text))
		}
	}
	if len(names) > 0 {
		gap()
		add(p.env.Section("See also", w))
		for _, name := range names {
			first := ""
			if found := fields.Ask(name); len(found) > 0 {
				first = strings.ReplaceAll(found[0].First(), "`", "")
			}
			p.links = append(p.links, link{line: len(p.lines), field: name})
			add("  " + s.Key.Render(kit.Fit(kit.Escape(name), 24)) + "  " + s.Muted.Render(first))
		}
	}
}
