// Package jsondiff is what changed from one JSON value to another, and from one text to another, as lines to be read. The
// order of members and the spelling of numbers and strings do not matter; elements of arrays are laid beside each other by what
// they are; a text that holds JSON or several lines is compared inside.
//
// It is pure and bounded: the lines have a limit, and lists are compared each with each only where they are short. It must
// never know: MCP, colours, screens.
package jsondiff

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
)

// Op is what became of a line.
type Op byte

// Ops.
const (
	Kept    Op = ' '
	Removed Op = '-'
	Added   Op = '+'
)

// Line is one line of a difference. Its text is a server's, not escaped.
type Line struct {
	Op     Op
	Text   string          // with its indent; of a member with name and comma
	Path   jsondoc.Pointer // of the value it shows or belongs to, in the document where it stands
	Change int             // which change it belongs to, from 1; 0 for none
	Folded int             // it stands for so many values or lines that stayed; Text is then only its indent
}

// Diff is what changed.
type Diff struct {
	Lines                   []Line
	Changed, Added, Removed int  // changes by their kind
	Cut                     bool // there are more lines than the limit; the counts are those of the lines that are there
}

// Changes is the number of changes.
func (d *Diff) Changes() int { return d.Changed + d.Added + d.Removed }

// Options say how to compare. The zero value compares everything and folds what stayed.
type Options struct {
	Skip  []jsondoc.Pointer // values that may differ: they are left out
	Whole bool              // show what stayed too
	Max   int               // limit of lines; 0 is 5000
}

const (
	// around is how many lines or values that stayed are shown beside those that changed.
	around = 3
	// maxLines is the limit where Options name none.
	maxLines = 5000
	// maxInside bounds the texts that are compared inside.
	maxInside = 4 << 20
)

// Compare is the difference between two values, of one document or of two. A value that is not there is one that was added or
// removed.
func Compare(a, b jsondoc.Value, o Options) Diff {
	d := &differ{o: o, seed: maphash.MakeSeed()}
	if d.o.Max <= 0 {
		d.o.Max = maxLines
	}
	d.values(a, b)
	return d.out
}

// Texts is the difference between two texts, line by line.
func Texts(a, b string, o Options) Diff {
	d := &differ{o: o}
	if d.o.Max <= 0 {
		d.o.Max = maxLines
	}
	d.texts(a, b, "", "")
	return d.out
}

// differ builds a difference.
type differ struct {
	o      Options
	seed   maphash.Seed
	out    Diff
	a, b   []uint64 // hashes of the documents that are compared now
	outer  jsondoc.Pointer
	indent string
}

// values compares the values of two documents as wholes.
func (d *differ) values(a, b jsondoc.Value) {
	wasA, wasB := d.a, d.b
	d.a, d.b = d.hashes(a), d.hashes(b)
	if b.Exists() && b.Document() == a.Document() {
		d.b = d.a
	}
	at := b
	if !at.Exists() {
		at = a
	}
	d.entry(entry{a: a, b: b, lastA: true, lastB: true, around: d.outer + at.Pointer(), i: -1, j: -1}, d.indent)
	d.a, d.b = wasA, wasB
}

func (d *differ) hashes(v jsondoc.Value) []uint64 {
	if doc := v.Document(); doc != nil {
		return doc.Hashes(d.seed)
	}
	return nil
}

// entry is a place in both documents; one of the values may be missing.
type entry struct {
	key          string // `"name": `, as it is written; "" for elements
	a, b         jsondoc.Value
	lastA, lastB bool // no comma follows
	around       jsondoc.Pointer
	i, j         int // places in the two containers, from 0; -1 for a whole document
}

// path leads to the place: in the second document, where it is there, else in the first. (Asking a value itself would walk
// through all that stands before it in its array.)
func (e *entry) path() jsondoc.Pointer {
	v, at := e.b, e.j
	if !v.Exists() {
		v, at = e.a, e.i
	}
	switch {
	case at < 0:
		return e.around
	case e.key != "":
		return jsondoc.Join(e.around, v.Name())
	}
	return jsondoc.Join(e.around, strconv.Itoa(at))
}

func (d *differ) same(e *entry) bool {
	return e.a.Exists() && e.b.Exists() && d.a[e.a.Node()] == d.b[e.b.Node()]
}

// full tells that no more lines fit.
func (d *differ) full() bool {
	if len(d.out.Lines) >= d.o.Max {
		d.out.Cut = true
	}
	return d.out.Cut
}

func (d *differ) add(l Line) {
	if !d.full() {
		d.out.Lines = append(d.out.Lines, l)
	}
}

