package schema

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
)

// Field is one member of an object as a form needs it. It is a reading of the schema for people, made
// for one level at a time: opening a nested object asks again, so that recursion ends where nobody opens.
type Field struct {
	Name     string
	Pointer  jsondoc.Pointer // into the value that the form makes
	Schema   jsondoc.Value   // what describes it, references and wrappers followed; Missing when nothing does
	Types    []string        // declared, or inferred from what else stands there; empty: anything. Without "null"
	Nullable bool            // null is allowed
	Required bool

	Choices  []Choice      // enum, or a oneOf of constants; empty for free input
	Const    jsondoc.Value // the only value, Missing when there is none
	Default  jsondoc.Value
	Examples []jsondoc.Value

	Title, Description, Format, Pattern string
	ReadOnly, WriteOnly, Deprecated     bool
}

// Choice is one of the values that a field may take; Title is its words, "" when the schema has none.
type Choice struct {
	Value jsondoc.Value
	Title string
}

// Is says whether the field may have a type.
func (f Field) Is(kind string) bool {
	for _, t := range f.Types {
		if t == kind {
			return true
		}
	}
	return false
}

// ChoiceOf is which of the field's choices a value is, -1 for none of them.
func (f Field) ChoiceOf(v jsondoc.Value) int {
	return slices.IndexFunc(f.Choices, func(c Choice) bool { return c.Value.Same(v) })
}

// OfType tells whether a value is of one of these types as JSON Schema names them: a whole number is an integer and a number.
func OfType(v jsondoc.Value, types []string) bool {
	is := typeName(v)
	return slices.ContainsFunc(types, func(t string) bool { return t == is || t == "number" && is == "integer" })
}

// Limits is what the schema asks beyond the type, in a few words: "1 to 14, at most 80 characters".
func (f Field) Limits() string {
	var words []string
	span := func(low, high, unit string) {
		min, max := f.Schema.Get(low), f.Schema.Get(high)
		text := ""
		switch {
		case min.Is(jsondoc.Number) && max.Is(jsondoc.Number):
			text = string(min.Raw()) + " to " + string(max.Raw())
		case min.Is(jsondoc.Number):
			text = "at least " + string(min.Raw())
		case max.Is(jsondoc.Number):
			text = "at most " + string(max.Raw())
		default:
			return
		}
		if strings.HasSuffix(text, " 1") {
			unit = strings.TrimSuffix(unit, "s")
		}
		words = append(words, strings.TrimSpace(text+" "+unit))
	}
	span("minimum", "maximum", "")
	for _, k := range [][2]string{{"exclusiveMinimum", "more than "}, {"exclusiveMaximum", "less than "}, {"multipleOf", "a multiple of "}} {
		if v := f.Schema.Get(k[0]); v.Is(jsondoc.Number) {
			words = append(words, k[1]+string(v.Raw()))
		}
	}
	span("minLength", "maxLength", "characters")
	span("minItems", "maxItems", "items")
	if unique, ok := f.Schema.Get("uniqueItems").Bool(); ok && unique {
		words = append(words, "no item twice")
	}
	return strings.Join(words, ", ")
}

// Resolve follows local references ("#", "#/…", "#anchor") from v to what they describe, through
// references to references. What cannot be followed, leads nowhere or goes round in a circle stays v.
func Resolve(root, v jsondoc.Value) jsondoc.Value {
	seen := map[int32]bool{}
	at := v
	for {
		ref := at.Get("$ref")
		if !ref.Is(jsondoc.String) {
			return at
		}
		if seen[at.Node()] {
			return v
		}
		seen[at.Node()] = true
		to := local(root, ref.Text())
		if !isSchema(to) {
			return v
		}
		at = to
	}
}

