package editor

import (
	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// lay draws the list over the lines of the editor: below the cursor's line, or above it where there is no room.
func (e *Editor) lay(lines []string, x, w int, s *themes.Styles) {
	p := e.popup
	n := min(len(p.offers), listed)
	row := e.buf.cur.line - e.top
	first := row + 1
	if room := len(lines) - first; room < n {
		if row > room {
			n = min(n, row)
			first = row - n
		} else {
			n = room
		}
	}
	if n <= 0 {
		return
	}
	top := min(p.top, len(p.offers)-n)
	if p.at >= top+n {
		top = p.at - n + 1
	}
	label, note := 0, 0
	for _, o := range p.offers {
		label, note = max(label, cells(o.label)), max(note, cells(o.note))
	}
	label = min(label, w/2)
	note = min(note, max(w-label-6, 0))
	wide := min(label+note+6, w)
	if note == 0 {
		wide = min(label+4, w)
	}
	x = max(min(x, w-wide), 0)
	for i := range n {
		o := p.offers[top+i]
		text := kit.Fit(o.label, label)
		words := ""
		if note > 0 {
			words = "  " + kit.Cut(o.note, note)
		}
		edge := "│"
		cell := kit.Fit(s.Text.Render(text)+s.Muted.Render(words), wide-3)
		if top+i == p.at {
			edge = "▸"
			cell = s.Selected.Render(kit.Fit(text+words, wide-3))
		}
		cell = s.Accent.Render(edge) + " " + cell + " "
		line := lines[first+i]
		lines[first+i] = ansi.Cut(line, 0, x) + cell + ansi.Cut(line, x+wide, w)
	}
}