// entry shows a place: what is the same in one line, else what changed.
func (d *differ) entry(e entry, indent string) {
	if d.full() {
		return
	}
	switch {
	case !e.a.Exists() && !e.b.Exists():
	case d.same(&e) || d.skipped(&e):
		d.kept(&e, indent)
	case !e.b.Exists():
		d.out.Removed++
		d.value(Removed, &e, indent)
	case !e.a.Exists():
		d.out.Added++
		d.value(Added, &e, indent)
	case e.a.Kind() == e.b.Kind() && (e.a.Is(jsondoc.Object) || e.a.Is(jsondoc.Array)) && e.a.Len() > 0 && e.b.Len() > 0 && len(indent) <= 2*deep:
		d.container(&e, indent)
	case e.a.Is(jsondoc.String) && e.b.Is(jsondoc.String) && d.inside(&e, indent):
	default:
		d.out.Changed++
		d.value(Removed, &e, indent)
		d.value(Added, &e, indent)
	}
}

func (d *differ) skipped(e *entry) bool {
	return len(d.o.Skip) > 0 && e.a.Exists() && e.b.Exists() && slices.Contains(d.o.Skip, e.path())
}

func comma(last bool) string {
	if last {
		return ""
	}
	return ","
}

// value shows all of a value.
func (d *differ) value(op Op, e *entry, indent string) {
	v, last := e.b, e.lastB
	if op == Removed {
		v, last = e.a, e.lastA
	}
	change := 0
	if op != Kept {
		change = d.out.Changes()
	}
	text := []byte(e.key)
	switch raw := v.Raw(); {
	case len(raw) <= short:
		text = append(text, jsondoc.Compact(nil, raw)...)
	case len(raw) > maxValue || len(indent) > 2*deep || depth(v) > deep:
		text = append(append(text, bytes.ToValidUTF8(raw[:min(len(raw), clip)], nil)...), "…"...)
	default:
		text = jsondoc.Indent(text, v, indent, "  ")
	}
	text = append(text, comma(last)...)
	path := e.path()
	for i, line := range strings.Split(string(text), "\n") {
		if i == 0 {
			line = indent + line
		}
		if d.full() {
			return
		}
		d.add(Line{Op: op, Text: line, Path: path, Change: change})
	}
}

const (
	short    = 60        // a value of so many bytes stands on one line
	maxValue = 256 << 10 // one of more, or with more around or in it than deep, on one line that is cut at clip
	deep     = 100
	clip     = 1000
)

// depth is how many containers lie in each other in a value.
func depth(v jsondoc.Value) int {
	nodes, first := v.Document().Nodes, v.Node()
	in := make([]int, nodes[first].Next-first)
	most := 0
	for i := range in {
		if i > 0 {
			in[i] = in[nodes[first+int32(i)].Parent-first] + 1
		}
		most = max(most, in[i])
	}
	return most
}

// kept shows a value that stayed.
func (d *differ) kept(e *entry, indent string) {
	v := e.b
	if d.o.Whole || v.Len() == 0 || len(v.Raw()) <= short {
		d.value(Kept, e, indent)
		return
	}
	open, shut := "{", "}"
	if v.Is(jsondoc.Array) {
		open, shut = "[", "]"
	}
	d.add(Line{Op: Kept, Text: indent + e.key + open + " … " + shut + comma(e.lastB), Path: e.path()})
}

// container shows an object or array in which something changed.
func (d *differ) container(e *entry, indent string) {
	open, shut := "{", "}"
	var entries []entry
	if e.a.Is(jsondoc.Array) {
		open, shut = "[", "]"
		entries = d.elements(e.a, e.b, e.path())
	} else {
		entries = d.members(e.a, e.b, e.path())
	}
	path := e.path()
	d.add(Line{Op: Kept, Text: indent + e.key + open, Path: path})
	named := e.b.Parent().Is(jsondoc.Array)
	inner := indent + "  "
	near := d.near(entries, named)
	for i := 0; i < len(entries); i++ {
		if near[i] {
			d.entry(entries[i], inner)
			continue
		}
		n := i
		for n < len(entries) && !near[n] {
			n++
		}
		if n == i+1 {
			d.entry(entries[i], inner)
		} else {
			d.add(Line{Op: Kept, Text: inner, Path: entries[i].path(), Folded: n - i})
		}
		i = n - 1
	}
	d.add(Line{Op: Kept, Text: indent + shut + comma(e.lastB), Path: path})
}

// near tells which entries are shown: what changed, what stands beside it, and of an element of an array what it is called.
func (d *differ) near(entries []entry, named bool) []bool {
	out := make([]bool, len(entries))
	for i := range entries {
		if d.o.Whole {
			out[i] = true
			continue
		}
		if d.same(&entries[i]) || d.skipped(&entries[i]) {
			if named && isName(entries[i].b.Name()) {
				out[i] = true
			}
			continue
		}
		for j := max(0, i-around); j <= min(len(entries)-1, i+around); j++ {
			out[j] = true
		}
	}
	return out
}
