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
	left, right = fitEdge(left, right, w)
	lw, rw := 0, 0
	if left != "" {
		lw = Width(left) + 2
	}
	if right != "" {
		rw = Width(right) + 3
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

// fitEdge is the words of an edge of w cells as far as there is room for them.
func fitEdge(left, right string, w int) (string, string) {
	room := w - 2
	left = Cut(left, room-4)
	lw := 0
	if left != "" {
		lw = Width(left) + 2
	}
	return left, Cut(right, room-lw-5)
}

// Words are where the title and what stands at the right end lie in the upper line of a frame of w cells: the column of the
// first cell and how many there are, 0 for none.
func (f *Frame) Words(w int) (title, titleW, right, rightW int) {
	l, r := fitEdge(f.Title, f.Right, w)
	titleW, rightW = Width(l), Width(r)
	return 3, titleW, w - 3 - rightW, rightW
}

// thumb is where the scroll bar's thumb lies, in lines of a body of h lines; empty when all is in view.
func (s Scroll) thumb(h int) (from, to int) {
	if s.Total <= s.Shown || h < 2 {
		return 0, 0
	}
	size := s.size(h)
	from = (h - size) * s.From / max(1, s.Total-s.Shown)
	from = min(max(from, 0), h-size)
	return from, from + size
}

func (s Scroll) size(h int) int { return max(1, h*s.Shown/s.Total) }

// At is the line of the content that comes to the upper edge when a person presses, or drags to, line y of a scroll bar of h
// lines; ok is false where there is no bar.
func (s Scroll) At(y, h int) (from int, ok bool) {
	if s.Total <= s.Shown || h < 2 {
		return 0, false
	}
	size := s.size(h)
	room := max(h-size, 1)
	at := min(max(y-size/2, 0), room)
	return (at*(s.Total-s.Shown) + room/2) / room, true
}
