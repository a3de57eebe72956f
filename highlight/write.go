package highlight

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// maxCarets bounds a row of carets.
const maxCarets = 60

// Write prints a layout for output that is no screen: every line whole, and below a line with marks the
// carets under each value and the note behind a └. Notes are broken so as to end before column width;
// 0 leaves them whole. With themes.Plain the output is plain text.
func Write(w io.Writer, l *jsondoc.Layout, s *themes.Styles, marks []Mark, width int) error {
	p := JSON(l, s)
	p.SetMarks(marks)
	p.settle()
	under := map[int][]int{} // marks by line
	for i := range marks {
		if span, ok := p.src.span(marks[i].Node, marks[i].Key); ok {
			line, _ := p.place(span.From, marks[i].Node)
			under[line] = append(under[line], i)
		}
	}
	out := bufio.NewWriter(w)
	for line := range p.src.lines() {
		row := &p.paint
		row.reset(&p.pal.off)
		p.paintPart(row, line, 0, 1<<31-1, false)
		out.WriteString(row.done()) // bufio keeps the first error for Flush
		out.WriteByte('\n')
		p.writeNotes(out, under[line], width)
	}
	return out.Flush()
}

// writeNotes prints what stands under a line: for each marked place, in the order of the line, its
// carets and its notes.
func (p *Painter) writeNotes(out *bufio.Writer, marks []int, width int) {
	type under struct{ mark, col, cols int }
	var all []under
	for _, i := range marks {
		m := &p.marks[i]
		span, _ := p.src.span(m.Node, m.Key)
		line, col := p.place(span.From, m.Node)
		cols := 1
		for _, s := range p.src.segs(nil, line) {
			if s.at == span.From && s.at >= 0 {
				cols = min(p.columns(&s).total(), maxCarets)
			}
		}
		all = append(all, under{i, col, max(cols, 1)})
	}
	slices.SortStableFunc(all, func(a, b under) int { return a.col - b.col })
	row := &p.paint
	for k, u := range all {
		m := &p.marks[u.mark]
		look := inkMustNote + ink(rank(m.Role))
		at := u.col
		if width > 0 && width-at < 30 {
			at = min(at, width/3)
		} else if k == 0 || all[k-1].col != u.col {
			row.reset(&p.pal.off)
			row.blanks(at)
			row.use(look)
			row.string(strings.Repeat("^", u.cols), u.cols)
			out.WriteString(row.done())
			out.WriteByte('\n')
		}
		if m.Note == "" {
			continue
		}
		room := 1 << 20
		if width > 0 {
			room = width - at
		}
		for _, text := range noteRows(m.Note, room, p.look.ASCII) {
			row.reset(&p.pal.off)
			row.blanks(at)
			row.use(look)
			row.string(text, len(text))
			out.WriteString(row.done())
			out.WriteByte('\n')
		}
	}
}
