package schema

import (
	"fmt"

	"mcploupe/session/jsondoc"
)

// maxHeld bounds how many schemas are looked at for one value.
const maxHeld = 1000

// Holds lists the schemas that apply together to a value that is not null, each once: v itself, what its $ref leads to,
// the parts of its allOf, and a oneOf or anyOf that leaves nothing to choose, because it has one branch or one beside
// null. A branch that has to be chosen is none of them; see Unions.
func Holds(root, v jsondoc.Value) []jsondoc.Value {
	if !v.Is(jsondoc.Object) {
		return nil
	}
	h := holder{root: root}
	if h.plain(v) {
		return []jsondoc.Value{v}
	}
	h.seen = map[int32]bool{}
	h.visit(v)
	return h.out
}

type holder struct {
	root jsondoc.Value
	out  []jsondoc.Value
	seen map[int32]bool
}

// plain tells that nothing stands in a schema that others hold by.
func (h *holder) plain(v jsondoc.Value) bool {
	for name := range v.Members() {
		switch name {
		case "$ref", "allOf", "oneOf", "anyOf":
			return false
		}
	}
	return true
}

func (h *holder) visit(v jsondoc.Value) {
	if !v.Is(jsondoc.Object) || h.seen[v.Node()] || len(h.seen) >= maxHeld {
		return
	}
	h.seen[v.Node()] = true
	if ref := v.Get("$ref"); ref.Is(jsondoc.String) {
		if to := local(h.root, ref.Text()); isSchema(to) {
			h.visit(to)
			if v.Len() == 1 || lonely(h.root) {
				return
			}
		}
	}
	h.out = append(h.out, v)
	for _, part := range v.Get("allOf").Elements() {
		h.visit(part)
	}
	for _, keyword := range unionKeywords {
		if only, ok := single(v.Get(keyword)); ok {
			h.visit(only)
		}
	}
}

// lonely tells that what stands beside a $ref does not count: so it was up to draft 7.
func lonely(root jsondoc.Value) bool {
	i, known := Dialect(root)
	return known && i >= 2
}

// unionKeywords are those whose branches are chosen from.
var unionKeywords = [...]string{"oneOf", "anyOf"}

// single is the branch of a union that leaves nothing to choose.
func single(list jsondoc.Value) (jsondoc.Value, bool) {
	if !list.Is(jsondoc.Array) || list.Len() > 2 || constants(list) {
		return jsondoc.Value{}, false
	}
	found := jsondoc.Value{}
	for _, b := range list.Elements() {
		switch {
		case isNull(b):
		case found.Exists():
			return jsondoc.Value{}, false
		default:
			found = b
		}
	}
	return found, found.Exists()
}

// Union is a choice between the branches of a oneOf or anyOf. Null is none of them, it makes a field nullable; nor is a
// list of constants a union, its members are choices.
type Union struct {
	List     jsondoc.Value // the branches as the schema has them; its node tells unions apart
	Branches []Branch      // at least two
}

// Unions lists the choices that a schema asks for one value: a oneOf and an anyOf beside each other, those in several
// parts of an allOf. Those within a branch are there once it is chosen: ask again with its Schema.
func Unions(root, v jsondoc.Value) []Union {
	var out []Union
	for _, h := range Holds(root, v) {
		for _, keyword := range unionKeywords {
			list := h.Get(keyword)
			if !list.Is(jsondoc.Array) || list.Len() < 2 || constants(list) {
				continue
			}
			if _, one := single(list); one {
				continue
			}
			u := Union{List: list}
			for i, b := range list.Elements() {
				if isNull(b) {
					continue
				}
				made := Branch{Keyword: keyword, Index: i, Schema: b, Label: label(b, Resolve(root, b))}
				if made.Label == "" {
					made.Label, made.Bare = fmt.Sprintf("form %d", i+1), true
				}
				u.Branches = append(u.Branches, made)
			}
			if len(u.Branches) > 1 {
				out = append(out, u)
			}
		}
	}
	return out
}

// Branches lists the forms that a schema offers first to choose from; see Unions.
func Branches(root, v jsondoc.Value) []Branch {
	if u := Unions(root, v); len(u) > 0 {
		return u[0].Branches
	}
	return nil
}
