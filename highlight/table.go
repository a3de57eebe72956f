package highlight

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
)

// Table shows an array of objects as rows and columns: a column for each name, in the order in which names first occur. It reads
// all rows once, for the names and kinds; painting costs what is on the screen. Like a Painter it belongs to one goroutine.
type Table struct {
	doc    *jsondoc.Document
	rows   []int32 // nodes
	cols   []column
	index  map[string]int
	more   int // names beyond maxColumns
	twice  int // the first column that a row has more than once, -1 for none
	pal    *palette
	w      writer
	width  int
	plan   []int // columns of the screen that each column takes, at the present width; from the first shown
	from   int   // the first column that is shown
	digits int   // of the largest row number
	cells  []int32
	found  tableHits
}

// column is one of the table's.
type column struct {
	name    string // escaped
	natural int    // cells that its widest value takes, at most maxNatural
	values  int    // how many rows have it
	numbers bool   // all its values are numbers, or null
	last    int32  // the row that had it last
	first   int32  // the member that had it first
}

// Bounds of tables.
const (
	maxColumns = 200
	maxNatural = 48 // cells of one column, unless there is room left
	minColumn  = 10 // a column that is wider is made narrower down to this before one is scrolled away
	gapColumns = 2
	maxCell    = 400 // bytes of a value that are looked at
)

// NewTable is the table of an array; nil for what is no array of objects with at least one name.
func NewTable(v jsondoc.Value, s *themes.Styles) *Table {
	if !v.Is(jsondoc.Array) || v.Len() == 0 {
		return nil
	}
	t := &Table{doc: v.Document(), index: map[string]int{}, twice: -1, pal: newPalette(s)}
	nodes := t.doc.Nodes
	end := nodes[v.Node()].Next
	for n := v.Node() + 1; n < end; n = nodes[n].Next {
		if nodes[n].Kind != jsondoc.Object {
			return nil
		}
		t.rows = append(t.rows, n)
		t.learn(n)
	}
	if len(t.cols) == 0 {
		return nil
	}
	for i := range t.cols {
		t.cols[i].natural = max(t.cols[i].natural, ansi.StringWidth(t.cols[i].name))
	}
	t.digits = len(digits(len(t.rows)))
	t.cells = make([]int32, len(t.cols))
	return t
}

// learn takes the names of a row, and the widths of its values. A value of fewer bytes than the column has cells cannot make it wider,
// but for signs of what is dangerous, which are rare enough to be cut.
func (t *Table) learn(row int32) {
	nodes := t.doc.Nodes
	for n := row + 1; n < nodes[row].Next; n = nodes[n].Next {
		i, known := t.columnOf(n)
		if !known {
			if len(t.cols) == maxColumns {
				t.more++
				continue
			}
			i = len(t.cols)
			name := t.doc.Value(n).Name()
			t.index[name] = i
			t.cols = append(t.cols, column{name: visible.Escape(name), numbers: true, first: n})
		}
		c := &t.cols[i]
		c.values++
		if c.last == row && t.twice < 0 {
			t.twice = i
		}
		c.last = row
		if k := nodes[n].Kind; k != jsondoc.Number && k != jsondoc.Null {
			c.numbers = false
		}
		size := int(nodes[n].Value.To - nodes[n].Value.From)
		if nodes[n].Kind == jsondoc.String && size > 2 {
			size -= 2
		}
		if c.natural < maxNatural && size > c.natural {
			text, _ := t.value(n)
			c.natural = max(c.natural, min(ansi.StringWidth(text), maxNatural))
		}
	}
}

// columnOf is the column of a member.
func (t *Table) columnOf(n int32) (int, bool) {
	key := t.doc.Nodes[n].Key
	raw := t.doc.Text[key.From:key.To]
	if len(raw) >= 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		if i, ok := t.index[string(raw[1:len(raw)-1])]; ok {
			return i, ok
		} // bad UTF-8 is another text in the name
	}
	i, ok := t.index[t.doc.Value(n).Name()]
	return i, ok
}

// value is a value as a cell shows it, escaped, and its look. Of a long one the beginning.
func (t *Table) value(n int32) (string, ink) {
	v := t.doc.Value(n)
	raw := v.Raw()
	long := len(raw) > maxCell
	switch v.Kind() {
	case jsondoc.String:
		if len(raw) == 2 {
			return `""`, inkGhost
		}
		if !long {
			return visible.Escape(v.Text()), inkText
		}
		part := raw[:maxCell:maxCell]
		if i := bytes.LastIndexByte(part[maxCell-12:], '\\'); i >= 0 {
			part = part[: maxCell-12+i : maxCell-12+i] // an escape may be cut in two
		}
		return visible.Escape(strings.TrimRight(jsondoc.Parse(append(part, '"')).Root().Text(), "\ufffd")) + "…", inkText
	case jsondoc.Number:
		return visible.Escape(string(raw[:min(len(raw), maxCell)])), inkNumber
	case jsondoc.Bool, jsondoc.Null:
		return visible.Escape(string(raw)), inkLiteral
	case jsondoc.Array, jsondoc.Object:
		if long {
			return visible.Escape(strings.ToValidUTF8(string(jsondoc.Compact(nil, raw[:maxCell])), "")) + "…", inkPunct
		}
		return visible.Escape(string(jsondoc.Compact(nil, raw))), inkPunct
	}
	return visible.Escape(string(raw[:min(len(raw), maxCell)])), inkInvalid
}

