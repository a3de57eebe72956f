package form

import (
	"bytes"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// kind is what a row of the form is.
type kind uint8

const (
	scalar    kind = iota // free input, a choice, a boolean, or any JSON
	container             // an object or array whose parts are the rows below it
	branch                // the choice between the forms of a oneOf or anyOf
	more                  // adds an element to an array
	extra                 // a member that the schema does not know
	pick                  // one of the choices of an array, to be ticked
	send                  // the last row
)

// row is one line of the form.
type row struct {
	kind  kind
	field schema.Field
	at    jsondoc.Pointer
	label string // escaped
	depth int
	value jsondoc.Value // Missing: absent

	branches []schema.Branch
	chosen   int // of branches, -1 for none
	items    int // of an array

	choice schema.Choice // of a pick, or of an array of them
	ticked int           // of a pick: which element it is, -1 for none
	picked bool          // an array whose choices are picks
}

// maxRows bounds the form of a schema that never ends; what is beyond it is reached through JSON.
const maxRows = 500

// layout reads schema and text into rows. One level of nesting is opened where the value has it or a person asked.
func (f *Form) layout() {
	f.doc = jsondoc.Parse(f.text)
	f.rows = f.rows[:0]
	f.object(f.root, f.doc.Root(), "", 0)
	f.rows = append(f.rows, row{kind: send})
	f.cur = min(max(f.cur, 0), len(f.rows)-1)
	f.judge()
}

// object lays out the members of an object: those of its schema, of the branch chosen, and those that nothing knows.
func (f *Form) object(s, v jsondoc.Value, at jsondoc.Pointer, depth int) {
	known := map[string]bool{}
	fields := schema.Fields(f.root, s, at)
	branches := schema.Branches(f.root, s)
	chosen := -1
	if len(branches) > 0 {
		chosen = f.chosen(at, branches, v)
	}
	for _, field := range fields {
		known[field.Name] = true
		f.field(field, v.Get(field.Name), depth)
	}
	if len(branches) > 0 {
		f.add(row{kind: branch, at: at, label: "kind", depth: depth, value: v, branches: branches, chosen: chosen})
		if chosen >= 0 {
			for _, field := range schema.Fields(f.root, branches[chosen].Schema, at) {
				if !known[field.Name] {
					known[field.Name] = true
					f.field(field, v.Get(field.Name), depth)
				}
			}
		}
	}
	for name, member := range v.Members() {
		if !known[name] {
			f.add(row{kind: extra, at: jsondoc.Join(at, name), label: kit.Escape(name), depth: depth, value: member})
		}
	}
}

func (f *Form) add(r row) {
	if len(f.rows) < maxRows {
		f.rows = append(f.rows, r)
	}
}

func (f *Form) field(field schema.Field, v jsondoc.Value, depth int) {
	at := field.Pointer
	r := row{field: field, at: at, label: kit.Escape(field.Name), depth: depth, value: v}
	if field.Required {
		r.label += " *"
	}
	nested := len(field.Choices) == 0 && !field.Const.Exists()
	branches := schema.Branches(f.root, field.Schema)
	switch {
	case nested && (v.Is(jsondoc.Object) || !v.Exists() && (field.Is("object") || len(branches) > 0)) && f.hasParts(field):
		r.kind = container
		f.add(r)
		if v.Exists() && !f.closed[at] {
			f.object(field.Schema, v, at, depth+1)
		}
	case nested && (v.Is(jsondoc.Array) || !v.Exists() && field.Is("array")):
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

// hasParts tells whether the schema says anything about members, so that rows can stand for them.
func (f *Form) hasParts(field schema.Field) bool {
	return len(schema.Fields(f.root, field.Schema, field.Pointer)) > 0 || len(schema.Branches(f.root, field.Schema)) > 0
}

func (f *Form) elements(field schema.Field, v jsondoc.Value, at jsondoc.Pointer, depth int) {
	for i, e := range v.Elements() {
		item, ok := schema.Item(f.root, field.Schema, i, at)
		if !ok {
			item = schema.Field{}
		}
		item.Pointer, item.Name = element(at, i), "#"+string(element("", i)[1:])
		f.field(item, e, depth)
	}
	f.add(row{kind: more, at: element(at, v.Len()), label: "+", depth: depth, field: field, items: v.Len()})
}

// chosen is the branch that stands in the form: what the person chose, else the one whose constants the value holds.
func (f *Form) chosen(at jsondoc.Pointer, branches []schema.Branch, v jsondoc.Value) int {
	if i, ok := f.branch[at]; ok && i < len(branches) {
		return i
	}
	for i, b := range branches {
		for _, field := range schema.Fields(f.root, b.Schema, at) {
			if c := field.Const; c.Exists() && v.Get(field.Name).Exists() && c.Same(v.Get(field.Name)) {
				return i
			}
		}
	}
	return -1
}

// isBool tells that the field is on or off and nothing else.
func (r *row) isBool() bool {
	return r.kind == scalar && len(r.field.Types) == 1 && r.field.Types[0] == "boolean" && len(r.field.Choices) == 0
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
	if len(out) > 0 && r.field.Nullable {
		out = append(out, []byte("null"))
	}
	return out
}

// typable tells whether the value can be typed in place: one line of text, or a number.
func (r *row) typable() bool {
	if r.kind != scalar && r.kind != extra || len(r.options()) > 0 {
		return false
	}
	switch r.value.Kind() {
	case jsondoc.Missing, jsondoc.Null, jsondoc.Number, jsondoc.Bool, jsondoc.Invalid:
		return true
	case jsondoc.String:
		return !strings.ContainsAny(r.value.Text(), "\n\r")
	}
	return false
}

// typed is the text to begin typing with.
func (r *row) typed() string {
	switch r.value.Kind() {
	case jsondoc.String:
		return r.value.Text()
	case jsondoc.Missing, jsondoc.Null:
		return ""
	}
	return string(r.value.Raw())
}

// spell turns what was typed into JSON: as the field's type asks, digits as typed. What does not fit its type is kept as
// a string, so that nothing typed is lost; the field then says what is wrong.
func (r *row) spell(text string) []byte {
	anything := len(r.field.Types) == 0
	if r.field.Is("string") && !anything || anything && r.value.Is(jsondoc.String) {
		return jsondoc.AppendQuote(nil, text)
	}
	doc := jsondoc.Parse([]byte(text))
	if doc.Valid() && (anything || !doc.Root().Is(jsondoc.String)) {
		return bytes.TrimSpace([]byte(text))
	}
	return jsondoc.AppendQuote(nil, text)
}
