package form

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// A value may be large: a form lays out what is open. What comes after the first rows begins closed, and of many elements
// or members the first hundred stand there, the others in groups to be opened. So all is reached, and a key costs what
// is open.

const (
	maxOpen   = 500    // rows from which on what has parts begins closed
	groupSize = 100    // elements in a group; groups of groups where there are more than as many again
	maxRows   = 20_000 // rows in all: more fields than that are reached as JSON
)

// span is a group: children of a container, from one up to before another.
type span struct {
	at       jsondoc.Pointer
	from, to int
}

// child is the place of one of the children of a group.
func (r *row) child(i int) jsondoc.Pointer {
	if r.names != nil {
		return jsondoc.Join(r.at, r.names[i])
	}
	return element(r.at, i)
}

// includes tells that a group has a child of this name or index.
func (r *row) includes(token string) bool {
	if r.names != nil {
		return slices.Contains(r.names[r.group.from:r.group.to], token)
	}
	i, err := strconv.Atoi(token)
	return err == nil && i >= r.group.from && i < r.group.to
}

// isClosed tells whether a container shows its parts: as a person left it, else as there was room when it was first laid out.
func (f *Form) isClosed(at jsondoc.Pointer) bool {
	if _, within := f.wantedIn(at); within {
		f.closed[at] = false
	}
	for _, known := range []map[jsondoc.Pointer]bool{f.closed, f.crowded} {
		if closed, ok := known[at]; ok {
			return closed
		}
	}
	f.crowded[at] = len(f.rows) >= maxOpen
	return f.crowded[at]
}

// wantedIn is the child of a container that has to be shown, or that what has to be shown stands in.
func (f *Form) wantedIn(at jsondoc.Pointer) (token string, ok bool) {
	rest, ok := strings.CutPrefix(string(f.wanted), string(at)+"/")
	if f.wanted == "" || !ok {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "/")
	return jsondoc.Pointer("/" + rest).Last(), true
}

// grouped walks through the n children of a container: one is called for each that is shown, in order, and a row added for each
// group but the first. names are those of members, nil for elements; wanted is a child that is shown in any case, -1 for none.
func (f *Form) grouped(at jsondoc.Pointer, names []string, n, wanted, depth int, label func(s span) string, one func(i int)) {
	var walk func(from, to int)
	walk = func(from, to int) {
		size := groupSize
		for to-from > size*groupSize {
			size *= groupSize
		}
		if to-from <= size {
			for i := from; i < to; i++ {
				one(i)
			}
			return
		}
		for g := from; g < to; g += size {
			s := span{at, g, min(g+size, to)}
			if g == from {
				walk(s.from, s.to)
				continue
			}
			if wanted >= s.from && wanted < s.to {
				f.opened[s] = true
			}
			f.add(row{kind: batch, at: at, label: label(s), depth: depth, group: s, names: names, element: -1})
			if f.opened[s] {
				walk(s.from, s.to)
			}
		}
	}
	walk(0, n)
}

// elements lays out the n elements of an array.
func (f *Form) elements(field schema.Field, v jsondoc.Value, n int, at jsondoc.Pointer, depth int) {
	wanted := -1
	if token, ok := f.wantedIn(at); ok {
		wanted, _ = strconv.Atoi(token)
	}
	doc := v.Document()
	index, node := 0, v.Node()+1
	f.grouped(at, nil, n, wanted, depth, func(s span) string { return fmt.Sprintf("#%d–#%d", s.from, s.to-1) }, func(i int) {
		for ; index < i; index++ {
			node = doc.Nodes[node].Next
		}
		item, _ := f.item(field.Schema, i, at)
		item.Pointer, item.Name = element(at, i), ""
		f.field(item, doc.Value(node), depth, row{label: "#" + strconv.Itoa(i), element: i})
	})
	if next, ok := f.item(field.Schema, n, at); ok && next.Schema.Is(jsondoc.Bool) {
		if allowed, _ := next.Schema.Bool(); !allowed {
			return // items: false
		}
	}
	f.add(row{kind: more, at: element(at, n), label: "+", depth: depth, field: field, items: n, element: -1})
}

// others lays out the members of an object that have no field.
func (f *Form) others(names []string, at jsondoc.Pointer, depth int, one func(name string)) {
	wanted := -1
	if token, ok := f.wantedIn(at); ok {
		wanted = slices.Index(names, token)
	}
	f.grouped(at, names, len(names), wanted, depth, func(s span) string {
		return kit.Escape(kit.Cut(names[s.from], 16) + "–" + kit.Cut(names[s.to-1], 16))
	}, func(i int) { one(names[i]) })
}

// toggle opens or closes a group.
func (f *Form) toggle(r *row) {
	f.opened[r.group] = !f.opened[r.group]
	f.settle()
}

// reveal lays out anew so that a place is among the rows.
func (f *Form) reveal(at jsondoc.Pointer) {
	f.wanted = at
	f.layout()
}
