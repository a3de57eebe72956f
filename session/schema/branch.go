package schema

import (
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
)

// Branch is one of the forms that a oneOf or anyOf offers.
type Branch struct {
	Keyword string // oneOf or anyOf
	Index   int
	Schema  jsondoc.Value // as it is written, a reference perhaps
	Label   string        // for people: its title, the constants that tell it apart, or its type
	Bare    bool          // the label is a number only
}

// label is what a branch is called; "" when nothing tells.
func label(written, resolved jsondoc.Value) string {
	for _, v := range []jsondoc.Value{written, resolved} {
		if t := v.Get("title"); t.Is(jsondoc.String) && t.Text() != "" {
			return t.Text()
		}
	}
	var words []string
	for name, p := range resolved.Get("properties").Members() {
		c := p.Get("const")
		if list := p.Get("enum"); !c.Exists() && list.Len() == 1 {
			c = list.Index(0)
		}
		if c.Exists() {
			words = append(words, name+" = "+cut(string(c.Raw()), 30))
		}
	}
	if len(words) > 0 {
		return strings.Join(words, ", ")
	}
	for _, name := range resolved.Get("required").Elements() { // of few values, and it has to be there: it tells forms apart too
		few := resolved.Get("properties").Get(name.Text()).Get("enum")
		if few.Len() == 0 || few.Len() > 6 {
			continue
		}
		var values []string
		for _, v := range few.Elements() {
			values = append(values, cut(string(v.Raw()), 20))
		}
		words = append(words, name.Text()+" = "+strings.Join(values, ", "))
	}
	if len(words) > 0 {
		return cut(strings.Join(words, ", "), 50)
	}
	if ref := written.Get("$ref"); ref.Is(jsondoc.String) {
		if name := jsondoc.Pointer(ref.Text()).Last(); name != "" && strings.Contains(ref.Text(), "/") {
			return name
		}
	}
	if c := resolved.Get("const"); c.Exists() {
		return cut(string(c.Raw()), 30)
	}
	var values []string
	for _, v := range resolved.Get("enum").Elements() {
		values = append(values, cut(string(v.Raw()), 30))
	}
	if len(values) > 0 {
		return cut(strings.Join(values, " | "), 40)
	}
	t := resolved.Get("type")
	if needs := resolved.Get("required"); needs.Len() > 0 && (!t.Exists() || t.Text() == "object") {
		for _, name := range needs.Elements() {
			words = append(words, name.Text())
		}
		return "with " + cut(strings.Join(words, ", "), 40)
	}
	if t.Is(jsondoc.String) && t.Text() != "" {
		var names []string
		for name := range resolved.Get("properties").Members() {
			names = append(names, name)
		}
		if item := resolved.Get("items").Get("type"); t.Text() == "array" && item.Is(jsondoc.String) {
			return "array of " + item.Text() + "s"
		}
		if f := resolved.Get("format"); len(names) == 0 && f.Is(jsondoc.String) {
			return t.Text() + ", " + cut(f.Text(), 20)
		}
		if len(names) == 0 {
			return t.Text()
		}
		return t.Text() + " with " + cut(strings.Join(names, ", "), 40)
	}
	for _, x := range t.Elements() {
		if x.Is(jsondoc.String) && x.Text() != "" {
			words = append(words, x.Text())
		}
	}
	if len(words) > 0 {
		return strings.Join(words, " or ")
	}
	return ""
}

// skeletonSize is how many values a skeleton may have; nested forms that require each other multiply.
const skeletonSize = 500

// Skeleton is the JSON text to begin editing with: an object of the required members, each with its
// constant, its default, its first choice or an empty value of its type. The schemas apply together: an
// object schema and the branch chosen from it.
func Skeleton(root jsondoc.Value, schemas ...jsondoc.Value) []byte {
	k := skeleton{root: root, left: skeletonSize, on: map[int32]bool{}}
	for _, s := range schemas {
		w, _ := simplify(root, s)
		k.on[w.Node()] = true
	}
	return k.object(nil, schemas, 0)
}

type skeleton struct {
	root jsondoc.Value
	left int
	on   map[int32]bool // schemas that are being written: one that requires itself is opened by hand, level by level
}

func (k *skeleton) object(dst []byte, schemas []jsondoc.Value, depth int) []byte {
	var fields []Field
	index := map[string]int{}
	for _, s := range schemas {
		for _, f := range Fields(k.root, s, "") {
			i, known := index[f.Name]
			if !known {
				index[f.Name] = len(fields)
				fields = append(fields, f)
				continue
			}
			fields[i] = fields[i].And(f)
		}
	}
	dst = append(dst, '{')
	first := true
	for _, f := range fields {
		if !f.Required || k.left <= 0 || k.union(f) {
			continue
		}
		k.left--
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsondoc.AppendQuote(dst, f.Name), ':')
		dst = k.value(dst, f, depth)
	}
	return append(dst, '}')
}

// union tells that a person chooses first what the member is: it is left out until then.
func (k *skeleton) union(f Field) bool {
	return !f.Const.Exists() && !f.Default.Exists() && len(f.Choices) == 0 && f.Schema.Exists() && len(f.Types) == 0 && len(Branches(k.root, f.Schema)) > 0
}

func (k *skeleton) value(dst []byte, f Field, depth int) []byte {
	for _, v := range []jsondoc.Value{f.Const, f.Default} {
		if v.Exists() {
			return jsondoc.Compact(dst, v.Raw())
		}
	}
	if len(f.Choices) > 0 {
		return jsondoc.Compact(dst, f.Choices[0].Value.Raw())
	}
	switch {
	case f.Is("object"):
		if id := f.Schema.Node(); depth < 8 && !k.on[id] {
			k.on[id] = true
			dst = k.object(dst, []jsondoc.Value{f.Schema}, depth+1)
			delete(k.on, id)
			return dst
		}
		return append(dst, "{}"...)
	case f.Is("string"):
		return append(dst, `""`...)
	case f.Is("integer"), f.Is("number"):
		if m := f.says("minimum"); m.Is(jsondoc.Number) {
			return append(dst, m.Raw()...)
		}
		return append(dst, '0')
	case f.Is("boolean"):
		return append(dst, "false"...)
	case f.Is("array"):
		return k.tuple(dst, f, depth)
	}
	return append(dst, "null"...)
}

// tuple is an array of those items that it has to have and that are described one by one; others are added by hand.
func (k *skeleton) tuple(dst []byte, f Field, depth int) []byte {
	n := 0
	if least, err := strconv.Atoi(string(f.says("minItems").Raw())); err == nil {
		n = min(least, max(f.says("prefixItems").Len(), f.says("items").Len()))
		if f.says("items").Is(jsondoc.Object) && !f.says("prefixItems").Exists() {
			n = 0
		}
	}
	dst = append(dst, '[')
	for i := range n {
		item, ok := Item(k.root, f.Schema, i, "")
		if !ok || k.left <= 0 || k.union(item) || depth >= 8 {
			break
		}
		if k.left--; i > 0 {
			dst = append(dst, ',')
		}
		dst = k.value(dst, item, depth+1)
	}
	return append(dst, ']')
}

// Blank is the JSON text that a new value of an array schema begins with: the items that a tuple has to have.
func Blank(root jsondoc.Value, f Field) []byte {
	k := skeleton{root: root, left: skeletonSize, on: map[int32]bool{}}
	return k.tuple(nil, f, 0)
}
