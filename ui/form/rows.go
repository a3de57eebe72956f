package form

import (
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// kind is what a row of the form is.
type kind uint8

const (
	scalar    kind = iota // free input, a choice, a boolean, or any JSON
	container             // an object or array whose parts are the rows below it
	branch                // the choice between the forms of a oneOf or anyOf that stands for the object around it
	more                  // adds an element to an array
	member                // adds a member to an object that takes any name
	pick                  // one of the choices of an array, to be ticked
	rest                  // says that there is more than a form shows
	send                  // the last row
)

// row is one line of the form.
type row struct {
	kind    kind
	field   schema.Field // as the kind that was chosen makes it
	at      jsondoc.Pointer
	label   string // escaped
	depth   int
	value   jsondoc.Value // Missing: absent
	unknown bool          // the schema does not know it
	own     bool          // a member whose name a person gave

	whole    jsondoc.Value // the schema before a form was chosen
	variants []variant
	chosen   int // of variants, -1 for none
	items    int // of an array
	element  int // which element of its array it is, -1 for none

	choice schema.Choice // of a pick, or of an array of them
	ticked int           // of a pick: which element it is, -1 for none
	picked bool          // an array whose choices are picks
}

// maxRows bounds the form of a schema that never ends and of a value that is large; what is beyond it is reached
// through JSON.
const maxRows = 500

// layout reads schema and text into rows. Parts are opened where the value has them, never beyond: so recursion ends
// where nobody opens it.
func (f *Form) layout() {
	f.doc = jsondoc.Parse(f.text)
	f.rows = f.rows[:0]
	f.object(f.root, f.doc.Root(), "", 0)
	if len(f.rows) >= maxRows {
		f.rows = append(f.rows, row{kind: rest, element: -1})
	}
	f.rows = append(f.rows, row{kind: send, element: -1})
	f.cur = min(max(f.cur, 0), len(f.rows)-1)
	f.judge()
}

// object lays out the members of an object: those of its schema, of the branch chosen, of what its members demand, and
// those that nothing knows.
func (f *Form) object(s, v jsondoc.Value, at jsondoc.Pointer, depth int) {
	variants := f.variants(schema.Describe(f.root, s))
	chosen := -1
	l := list{index: map[string]int{}}
	l.add(f.root, s, at)
	base := len(l.fields)
	if len(variants) > 0 && variants[0].branch {
		if chosen = f.chosen(at, variants, v); chosen >= 0 {
			l.add(f.root, variants[chosen].schema, at)
		}
	}
	for _, part := range f.parts(s, v) {
		l.add(f.root, part, at)
	}
	for _, name := range schema.DependentRequired(f.root, s, v) {
		if i, known := l.index[name]; known {
			l.fields[i].Required = true
		}
	}
	values := members(v)
	for i, field := range l.fields {
		if i == base {
			f.branchRow(s, at, variants, chosen, v, depth)
		}
		f.field(field, values[field.Name], depth, row{element: -1})
	}
	if base == len(l.fields) {
		f.branchRow(s, at, variants, chosen, v, depth)
	}
	open := schema.Openness(f.root, s)
	for name := range v.Members() {
		member, first := values[name]
		if _, known := l.index[name]; known || !first || len(f.rows) >= maxRows {
			continue
		}
		delete(values, name) // of several with one name the last one counts, and stands once
		place := jsondoc.Join(at, name)
		field, described := schema.Additional(f.root, s, name, place)
		field.Name, field.Pointer = name, place
		f.field(field, member, depth, row{element: -1, unknown: !described && open != schema.Map, own: true})
	}
	// A tool without arguments has a schema that allows any; only one that says so asks for them.
	if open == schema.Map && (at != "" || s.Get("additionalProperties").Exists() || s.Get("patternProperties").Exists()) {
		f.add(row{kind: member, at: at, label: "+", depth: depth, field: schema.Field{Schema: s, Pointer: at}, element: -1})
	}
}

// branchRow is the row that says which form an object has, among those that it may have.
func (f *Form) branchRow(s jsondoc.Value, at jsondoc.Pointer, variants []variant, chosen int, v jsondoc.Value, depth int) {
	if branching(variants) {
		f.add(row{kind: branch, at: at, label: "kind", depth: depth, value: v, whole: s, variants: variants, chosen: chosen, element: -1})
	}
}

// members are the values of an object by name; of several with one name the last one.
func members(v jsondoc.Value) map[string]jsondoc.Value {
	out := make(map[string]jsondoc.Value, v.Len())
	for name, member := range v.Members() {
		out[name] = member
	}
	return out
}

func (f *Form) add(r row) {
	if len(f.rows) < maxRows {
		f.rows = append(f.rows, r)
	}
}

// field lays out one value and, where they are open, its parts. r holds what is known of its row beside the field.
func (f *Form) field(field schema.Field, v jsondoc.Value, depth int, r row) {
	if len(f.rows) >= maxRows {
		return
	}
	at := field.Pointer
	r.at, r.depth, r.value, r.chosen, r.whole = at, depth, v, -1, field.Schema
	if r.label == "" {
		r.label = kit.Escape(field.Name)
	}
	if field.Required {
		r.label += " *"
	}
	whole := field
	if r.variants = f.variants(field); len(r.variants) > 0 {
		if r.chosen = f.chosen(at, r.variants, v); r.chosen >= 0 {
			field = r.variants[r.chosen].field
		} else {
			field.Types = typesOf(r.variants)
		}
	}
	r.field = field
	nested := len(field.Choices) == 0 && !field.Const.Exists()
	switch {
	case nested && (v.Is(jsondoc.Object) || !v.Exists() && only(field, "object")):
		r.kind = container
		f.add(r)
		if v.Exists() && !f.closed[at] {
			f.object(whole.Schema, v, at, depth+1)
		}
	case nested && (v.Is(jsondoc.Array) || !v.Exists() && only(field, "array")):
		r.kind, r.items = container, v.Len()
		if choices := f.picks(field, v); len(choices) > 0 {
			r.picked = true
			f.add(r)
			if !f.closed[at] {
				f.tickable(choices, field, v, depth+1)
			}
			return
		}
		f.add(r)
		if v.Exists() && !f.closed[at] {
			f.elements(field, v, at, depth+1)
		}
	default:
		f.add(r)
	}
}

// only tells that a field has this one type.
func only(field schema.Field, kind string) bool {
	return len(field.Types) == 1 && field.Types[0] == kind
}

func (f *Form) elements(field schema.Field, v jsondoc.Value, at jsondoc.Pointer, depth int) {
	for i, e := range v.Elements() {
		if len(f.rows) >= maxRows {
			return
		}
		item, _ := schema.Item(f.root, field.Schema, i, at)
		item.Pointer, item.Name = element(at, i), ""
		f.field(item, e, depth, row{label: "#" + strconv.Itoa(i), element: i})
	}
	if next, ok := schema.Item(f.root, field.Schema, v.Len(), at); ok && next.Schema.Is(jsondoc.Bool) {
		if allowed, _ := next.Schema.Bool(); !allowed {
			return // items: false
		}
	}
	f.add(row{kind: more, at: element(at, v.Len()), label: "+", depth: depth, field: field, items: v.Len(), element: -1})
}

// list is the fields of an object, gathered from several schemas that hold at once.
type list struct {
	fields []schema.Field
	index  map[string]int
}

func (l *list) add(root, s jsondoc.Value, at jsondoc.Pointer) {
	for _, field := range schema.Fields(root, s, at) {
		i, known := l.index[field.Name]
		if !known {
			l.index[field.Name] = len(l.fields)
			l.fields = append(l.fields, field)
			continue
		}
		have := &l.fields[i]
		required := have.Required || field.Required
		if field.Schema.Exists() && (!have.Schema.Exists() || len(have.Choices) == 0 && !have.Const.Exists() && (field.Const.Exists() || len(field.Choices) > 0)) {
			title, about := have.Title, have.Description
			*have = field
			if have.Title == "" {
				have.Title = title
			}
			if have.Description == "" {
				have.Description = about
			}
		}
		have.Required = required
	}
}

// parts are the schemas that hold for an object because of what it holds. A condition is compiled once.
func (f *Form) parts(s, v jsondoc.Value) []jsondoc.Value {
	return schema.Parts(f.root, s, v, func(condition jsondoc.Value) (fits, known bool) {
		compiled, asked := f.conditions[condition.Node()]
		if !asked {
			compiled, _ = schema.Compile(f.alone(condition)) // one that refers to other places decides nothing
			f.conditions[condition.Node()] = compiled
		}
		if compiled == nil {
			return false, false
		}
		if !v.Exists() {
			v = jsondoc.Parse([]byte("{}")).Root()
		}
		found, err := compiled.Validate(v)
		return err == nil && len(found) == 0, err == nil
	})
}

// alone is a part of the schema as a schema of its own, beside the definitions that it may refer to.
func (f *Form) alone(part jsondoc.Value) jsondoc.Value {
	text := []byte("{")
	for _, name := range []string{"$schema", "$defs", "definitions"} {
		if v := f.root.Get(name); v.Exists() {
			text = append(jsondoc.AppendQuote(text, name), ':')
			text = append(append(text, v.Raw()...), ',')
		}
	}
	text = append(append(append(text, `"allOf":[`...), part.Raw()...), "]}"...)
	return jsondoc.Parse(text).Root()
}

// isBool tells that the field is on or off and nothing else.
func (r *row) isBool() bool {
	return r.kind == scalar && only(r.field, "boolean") && len(r.field.Choices) == 0
}

// options are the values between which space and the arrows choose, as raw JSON.
func (r *row) options() [][]byte {
	var out [][]byte
	switch {
	case r.kind != scalar:
		return nil
	case r.field.Const.Exists():
		out = append(out, r.field.Const.Raw())
	case r.isBool():
		out = append(out, []byte("true"), []byte("false"))
	default:
		for _, c := range r.field.Choices {
			out = append(out, c.Value.Raw())
		}
	}
	if len(out) > 0 && r.field.Nullable && r.field.ChoiceOf(jsondoc.Parse([]byte("null")).Root()) < 0 {
		out = append(out, []byte("null"))
	}
	return out
}
