package highlight

import (
	"sort"
	"strings"
)

// Row paints row k. x is how many columns of the lines are scrolled away to the left; wrapped rows and
// notes ignore it. A row that does not exist is empty and has Line -1.
func (p *Painter) Row(k, x int) Row {
	if k < 0 || k >= p.Rows() {
		return Row{Line: -1, Node: -1, Mark: -1}
	}
	textRow, n := p.find(k)
	line, sub := p.lineOf(textRow)
	row := Row{Line: line, Sub: sub, Node: p.src.node(line), Mark: -1}
	if n >= 0 {
		row.Mark = p.notes[n].mark
		row.Text = p.noteRow(n)
		return row
	}
	w := &p.paint
	w.reset(&p.pal.off)
	selected := p.on >= 0 && p.src.line(-1, p.on) == line && row.Node >= 0
	if selected {
		w.codes = &p.pal.on
	}
	p.paintGutter(w, line, sub)
	switch {
	case !p.look.Wrap && p.reaches(line, x+p.room):
		p.paintPart(w, line, x, x+p.room-1, false)
		w.use(inkFaint)
		w.string(more(p.look.ASCII), 1)
	case !p.look.Wrap:
		p.paintPart(w, line, x, x+p.room, false)
	default:
		f := p.fold(p.src.indent(line), p.plain(line))
		from, to := f.part(sub)
		if sub > 0 {
			w.blanks(f.hang)
		}
		p.paintPart(w, line, from, to, true)
	}
	if selected {
		w.use(inkText)
		w.blanks(p.look.Width - w.cols)
	}
	row.Text = w.done()
	return row
}

// paintGutter writes sign, number and fold sign, on the first row of a line.
func (p *Painter) paintGutter(w *writer, line, sub int) {
	if p.gutter == 0 {
		return
	}
	if sub > 0 {
		w.use(inkFaint)
		w.blanks(p.gutter)
		return
	}
	if i, ok := p.signs[line]; ok {
		w.use(inkMustNote + ink(rank(p.marks[i].Role)))
		w.string(p.marks[i].sign(p.look.ASCII), 1)
	} else {
		w.use(inkFaint)
		w.blanks(1)
	}
	w.use(inkFaint)
	number := ""
	if n := p.src.number(line); n > 0 {
		number = digits(n)
	}
	w.blanks(p.gutter - 3 - len(number))
	w.string(number, len(number))
	if sign := p.src.fold(line); sign != "" {
		w.use(inkComment)
		w.string(sign, 1)
		w.blanks(1)
	} else {
		w.blanks(2)
	}
}

func (p *Painter) noteRow(i int) string {
	n := &p.notes[i]
	w := &p.paint
	w.reset(&p.pal.off)
	w.blanks(p.gutter + n.at)
	if m := &p.marks[n.mark]; m.On {
		w.codes = &p.pal.on
	}
	w.use(inkMustNote + ink(rank(p.marks[n.mark].Role)))
	w.string(n.text, len(n.text))
	return w.done()
}

// more is the sign at the right edge of a line that goes on.
func more(ascii bool) string {
	if ascii {
		return ">"
	}
	return "…"
}

// reaches tells that the line has something at the column or behind it.
func (p *Painter) reaches(line, col int) bool {
	p.segs = p.src.segs(p.segs[:0], line)
	for i := range p.segs {
		s := &p.segs[i]
		at := p.columns(s).at(col)
		if int(at.off) < len(s.text) {
			return true
		}
		col -= int(at.col)
	}
	return false
}

// paintPart writes columns from..to of the line. When wrapped, a wide character on the right edge
// belongs to this row and one on the left edge to the row before; else blanks stand for its half.
func (p *Painter) paintPart(w *writer, line, from, to int, wrapped bool) {
	p.segs = p.src.segs(p.segs[:0], line)
	col := 0
	for i := range p.segs {
		if col >= to {
			return
		}
		s := &p.segs[i]
		c := p.columns(s)
		at := c.at(max(from-col, 0))
		if int(at.off) >= len(s.text) {
			col += int(at.col)
			continue
		}
		base := col
		col += int(at.col)
		var l looks
		l.begin(p, s, at.off)
		for off := int(at.off); off < len(s.text) && col < to; {
			n, cols, hidden := unit(s.text, off, c.tabs)
			w.use(l.at(off, hidden))
			w.unit(s.text[off:off+n], cols, hidden, from-col, to-col, wrapped)
			off += n
			col += cols
		}
		if col >= to {
			return
		}
		col = base + c.total()
	}
}

