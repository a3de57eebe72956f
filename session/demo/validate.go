package demo

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// invalid says what is wrong with a value by the part of JSON Schema that the station's own schemas use,
// "" for nothing. It is the server's own check of its own arguments, not a validator for schemas of others.
func invalid(root, schema, v jsondoc.Value, at string) string {
	if ref := schema.Get("$ref"); ref.Exists() {
		schema = root.Document().At(root.Pointer() + jsondoc.Pointer(strings.TrimPrefix(ref.Text(), "#")))
	}
	if text := wrongType(schema, v); text != "" {
		return at + " must be " + text
	}
	if enum := schema.Get("enum"); enum.Exists() && !holds(enum, v) {
		return fmt.Sprintf("%s must be one of %s", at, jsondoc.Compact(nil, enum.Raw()))
	}
	if want := schema.Get("const"); want.Exists() && !want.Same(v) {
		return fmt.Sprintf("%s must be %s", at, want.Raw())
	}
	text := ""
	switch v.Kind() {
	case jsondoc.Object:
		text = invalidObject(root, schema, v, at)
	case jsondoc.Array:
		text = invalidArray(root, schema, v, at)
	case jsondoc.String:
		text = invalidString(schema, v, at)
	case jsondoc.Number:
		text = invalidNumber(schema, v, at)
	}
	if text != "" {
		return text
	}
	if some := schema.Get("anyOf"); some.Exists() && matches(root, some, v) == 0 {
		return at + " fits none of the forms that it may take"
	}
	if one := schema.Get("oneOf"); one.Exists() && matches(root, one, v) != 1 {
		return at + " must fit exactly one of the forms that it may take"
	}
	return ""
}

func matches(root, schemas, v jsondoc.Value) int {
	n := 0
	for s := range schemas.Children() {
		if invalid(root, s, v, "") == "" {
			n++
		}
	}
	return n
}

func holds(list, v jsondoc.Value) bool {
	for e := range list.Children() {
		if e.Same(v) {
			return true
		}
	}
	return false
}

func wrongType(schema, v jsondoc.Value) string {
	want := schema.Get("type")
	switch want.Kind() {
	case jsondoc.String:
		if !isType(want.Text(), v) {
			return a(want.Text())
		}
	case jsondoc.Array:
		var words []string
		for t := range want.Children() {
			if isType(t.Text(), v) {
				return ""
			}
			words = append(words, a(t.Text()))
		}
		return strings.Join(words, " or ")
	}
	return ""
}

func a(name string) string {
	switch name {
	case "null":
		return name
	case "integer", "object", "array":
		return "an " + name
	}
	return "a " + name
}

func isType(name string, v jsondoc.Value) bool {
	switch name {
	case "object":
		return v.Is(jsondoc.Object)
	case "array":
		return v.Is(jsondoc.Array)
	case "string":
		return v.Is(jsondoc.String)
	case "boolean":
		return v.Is(jsondoc.Bool)
	case "number":
		return v.Is(jsondoc.Number)
	case "integer":
		return v.IsInteger()
	case "null":
		return v.Is(jsondoc.Null)
	}
	return true
}

func invalidObject(root, schema, v jsondoc.Value, at string) string {
	properties := schema.Get("properties")
	for name := range schema.Get("required").Children() {
		if !v.Get(name.Text()).Exists() {
			return fmt.Sprintf("%s is required", join(at, name.Text()))
		}
	}
	closed := schema.Get("additionalProperties")
	for name, member := range v.Members() {
		sub := properties.Get(name)
		if !sub.Exists() {
			if open, ok := closed.Bool(); ok && !open {
				return fmt.Sprintf("%s is not known here", join(at, name))
			}
			continue
		}
		if text := invalid(root, sub, member, join(at, name)); text != "" {
			return text
		}
	}
	return ""
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func invalidArray(root, schema, v jsondoc.Value, at string) string {
	if n, ok := schema.Get("minItems").Int(); ok && int64(v.Len()) < n {
		return fmt.Sprintf("%s must have at least %d entries", at, n)
	}
	if n, ok := schema.Get("maxItems").Int(); ok && int64(v.Len()) > n {
		return fmt.Sprintf("%s must have at most %d entries", at, n)
	}
	items := schema.Get("items")
	if !items.Exists() {
		return ""
	}
	for i, e := range v.Elements() {
		if text := invalid(root, items, e, fmt.Sprintf("%s[%d]", at, i)); text != "" {
			return text
		}
	}
	return ""
}

func invalidString(schema, v jsondoc.Value, at string) string {
	length := int64(utf8.RuneCountInString(v.Text()))
	if n, ok := schema.Get("minLength").Int(); ok && length < n {
		return fmt.Sprintf("%s must not be shorter than %d", at, n)
	}
	if n, ok := schema.Get("maxLength").Int(); ok && length > n {
		return fmt.Sprintf("%s must not be longer than %d", at, n)
	}
	if p := schema.Get("pattern"); p.Exists() {
		re, err := regexp.Compile(p.Text())
		if err == nil && !re.MatchString(v.Text()) {
			return fmt.Sprintf("%s must look like %s", at, p.Text())
		}
	}
	return ""
}

// invalidNumber compares exactly, so that 14.000000000000000001 is not 14. Spellings too long to compare
// cheaply are refused: no bound of ours needs them.
func invalidNumber(schema, v jsondoc.Value, at string) string {
	compare := func(bound jsondoc.Value) (int, bool) {
		x, ok1 := exact(v)
		y, ok2 := exact(bound)
		if !ok1 || !ok2 {
			return 0, false
		}
		return x.Cmp(y), true
	}
	if b := schema.Get("minimum"); b.Exists() {
		if order, ok := compare(b); !ok || order < 0 {
			return fmt.Sprintf("%s must be at least %s", at, b.Raw())
		}
	}
	if b := schema.Get("maximum"); b.Exists() {
		if order, ok := compare(b); !ok || order > 0 {
			return fmt.Sprintf("%s must be at most %s", at, b.Raw())
		}
	}
	return ""
}

func exact(v jsondoc.Value) (*big.Rat, bool) {
	text := string(v.Raw())
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); len(text) > 64 || ok && len(strings.TrimLeft(exponent, "+-")) > 3 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
