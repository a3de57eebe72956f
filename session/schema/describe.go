package schema

import (
	"slices"

	"mcploupe/session/jsondoc"
)

// Only is the one value that a field may have: its const, or what stands alone in its enum, which is how those write a
// constant who know no const. Missing when there are several.
func (f Field) Only() jsondoc.Value {
	if !f.Const.Exists() && len(f.Choices) == 1 {
		return f.Choices[0].Value
	}
	return f.Const
}

// Describe reads one subschema as a field without a name. Words beside a reference win over those that
// the reference leads to.
func Describe(root, v jsondoc.Value) Field {
	w, nullable := simplify(root, v)
	f := Field{Schema: w, Nullable: nullable, held: Holds(root, w)}
	for _, h := range f.held {
		for _, keyword := range unionKeywords {
			for _, b := range h.Get(keyword).Elements() {
				f.Nullable = f.Nullable || isNull(b)
			}
		}
		if c := choices(h); len(c) > 0 && (f.Choices == nil || len(c) < len(f.Choices)) {
			f.Choices = c
		}
	}
	says := func(keyword string) jsondoc.Value {
		if own := v.Get(keyword); own.Exists() {
			return own
		}
		return f.says(keyword)
	}
	f.Title, f.Description = says("title").Text(), says("description").Text()
	f.Format, f.Pattern = f.says("format").Text(), f.says("pattern").Text()
	f.Default, f.Const = says("default"), f.says("const")
	for _, e := range says("examples").Elements() {
		f.Examples = append(f.Examples, e)
	}
	flag := func(keyword string) bool {
		a, _ := v.Get(keyword).Bool()
		b, _ := f.says(keyword).Bool()
		return a || b
	}
	f.ReadOnly, f.WriteOnly, f.Deprecated = flag("readOnly"), flag("writeOnly"), flag("deprecated")
	f.types()
	f.Nullable = f.Nullable || flag("nullable") // OpenAPI's way, which many tools still use
	return f
}

// says is what the first of the field's schemas that has a keyword has there.
func (f *Field) says(keyword string) jsondoc.Value {
	for _, h := range f.held {
		if v := h.Get(keyword); v.Exists() {
			return v
		}
	}
	return jsondoc.Value{}
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
	for _, keyword := range unionKeywords {
		if list := w.Get(keyword); constants(list) {
			for _, b := range list.Elements() {
				if c := b.Get("const"); c.Exists() {
					out = append(out, Choice{Value: c, Title: b.Get("title").Text()})
				}
			}
			return out
		}
	}
	return nil
}

// constants says whether a list of branches consists of constants alone, and null.
func constants(list jsondoc.Value) bool {
	if list.Len() == 0 || !list.Is(jsondoc.Array) {
		return false
	}
	some := false
	for _, b := range list.Elements() {
		is := b.Get("const").Exists()
		if !is && !isNull(b) || b.Get("properties").Exists() {
			return false
		}
		some = some || is
	}
	return some
}

// types reads the declared types, those that all schemas of the field allow, or infers them from keywords that only make
// sense for one.
func (f *Field) types() {
	for _, h := range f.held {
		f.declare(h.Get("type"))
	}
	if len(f.Types) > 0 {
		return
	}
	enter := func(name string) {
		switch {
		case name == "null":
			f.Nullable = true
		case name != "" && !f.Is(name):
			f.Types = append(f.Types, name)
		}
	}
	switch {
	case f.Const.Exists():
		enter(typeName(f.Const))
		return
	case len(f.Choices) > 0:
		for _, c := range f.Choices {
			enter(typeName(c.Value))
		}
		return
	}
	for _, hint := range [][2]string{
		{"properties", "object"}, {"required", "object"}, {"additionalProperties", "object"}, {"patternProperties", "object"},
		{"propertyNames", "object"}, {"minProperties", "object"}, {"unevaluatedProperties", "object"},
		{"items", "array"}, {"prefixItems", "array"}, {"minItems", "array"}, {"maxItems", "array"}, {"contains", "array"},
		{"pattern", "string"}, {"minLength", "string"}, {"maxLength", "string"}, {"format", "string"},
		{"minimum", "number"}, {"maximum", "number"}, {"exclusiveMinimum", "number"}, {"exclusiveMaximum", "number"}, {"multipleOf", "number"},
	} {
		if f.says(hint[0]).Exists() {
			enter(hint[1])
			return
		}
	}
}

// declare narrows the types to what one "type" allows.
func (f *Field) declare(t jsondoc.Value) {
	var names []string
	switch {
	case t.Is(jsondoc.String):
		names = []string{t.Text()}
	case t.Is(jsondoc.Array):
		for _, x := range t.Elements() {
			names = append(names, x.Text())
		}
	default:
		return
	}
	if slices.Contains(names, "null") {
		f.Nullable = true
	}
	var left []string
	for _, name := range names {
		if name != "null" && name != "" && !slices.Contains(left, name) && (len(f.Types) == 0 || f.Is(name) || name == "integer" && f.Is("number")) {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		f.Types = left
	}
}
