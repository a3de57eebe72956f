package jsondiff

import (
	"slices"

	"mcploupe/session/jsondoc"
)

// list is the values directly inside a container.
func list(v jsondoc.Value) []jsondoc.Value { return slices.Collect(v.Children()) }

// members are the places of two objects: in the order of the second, what is gone where it stood.
func (d *differ) members(a, b jsondoc.Value, path jsondoc.Pointer) []entry {
	x, y := list(a), list(b)
	free := make(map[string][]int, len(x)) // of each name the places in a that have no partner yet
	for i, v := range x {
		name := v.Name()
		free[name] = append(free[name], i)
	}
	pairs := make([]Pair, 0, len(y))
	for j, v := range y {
		i := -1
		if at := free[v.Name()]; len(at) > 0 {
			i, free[v.Name()] = at[0], at[1:]
		}
		pairs = append(pairs, Pair{i, j})
	}
	gone := make([]bool, len(x))
	for _, at := range free {
		for _, i := range at {
			gone[i] = true
		}
	}
	out := make([]entry, 0, len(y))
	one := func(p Pair) {
		e := entry{lastA: p.I == len(x)-1, lastB: p.J == len(y)-1, around: path, i: p.I, j: p.J}
		if p.I >= 0 {
			e.a = x[p.I]
			e.key = key(e.a)
		}
		if p.J >= 0 {
			e.b = y[p.J]
			e.key = key(e.b)
		}
		out = append(out, e)
	}
	next := 0
	for _, p := range pairs {
		for ; next <= p.I; next++ {
			if gone[next] {
				one(Pair{next, -1})
			}
		}
		one(p)
	}
	for ; next < len(x); next++ {
		if gone[next] {
			one(Pair{next, -1})
		}
	}
	return out
}

// key is a member's name as it is written, and a colon.
func key(v jsondoc.Value) string {
	n := v.Document().Nodes[v.Node()]
	return string(v.Document().Text[n.Key.From:n.Key.To]) + ": "
}

// elements are the places of two arrays. What lies between equal elements is paired by its name, and else by its place.
func (d *differ) elements(a, b jsondoc.Value, path jsondoc.Pointer) []entry {
	x, y := list(a), list(b)
	hashes := func(vs []jsondoc.Value, all []uint64) []uint64 {
		out := make([]uint64, len(vs))
		for i, v := range vs {
			out[i] = all[v.Node()]
		}
		return out
	}
	out := make([]entry, 0, len(y))
	one := func(p Pair) {
		e := entry{lastA: p.I == len(x)-1, lastB: p.J == len(y)-1, around: path, i: p.I, j: p.J}
		if p.I >= 0 {
			e.a = x[p.I]
		}
		if p.J >= 0 {
			e.b = y[p.J]
		}
		out = append(out, e)
	}
	var gone, came []int
	gap := func() {
		for _, p := range partners(x, y, gone, came) {
			one(p)
		}
		gone, came = gone[:0], came[:0]
	}
	for _, p := range Align(hashes(x, d.a), hashes(y, d.b)) {
		switch {
		case p.J < 0:
			gone = append(gone, p.I)
		case p.I < 0:
			came = append(came, p.J)
		default:
			gap()
			one(p)
		}
	}
	gap()
	return out
}

// partners pairs what is gone with what came in its place, in the order of both: what has the same name, and between
// those what is of the same kind and has no name that says otherwise.
func partners(x, y []jsondoc.Value, gone, came []int) []Pair {
	var out []Pair
	between := func(gone, came []int) {
		for len(gone) > 0 && len(came) > 0 && alike(x[gone[0]], y[came[0]]) {
			out = append(out, Pair{gone[0], came[0]})
			gone, came = gone[1:], came[1:]
		}
		for _, i := range gone {
			out = append(out, Pair{i, -1})
		}
		for _, j := range came {
			out = append(out, Pair{-1, j})
		}
	}
	at := map[string]int{} // of each name the first that is gone
	for k, i := range gone {
		if name := nameOf(x[i]); name != "" {
			if _, twice := at[name]; !twice {
				at[name] = k
			}
		}
	}
	g, c := 0, 0
	for k, j := range came {
		if i, ok := at[nameOf(y[j])]; ok && i >= g {
			between(gone[g:i], came[c:k])
			out = append(out, Pair{gone[i], j})
			g, c = i+1, k+1
		}
	}
	between(gone[g:], came[c:])
	return out
}

// alike tells that one value can be read as the other one changed.
func alike(a, b jsondoc.Value) bool {
	return a.Kind() == b.Kind() && nameOf(a) == nameOf(b)
}

// isName tells that a member of this name says which thing an object is.
func isName(name string) bool {
	return name == "name" || name == "uri" || name == "id" || name == "uriTemplate" || name == "key"
}

// nameOf is what tells an element from the others; "" when nothing does.
func nameOf(v jsondoc.Value) string {
	if !v.Is(jsondoc.Object) {
		return ""
	}
	for name, m := range v.Members() {
		if isName(name) && (m.Is(jsondoc.String) || m.Is(jsondoc.Number)) {
			return name + "\x00" + string(m.Raw())
		}
	}
	return ""
}
