package form

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
)

// reading keeps what was read of the schema, by its nodes: a form is laid out anew with each key, its schema stays.
type reading struct {
	fields   map[int32][]schema.Field
	unions   map[int32][]schema.Union
	alone    map[int32]schema.Field
	types    map[string][]variant
	tells    map[int32][]tell
	branches map[int32][]variant // by the list of a union
}

// tell is a member that has one value in a form: where it has another, the form is none for the object.
type tell struct {
	name string
	only jsondoc.Value
}

func newReading() reading {
	return reading{fields: map[int32][]schema.Field{}, unions: map[int32][]schema.Union{}, alone: map[int32]schema.Field{}, types: map[string][]variant{}, tells: map[int32][]tell{},
		branches: map[int32][]variant{}}
}

// ofTypes are the forms of a value that may be of several types; of their fields they have only the type.
func (r reading) ofTypes(types []string) []variant {
	key := strings.Join(types, " ")
	out, known := r.types[key]
	if !known {
		for _, t := range types {
			out = append(out, variant{label: t, field: schema.Field{Types: []string{t}}})
		}
		r.types[key] = out
	}
	return out
}

// fields is schema.Fields.
func (f *Form) fields(s jsondoc.Value, at jsondoc.Pointer) []schema.Field {
	known, ok := f.read.fields[s.Node()]
	if !ok || !s.Exists() {
		known = schema.Fields(f.root, s, "")
		f.read.fields[s.Node()] = known
	}
	out := slices.Clone(known)
	for i := range out {
		out[i].Pointer = at + out[i].Pointer
	}
	return out
}

// unions is schema.Unions.
func (f *Form) unions(s jsondoc.Value) []schema.Union {
	known, ok := f.read.unions[s.Node()]
	if !ok || !s.Exists() {
		known = schema.Unions(f.root, s)
		f.read.unions[s.Node()] = known
	}
	return known
}

// described is schema.Describe.
func (f *Form) described(s jsondoc.Value) schema.Field {
	known, ok := f.read.alone[s.Node()]
	if !ok || !s.Exists() {
		known = schema.Describe(f.root, s)
		f.read.alone[s.Node()] = known
	}
	return known
}

// item is schema.Item.
func (f *Form) item(s jsondoc.Value, i int, at jsondoc.Pointer) (schema.Field, bool) {
	of, ok := schema.ItemOf(f.root, s, i)
	if !ok {
		return schema.Field{}, false
	}
	field := f.described(of)
	field.Pointer = at + jsondoc.Pointer("/"+strconv.Itoa(i))
	return field, true
}

// forbids tells quickly that a value is not for a branch: by its type, or by a constant. What it does not forbid may not fit
// all the same.
func (f *Form) forbids(branch, v jsondoc.Value) bool {
	if types := f.described(branch).Types; len(types) > 0 && !schema.OfType(v, types) {
		return true
	}
	if !v.Is(jsondoc.Object) {
		return false
	}
	tells, known := f.read.tells[branch.Node()]
	if !known {
		for _, m := range f.fields(branch, "") {
			if only := m.Only(); only.Exists() {
				tells = append(tells, tell{m.Name, only})
			}
		}
		f.read.tells[branch.Node()] = tells
	}
	for _, t := range tells {
		if got := v.Get(t.name); got.Exists() && !t.only.Same(got) {
			return true
		}
	}
	return false
}
