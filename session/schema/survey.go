package schema

import (
	"mcploupe/session/jsondoc"
)

// Survey is what a look at a schema's text shows, before and without compiling it: figures, references,
// cycles, patterns. It covers every place where a subschema can stand, in any dialect, used or not; it
// never looks into data (const, enum, default, examples).
type Survey struct {
	Nodes      int // JSON values
	Depth      int // levels of nesting, 1 for a flat object
	Subschemas int
	Expansion  int // the most subschemas that one value meets, references followed; capped a little over MaxExpansion

	Refs     []Ref
	Cycles   []Cycle
	Patterns []Pattern
	Foreign  []jsondoc.Pointer // subschemas whose $schema names a dialect that is not understood

	root    jsondoc.Value
	base    string // the root's pointer in its document
	ids     int
	stray   int
	dynamic []jsondoc.Pointer // subschemas with $dynamicAnchor
	unique  bool

	subs      []sub
	byNode    map[int32]int    // node → index in subs
	resources map[string]int32 // absolute base URI → node of its root
	anchors   map[string]int32 // base#name → node
}

// sub is one subschema in the survey's own table.
type sub struct {
	v       jsondoc.Value
	base    string // base URI of the resource that it belongs to
	inplace []int  // subschemas that are applied to the same value, references included
	inner   []int  // subschemas that are applied to parts of the value
	refs    []int  // places in Refs
	links   []link // references as edges, to tell pure cycles
}

type link struct{ to, ref int }

// Ref is one reference.
type Ref struct {
	At      jsondoc.Pointer // the subschema that holds it
	Keyword string          // $ref, $dynamicRef or $recursiveRef
	Text    string          // as written
	URI     string          // resolved, for a reference to another document
	Class   RefClass
	Target  jsondoc.Pointer // RefLocal: the place that it leads to
}

// RefClass is where a reference leads.
type RefClass uint8

// Classes of references.
const (
	RefLocal      RefClass = iota + 1 // within the schema, and something is there
	RefUnresolved                     // within the schema, but nothing is there
	RefRemote                         // to another document, which is never fetched
	RefMeta                           // to an official meta-schema, which is built in
)

// Cycle is a way from a subschema back to itself for one and the same value.
type Cycle struct {
	Through []jsondoc.Pointer // subschemas on the way, the first in reading order first
	Pure    bool              // by references alone
}

// Pattern is one regular expression (pattern, or a name under patternProperties).
type Pattern struct {
	At   jsondoc.Pointer // of the pattern's text; for patternProperties of the subschema under it
	Text string
	Err  error // why it is none under ECMA-262 rules; nil when it is one
}

// What follows a keyword: one subschema, a list of them, or a map of them.
type form uint8

const (
	one form = iota + 1
	list
	mapped
	either // one or a list (items), depending on the dialect
	deps   // a map whose values may be lists of names instead
)

// applicator is a keyword under which subschemas stand.
type applicator struct {
	name    string
	form    form
	inplace bool // applied to the value itself, not to parts of it
	storage bool // applied only when referred to
}

func applicators() []applicator {
	return []applicator{
		{"$defs", mapped, false, true}, {"definitions", mapped, false, true},
		{"allOf", list, true, false}, {"anyOf", list, true, false}, {"oneOf", list, true, false},
		{"not", one, true, false}, {"if", one, true, false}, {"then", one, true, false}, {"else", one, true, false},
		{"dependentSchemas", mapped, true, false}, {"dependencies", deps, true, false},
		{"properties", mapped, false, false}, {"patternProperties", mapped, false, false},
		{"additionalProperties", one, false, false}, {"unevaluatedProperties", one, false, false}, {"propertyNames", one, false, false},
		{"items", either, false, false}, {"prefixItems", list, false, false}, {"additionalItems", one, false, false},
		{"unevaluatedItems", one, false, false}, {"contains", one, false, false}, {"contentSchema", one, false, false},
	}
}

// keyword finds the applicator that a member name is.
func keyword(table []applicator, name string) (applicator, bool) {
	for _, a := range table {
		if a.name == name {
			return a, true
		}
	}
	return applicator{}, false
}

// subschemas calls f for every subschema that stands directly under v, with its keyword.
func subschemas(table []applicator, v jsondoc.Value, f func(a applicator, w jsondoc.Value)) {
	for name, w := range v.Members() {
		a, ok := keyword(table, name)
		if !ok {
			continue
		}
		switch {
		case w.Is(jsondoc.Array) && (a.form == list || a.form == either):
			for _, x := range w.Elements() {
				if isSchema(x) {
					f(a, x)
				}
			}
		case w.Is(jsondoc.Object) && (a.form == mapped || a.form == deps):
			for _, x := range w.Members() {
				if isSchema(x) {
					f(a, x)
				}
			}
		case isSchema(w) && (a.form == one || a.form == either):
			f(a, w)
		}
	}
}

