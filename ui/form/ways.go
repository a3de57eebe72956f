package form

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// A union may stand within a branch of another: each is a level of its own, chosen one after the other. Where the value is an
// object each level has a row; what is no object has all its levels in one list.

// Bounds of what is asked at once; what lies beyond is reached as JSON.
const (
	maxLevels = 8
	maxWays   = 1000
)

// union tells apart the choices of one value: the place, and the node of the list in the schema.
type union struct {
	at   jsondoc.Pointer
	node int32
}

// level is one choice of a value: its forms, and which of them stands, -1 while that is open.
type level struct {
	union    union
	variants []variant
	chosen   int
	within   schema.Field // what is chosen for
}

// decision is one choice made.
type decision struct {
	union union
	at    int
}

// way is a form that leaves nothing open, and the decisions that lead there.
type way struct {
	picks   []decision
	schemas []jsondoc.Value // of the branches, from outside in
	label   string          // escaped
	to      variant
}

// ask is what is to be chosen first of a field: a branch of a union, or one of several types. No variants: nothing.
func (f *Form) ask(field schema.Field) level {
	l := level{union: union{at: field.Pointer, node: -1}, chosen: -1, within: field}
	if len(field.Choices) > 0 || field.Const.Exists() {
		return l
	}
	if unions := f.unions(field.Schema); len(unions) > 0 {
		return f.branches(field, unions[0])
	}
	types := field.Types
	switch {
	case len(types) == 0:
		types = []string{"string", "number", "boolean", "object", "array"}
	case len(types) == 1, len(types) == 2 && field.Is("integer") && field.Is("number"):
		return l
	}
	if field.Schema.Exists() {
		l.union.node = field.Schema.Node()
	}
	l.variants = f.read.ofTypes(types)
	return l
}

// branches are the forms of a field by one of its unions.
func (f *Form) branches(field schema.Field, u schema.Union) level {
	known, ok := f.read.branches[u.List.Node()]
	if !ok {
		for _, b := range u.Branches {
			known = append(known, variant{label: kit.Escape(f.label(b)), field: f.described(b.Schema), schema: b.Schema, branch: true, bare: b.Bare, index: b.Index,
				further: len(f.unions(b.Schema)) > 0})
		}
		f.read.branches[u.List.Node()] = known
	}
	return level{union: union{at: field.Pointer, node: u.List.Node()}, variants: known, chosen: -1, within: field}
}

// field is what the value is by one of the forms of a level: a form says what it says by itself, the rest is what the level
// stands in.
func (l *level) field(i int) schema.Field {
	made, v := l.within, &l.variants[i]
	if !v.branch {
		made.Types = v.field.Types
		return made
	}
	made = v.field
	made.Name, made.Pointer, made.Required = l.within.Name, l.within.Pointer, l.within.Required
	made.Nullable = made.Nullable || l.within.Nullable
	if made.Description == "" {
		made.Description = l.within.Description
	}
	if !made.Default.Exists() {
		made.Default = l.within.Default
	}
	if len(made.Types) == 0 && !v.further {
		made.Types = l.within.Types
	}
	return made
}

// label is what a branch is called: one without a name that only offers further ones is called by those.
func (f *Form) label(b schema.Branch) string {
	if !b.Bare {
		return b.Label
	}
	var words []string
	for _, u := range f.unions(b.Schema) {
		for _, inner := range u.Branches {
			words = append(words, inner.Label)
		}
	}
	if len(words) == 0 {
		return b.Label
	}
	return kit.Cut(strings.Join(words, " | "), 40)
}

// levels are the choices of a value from outside in, as far as they are decided, and the field that they lead to. The last
// of them may be open: then the field may be whatever it offers.
func (f *Form) levels(field schema.Field, v jsondoc.Value) ([]level, schema.Field) {
	var out []level
	for len(out) < maxLevels {
		l := f.ask(field)
		if len(l.variants) < 2 || slices.ContainsFunc(out, func(o level) bool { return o.union == l.union }) {
			break
		}
		l.chosen = f.chosen(l, v)
		out = append(out, l)
		if l.chosen < 0 {
			field.Types = f.typesOf(field)
			break
		}
		field = l.field(l.chosen)
	}
	return out, field
}

