package highlight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/visible"

	"github.com/charmbracelet/x/ansi"
)

// maxNote bounds the rows of one note.
const maxNote = 4

// note is one row of a mark's note.
type note struct {
	row  int // the text row above
	mark int
	at   int // column
	text string
}

// annotate places the marks: looks of their values, signs of their lines, rows of their notes.
func (p *Painter) annotate() {
	p.notes, p.spans, p.signs = p.notes[:0], p.spans[:0], map[int]int{}
	for i := range p.marks {
		m := &p.marks[i]
		span, ok := p.src.span(m.Node, m.Key)
		if !ok {
			continue
		}
		p.spans = append(p.spans, overlay{span, inkMust + ink(rank(m.Role)), rank(m.Role)})
		line, col := p.place(span.From, m.Node)
		if line < 0 {
			continue
		}
		if was, ok := p.signs[line]; !ok || rank(m.Role) < rank(p.marks[was].Role) {
			p.signs[line] = i
		}
		if m.Note == "" {
			continue
		}
		row, at := p.textRow(line, col), col
		if p.look.Wrap {
			f := p.fold(p.src.indent(line), p.plain(line))
			from, _ := f.part(f.sub(col))
			if at = col - from; f.sub(col) > 0 {
				at += f.hang
			}
		}
		if p.room-at < min(ansi.StringWidth(m.Note)+2, 50) { // too little room below the value itself
			at = min(p.src.indent(line)+indentColumns, p.room/3)
		}
		for _, text := range noteRows(m.Note, p.room-at, p.look.ASCII) {
			p.notes = append(p.notes, note{row, i, at, text})
		}
	}
	slices.SortStableFunc(p.notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.mark, b.mark))
	})
	p.spans = flatten(p.spans)
}

// flatten sorts overlays and keeps the gravest of those that overlap.
func flatten(spans []overlay) []overlay {
	slices.SortStableFunc(spans, func(a, b overlay) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.rank, b.rank))
	})
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s.From < kept[n-1].To {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// noteRows breaks a note at blanks into rows of so many columns, the first with its └.
func noteRows(text string, columns int, ascii bool) []string {
	corner, dots := "└ ", "…"
	if ascii {
		corner, dots = "`- ", "..."
	}
	hang := strings.Repeat(" ", ansi.StringWidth(corner))
	columns = max(columns-len(hang), 8)
	rows := strings.Split(ansi.Wrap(visible.Escape(text), columns, " "), "\n")
	if len(rows) > maxNote {
		rows = rows[:maxNote]
		rows[maxNote-1] = ansi.Truncate(rows[maxNote-1], columns-len(dots), "") + dots
	}
	for i := range rows {
		rows[i] = hang + strings.TrimRight(rows[i], " ")
	}
	rows[0] = corner + rows[0][len(hang):]
	return rows
}

func digits(n int) string { return strconv.Itoa(n) }