// local finds what a reference within the schema leads to. $id is not looked at: forms are for schemas
// that people can read, and those with resources inside them have the JSON editor.
func local(root jsondoc.Value, ref string) jsondoc.Value {
	doc, frag := join("mem:///", ref)
	if doc != "mem:///" {
		return jsondoc.Value{}
	}
	if frag == "" || strings.HasPrefix(frag, "/") {
		return root.Document().At(root.Pointer() + jsondoc.Pointer(frag))
	}
	for _, defs := range []string{"$defs", "definitions"} {
		for _, d := range root.Get(defs).Members() {
			if d.Get("$anchor").Text() == frag {
				return d
			}
		}
	}
	return jsondoc.Value{}
}

// simplify strips what stands around the schema that matters to a form: references, an allOf of one,
// and a union with null, which it reports as nullable.
func simplify(root, v jsondoc.Value) (w jsondoc.Value, nullable bool) {
	for range 16 {
		v = Resolve(root, v)
		if v.Get("type").Exists() || v.Get("properties").Exists() {
			return v, nullable
		}
		next := jsondoc.Value{}
		if all := v.Get("allOf"); all.Is(jsondoc.Array) && all.Len() == 1 {
			next = all.Index(0)
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			if union := v.Get(keyword); union.Is(jsondoc.Array) && union.Len() == 2 {
				for i := range 2 {
					if isNull(union.Index(i)) && !isNull(union.Index(1-i)) {
						next, nullable = union.Index(1-i), true
					}
				}
			}
		}
		if !next.Is(jsondoc.Object) {
			return v, nullable
		}
		v = next
	}
	return v, nullable
}

func isNull(v jsondoc.Value) bool {
	return v.Get("type").Text() == "null" || v.Get("const").Is(jsondoc.Null)
}

// Fields lists the members of an object schema in the order in which the schema names them, with those
// of an allOf, and last those that are only required. at is where the object stands in the value. root
// is the whole schema, for references.
func Fields(root, v jsondoc.Value, at jsondoc.Pointer) []Field {
	c := collector{root: root, at: at, index: map[string]int{}, seen: map[int32]bool{}}
	c.object(v)
	for _, name := range c.required {
		i, ok := c.index[name]
		if !ok {
			i = c.enter(Field{Name: name, Pointer: jsondoc.Join(at, name)})
		}
		c.fields[i].Required = true
	}
	return c.fields
}

type collector struct {
	root     jsondoc.Value
	at       jsondoc.Pointer
	fields   []Field
	index    map[string]int
	required []string
	seen     map[int32]bool
}

func (c *collector) object(v jsondoc.Value) {
	v = Resolve(c.root, v)
	if !v.Is(jsondoc.Object) || c.seen[v.Node()] {
		return
	}
	c.seen[v.Node()] = true
	for name, p := range v.Get("properties").Members() {
		f := Describe(c.root, p)
		f.Name, f.Pointer = name, jsondoc.Join(c.at, name)
		if i, twice := c.index[name]; twice {
			c.fields[i] = f // the last of two members with one name is the one that counts
			continue
		}
		c.enter(f)
	}
	for _, name := range v.Get("required").Elements() {
		if name.Is(jsondoc.String) {
			c.required = append(c.required, name.Text())
		}
	}
	for _, part := range v.Get("allOf").Elements() {
		c.object(part)
	}
}

func (c *collector) enter(f Field) int {
	c.fields = append(c.fields, f)
	c.index[f.Name] = len(c.fields) - 1
	return len(c.fields) - 1
}

// Describe reads one subschema as a field without a name. Words beside a reference win over those that
// the reference leads to.
func Describe(root, v jsondoc.Value) Field {
	w, nullable := simplify(root, v)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, b := range w.Get(keyword).Elements() {
			nullable = nullable || isNull(b)
		}
	}
	f := Field{Schema: w, Nullable: nullable}
	word := func(keyword string) string {
		if t := v.Get(keyword); t.Is(jsondoc.String) {
			return t.Text()
		}
		return w.Get(keyword).Text()
	}
	f.Title, f.Description = word("title"), word("description")
	f.Format, f.Pattern = w.Get("format").Text(), w.Get("pattern").Text()
	if f.Default = v.Get("default"); !f.Default.Exists() {
		f.Default = w.Get("default")
	}
	f.Const = w.Get("const")
	examples := v.Get("examples")
	if !examples.Exists() {
		examples = w.Get("examples")
	}
	for _, e := range examples.Elements() {
		f.Examples = append(f.Examples, e)
	}
	flag := func(keyword string) bool {
		a, _ := v.Get(keyword).Bool()
		b, _ := w.Get(keyword).Bool()
		return a || b
	}
	f.ReadOnly, f.WriteOnly, f.Deprecated = flag("readOnly"), flag("writeOnly"), flag("deprecated")
	f.Choices = choices(w)
	f.types(w)
	return f
}