// ways lists the forms of a field through the unions within its branches; those of types are not gone into, the value
// itself tells them apart.
func (f *Form) ways(field schema.Field) []way {
	var out []way
	var walk func(l level, so way)
	walk = func(l level, so way) {
		for i, v := range l.variants {
			v.field = l.field(i)
			to := way{picks: append(slices.Clip(so.picks), decision{l.union, i}), schemas: so.schemas, label: v.label, to: v}
			if v.branch {
				to.schemas = append(slices.Clip(so.schemas), v.schema)
			}
			if so.label != "" && !so.to.bare {
				to.label = so.label + ": " + v.label
			}
			inner := level{}
			if v.branch && len(to.picks) < maxLevels && len(out) < maxWays {
				inner = f.ask(v.field)
			}
			if branching(inner.variants) && !slices.ContainsFunc(to.picks, func(p decision) bool { return p.union == inner.union }) {
				walk(inner, to)
			} else {
				out = append(out, to)
			}
		}
	}
	walk(f.ask(field), way{})
	return out
}

// typesOf are the types that any of the forms of a field has; none when one of them may be anything.
func (f *Form) typesOf(field schema.Field) []string {
	var out []string
	for _, w := range f.ways(field) {
		if len(w.to.field.Types) == 0 {
			return nil
		}
		for _, t := range w.to.field.Types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// plainly tells that all forms of a field are single values, so that typing decides between them.
func (f *Form) plainly(field schema.Field) bool {
	for _, w := range f.ways(field) {
		v := &w.to
		if v.field.Is("object") || v.field.Is("array") || len(v.field.Choices) > 0 || v.field.Const.Exists() || len(v.field.Types) == 0 {
			return false
		}
	}
	return true
}

// chosen is the form that stands: what the person chose while nothing in the value speaks against it, else the one that
// the value fits best; -1 while that is open.
func (f *Form) chosen(l level, v jsondoc.Value) int {
	if i, ok := f.kinds[l.union]; ok && i < len(l.variants) {
		typed := f.typing && f.typed == l.union.at // half a number is still meant to be one
		if typed || !v.Exists() || v.Is(jsondoc.Null) || f.score(l.variants[i], v) >= 0 {
			return i
		}
	}
	best, most := -1, 0
	if v.Exists() {
		for i := range l.variants {
			if s := f.score(l.variants[i], v); s > most {
				best, most = i, s
			}
		}
	}
	return best
}

func (f *Form) score(a variant, v jsondoc.Value) int {
	if a.branch && f.forbids(a.schema, v) {
		return -1
	}
	if a.branch {
		return schema.Score(f.root, schema.Branch{Schema: a.schema}, v)
	}
	if schema.OfType(v, a.field.Types) {
		return 5
	}
	return -1
}

// wayOf is which of the ways the value of a row has gone, as far as it goes: -1 for none.
func wayOf(ways []way, levels []level) int {
	return slices.IndexFunc(ways, func(w way) bool {
		for i, p := range w.picks {
			if i >= len(levels) || levels[i].union != p.union || levels[i].chosen != p.at {
				return false
			}
		}
		return true
	})
}

// chosenSchemas are the schema of a row and the branches that were chosen for it.
func (r *row) chosenSchemas() []jsondoc.Value {
	out := []jsondoc.Value{r.whole}
	for _, l := range r.levels {
		if l.chosen >= 0 && l.variants[l.chosen].branch {
			out = append(out, l.variants[l.chosen].schema)
		}
	}
	return out
}

// kindWords is what was chosen among branches, from outside in; "" for nothing.
func (r *row) kindWords() string {
	words, bare := "", false
	for _, l := range r.levels {
		if l.chosen < 0 || !branching(l.variants) {
			break
		}
		if words != "" && !bare {
			words += ": " + l.variants[l.chosen].label
		} else {
			words = l.variants[l.chosen].label
		}
		bare = l.variants[l.chosen].bare
	}
	return words
}

// several tells that there is something to choose for a row.
func (r *row) several() bool { return len(r.levels) > 0 }

// open is the level that is not decided yet, nil when all are.
func (r *row) openLevel() *level {
	if n := len(r.levels); n > 0 && r.levels[n-1].chosen < 0 {
		return &r.levels[n-1]
	}
	return nil
}

// branched tells that one of the choices of a row is between branches, not types.
func (r *row) branched() bool {
	return slices.ContainsFunc(r.levels, func(l level) bool { return branching(l.variants) })
}

// decisions are what was decided on some levels, as a way has it: types within a branch are told apart by the value.
func decisions(levels []level) []decision {
	var out []decision
	for i, l := range levels {
		if i == 0 || branching(l.variants) {
			out = append(out, decision{l.union, l.chosen})
		}
	}
	return out
}

// stashed names what was typed for a value while these decisions stood.
func stashed(at jsondoc.Pointer, picks []decision) string {
	name := string(at) + "\x00"
	for _, p := range picks {
		name += strconv.Itoa(int(p.union.node)) + "." + strconv.Itoa(p.at) + "\x00"
	}
	return name
}