// SetStyles changes the theme.
func (t *Table) SetStyles(s *themes.Styles) { t.pal = newPalette(s) }

// SetWidth says how many columns of the screen a row has.
func (t *Table) SetWidth(w int) {
	if w == t.width {
		return
	}
	t.width = w
	t.arrange()
}

// arrange finds how wide each column is: as wide as its values when there is room for all, else the widest ones narrower.
func (t *Table) arrange() {
	room := max(t.width-t.digits-gapColumns, minRoom)
	total := func(most int) int {
		n := -gapColumns
		for i := range t.cols {
			n += min(t.cols[i].natural, most) + gapColumns
		}
		return n
	}
	most := maxNatural
	for most > minColumn && total(most) > room {
		most--
	}
	if total(most) > room { // not all at once, so rather readable
		most = maxNatural / 2
		t.from = min(t.from, len(t.cols)-1)
	} else {
		t.from = 0
	}
	t.plan = t.plan[:0]
	used := 0
	for i := t.from; i < len(t.cols); i++ {
		w := min(t.cols[i].natural, most, room)
		if used > 0 && used+gapColumns+w > room {
			w = room - used - gapColumns
			if w < minColumn/2 {
				break
			}
		}
		t.plan = append(t.plan, w)
		used += w + gapColumns
		if used >= room {
			break
		}
	}
}

// Rows is the number of rows, the head not counted.
func (t *Table) Rows() int { return len(t.rows) }

// Columns is the names, as far as there is a column for them, how many are shown and which is the first.
func (t *Table) Columns() (all, from, shown int) { return len(t.cols), t.from, len(t.plan) }

// More is how often a row had a name that there is no column for.
func (t *Table) More() int { return t.more }

// Twice is the first name that a row has more than once, escaped: its cell shows the last value, as readers take it.
func (t *Table) Twice() (name string, ok bool) {
	if t.twice < 0 {
		return "", false
	}
	return t.cols[t.twice].name, true
}

// Side scrolls by columns.
func (t *Table) Side(d int) {
	if d > 0 && t.from+len(t.plan) >= len(t.cols) && !t.cut() {
		return
	}
	t.from = min(max(t.from+d, 0), max(len(t.cols)-1, 0))
	t.arrange()
}

// cut tells that the last column that is shown is narrower than it would be.
func (t *Table) cut() bool {
	n := len(t.plan)
	return n > 1 && t.plan[n-1] < min(t.cols[t.from+n-1].natural, maxNatural/2)
}

// Value is the object of row k; Missing where there is no such row.
func (t *Table) Value(k int) jsondoc.Value {
	if k < 0 || k >= len(t.rows) {
		return jsondoc.Value{}
	}
	return t.doc.Value(t.rows[k])
}

// Head is the names of the columns that are shown.
func (t *Table) Head() string {
	w := &t.w
	w.reset(&t.pal.off)
	w.blanks(t.digits)
	for k, cols := range t.plan {
		c := &t.cols[t.from+k]
		w.use(inkText)
		w.blanks(gapColumns)
		t.put(c.name, cols, inkTitle, t.inHead(t.from+k), c.numbers, k == len(t.plan)-1)
	}
	return w.done()
}

// Row paints row k; on tells that the cursor stands on it.
func (t *Table) Row(k int, on bool) string {
	if k < 0 || k >= len(t.rows) {
		return ""
	}
	w := &t.w
	if on {
		w.reset(&t.pal.on)
	} else {
		w.reset(&t.pal.off)
	}
	number := digits(k + 1)
	w.use(inkFaint)
	w.blanks(t.digits - len(number))
	w.string(string(number), len(number))
	for i := range t.cells {
		t.cells[i] = -1
	}
	nodes := t.doc.Nodes
	for n := t.rows[k] + 1; n < nodes[t.rows[k]].Next; n = nodes[n].Next {
		if i, ok := t.columnOf(n); ok {
			t.cells[i] = n
		}
	}
	for i, cols := range t.plan {
		w.use(inkText)
		w.blanks(gapColumns)
		c := &t.cols[t.from+i]
		text, look := "–", inkGhost // the row does not have it
		if n := t.cells[t.from+i]; n >= 0 {
			text, look = t.value(n)
		}
		t.put(text, cols, look, t.inCell(t.cells[t.from+i]), c.numbers, !on && i == len(t.plan)-1)
	}
	if on {
		w.use(inkText)
		w.blanks(t.width - w.cols)
	}
	return w.done()
}

// put writes a text into so many columns of the screen.
func (t *Table) put(text string, cols int, look ink, found matched, right, last bool) {
	w := &t.w
	n := ansi.StringWidth(text)
	if n > cols {
		text = ansi.Truncate(text, cols, "…")
		n = ansi.StringWidth(text)
	}
	pad := cols - n
	if right {
		w.use(inkText)
		w.blanks(pad)
		pad = 0
	}
	found.write(w, text, look)
	if !last {
		w.use(inkText)
		w.blanks(pad)
	}
}