// looks finds the ink of one byte after the other of a seg.
type looks struct {
	p         *Painter
	s         *seg
	until     int32 // where the token's look ends
	ink       ink
	mark, hit int // the first overlay that ends behind the place
	escape    int // bytes of an escape sequence still to come
}

func (l *looks) begin(p *Painter, s *seg, off int32) {
	*l = looks{p: p, s: s, ink: s.ink, until: 1<<31 - 1}
	if s.at < 0 {
		return
	}
	if s.mixed {
		l.until = -1
	}
	place := s.at + off
	l.mark = sort.Search(len(p.spans), func(i int) bool { return p.spans[i].To > place })
	l.hit = sort.Search(len(p.hits), func(i int) bool { return p.hits[i].To > place })
	back := 0 // an odd number of backslashes before the place: it is the second half of an escape
	for back < 64 && int(off)-back > 0 && s.text[int(off)-back-1] == '\\' {
		back++
	}
	if back%2 == 1 {
		l.escape = 1
	}
}

// at is the ink of the byte off of the seg; off only grows.
func (l *looks) at(off int, hidden bool) ink {
	s, p := l.s, l.p
	if s.at < 0 {
		return s.ink
	}
	place := s.at + int32(off)
	if place >= l.until {
		l.ink, l.until = p.src.look(place)
	}
	for l.mark < len(p.spans) && p.spans[l.mark].To <= place {
		l.mark++
	}
	for l.hit < len(p.hits) && p.hits[l.hit].To <= place {
		l.hit++
	}
	i := l.ink
	if i == inkString {
		switch {
		case l.escape > 0:
			l.escape--
			i = inkEscape
		case s.text[off] == '\\':
			l.escape = 1
			if off+1 < len(s.text) && s.text[off+1] == 'u' {
				l.escape = 5
			}
			i = inkEscape
		}
	}
	switch {
	case l.hit < len(p.hits) && p.hits[l.hit].From <= place:
		if l.hit == p.hit {
			return inkMatchOn
		}
		return inkMatch
	case hidden:
		return inkHidden
	case l.mark < len(p.spans) && p.spans[l.mark].From <= place:
		return p.spans[l.mark].ink
	}
	return i
}

// writer puts a row together.
type writer struct {
	b     strings.Builder
	codes *[inks]code
	cur   ink
	open  bool
	cols  int
	sign  []byte
}

func (w *writer) reset(codes *[inks]code) {
	w.b.Reset()
	w.codes, w.open, w.cols, w.cur = codes, false, 0, inkText
}

// use changes the ink for what is written next.
func (w *writer) use(i ink) {
	if w.open && i == w.cur {
		return
	}
	w.shut()
	w.cur = i
}

func (w *writer) shut() {
	if w.open {
		w.b.WriteString(w.codes[w.cur].after)
		w.open = false
	}
}

func (w *writer) start() {
	if !w.open {
		w.b.WriteString(w.codes[w.cur].before)
		w.open = true
	}
}

func (w *writer) done() string {
	w.shut()
	return w.b.String()
}

func (w *writer) string(s string, cols int) {
	if s == "" {
		return
	}
	w.start()
	w.b.WriteString(s)
	w.cols += cols
}

func (w *writer) blanks(n int) {
	for ; n > 0; n -= min(n, maxIndent) {
		w.start()
		w.b.Write(blanks[:min(n, maxIndent)])
		w.cols += min(n, maxIndent)
	}
}

// unit writes what of a unit is between the columns from and to, counted from its own first.
func (w *writer) unit(t []byte, cols int, hidden bool, from, to int, wrapped bool) {
	switch {
	case from <= 0 && cols <= to:
		w.start()
		if cols == len(t) && !hidden && t[0] != '\t' {
			w.b.Write(t)
		} else {
			w.sign = appendUnit(w.sign[:0], t, hidden)
			w.b.Write(w.sign)
		}
		w.cols += cols
	case hidden || t[0] == '\t': // its sign may be cut anywhere
		w.sign = appendUnit(w.sign[:0], t, hidden)
		sign := append([]byte(nil), w.sign...)
		for i, col := 0, 0; i < len(sign); {
			n, c, _ := unit(sign, i, false)
			if col >= from && col+c <= to {
				w.start()
				w.b.Write(sign[i : i+n])
				w.cols += c
			}
			i += n
			col += c
		}
	case wrapped && from <= 0: // on the right edge, with a column kept free
		w.start()
		w.b.Write(t)
		w.cols += cols
	case wrapped:
	default:
		w.blanks(min(cols, to) - max(from, 0))
	}
}
