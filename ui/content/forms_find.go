package content

import (
	"encoding/hex"
	"strings"

	"mcploupe/highlight"
	"mcploupe/ui/kit"
)

// searched is what can be searched: a form, or the card over it.
type searched interface {
	// look gives what finds a text, which may run beside the screen. It tells how many hits there are, and what takes them over.
	look(query string) func() (n int, take func())
	size() int    // bytes that are looked through
	edition() int // another number when what was found is not true any more
	stand(i int)  // somebody looks at hit i; -1 for none
	reveal(i int) // unfolds and scrolls sideways for it
	rowOf(i int) int
	forget() // nothing is looked for any more
}

// textFound is what was found in text or code.
type textFound struct{ hits []highlight.Hit }

func (f *textForm) look(query string) func() (int, func()) {
	text := f.text
	return func() (int, func()) {
		hits := highlight.FindText(text, query)
		return len(hits), func() { f.found.hits = hits; f.stand(-1) }
	}
}
func (f *textForm) size() int    { return len(f.text) }
func (f *textForm) edition() int { return 0 }
func (f *textForm) stand(i int)  { f.p.SetHits(f.found.hits, i) }
func (f *textForm) rowOf(i int) int {
	row, _ := f.p.RowOfHit(i)
	return max(row, 0)
}
func (f *textForm) reveal(i int) {
	if _, col := f.p.RowOfHit(i); f.wide() && (col < f.x || col >= f.x+f.w-1) {
		f.x = max(0, col-f.w/3)
	}
}
func (f *textForm) forget() {
	f.found.hits = nil
	f.stand(-1)
}

func (f *jsonForm) look(query string) func() (int, func()) {
	d := f.layout.Document()
	return func() (int, func()) {
		hits := highlight.Find(d, query)
		return len(hits), func() { f.found.hits = hits; f.stand(-1) }
	}
}
func (f *jsonForm) reveal(i int) {
	f.layout.Reveal(f.found.hits[i].Node)
	f.textForm.reveal(i)
}

func (f *markdownForm) look(query string) func() (int, func()) {
	return f.found.look(f.drawn.lines, query)
}
func (f *markdownForm) size() int       { return len(f.text) }
func (f *markdownForm) edition() int    { return f.count }
func (f *markdownForm) stand(i int)     { f.found.stand(i) }
func (f *markdownForm) reveal(int)      {}
func (f *markdownForm) rowOf(i int) int { return f.found.rowOf(i) }
func (f *markdownForm) forget()         { f.found.forget() }

// hexFound is what was found in bytes.
type hexFound struct {
	hits []highlight.Hit
	on   int
}

// look finds text, and bytes that are written as they stand there: "89 50 4e".
func (f *hexForm) look(query string) func() (int, func()) {
	b := f.b
	return func() (int, func()) {
		hits := highlight.FindText(b, query)
		if bytes, err := hex.DecodeString(strings.ReplaceAll(query, " ", "")); len(hits) == 0 && err == nil && len(bytes) > 0 {
			hits = highlight.FindBytes(b, bytes)
		}
		return len(hits), func() { f.found = hexFound{hits, -1} }
	}
}
func (f *hexForm) size() int       { return len(f.b) }
func (f *hexForm) edition() int    { return 0 }
func (f *hexForm) stand(i int)     { f.found.on = i }
func (f *hexForm) reveal(int)      {}
func (f *hexForm) rowOf(i int) int { return int(f.found.hits[i].From) / f.per }
func (f *hexForm) forget()         { f.found = hexFound{} }

// tableFound is what was found in a form of tables: in the lines above them, and in one after the other.
type tableFound struct {
	lead  linesFound
	names linesFound // of the tables
	parts []partFound
}

type partFound struct {
	query string
	hits  []highlight.Hit
}

func (f *tablesForm) look(query string) func() (int, func()) {
	var lead, names linesFound
	ofLead := lead.look(f.lines, query)
	var titles []string
	for i := range f.parts {
		titles = append(titles, f.parts[i].name, "")
	}
	ofNames := names.look(titles, query)
	parts := f.parts
	return func() (int, func()) {
		n, takeLead := ofLead()
		m, takeNames := ofNames()
		n += m
		found := make([]partFound, len(parts))
		for i := range parts {
			found[i] = partFound{query, parts[i].t.Find(query)}
			n += len(found[i].hits)
		}
		return n, func() {
			takeLead()
			takeNames()
			f.found = tableFound{lead, names, found}
			f.stand(-1)
		}
	}
}

func (f *tablesForm) size() int {
	n := 0
	for i := range f.parts {
		n += f.parts[i].t.Bytes()
	}
	return n
}
func (f *tablesForm) edition() int { return f.w } // the lines above are broken by it

// hit tells where hit i is: in the lead, the names, or a part; and which it is there.
func (f *tablesForm) hit(i int) (part, k int) {
	if i < len(f.found.lead.hits) {
		return -2, i
	}
	if i -= len(f.found.lead.hits); i < len(f.found.names.hits) {
		return -1, i
	}
	i -= len(f.found.names.hits)
	for part = range f.found.parts {
		if n := len(f.found.parts[part].hits); i < n {
			return part, i
		} else {
			i -= n
		}
	}
	return -3, 0
}

func (f *tablesForm) stand(i int) {
	part, k := -3, 0
	if i >= 0 {
		part, k = f.hit(i)
	}
	one := func(p int) int {
		if p == part {
			return k
		}
		return -1
	}
	f.found.lead.stand(one(-2))
	f.found.names.stand(one(-1))
	for p := range f.found.parts {
		f.parts[p].t.SetHits(f.found.parts[p].query, f.found.parts[p].hits, one(p))
	}
}

// rowOf never falls for the hits of one part; those of names stand before those of the tables.
func (f *tablesForm) rowOf(i int) int {
	part, k := f.hit(i)
	switch part {
	case -3:
		return 0
	case -2:
		return f.found.lead.rowOf(k)
	case -1:
		return f.start(f.found.names.rowOf(k) / 2)
	}
	row, _ := f.parts[part].t.RowOfHit(k)
	return f.start(part) + f.parts[part].lead() + 1 + row
}

// start is the first row of a part.
func (f *tablesForm) start(part int) int {
	n := len(f.lines)
	for i := range f.parts[:part] {
		n += f.parts[i].height()
	}
	return n
}

func (f *tablesForm) reveal(i int) {
	if part, k := f.hit(i); part >= 0 {
		_, column := f.parts[part].t.RowOfHit(k)
		f.parts[part].t.Reveal(column)
	}
}

func (f *tablesForm) forget() {
	f.found = tableFound{}
	for i := range f.parts {
		f.parts[i].t.SetHits("", nil, -1)
	}
}

// cardFound is what was found in the card over a block.
type cardFound struct {
	linesFound
	b *block
	v *View
}

func (c *cardFound) look(query string) func() (int, func()) {
	return c.linesFound.look(c.b.cardLines(c.v.env, c.v.w), query)
}
func (c *cardFound) size() int    { return 100 * len(c.b.card) }
func (c *cardFound) edition() int { return c.v.w<<16 + len(c.b.card) }
func (c *cardFound) reveal(int)   {}

// marked is line k of a card with what was found in it.
func (c *cardFound) marked(e *kit.Env, line string, k int) string {
	line = e.Styles.Text.Render(line)
	if c == nil {
		return line
	}
	return c.mark(line, k, e.Styles)
}
