package kit

import (
	"strings"

	"charm.land/lipgloss/v2"

	"mcploupe/themes"
)

// Frame is a box with a title in its upper line. Frames of one column share lines: Top tells which
// corners the upper line has, and only the last one of a column draws a lower line.
type Frame struct {
	Title    string // styled; the key number and name
	Right    string // styled; at the right end of the upper line
	Foot     string // styled; at the left end of the lower line
	FootEnd  string // styled; at its right end
	Focused  bool
	AboveOn  bool // the frame above is the focused one: the shared line belongs to it
	Top      bool // first of its column: round corners
	Bottom   bool // last of its column: draws the lower line
	Scroll   Scroll
	Overlaid bool // a dialog: its lines have the role dialog
}

// Scroll is what part of a longer content is in view; the frame shows it at its right line.
type Scroll struct{ From, Shown, Total int }

// Height is the number of lines that a frame takes around body lines.
func (f *Frame) Height(body int) int {
	if f.Bottom {
		return body + 2
	}
	return body + 1
}

// Draw puts the frame around body: lines of w-4 cells (one blank is kept at each side).
func (f *Frame) Draw(s *themes.Styles, body []string, w int) []string {
	line := &s.Border
	switch {
	case f.Overlaid:
		line = &s.Dialog
	case f.Focused:
		line = &s.BorderOn
	}
	upper := line
	if f.AboveOn {
		upper = &s.BorderOn
	}
	tl, tr := "├", "┤"
	if f.Top {
		tl, tr = "╭", "╮"
	}
	out := make([]string, 0, len(body)+2)
	out = append(out, edge(upper, tl, tr, f.Title, f.Right, w))
	v := line.Render("│")
	from, to := f.Scroll.thumb(len(body))
	for i, l := range body {
		right := v
		if from <= i && i < to {
			right = line.Render("┃")
		}
		out = append(out, v+" "+Fit(l, w-4)+" "+right)
	}
	if f.Bottom {
		out = append(out, edge(line, "╰", "╯", f.Foot, f.FootEnd, w))
	}
	return out
}

// edge is a horizontal line of w cells with words let into it.
func edge(line *lipgloss.Style, l, r, left, right string, w int) string {
	room := w - 2
	if room < 1 {
		return line.Render(Cut(l+r, w))
	}
	lw, rw := 0, 0
	if left = Cut(left, room-4); left != "" {
		lw = Width(left) + 2
	}
	if right != "" {
		if right = Cut(right, room-lw-5); right != "" {
			rw = Width(right) + 3
		}
	}
	var b strings.Builder
	switch {
	case lw > 0:
		b.WriteString(line.Render(l + "─"))
		b.WriteString(" " + left + " ")
		lw++
	default:
		b.WriteString(line.Render(l))
	}
	if n := room - lw - rw; n > 0 {
		b.WriteString(line.Render(strings.Repeat("─", n)))
	}
	if rw > 0 {
		b.WriteString(" " + right + " ")
		b.WriteString(line.Render("─"))
	}
	b.WriteString(line.Render(r))
	return b.String()
}

// thumb is where the scroll bar's thumb lies, in lines of a body of h lines; empty when all is in view.
func (s Scroll) thumb(h int) (from, to int) {
	if s.Total <= s.Shown || h < 2 {
		return 0, 0
	}
	size := max(1, h*s.Shown/s.Total)
	from = (h - size) * s.From / max(1, s.Total-s.Shown)
	from = min(max(from, 0), h-size)
	return from, from + size
}
