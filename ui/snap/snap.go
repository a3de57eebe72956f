// Package snap makes a screen a picture: cells of text in styles, drawn as SVG or as text with the escape sequences of styles
// and no others. It is pure, and must never know: what stands on the screen, terminals, files.
package snap

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/session/visible"
)

// Picture is a screen of w×h cells. Fore and Back are the colours of the terminal itself; nil for those of a dark one.
type Picture struct {
	Fore, Back color.Color

	w, h  int
	cells [][]cell
}

// cell is one cell: its text, "" for the second half of a wide character.
type cell struct {
	text  string
	style uv.Style
}

// New takes a picture of cells; at gives the one in column x of line y, nil for an empty one.
func New(w, h int, at func(x, y int) *uv.Cell) *Picture {
	p := &Picture{w: w, h: h, cells: make([][]cell, h)}
	for y := range p.cells {
		p.cells[y] = make([]cell, w)
		for x := range p.cells[y] {
			c := &p.cells[y][x]
			switch from := at(x, y); {
			case from == nil:
				c.text = " "
			case from.Content != "":
				c.text, c.style = from.Content, from.Style
			case from.Width > 0:
				c.text, c.style = " ", from.Style
			default:
				c.style = from.Style
				if x > 0 { // half of the character before it
					c.style = p.cells[y][x-1].style
				}
			}
		}
	}
	return p
}

// Parse takes a picture of styled lines, as a program draws them: h lines of w cells. Of escape sequences only those of styles
// are taken; what is beyond the size is left out.
func Parse(screen string, w, h int) *Picture {
	buffer := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(screen).Draw(buffer, uv.Rect(0, 0, w, h))
	return New(w, h, buffer.CellAt)
}

// run is cells of one style beside each other.
type run struct {
	style    uv.Style
	text     string
	from, to int // columns
}

// runs are the runs of a line.
func (p *Picture) runs(y int) []run {
	var out []run
	line := p.cells[y]
	for x := range line {
		c := &line[x]
		n := len(out) - 1
		if n >= 0 && (c.text == "" || out[n].style.Equal(&c.style)) {
			out[n].text += c.text
			out[n].to = x + 1
			continue
		}
		out = append(out, run{c.style, c.text, x, x + 1})
	}
	return out
}

// ANSI is the screen as text with styles, a line each, for a terminal that shows it by printing it.
func (p *Picture) ANSI() string {
	var b strings.Builder
	for y := range p.h {
		runs := p.runs(y)
		for n := len(runs) - 1; n >= 0 && invisible(&runs[n].style); n-- { // blanks at the end
			if runs[n].text = strings.TrimRight(runs[n].text, " "); runs[n].text != "" {
				break
			}
			runs = runs[:n]
		}
		for i := range runs {
			b.WriteString(runs[i].style.Styled(visible.Escape(runs[i].text)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// invisible tells that blanks in the style look like none.
func invisible(s *uv.Style) bool {
	return s.Bg == nil && s.Underline == 0 && s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0
}
