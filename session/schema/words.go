package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"sort"
	"strings"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"mcploupe/session/jsondoc"
)

// add enters one problem. token is a further step below the error's own place in the value.
func (t *translator) add(e *lib.ValidationError, keyword, token, want, text string) *Problem {
	p := Problem{
		Instance: jsondoc.Join("", e.InstanceLocation...),
		Schema:   place(e.SchemaURL),
		Keyword:  keyword,
		Want:     want,
	}
	if token != "" {
		p.Instance = jsondoc.Join(p.Instance, token)
	}
	if keyword != "" {
		p.Schema = jsondoc.Join(p.Schema, keyword)
	}
	if text == "" {
		text = "want " + want + t.got(p.Instance)
	}
	p.Text = text
	t.out = append(t.out, p)
	return &t.out[len(t.out)-1]
}

// got says what stands at a place of the value, as it stands there.
func (t *translator) got(p jsondoc.Pointer) string {
	if t.value == nil {
		return ""
	}
	v := t.value.Document().At(t.value.Pointer() + p)
	switch v.Kind() {
	case jsondoc.Missing:
		return ""
	case jsondoc.Object:
		return fmt.Sprintf(", got an object of %d", v.Len())
	case jsondoc.Array:
		return fmt.Sprintf(", got an array of %d", v.Len())
	}
	return ", got " + cut(string(v.Raw()), 60)
}

// leaf words one error. The library's own texts group digits and round numbers, so they are not used.
func (t *translator) leaf(e *lib.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		t.add(e, "type", "", kinds(k.Want), "")
	case *kind.Format:
		var c *notChosen
		switch {
		case errors.As(k.Err, &c):
			t.add(e, c.keyword, "", alternatives(c.want), "")
		default: // only in meta-schemas: regex, uri …
			t.add(e, "format", "", "a "+k.Want, fmt.Sprintf("%s is no %s: %v", short(k.Got), k.Want, k.Err))
		}
	case *kind.Enum:
		t.add(e, "enum", "", alternatives(k.Want), "")
	case *kind.Const:
		t.add(e, "const", "", alternatives([]any{k.Want}), "")
	case *kind.Required:
		t.missing(e, "required", k.Missing, "")
	case *kind.Dependency:
		t.missing(e, "dependencies", k.Missing, k.Prop)
	case *kind.DependentRequired:
		t.missing(e, "dependentRequired", k.Missing, k.Prop)
	case *kind.AdditionalProperties:
		names := append([]string(nil), k.Properties...)
		sort.Strings(names)
		for _, name := range names {
			t.add(e, "additionalProperties", name, "no further members", fmt.Sprintf("the member %s is not among those allowed", jsondoc.Quote(cut(name, 60))))
		}
	case *kind.PropertyNames:
		p := t.add(e, "propertyNames", k.Property, "another name", fmt.Sprintf("the name %s is not allowed", jsondoc.Quote(cut(k.Property, 60))))
		p.Schema = place(e.SchemaURL) // of propertyNames itself already
	case *kind.Pattern:
		t.add(e, "pattern", "", "text matching "+cut(k.Want, 80), "")
	case *kind.FalseSchema:
		t.add(e, "", "", "nothing here", "nothing is allowed here")
	case *kind.Not:
		t.add(e, "not", "", "something else", "fits what it must not fit")
	case *kind.OneOf:
		t.add(e, "oneOf", "", "exactly one form", fmt.Sprintf("fits more than one form (%d and %d)", k.Subschemas[0], k.Subschemas[1]))
	case *kind.UniqueItems:
		t.add(e, "uniqueItems", fmt.Sprint(k.Duplicates[1]), "no item twice", fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1]))
	case *kind.Contains:
		t.add(e, "contains", "", "an item that fits", "no item fits what the array must contain")
	default:
		t.size(e)
	}
}

// size words the keywords that compare a number.
func (t *translator) size(e *lib.ValidationError) {
	counted := func(keyword, bound string, want int, what string, got int) {
		if want != 1 {
			what += "s"
		}
		t.add(e, keyword, "", fmt.Sprintf("%s %d %s", bound, want, what), fmt.Sprintf("want %s %d %s, got %d", bound, want, what, got))
	}
	compared := func(keyword, bound string, want *big.Rat) {
		t.add(e, keyword, "", bound+" "+decimal(want), "")
	}
	switch k := e.ErrorKind.(type) {
	case *kind.MinLength:
		counted("minLength", "at least", k.Want, "character", k.Got)
	case *kind.MaxLength:
		counted("maxLength", "at most", k.Want, "character", k.Got)
	case *kind.MinItems:
		counted("minItems", "at least", k.Want, "item", k.Got)
	case *kind.MaxItems:
		counted("maxItems", "at most", k.Want, "item", k.Got)
	case *kind.MinProperties:
		counted("minProperties", "at least", k.Want, "member", k.Got)
	case *kind.MaxProperties:
		counted("maxProperties", "at most", k.Want, "member", k.Got)
	case *kind.MinContains:
		counted("minContains", "at least", k.Want, "fitting item", len(k.Got))
	case *kind.MaxContains:
		counted("maxContains", "at most", k.Want, "fitting item", len(k.Got))
	case *kind.AdditionalItems:
		t.add(e, "additionalItems", "", "no further items", fmt.Sprintf("the last %d items are not allowed", k.Count))
	case *kind.Minimum:
		compared("minimum", "at least", k.Want)
	case *kind.Maximum:
		compared("maximum", "at most", k.Want)
	case *kind.ExclusiveMinimum:
		compared("exclusiveMinimum", "more than", k.Want)
	case *kind.ExclusiveMaximum:
		compared("exclusiveMaximum", "less than", k.Want)
	case *kind.MultipleOf:
		compared("multipleOf", "a multiple of", k.Want)
	default:
		keyword := ""
		if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
		t.add(e, keyword, "", "a value that fits", "does not fit "+keyword)
	}
}

func (t *translator) missing(e *lib.ValidationError, keyword string, names []string, because string) {
	for _, name := range names {
		text := "the member " + jsondoc.Quote(cut(name, 60)) + " is missing"
		if because != "" {
			text += ", which " + jsondoc.Quote(cut(because, 60)) + " demands"
		}
		t.add(e, keyword, "", "the member "+jsondoc.Quote(cut(name, 60)), text).Member = name
	}
}

// kinds words a list of types.
func kinds(types []string) string {
	words := make([]string, len(types))
	for i, name := range types {
		switch name {
		case "null":
			words[i] = "null"
		case "integer", "array", "object":
			words[i] = "an " + name
		default:
			words[i] = "a " + name
		}
	}
	return strings.Join(words, " or ")
}

// alternatives words the values of an enum, the first few of them.
func alternatives(values []any) string {
	const shown = 8
	var words []string
	for _, v := range values[:min(len(values), shown)] {
		words = append(words, short(v))
	}
	if n := len(values) - shown; n > 0 {
		return strings.Join(words, ", ") + fmt.Sprintf(" or one of %d more", n)
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// short is a converted value as JSON, cut.
func short(v any) string {
	switch v := v.(type) {
	case string:
		return jsondoc.Quote(cut(v, 60))
	case json.Number:
		return cut(string(v), 60)
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("an object of %d", len(v))
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// decimal writes a bound as people do, without an exponent and without rounding where that is short.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return cut(r.Num().String(), 40)
	}
	if n, exact := r.FloatPrec(); exact && n <= 20 {
		return r.FloatString(n)
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}
