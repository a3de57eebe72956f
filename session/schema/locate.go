package schema

import (
	"strconv"

	"mcploupe/session/jsondoc"
)

// maxLocated bounds how many schemas are looked at for one place.
const maxLocated = 400

// Locate lists the schemas that may describe what stands at a place of a value: through references, allOf, every branch of a
// union and every case of a condition. present is asked for the members of the objects on the way (the place of the object, a
// name): a branch whose constant says otherwise is left out. Tokens of the place are names, or indices within arrays.
func Locate(root jsondoc.Value, place jsondoc.Pointer, present func(object jsondoc.Pointer, name string) jsondoc.Value) []jsondoc.Value {
	l := locator{root: root, present: present}
	now := l.spread([]jsondoc.Value{root}, "")
	at := jsondoc.Pointer("")
	for _, token := range place.Tokens() {
		var next []jsondoc.Value
		for _, s := range now {
			next = append(next, l.below(s, token)...)
		}
		at = jsondoc.Join(at, token)
		now = l.spread(next, at)
	}
	return now
}

type locator struct {
	root    jsondoc.Value
	present func(jsondoc.Pointer, string) jsondoc.Value
	looked  int
}

// spread adds to schemas all that apply to the same value.
func (l *locator) spread(schemas []jsondoc.Value, at jsondoc.Pointer) []jsondoc.Value {
	var out []jsondoc.Value
	seen := map[int32]bool{}
	var visit func(v jsondoc.Value)
	visit = func(v jsondoc.Value) {
		for _, v := range Holds(l.root, v) {
			if l.looked++; l.looked > maxLocated || seen[v.Node()] || l.contradicted(v, at) {
				continue
			}
			seen[v.Node()] = true
			out = append(out, v)
			for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
				for _, part := range v.Get(keyword).Elements() {
					visit(part)
				}
			}
			for _, keyword := range []string{"then", "else"} {
				visit(v.Get(keyword))
			}
			for _, part := range v.Get("dependentSchemas").Members() {
				visit(part)
			}
		}
	}
	for _, v := range schemas {
		visit(v)
	}
	return out
}

// contradicted tells that a member that is there is none of the values that this schema wants.
func (l *locator) contradicted(v jsondoc.Value, at jsondoc.Pointer) bool {
	if l.present == nil {
		return false
	}
	for name, p := range v.Get("properties").Members() {
		want, few := p.Get("const"), p.Get("enum")
		if !want.Exists() && !few.Is(jsondoc.Array) {
			continue
		}
		got := l.present(at, name)
		fits := !got.Exists() || want.Same(got)
		for _, choice := range few.Elements() {
			fits = fits || choice.Same(got)
		}
		if !fits {
			return true
		}
	}
	return false
}

// below are the schemas of a member or element.
func (l *locator) below(v jsondoc.Value, token string) []jsondoc.Value {
	var out []jsondoc.Value
	if p := v.Get("properties").Get(token); p.Exists() {
		out = append(out, p)
	} else if f, ok := Additional(l.root, token, "", v); ok {
		out = append(out, f.Schema)
	}
	if i, err := strconv.Atoi(token); err == nil && (v.Get("items").Exists() || v.Get("prefixItems").Exists()) {
		if f, ok := Item(l.root, v, i, ""); ok {
			out = append(out, f.Schema)
		}
	}
	return out
}
