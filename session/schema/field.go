package schema

import (
	"slices"
	"strconv"
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

	held []jsondoc.Value // all that describes it at once
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
		min, max := f.says(low), f.says(high)
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
		if v := f.says(k[0]); v.Is(jsondoc.Number) {
			words = append(words, k[1]+string(v.Raw()))
		}
	}
	span("minLength", "maxLength", "characters")
	span("minItems", "maxItems", "items")
	if unique, ok := f.says("uniqueItems").Bool(); ok && unique {
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

// simplify strips what stands around the schema that matters to a form, where nothing else is said there: references, an
// allOf of one, and a union of one or of one with null, which it reports as nullable.
func simplify(root, v jsondoc.Value) (w jsondoc.Value, nullable bool) {
	for range 16 {
		next := jsondoc.Value{}
		switch {
		case v.Get("$ref").Exists():
			if to := Resolve(root, v); to.Node() != v.Node() && (lonely(root) || bare(v, "$ref")) {
				next = to
			}
		case v.Get("allOf").Is(jsondoc.Array) && v.Get("allOf").Len() == 1 && bare(v, "allOf"):
			next = v.Get("allOf").Index(0)
		default:
			for _, keyword := range unionKeywords {
				if one, ok := single(v.Get(keyword)); ok && bare(v, keyword) {
					next, nullable = one, nullable || v.Get(keyword).Len() > 1
					break
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

// bare tells that beside a keyword only words for people stand, which change nothing of what is allowed.
func bare(v jsondoc.Value, keyword string) bool {
	for name := range v.Members() {
		switch name {
		case keyword, "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "nullable",
			"$comment", "$schema", "$id", "id", "$anchor", "$defs", "definitions":
		default:
			if !strings.HasPrefix(name, "x-") {
				return false
			}
		}
	}
	return true
}

func isNull(v jsondoc.Value) bool {
	return v.Get("type").Text() == "null" || v.Get("const").Is(jsondoc.Null)
}

// Fields lists the members of an object schema in the order in which the schema names them, with those
// of an allOf, and last those that are only required. at is where the object stands in the value. root
// is the whole schema, for references.
func Fields(root, v jsondoc.Value, at jsondoc.Pointer) []Field {
	c := collector{root: root, at: at, index: map[string]int{}}
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
}

func (c *collector) object(v jsondoc.Value) {
	for _, h := range Holds(c.root, v) {
		before := len(c.fields)
		for name, p := range h.Get("properties").Members() {
			f := Describe(c.root, p)
			f.Name, f.Pointer = name, jsondoc.Join(c.at, name)
			switch i, twice := c.index[name]; {
			case !twice:
				c.enter(f)
			case i >= before:
				c.fields[i] = f // the last of two members with one name is the one that counts
			default:
				c.fields[i] = c.fields[i].And(f)
			}
		}
		for _, name := range h.Get("required").Elements() {
			if name.Is(jsondoc.String) {
				c.required = append(c.required, name.Text())
			}
		}
	}
}

func (c *collector) enter(f Field) int {
	c.fields = append(c.fields, f)
	c.index[f.Name] = len(c.fields) - 1
	return len(c.fields) - 1
}

// And is a field that two schemas describe at once: the one that says more of it, with the words of the other where it has
// none, required when one of them says so.
func (f Field) And(g Field) Field {
	out, other := f, g
	if g.Schema.Exists() && (!f.Schema.Exists() || !f.narrow() && (g.narrow() || len(f.Types) == 0 && len(g.Types) > 0)) {
		out, other = g, f
	}
	out.Required = f.Required || g.Required
	if out.Title == "" {
		out.Title = other.Title
	}
	if out.Description == "" {
		out.Description = other.Description
	}
	if !out.Default.Exists() {
		out.Default = other.Default
	}
	return out
}

// narrow tells that a field is one of few values.
func (f Field) narrow() bool { return f.Const.Exists() || len(f.Choices) > 0 }

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
	item, ok := ItemOf(root, v, i)
	if !ok {
		return Field{}, false
	}
	f := Describe(root, item)
	f.Pointer = jsondoc.Join(at, strconv.Itoa(i))
	return f, true
}

// ItemOf is what an array schema says of item i.
func ItemOf(root, v jsondoc.Value, i int) (jsondoc.Value, bool) {
	for _, h := range Holds(root, v) {
		item, rest := h.Get("prefixItems").Index(i), h.Get("items")
		if !item.Exists() && rest.Is(jsondoc.Array) { // drafts before 2020-12
			if item = rest.Index(i); !item.Exists() {
				item = h.Get("additionalItems")
			}
		} else if !item.Exists() {
			item = rest
		}
		if isSchema(item) {
			return item, true
		}
	}
	return jsondoc.Value{}, false
}
