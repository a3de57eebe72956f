package schema

import "mcploupe/session/jsondoc"

// Parts lists the further schemas that hold for an object because of what it holds: the then or else of each condition,
// and what depends on a member that is there. fits decides a condition; it is asked for the text of an if, and of one that it does
// not know neither branch holds. Only the schemas that hold in any case (see Holds) are looked at, and the parts themselves, each
// once, so that a circle of references ends.
func Parts(root, v, value jsondoc.Value, fits func(condition jsondoc.Value) (fits, known bool)) []jsondoc.Value {
	var out []jsondoc.Value
	seen := map[int32]bool{}
	var look func(v jsondoc.Value)
	take := func(part jsondoc.Value) {
		if part.Is(jsondoc.Object) && len(seen) < maxHeld {
			out = append(out, part)
			look(part)
		}
	}
	look = func(v jsondoc.Value) {
		for _, h := range Holds(root, v) {
			if seen[h.Node()] {
				continue
			}
			seen[h.Node()] = true
			if cond := h.Get("if"); isSchema(cond) {
				switch fits, known := fits(cond); {
				case !known:
				case fits:
					take(h.Get("then"))
				default:
					take(h.Get("else"))
				}
			}
			for _, keyword := range []string{"dependentSchemas", "dependencies"} {
				for name, part := range h.Get(keyword).Members() {
					if value.Get(name).Exists() {
						take(part)
					}
				}
			}
		}
	}
	look(v)
	return out
}

// DependentRequired lists the members that an object must have because of others that it has.
func DependentRequired(root, v, value jsondoc.Value) []string {
	var out []string
	for _, h := range Holds(root, v) {
		for _, keyword := range []string{"dependentRequired", "dependencies"} {
			for name, list := range h.Get(keyword).Members() {
				if !value.Get(name).Exists() {
					continue
				}
				for _, n := range list.Elements() {
					if n.Is(jsondoc.String) {
						out = append(out, n.Text())
					}
				}
			}
		}
	}
	return out
}

// Open says what an object schema allows beside its named members.
type Open uint8

// What an object schema allows beside its named members.
const (
	Closed  Open = iota // nothing
	Lenient             // anything, because nothing forbids it
	Map                 // members of any name, meant to be added: it says what they are, or names none of its own
)

// Openness tells whether an object is one to which members are added by a name of one's own, by the schemas that hold for
// it at once: its own, and the branches of it that were chosen.
func Openness(root jsondoc.Value, schemas ...jsondoc.Value) Open {
	closed, adds, named := false, false, false
	for _, s := range schemas {
		for _, h := range Holds(root, s) {
			patterns := h.Get("patternProperties").Len() > 0
			more := h.Get("additionalProperties")
			if !more.Exists() {
				more = h.Get("unevaluatedProperties")
			}
			yes, isBool := more.Bool()
			closed = closed || isBool && !yes && !patterns
			adds = adds || patterns || more.Is(jsondoc.Object) || isBool && yes
			named = named || h.Get("properties").Len() > 0 || h.Get("required").Len() > 0
		}
		named = named || len(schemas) == 1 && len(Unions(root, s)) > 0
	}
	switch {
	case closed:
		return Closed
	case adds, !named:
		return Map
	}
	return Lenient
}

// Additional describes a member that the schemas which hold for an object do not name: by a pattern for its name, else as
// one of the additional ones. at is where the member stands. False when they say nothing about it.
func Additional(root jsondoc.Value, name string, at jsondoc.Pointer, schemas ...jsondoc.Value) (Field, bool) {
	found := jsondoc.Value{}
	for _, s := range schemas {
		for _, h := range Holds(root, s) {
			for text, part := range h.Get("patternProperties").Members() {
				if isSchema(part) && nameFits(text, name) {
					return member(root, part, name, at)
				}
			}
			for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
				if more := h.Get(keyword); !found.Exists() && more.Is(jsondoc.Object) {
					found = more
				}
			}
		}
	}
	return member(root, found, name, at)
}

func member(root, s jsondoc.Value, name string, at jsondoc.Pointer) (Field, bool) {
	if !s.Is(jsondoc.Object) {
		return Field{}, false
	}
	f := Describe(root, s)
	f.Name, f.Pointer = name, at
	return f, true
}

// nameFits tells whether a member's name matches a pattern, within the bounds of a validation.
func nameFits(text, name string) (fits bool) {
	defer func() {
		if recover() != nil { // too long a match: nothing is known
			fits = false
		}
	}()
	m := &meter{}
	m.reset()
	p, err := newPattern(text, m)
	return err == nil && p.MatchString(name)
}
