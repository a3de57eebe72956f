package highlight

import (
	"sort"

	"github.com/charmbracelet/x/ansi"
)

// tableHits is what was found in a table: names of columns first, then values in the order of rows.
type tableHits struct {
	query string
	hits  []Hit
	heads int // how many of them are names of columns
	on    int // the current one, -1 for none
}

// Find searches the names of columns and the values of a table, as Find does a document. It changes nothing, and may run while the
// table is drawn.
func (t *Table) Find(query string) []Hit {
	var hits []Hit
	if query == "" {
		return nil
	}
	for i := range t.cols {
		if len(FindText([]byte(t.cols[i].name), query)) > 0 {
			n := t.cols[i].first
			hits = append(hits, Hit{Span: t.doc.Nodes[n].Key, Node: n, Key: true})
		}
	}
	last := t.rows[len(t.rows)-1]
	row := 0
	return append(hits, findIn(t.doc, query, t.rows[0], t.doc.Nodes[t.rows[0]].Value.From, t.doc.Nodes[last].Value.To, func(h Hit) bool {
		for row < len(t.rows)-1 && t.rows[row+1] <= h.Node {
			row++
		}
		n := t.member(h.Node, t.rows[row])
		if n < 0 || h.Key && n == h.Node {
			return false // a name stands in the head
		}
		_, shown := t.columnOf(n)
		return shown
	})...)
}

// Bytes is how many bytes of JSON the rows are.
func (t *Table) Bytes() int {
	return int(t.doc.Nodes[t.rows[len(t.rows)-1]].Value.To - t.doc.Nodes[t.rows[0]].Value.From)
}

// member is the member of a row that a node is or is inside of; -1 for the row itself.
func (t *Table) member(node, row int32) int32 {
	for node > row {
		if p := t.doc.Nodes[node].Parent; p == row {
			return node
		} else {
			node = p
		}
	}
	return -1
}

// SetHits shows what Find found for a query; on is the index of the one that somebody looks at, -1 for none.
func (t *Table) SetHits(query string, hits []Hit, on int) {
	heads := 0
	for heads < len(hits) && hits[heads].Key && t.rowOf(hits[heads].Node) == t.doc.Nodes[hits[heads].Node].Parent {
		heads++
	}
	t.found = tableHits{query, hits, heads, on}
}

// rowOf is the node of the row that a node is inside of.
func (t *Table) rowOf(node int32) int32 { return t.rows[max(t.indexOf(node), 0)] }

func (t *Table) indexOf(node int32) int {
	return sort.Search(len(t.rows), func(i int) bool { return t.rows[i] > node }) - 1
}

// RowOfHit is the row of what was found, and its column; the row is -1 for the name of a column.
func (t *Table) RowOfHit(i int) (row, column int) {
	h := &t.found.hits[i]
	row = t.indexOf(h.Node)
	column, _ = t.columnOf(t.member(h.Node, t.rows[row]))
	if i < t.found.heads {
		row = -1
	}
	return row, column
}

// Reveal scrolls so that a column is shown.
func (t *Table) Reveal(column int) {
	if column < t.from || column >= t.from+len(t.plan) {
		t.from = column
		t.arrange()
	}
}

// inHead tells what was found in the name of a column.
func (t *Table) inHead(column int) matched {
	for i, h := range t.found.hits[:t.found.heads] {
		if h.Node == t.cols[column].first {
			on := -1
			if i == t.found.on {
				on = 0
			}
			return matched{t.found.query, true, on}
		}
	}
	return matched{}
}

// inCell tells what was found in the value of a node.
func (t *Table) inCell(n int32) matched {
	f := &t.found
	cells := f.hits[f.heads:]
	if len(cells) == 0 || n < 0 {
		return matched{}
	}
	at := t.doc.Nodes[n].Value
	first := sort.Search(len(cells), func(i int) bool { return cells[i].From >= at.From })
	if first == len(cells) || cells[first].From >= at.To {
		return matched{}
	}
	on := -1
	if k := f.on - f.heads - first; k >= 0 && cells[f.on-f.heads].From < at.To {
		on = k
	}
	return matched{f.query, true, on}
}

// matched says what is found in a cell: the query, if it is there at all, and the current one of its places, -1 for none of them.
type matched struct {
	query string
	any   bool
	on    int
}

// write writes the text of a cell, with what was found in it. What was cut away, or is written otherwise there, is found in the cell
// as a whole.
func (m matched) write(w *writer, text string, look ink) {
	if !m.any {
		w.use(look)
		w.string(text, ansi.StringWidth(text))
		return
	}
	hits := FindText([]byte(text), m.query)
	if len(hits) == 0 || m.on >= len(hits) {
		look = inkMatch
		if m.on >= 0 {
			look = inkMatchOn
		}
		w.use(look)
		w.string(text, ansi.StringWidth(text))
		return
	}
	at := 0
	put := func(to int, i ink) {
		w.use(i)
		w.string(text[at:to], ansi.StringWidth(text[at:to]))
		at = to
	}
	for i, h := range hits {
		put(int(h.From), look)
		if i == m.on {
			put(int(h.To), inkMatchOn)
		} else {
			put(int(h.To), inkMatch)
		}
	}
	put(len(text), look)
}