// choices reads enum (with the enumNames of older forms) and a oneOf or anyOf of constants.
func choices(w jsondoc.Value) []Choice {
	var out []Choice
	names := w.Get("enumNames")
	for i, v := range w.Get("enum").Elements() {
		out = append(out, Choice{Value: v, Title: names.Index(i).Text()})
	}
	if out != nil {
		return out
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if list := w.Get(keyword); constants(list) {
			for _, b := range list.Elements() {
				out = append(out, Choice{Value: b.Get("const"), Title: b.Get("title").Text()})
			}
			return out
		}
	}
	return nil
}

// constants says whether a list of branches consists of constants alone.
func constants(list jsondoc.Value) bool {
	if list.Len() == 0 || !list.Is(jsondoc.Array) {
		return false
	}
	for _, b := range list.Elements() {
		if !b.Get("const").Exists() || b.Get("properties").Exists() {
			return false
		}
	}
	return true
}

// types reads the declared types, or infers them from keywords that only make sense for one.
func (f *Field) types(w jsondoc.Value) {
	enter := func(name string) {
		switch {
		case name == "null":
			f.Nullable = true
		case name != "" && !f.Is(name):
			f.Types = append(f.Types, name)
		}
	}
	t := w.Get("type")
	switch {
	case t.Is(jsondoc.String):
		enter(t.Text())
	case t.Is(jsondoc.Array):
		for _, x := range t.Elements() {
			enter(x.Text())
		}
	case f.Const.Exists():
		enter(typeName(f.Const))
	case len(f.Choices) > 0:
		for _, c := range f.Choices {
			enter(typeName(c.Value))
		}
	default:
		for _, hint := range [][2]string{
			{"properties", "object"}, {"required", "object"}, {"additionalProperties", "object"},
			{"items", "array"}, {"prefixItems", "array"}, {"minItems", "array"},
			{"pattern", "string"}, {"minLength", "string"}, {"maxLength", "string"}, {"format", "string"},
			{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
		} {
			if w.Get(hint[0]).Exists() {
				enter(hint[1])
				return
			}
		}
	}
	if n, ok := w.Get("nullable").Bool(); ok && n { // OpenAPI's way, which many tools still use
		f.Nullable = true
	}
}

func typeName(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Null:
		return "null"
	case jsondoc.Bool:
		return "boolean"
	case jsondoc.Number:
		if v.IsInteger() {
			return "integer"
		}
		return "number"
	case jsondoc.String:
		return "string"
	case jsondoc.Array:
		return "array"
	case jsondoc.Object:
		return "object"
	}
	return ""
}

// Item describes item i of an array schema; its Name is empty. False when the schema says nothing
// about it.
func Item(root, v jsondoc.Value, i int, at jsondoc.Pointer) (Field, bool) {
	v, _ = simplify(root, v)
	item, rest := v.Get("prefixItems").Index(i), v.Get("items")
	if !item.Exists() && rest.Is(jsondoc.Array) { // drafts before 2020-12
		if item = rest.Index(i); !item.Exists() {
			item = v.Get("additionalItems")
		}
	} else if !item.Exists() {
		item = rest
	}
	if !isSchema(item) {
		return Field{}, false
	}
	f := Describe(root, item)
	f.Pointer = jsondoc.Join(at, fmt.Sprint(i))
	return f, true
}
