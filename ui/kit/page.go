package kit

import (
	tea "charm.land/bubbletea/v2"
)

// Page is text that scrolls: descriptions, help, a rule's page. It has no cursor.
type Page struct {
	lines []string
	top   int
	h     int
}

// SetLines replaces the text: finished lines. The place is kept as far as it exists.
func (p *Page) SetLines(lines []string) { p.lines = lines }

// Top goes back to the first line.
func (p *Page) Top() { p.top = 0 }

// Len is the number of lines.
func (p *Page) Len() int { return len(p.lines) }

// By scrolls by lines.
func (p *Page) By(d int) { p.top = min(max(p.top+d, 0), max(len(p.lines)-p.h, 0)) }

// Rows is the keys that scroll.
func (p *Page) Rows() []Row {
	do := func(d func() int) func() Intent { return func() Intent { p.By(d()); return nil } }
	return []Row{
		{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: do(func() int { return -1 })},
		{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: do(func() int { return 1 })},
		{Keys: []string{"ctrl+u", "pgup"}, Words: "half a page up", Group: "move", Quiet: true, Do: do(func() int { return -max(p.h/2, 1) })},
		{Keys: []string{"ctrl+d", "pgdown"}, Words: "half a page down", Group: "move", Quiet: true, Do: do(func() int { return max(p.h/2, 1) })},
		{Keys: []string{"g", "home"}, Words: "first line", Group: "move", Quiet: true, Do: do(func() int { return -p.top })},
		{Keys: []string{"G", "end"}, Words: "last line", Group: "move", Quiet: true, Do: do(func() int { return len(p.lines) })},
	}
}

// Draw is h lines of w cells or fewer.
func (p *Page) Draw(w, h int) []string {
	p.h = h
	p.By(0)
	out := make([]string, 0, h)
	for i := p.top; i < len(p.lines) && i < p.top+h; i++ {
		out = append(out, Cut(p.lines[i], w))
	}
	return out
}

// Scroll is the part in view after a drawing.
func (p *Page) Scroll() Scroll { return Scroll{p.top, p.h, len(p.lines)} }

// Click scrolls by the wheel.
func (p *Page) Click(msg tea.MouseMsg) {
	if m, ok := msg.(tea.MouseWheelMsg); ok {
		if _, down := Turned(m); down != 0 {
			p.By(3 * down)
		}
	}
}

// Labelled is lines of a small table: labels muted and of one width, values wrapped beside them. A pair with
// an empty value is left out; with an empty label it goes on under the value before. Values are styled
// by the caller if at all; wrapping needs plain ones.
func (e *Env) Labelled(pairs [][2]string, w int) []string {
	lw := 0
	for _, p := range pairs {
		if p[1] != "" {
			lw = max(lw, Width(p[0]))
		}
	}
	lw = min(lw, max(w*2/5, 6)) // a server may have named it
	var out []string
	for _, p := range pairs {
		if p[1] == "" {
			continue
		}
		label := e.Styles.Muted.Render(Fit(p[0], lw)) + "  "
		for _, line := range Wrap(p[1], max(w-lw-2, 10)) {
			out = append(out, label+line)
			label = Blank(lw + 2)
		}
	}
	return out
}

// Section is a heading inside a page.
func (e *Env) Section(words string, w int) string {
	s := e.Styles
	line := s.Title.Render(words) + " "
	if n := w - Width(line); n > 0 {
		line += s.Border.Render(repeat("─", n))
	}
	return line
}
