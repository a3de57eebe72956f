package highlight

import (
	"sort"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// Painter shows one document. It keeps what makes rows quick to find, never a painted row. It belongs to
// one goroutine, like the Layout that it may stand on.
type Painter struct {
	src   source
	look  Look
	pal   *palette
	marks []Mark
	hits  []Hit
	hit   int // the current one, -1 for none
	on    int32

	version int  // of the source, when what follows was computed
	stale   bool // what follows must be computed anew
	unnoted bool // of it only what depends on marks

	gutter int              // columns of the gutter
	room   int              // columns for text
	starts []int32          // wrapped: per line its first text row, and their number behind the last
	notes  []note           // in the order of rows
	signs  map[int]int      // per line its gravest mark
	spans  []overlay        // of marks, by place
	long   map[int]*columns // of long segs, by their place in the text

	segs  []seg
	paint writer
}

// overlay is a stretch of the text that looks different from its token.
type overlay struct {
	jsondoc.Span
	ink  ink
	rank int
}

// JSON shows a layout. Folds are made on the layout; the Painter notices.
func JSON(l *jsondoc.Layout, s *themes.Styles) *Painter { return newPainter(newPretty(l), s) }

// Raw shows the bytes of a document by lines as they stand, its JSON tokens coloured.
func Raw(d *jsondoc.Document, s *themes.Styles) *Painter { return newPainter(newText(d.Text, d), s) }

// Text shows other text by lines, coloured by its MIME type or else its file name's ending ("" where
// unknown). At most the first 128 KiB are coloured, as
// far as they are looked at.
func Text(t []byte, mime, name string, s *themes.Styles) *Painter {
	src := newText(t, nil)
	src.lexing = lex(t, mime, name)
	return newPainter(src, s)
}

func newPainter(src source, s *themes.Styles) *Painter {
	return &Painter{src: src, pal: newPalette(s), look: Look{Width: 80}, hit: -1, on: -1, stale: true, long: map[int]*columns{}}
}

// SetLook changes how the document is shown.
func (p *Painter) SetLook(l Look) {
	if l == p.look {
		return
	}
	p.look, p.stale = l, true
	if s, ok := p.src.(*pretty); ok {
		s.ascii = l.ASCII
	}
}

// SetStyles changes the theme.
func (p *Painter) SetStyles(s *themes.Styles) { p.pal = newPalette(s) }

// SetMarks replaces all marks. Marks on nodes that do not exist show nothing.
func (p *Painter) SetMarks(marks []Mark) { p.marks, p.unnoted = marks, true }

// SetHits replaces the search hits, in the order of the text; current is the index of the one that a
// person is looking at, -1 for none.
func (p *Painter) SetHits(hits []Hit, current int) { p.hits, p.hit = hits, current }

// Select puts the cursor on the line that shows the node; -1 takes it away.
func (p *Painter) Select(node int32) { p.on = node }

// minRoom is what text gets even when there is less room than that.
const minRoom = 16

// settle computes what depends on look, folds and marks.
func (p *Painter) settle() {
	if v := p.src.version(); !p.stale && v == p.version {
		if p.unnoted {
			p.unnoted = false
			p.annotate()
		}
		return
	}
	p.stale, p.unnoted, p.version = false, false, p.src.version()
	p.gutter = 0
	if p.look.Gutter {
		last := 1
		for i := p.src.lines() - 1; i >= 0 && last == 1; i-- { // behind the value lines have no number
			last = max(p.src.number(i), 1)
		}
		p.gutter = len(digits(last)) + 3
	}
	p.room = max(p.look.Width-p.gutter, minRoom)
	p.starts = p.starts[:0]
	if p.look.Wrap {
		row := int32(0)
		p.src.each(func(_, indent, cols int, plain bool) {
			p.starts = append(p.starts, row)
			row += int32(p.fold(indent, plain).rows(cols))
		})
		p.starts = append(p.starts, row)
	}
	p.annotate()
}

// fold is how a line breaks into rows: the first has first columns, the others rest behind a hanging
// indent. A line that is not plain leaves one column free for a wide character on the edge, so that
// a row's columns follow from its number alone.
type fold struct{ first, rest, hang int }

func (p *Painter) fold(indent int, plain bool) fold {
	f := fold{first: p.room, hang: min(indent+indentColumns, p.room/2)}
	if !plain {
		f.first--
	}
	f.rest = f.first - f.hang
	return f
}

func (f fold) rows(cols int) int {
	if cols <= f.first {
		return 1
	}
	return 1 + (cols-f.first+f.rest-1)/f.rest
}

// part is the range of the line's columns that a row shows.
func (f fold) part(sub int) (from, to int) {
	if sub == 0 {
		return 0, f.first
	}
	from = f.first + (sub-1)*f.rest
	return from, from + f.rest
}

// sub is the row of the line that shows the column.
func (f fold) sub(col int) int {
	if col < f.first {
		return 0
	}
	return 1 + (col-f.first)/f.rest
}

// textRows is the number of rows without notes.
func (p *Painter) textRows() int {
	if p.look.Wrap {
		return int(p.starts[len(p.starts)-1])
	}
	return p.src.lines()
}

// lineOf is the line and its part that a text row shows.
func (p *Painter) lineOf(row int) (line, sub int) {
	if !p.look.Wrap {
		return row, 0
	}
	line = sort.Search(len(p.starts), func(i int) bool { return int(p.starts[i]) > row }) - 1
	return line, row - int(p.starts[line])
}

// textRow is the row, notes not counted, that shows the column of the line.
func (p *Painter) textRow(line, col int) int {
	if !p.look.Wrap {
		return line
	}
	from, to := int(p.starts[line]), int(p.starts[line+1])
	return min(from+p.fold(p.src.indent(line), p.plain(line)).sub(col), to-1)
}

// plain tells that the line's bytes are its columns.
func (p *Painter) plain(line int) bool {
	p.segs = p.src.segs(p.segs[:0], line)
	for i := range p.segs {
		if !p.columns(&p.segs[i]).plain {
			return false
		}
	}
	return true
}

// columns is the seg's columns. Those of long segs are kept.
func (p *Painter) columns(s *seg) *columns {
	if len(s.text) < 4096 || s.at < 0 {
		return newColumns(s.text, p.src.tabs())
	}
	c := p.long[int(s.at)]
	if c == nil || len(c.t) != len(s.text) {
		c = newColumns(s.text, p.src.tabs())
		p.long[int(s.at)] = c
	}
	return c
}

// Rows is the number of rows, notes included.
func (p *Painter) Rows() int {
	p.settle()
	return p.textRows() + len(p.notes)
}

// notesBefore is the number of note rows above the text row.
func (p *Painter) notesBefore(row int) int {
	return sort.Search(len(p.notes), func(i int) bool { return p.notes[i].row >= row })
}

// find is the text row at or above row k, and the note at k, -1 when k is the text row itself.
func (p *Painter) find(k int) (row, noteAt int) {
	row = sort.Search(p.textRows(), func(r int) bool { return r+p.notesBefore(r) > k }) - 1
	first := p.notesBefore(row)
	if k == row+first {
		return row, -1
	}
	return row, first + k - row - first - 1
}

// place is the line and the column that show a byte of a node; the node's folded ancestor may hide it.
func (p *Painter) place(off, node int32) (line, col int) {
	line = p.src.line(off, node)
	if line < 0 {
		return -1, 0
	}
	p.segs = p.src.segs(p.segs[:0], line)
	for i := range p.segs {
		s := &p.segs[i]
		if s.at >= 0 && s.at <= off && off < s.at+int32(len(s.text)) {
			return line, col + p.columns(s).of(int(off-s.at))
		}
		col += p.columns(s).total()
	}
	return line, p.src.indent(line)
}

// RowOf is the row that shows the start of the node's value, or the fold that hides it; -1 for no node.
func (p *Painter) RowOf(node int32) int {
	p.settle()
	span, ok := p.src.span(node, false)
	if !ok {
		return -1
	}
	row, _ := p.rowOf(span.From, node)
	return row
}

// RowOfMark is the row with the marked value, and its column in the unwrapped line; -1 for none.
func (p *Painter) RowOfMark(i int) (row, column int) {
	p.settle()
	if i < 0 || i >= len(p.marks) {
		return -1, 0
	}
	m := &p.marks[i]
	span, ok := p.src.span(m.Node, m.Key)
	if !ok {
		return -1, 0
	}
	return p.rowOf(span.From, m.Node)
}

// RowOfHit is the row with the start of the hit, and its column in the unwrapped line; -1 for none.
func (p *Painter) RowOfHit(i int) (row, column int) {
	p.settle()
	if i < 0 || i >= len(p.hits) {
		return -1, 0
	}
	return p.rowOf(p.hits[i].From, p.hits[i].Node)
}

func (p *Painter) rowOf(off, node int32) (row, column int) {
	line, col := p.place(off, node)
	if line < 0 {
		return -1, 0
	}
	r := p.textRow(line, col)
	return r + p.notesBefore(r), col
}

// NodeAt is the node at a column of row k, both counted from 0, for clicks; x as for Row. It is -1 on
// notes, on the gutter, and where the text knows no nodes. Behind a line's end it is the line's node.
func (p *Painter) NodeAt(k, column, x int) int32 {
	off := p.OffsetAt(k, column, x)
	var d *jsondoc.Document
	line := -1
	switch s := p.src.(type) {
	case *pretty:
		d = s.doc
		if row, n := p.find(k); k >= 0 && k < p.Rows() && n < 0 {
			line, _ = p.lineOf(row)
		}
	case *text:
		d = s.doc
	}
	if d != nil && off >= 0 {
		return d.NodeAt(int(off))
	}
	if line >= 0 {
		return p.src.node(line)
	}
	return -1
}

// OffsetAt is the byte of the text at a column of row k; -1 where no byte of the text is shown.
func (p *Painter) OffsetAt(k, column, x int) int32 {
	if k < 0 || k >= p.Rows() || column < p.gutter {
		return -1
	}
	row, n := p.find(k)
	if n >= 0 {
		return -1
	}
	line, sub := p.lineOf(row)
	col := column - p.gutter
	if p.look.Wrap {
		f := p.fold(p.src.indent(line), p.plain(line))
		from, _ := f.part(sub)
		if sub > 0 {
			col -= f.hang
		}
		col += from
	} else {
		col += x
	}
	if col < 0 {
		return -1
	}
	p.segs = p.src.segs(p.segs[:0], line)
	for i := range p.segs {
		s := &p.segs[i]
		c := p.columns(s)
		if at := c.at(col); int(at.off) < len(s.text) {
			if s.at < 0 {
				return -1
			}
			return s.at + at.off
		}
		col -= c.total()
	}
	return -1
}

// Columns is the width of the widest line that rows from..to show, to excluded: how far x may go.
func (p *Painter) Columns(from, to int) int {
	widest, last := 0, -1
	for k := max(from, 0); k < min(to, p.Rows()); k++ {
		row, n := p.find(k)
		line, _ := p.lineOf(row)
		if n >= 0 || line == last {
			continue
		}
		last = line
		cols := 0
		p.segs = p.src.segs(p.segs[:0], line)
		for i := range p.segs {
			cols += p.columns(&p.segs[i]).total()
		}
		widest = max(widest, cols)
	}
	return widest
}
