// Package server is who the other side is: a small panel, and the page beside it with what it says of
// itself, what it costs, and how the connection came about or why it did not. It must never know: sessions.
package server

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Panel is the first panel.
type Panel struct {
	env  *kit.Env
	book *book.Book
	page *Page
}

// NewPanel is the panel; keys that scroll go to its page.
func NewPanel(env *kit.Env, b *book.Book, page *Page) *Panel {
	return &Panel{env: env, book: b, page: page}
}

// Rows implements kit.Pane.
func (p *Panel) Rows() []kit.Row {
	rows := []kit.Row{{Keys: []string{"enter"}, Words: "read", Group: "server", Do: func() kit.Intent { return kit.Enter{} }}}
	return append(rows, p.page.scrolling()...)
}

// Typing implements kit.Pane.
func (p *Panel) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Panel) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Panel) Click(_, _ int, msg tea.MouseMsg) kit.Intent {
	p.page.body.Click(msg)
	return nil
}

// Scroll implements kit.Framed.
func (p *Panel) Scroll() kit.Scroll { return kit.Scroll{} }

// Want is how many lines the panel could fill.
func (p *Panel) Want() int { return 3 }

// Beat implements kit.Lively.
func (p *Panel) Beat() time.Duration {
	if underway(p.book.Server.Phase) {
		return 100 * time.Millisecond
	}
	if sv := &p.book.Server; sv.Phase == wire.Lost && sv.Try > 0 {
		return 500 * time.Millisecond // the time until the next try counts down
	}
	return 0
}

func underway(phase wire.Phase) bool { return phase == wire.Connecting || phase == wire.Detecting }

// Head implements kit.Framed.
func (p *Panel) Head(focused bool) (title, right string) {
	s := p.env.Styles
	style := &s.Text
	if focused {
		style = &s.Accent
	}
	return s.Keycap.Render("1") + " " + style.Bold(focused).Render("Server"), p.env.Phase(p.book.Server.Phase)
}

// Draw implements kit.Pane.
func (p *Panel) Draw(w, h int, focused bool) string {
	s := p.env.Styles
	sv := &p.book.Server
	var lines []string
	add := func(style interface{ Render(...string) string }, text string) {
		for _, l := range kit.Wrap(text, w) {
			lines = append(lines, style.Render(l))
		}
	}
	switch {
	case underway(sv.Phase), sv.Phase == 0:
		add(&s.Muted, sv.Text)
		if d := waits(p.env, sv); d >= patient {
			lines = append(lines[:min(len(lines), max(h-1, 0))], s.Running.Render(kit.Cut("no answer "+p.env.Lasting(d)+"; L shows the log", w)))
		}
	case sv.Phase == wire.Failed, sv.Phase == wire.Lost:
		add(&s.Must, sv.Text)
	default:
		name := sv.Name()
		if v := sv.ServerVersion(); v != "" {
			name += " " + v
		}
		if name == "" {
			name = "does not say who it is"
		}
		lines = append(lines, s.Title.Render(kit.Cut(name, w)))
		lines = append(lines, s.Text.Render(kit.Names(capabilities(sv.Capabilities), w)))
		if n := cost(p.book); n > 0 {
			size, tokens := kit.Size(n), kit.Count(int(n+3)/4, "token")
			lines = append(lines, s.Muted.Render(kit.Longest(w, "definitions "+size+", about "+tokens, size+", about "+tokens, size)))
		}
	}
	return kit.Block(lines, w, h)
}

// capabilities is what is declared, the best known first.
func capabilities(v jsondoc.Value) []string {
	known := []string{"tools", "resources", "prompts"}
	var names, more []string
	for name := range v.Members() {
		if name = kit.Escape(name); slices.Contains(known, name) {
			names = append(names, name)
		} else {
			more = append(more, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Index(known, a) - slices.Index(known, b) })
	if names = append(names, more...); len(names) == 0 {
		return []string{"declares no capabilities"}
	}
	return names
}

// cost is the bytes of all definitions: what a model has to read before it does anything.
func cost(b *book.Book) int64 {
	var n int64
	for _, k := range book.Kinds() {
		for i := range b.List(k).Items {
			n += int64(len(b.List(k).Items[i].Def.Raw()))
		}
	}
	return n
}
