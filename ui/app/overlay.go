package app

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/inspect"
	"mcploupe/ui/findings"
	"mcploupe/ui/kit"
	"mcploupe/ui/log"
)

// overlay is a pane that lies over the rest. They are a stack; the top one hears first, and alone.
type overlay struct {
	pane kit.Framed
	name string
	// size is how large the pane would like its inside to be, within what there is.
	size func(w, h int) (int, int)
	at   rect // of the last drawing
	// bright leaves the rest of the screen as it is, and lies in its corner: the rest is what it is about.
	bright bool
	closed func() // when it goes; nil for nothing to be done
	// until is the end of the grace of one that opened by itself: what is typed before was meant for something else.
	until time.Time
}

// deaf tells that the overlay opened by itself just now.
func (o *overlay) deaf(now time.Time) bool { return now.Before(o.until) }

// large is nearly the whole screen.
func large(w, h int) (int, int) { return w - 8, h - 4 }

// column is a page of text: not wider than is good to read.
func column80(w, h int) (int, int) { return min(w-8, 100), h - 4 }

// open puts a pane on top; one of the same name comes up instead of a second one.
func (m *Model) open(name string, p kit.Framed, size func(w, h int) (int, int)) {
	for i := range m.overs {
		if m.overs[i].name == name {
			m.overs = append(m.overs[:i:i], m.overs[i+1:]...)
			break
		}
	}
	m.overs = append(m.overs, overlay{name: name, pane: p, size: size})
}

// shut closes the overlay on top.
func (m *Model) shut() {
	if n := len(m.overs); n > 0 {
		closed := m.overs[n-1].closed
		m.overs = m.overs[: n-1 : n-1]
		if closed != nil {
			closed()
		}
	}
}

// closeOverlay closes an overlay by its name, wherever it lies.
func (m *Model) closeOverlay(name string) {
	m.overs = slices.DeleteFunc(slices.Clone(m.overs), func(o overlay) bool { return o.name == name })
}

func (m *Model) overlayRows() []kit.Row {
	return []kit.Row{
		{Keys: []string{"esc", "q"}, Words: "close", Group: "window", Quiet: true, Do: func() kit.Intent { return kit.Back{} }},
		{Keys: []string{";", "f5"}, Words: "jump", Group: "go", Quiet: true, Do: func() kit.Intent { m.openLabels(); return nil }},
		{Keys: []string{":", "f10"}, Words: "commands", Group: "open", Quiet: true, Do: func() kit.Intent { return kit.OpenPalette{} }},
		{Keys: []string{"?", "f1"}, Words: "help", Group: "window", Quiet: true, Do: func() kit.Intent { return kit.OpenHelp{} }},
		{Keys: []string{"ctrl+c"}, Words: "quit at once", Group: "program", Quiet: true, Do: func() kit.Intent { return leave{} }},
		{Keys: []string{"ctrl+z"}, Words: "to the background", Group: "program", Quiet: true, Do: func() kit.Intent { return kit.Suspend{} }},
		screenshotRow(),
	}
}

// lay0 draws an overlay over finished lines. The rest of the screen steps back.
func (m *Model) lay0(lines []string, o *overlay, top bool) []string {
	s := m.env.Styles
	rw, rh := m.room()
	w, h := o.size(rw, rh)
	w, h = max(min(w, rw-4), 8), max(min(h, rh-2), 1)
	f := kit.Frame{Focused: top, Overlaid: top, Top: true, Bottom: true}
	f.Title, f.Right = o.pane.Head(top)
	body := strings.Split(o.pane.Draw(w-4, h-2, top), "\n")
	f.Scroll = o.pane.Scroll()
	box := f.Draw(s, body, w)
	o.at = rect{(rw - w) / 2, (rh - h) / 2, w, h}
	if o.bright {
		o.at.x, o.at.y = rw-w-2, rh-h-2
	}
	for i, line := range lines {
		if i < m.h-1 && !o.bright {
			line = s.Faint.Render(kit.Steady(ansi.Strip(line)))
		}
		if y := i - o.at.y; 0 <= y && y < len(box) {
			line = kit.Fit(ansi.Cut(line, 0, o.at.x), o.at.x) + box[y] + after(line, o.at.x+w, m.w)
		}
		lines[i] = line
	}
	return lines
}

// after is the line from a column on. Half of a wide character at the cut is a blank.
func after(line string, from, to int) string {
	rest := ansi.Cut(line, from, to)
	if kit.Width(rest) > to-from {
		rest = " " + ansi.Cut(line, from+1, to)
	}
	return kit.Fit(rest, to-from)
}

// openFindings, openLog and openRule are the large ones.
//
// The findings are the same pane each time: who went to one comes back to it, and takes the next.
func (m *Model) openFindings() {
	if m.found == nil {
		m.found = findings.New(m.env, m.book)
	}
	m.open("findings", m.found, large)
}

func (m *Model) openLog() { m.open("log", log.New(m.env, m.book), large) }

func (m *Model) openRule(i kit.Explain) {
	p := findings.NewExplained(m.env, i.Rule, i.Found)
	if _, ok := inspect.Lookup(i.Rule); ok { // one beside the catalogue finds nothing
		p.Muted = func() bool { return m.book.Findings.IsMuted(i.Rule) }
	}
	m.open("rule", p, column80)
}
