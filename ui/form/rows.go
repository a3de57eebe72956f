package form

import (
	"slices"

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
	batch                 // elements or members that are closed together
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

	whole   jsondoc.Value   // the schema before a form was chosen
	holds   []jsondoc.Value // of a member: all that holds for the object that it adds to
	levels  []level         // what is chosen for the value, from outside in; a branch stands for the last of them
	plain   bool            // whatever is chosen on the level that is open, the value is a single one
	items   int             // how many parts it has
	element int             // which element of its array it is, -1 for none

	choice schema.Choice // of a pick, or of an array of them
	group  span          // of a group: what it holds
	names  []string      // of a group of members: those of all that have no field
	ticked int           // of a pick: which element it is, -1 for none
	picked bool          // an array whose choices are picks
}

// layout reads schema and text into rows. Parts are opened where the value has them, never beyond: so recursion ends
// where nobody opens it.
func (f *Form) layout() {
	if f.doc == nil || len(f.doc.Text) != len(f.text) || len(f.text) > 0 && &f.doc.Text[0] != &f.text[0] {
		f.doc = jsondoc.Parse(f.text)
	}
	f.rows = f.rows[:0]
	f.object(f.root, f.doc.Root(), "", 0)
	if len(f.rows) >= maxRows {
		f.rows = append(f.rows, row{kind: rest, element: -1})
	}
	f.rows = append(f.rows, row{kind: send, element: -1})
	f.wanted = ""
	f.cur = min(max(f.cur, 0), len(f.rows)-1)
	f.judge()
}

// object lays out the members of an object: those of its schema, of the branches chosen, of what its members demand, and
// those that nothing knows.
func (f *Form) object(s, v jsondoc.Value, at jsondoc.Pointer, depth int) {
	o := f.shape(s, v, at, nil)
	values := members(v)
	for i := 0; i <= len(o.fields); i++ {
		for _, c := range o.choices {
			if c.before == i {
				nested := len(c.levels) - 1
				f.add(row{kind: branch, at: at, label: "kind", depth: depth + nested, value: v, whole: s, levels: c.levels, element: -1})
			}
		}
		if i < len(o.fields) {
			f.field(o.fields[i], values[o.fields[i].Name], depth, row{element: -1})
		}
	}
	open := schema.Openness(f.root, o.schemas...)
	var names []string
	for name := range v.Members() {
		if _, known := o.index[name]; !known && values[name].Exists() {
			names = append(names, name)
		}
	}
	if len(names) > len(values) || v.Len() > len(values) { // of several with one name the last one counts, and stands once
		seen := map[string]bool{}
		names = slices.DeleteFunc(names, func(name string) bool {
			twice := seen[name]
			seen[name] = true
			return twice
		})
	}
	f.others(names, at, depth, func(name string) {
		place := jsondoc.Join(at, name)
		field, described := schema.Additional(f.root, name, place, o.schemas...)
		field.Name, field.Pointer = name, place
		f.field(field, values[name], depth, row{element: -1, unknown: !described && open != schema.Map, own: true})
	})
	// A tool without arguments has a schema that allows any; only one that says so asks for them.
	if open == schema.Map && (at != "" || s.Get("additionalProperties").Exists() || s.Get("patternProperties").Exists()) {
		f.add(row{kind: member, at: at, label: "+", depth: depth, field: schema.Field{Schema: s, Pointer: at}, holds: o.schemas, element: -1})
	}
}

// shape is what holds for an object.
type shape struct {
	list
	schemas []jsondoc.Value // its own, those of the branches chosen, those that its members ask for
	choices []choice
	forced  []jsondoc.Value // of the branches that are forced, and of those chosen within them
}

// choice is one of the choices that an object has, and the number of fields that stand above it.
type choice struct {
	before int
	levels []level // those around it, and its own last
}

// shape gathers what holds for an object. What is forced is chosen whatever the object holds; within that stands what a
// person chose there before.
func (f *Form) shape(s, v jsondoc.Value, at jsondoc.Pointer, forced []decision) *shape {
	o := &shape{list: list{index: map[string]int{}}}
	seen := map[int32]bool{}
	var needed []string
	var visit func(s jsondoc.Value, around []level, within bool)
	visit = func(s jsondoc.Value, around []level, within bool) {
		if seen[s.Node()] || len(around) > maxLevels {
			return
		}
		seen[s.Node()] = true
		o.schemas = append(o.schemas, s)
		o.add(f.fields(s, at))
		needed = append(needed, schema.DependentRequired(f.root, s, v)...)
		for _, u := range f.unions(s) {
			if seen[u.List.Node()] {
				continue
			}
			seen[u.List.Node()] = true
			l := f.branches(schema.Field{Pointer: at, Schema: s}, u)
			force := slices.ContainsFunc(forced, func(d decision) bool { return d.union == l.union })
			if before, known := f.kinds[l.union]; known && before < len(l.variants) && (force || within) {
				l.chosen, force = before, true
			} else {
				l.chosen = f.chosen(l, v)
			}
			levels := append(slices.Clip(around), l)
			o.choices = append(o.choices, choice{len(o.fields), levels})
			if l.chosen < 0 {
				continue
			}
			branch := l.variants[l.chosen].schema
			if force {
				o.forced = append(o.forced, branch)
			}
			visit(branch, levels, force)
		}
		for _, part := range f.parts(s, v) {
			visit(part, around, within)
		}
	}
	visit(s, nil, false)
	for _, name := range needed {
		i, known := o.index[name]
		if !known {
			i = len(o.fields)
			o.index[name] = i
			o.fields = append(o.fields, schema.Field{Name: name, Pointer: jsondoc.Join(at, name)})
		}
		o.fields[i].Required = true
	}
	return o
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
	r.at, r.depth, r.value, r.whole = at, depth, v, field.Schema
	switch {
	case r.label != "":
	case field.Name == "":
		r.label = `""` // a name like any other
	default:
		r.label = kit.Escape(field.Name)
	}
	if field.Required {
		r.label += " *"
	}
	whole := field
	r.levels, field = f.levels(field, v)
	if open := r.openLevel(); open != nil {
		r.plain = f.plainly(open.within)
	}
	r.field = field
	nested := len(field.Choices) == 0 && !field.Const.Exists()
	switch {
	case nested && (v.Is(jsondoc.Object) || !v.Exists() && only(field, "object")):
		r.kind, r.items = container, v.Len()
		f.add(r)
		if v.Exists() && !f.isClosed(at) {
			f.object(whole.Schema, v, at, depth+1)
		}
	case nested && (v.Is(jsondoc.Array) || !v.Exists() && only(field, "array")):
		r.kind, r.items = container, v.Len()
		if choices := f.picks(field, v); len(choices) > 0 {
			r.picked = true
			f.add(r)
			if !f.isClosed(at) {
				f.tickable(choices, field, v, depth+1)
			}
			return
		}
		f.add(r)
		if v.Exists() && !f.isClosed(at) {
			f.elements(field, v, r.items, at, depth+1)
		}
	default:
		f.add(r)
	}
}

// only tells that a field has this one type.
func only(field schema.Field, kind string) bool {
	return len(field.Types) == 1 && field.Types[0] == kind
}

// list is the fields of an object, gathered from several schemas that hold at once.
type list struct {
	fields []schema.Field
	index  map[string]int
}

func (l *list) add(fields []schema.Field) {
	for _, field := range fields {
		i, known := l.index[field.Name]
		if !known {
			l.index[field.Name] = len(l.fields)
			l.fields = append(l.fields, field)
			continue
		}
		l.fields[i] = l.fields[i].And(field)
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
