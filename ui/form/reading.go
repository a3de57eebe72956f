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
	fields map[int32][]schema.Field
	unions map[int32][]schema.Union
	alone  map[int32]schema.Field
	types  map[string][]variant
}

func newReading() reading {
	return reading{fields: map[int32][]schema.Field{}, unions: map[int32][]schema.Union{}, alone: map[int32]schema.Field{}, types: map[string][]variant{}}
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