func isSchema(v jsondoc.Value) bool { return v.Is(jsondoc.Object) || v.Is(jsondoc.Bool) }

// Look surveys a schema. It takes any value and cannot fail; its work is linear in the text, but for
// the patterns, which are compiled.
func Look(v jsondoc.Value) *Survey {
	s := &Survey{root: v, byNode: map[int32]int{}, resources: map[string]int32{}, anchors: map[string]int32{}}
	if !v.Exists() {
		return s
	}
	s.base = string(v.Pointer())
	s.measure()
	table := applicators()
	s.walk(table, v, root, true)
	s.Subschemas = len(s.subs)
	s.resolve()
	if len(s.subs) <= 10*MaxSubschemas { // beyond that nobody will compile it
		s.expand()
	}
	return s
}

// measure counts values and levels over the flat table of nodes.
func (s *Survey) measure() {
	nodes := s.root.Document().Nodes
	from := s.root.Node()
	to := nodes[from].Next
	s.Nodes = int(to - from)
	var open []int32 // ends of the containers that enclose the node
	for i := from; i < to; i++ {
		for len(open) > 0 && open[len(open)-1] <= i {
			open = open[:len(open)-1]
		}
		if k := nodes[i].Kind; k == jsondoc.Array || k == jsondoc.Object {
			open = append(open, nodes[i].Next)
			s.Depth = max(s.Depth, len(open))
		}
	}
}

// walk enters a subschema and what stands under it into the table.
func (s *Survey) walk(table []applicator, v jsondoc.Value, base string, top bool) int {
	if id, known := s.byNode[v.Node()]; known {
		return id
	}
	base = s.identify(v, base, top)
	id := len(s.subs)
	s.subs = append(s.subs, sub{v: v, base: base})
	s.byNode[v.Node()] = id
	if b, ok := v.Get("uniqueItems").Bool(); ok && b {
		s.unique = true
	}
	if p := v.Get("pattern"); p.Is(jsondoc.String) {
		s.pattern(p, p.Text())
	}
	subschemas(table, v, func(a applicator, w jsondoc.Value) {
		if a.name == "patternProperties" {
			s.pattern(w, w.Name())
		}
		child := s.walk(table, w, base, false)
		switch {
		case a.storage:
		case a.inplace:
			s.subs[id].inplace = append(s.subs[id].inplace, child)
		default:
			s.subs[id].inner = append(s.subs[id].inner, child)
		}
	})
	return id
}

func (s *Survey) pattern(at jsondoc.Value, text string) {
	_, err := newPattern(text, nil)
	s.Patterns = append(s.Patterns, Pattern{At: s.pointer(at), Text: text, Err: err})
}

// pointer is the place of a value, relative to the schema.
func (s *Survey) pointer(v jsondoc.Value) jsondoc.Pointer { return v.Pointer()[len(s.base):] }

// reachableFaults is the first fault, in reading order, among the subschemas that the root leads to.
func (s *Survey) reachableFaults() error {
	if len(s.Foreign) > 0 {
		p := s.Foreign[0]
		return &ErrDialect{URI: s.root.Document().At(jsondoc.Pointer(s.base) + p).Get("$schema").Text(), Pointer: p}
	}
	used := make([]bool, len(s.subs))
	queue := []int{0}
	used[0] = true
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, next := range [][]int{s.subs[at].inplace, s.subs[at].inner} {
			for _, to := range next {
				if !used[to] {
					used[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	for id, u := range used {
		if !u {
			continue
		}
		for _, r := range s.subs[id].refs {
			switch ref := s.Refs[r]; ref.Class {
			case RefRemote:
				return &ErrRemoteRef{URI: ref.URI, Pointer: ref.At}
			case RefUnresolved:
				return &ErrUnresolvedRef{Ref: ref.Text, Pointer: ref.At}
			}
		}
	}
	for _, c := range s.Cycles {
		if id, ok := s.byNode[s.root.Document().At(jsondoc.Pointer(s.base)+c.Through[0]).Node()]; ok && used[id] {
			return &ErrCycle{Pointer: c.Through[0], Through: c.Through}
		}
	}
	return nil
}
