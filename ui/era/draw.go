package era

import (
	"fmt"
	"strings"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// twoColumns is the width from which the sides stand beside each other; below, one stands under the other.
const twoColumns = 96

// block is a message on both sides, or on one of them.
type block struct{ lines [2][]Line }

// blocks puts what belongs together beside each other: the same message on both sides, and the handshake that only one
// has opposite to nothing.
func (c *Comparison) blocks() []block {
	var parts [2][][]Line
	for side, lines := range c.Lines {
		var part []Line
		for _, l := range lines {
			if l.Title && len(part) > 0 {
				parts[side], part = append(parts[side], part), nil
			}
			part = append(part, l)
		}
		if len(part) > 0 {
			parts[side] = append(parts[side], part)
		}
	}
	name := func(part []Line) string {
		if part[0].Title {
			return part[0].Text
		}
		return ""
	}
	var out []block
	long := 0
	if len(parts[1]) > len(parts[0]) {
		long = 1
	}
	short := parts[1-long]
	for _, part := range parts[long] {
		var b block
		b.lines[long] = part
		for i := range short {
			if name(short[i]) == name(part) {
				for j := range i { // what only the other side has comes first
					var own block
					own.lines[1-long] = short[j]
					out = append(out, own)
				}
				b.lines[1-long] = short[i]
				short = short[i+1:]
				break
			}
		}
		out = append(out, b)
	}
	for _, part := range short {
		var b block
		b.lines[1-long] = part
		out = append(out, b)
	}
	return out
}

// Draw is the comparison as lines of w cells: the sides, the reasons by number, and what differs in the answer.
func (c *Comparison) Draw(s *themes.Styles, w int) []string {
	var out []string
	if w >= twoColumns {
		half := (w - 3) / 2
		middle := s.Border.Render(" │ ")
		row := func(a, b string) { out = append(out, kit.Fit(a, half)+middle+kit.Fit(b, half)) }
		row(s.Title.Render("under "+c.Versions[0]), s.Title.Render("under "+c.Versions[1]))
		row("", "")
		for _, b := range c.blocks() {
			left, right := side(s, b.lines[0], half), side(s, b.lines[1], half)
			for i := range max(len(left), len(right)) {
				l, r := "", ""
				if i < len(left) {
					l = left[i]
				}
				if i < len(right) {
					r = right[i]
				}
				row(l, r)
			}
		}
	} else {
		for i, v := range c.Versions {
			out = append(out, s.Title.Render("under "+v), "")
			out = append(out, side(s, c.Lines[i], w)...)
			out = append(out, "")
		}
	}
	list := func(title string, texts []string, sign func(i int) string) {
		if len(texts) == 0 {
			return
		}
		out = append(out, "", s.Title.Render(title))
		for i, text := range texts {
			for j, l := range kit.Wrap(kit.Escape(text), w-gutter) {
				mark := kit.Blank(gutter)
				if j == 0 {
					mark = s.Should.Render(kit.Fit(sign(i), gutter))
				}
				out = append(out, mark+s.Text.Render(l))
			}
		}
	}
	list("Why they differ", c.Reasons, func(i int) string { return number(i + 1) })
	list("And what comes back", c.Answer, func(int) string { return "  " + kit.SignDot })
	return out
}

// gutter is the cells before a line: the number of the reason.
const gutter = 4

func number(n int) string { return fmt.Sprintf("%3d ", n) }

// side is the lines of one side in w cells, wrapped.
func side(s *themes.Styles, lines []Line, w int) []string {
	var out []string
	for _, l := range lines {
		style := &s.Text
		switch {
		case l.Title:
			style = &s.Accent
		case l.Reason == 0:
			style = &s.Muted
		}
		mark := kit.Blank(gutter)
		if l.Reason > 0 {
			mark = s.Should.Render(number(l.Reason))
		}
		words := strings.TrimLeft(l.Text, " ")
		indent := min(len(l.Text)-len(words), (w-gutter)/2)
		for i, text := range kit.Wrap(kit.Escape(words), max(w-gutter-indent-2, 8)) {
			if i > 0 {
				mark = kit.Blank(gutter + 2)
			}
			out = append(out, mark+kit.Blank(indent)+style.Render(text))
		}
	}
	return out
}
