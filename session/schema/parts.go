package schema

import "mcploupe/session/jsondoc"

// Parts lists the further schemas that hold for an object because of what it holds: the then or else of each condition,
// and what depends on a member that is there. fits decides a condition; it is asked for the text of an if, and of one that it does
// not know neither branch holds. Only members of the schema itself and of its allOf are looked at, each once, so that a circle of
// references ends.
func Parts(root, v, value jsondoc.Value, fits func(condition jsondoc.Value) (fits, known bool)) []jsondoc.Value {
	var out []jsondoc.Value
	seen := map[int32]bool{}
	var look func(v jsondoc.Value)
	look = func(v jsondoc.Value) {
		v = Resolve(root, v)
		if !v.Is(jsondoc.Object) || seen[v.Node()] || len(seen) > 1000 {
			return
		}
		seen[v.Node()] = true
		take := func(part jsondoc.Value) {
			if part.Is(jsondoc.Object) {
				out = append(out, part)
				look(part)
			}
		}
		if cond := v.Get("if"); isSchema(cond) {
			switch fits, known := fits(cond); {
			case !known:
			case fits:
				take(v.Get("then"))
			default:
				take(v.Get("else"))
			}
		}
		for _, keyword := range []string{"dependentSchemas", "dependencies"} {
			for name, part := range v.Get(keyword).Members() {
				if value.Get(name).Exists() {
					take(part)
				}
			}
		}
		for _, part := range v.Get("allOf").Elements() {
			look(part)
		}
	}
	look(v)
	return out
}

// DependentRequired lists the members that an object must have because of others that it has.
func DependentRequired(root, v, value jsondoc.Value) []string {
	var out []string
	v = Resolve(root, v)
	for _, keyword := range []string{"dependentRequired", "dependencies"} {
		for name, list := range v.Get(keyword).Members() {
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

// Openness tells whether an object schema is one to which members are added by a name of one's own.
func Openness(root, v jsondoc.Value) Open {
	v, _ = simplify(root, v)
	more := v.Get("additionalProperties")
	if !more.Exists() {
		more = v.Get("unevaluatedProperties")
	}
	no, isBool := more.Bool()
	switch {
	case v.Get("patternProperties").Len() > 0, more.Is(jsondoc.Object), isBool && no:
		return Map
	case isBool:
		return Closed
	case v.Get("properties").Len() == 0 && len(Branches(root, v)) == 0 && v.Get("allOf").Len() == 0:
		return Map
	}
	return Lenient
}

// Additional describes a member that the schema does not name: by a pattern for its name, else as one of the additional
// ones. at is where the member stands. False when the schema says nothing about it.
func Additional(root, v jsondoc.Value, name string, at jsondoc.Pointer) (Field, bool) {
	v, _ = simplify(root, v)
	found := jsondoc.Value{}
	for text, part := range v.Get("patternProperties").Members() {
		if isSchema(part) && nameFits(text, name) {
			found = part
			break
		}
	}
	if !found.Exists() {
		found = v.Get("additionalProperties")
	}
	if !found.Is(jsondoc.Object) {
		return Field{}, false
	}
	f := Describe(root, found)
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

// Score tells how well a value fits a branch, by what tells branches apart: less than 0 when a constant, a choice or the
// type speaks against it, 0 when nothing speaks for it. It looks one level deep.
func Score(root jsondoc.Value, b Branch, v jsondoc.Value) int {
	f := Describe(root, b.Schema)
	if len(f.Types) > 0 && !OfType(v, f.Types) {
		return -1
	}
	if f.Const.Exists() {
		if !f.Const.Same(v) {
			return -1
		}
		return 10
	}
	if len(f.Choices) > 0 && f.ChoiceOf(v) < 0 {
		return -1
	}
	if !v.Is(jsondoc.Object) {
		if len(f.Types) == 0 {
			return 0
		}
		return 5
	}
	score := 0
	for _, m := range Fields(root, b.Schema, "") {
		got := v.Get(m.Name)
		switch {
		case !got.Exists() && m.Required:
			score--
		case !got.Exists():
		case m.Const.Exists() && !m.Const.Same(got):
			return -1
		case m.Const.Exists():
			score += 10
		case len(m.Choices) > 0 && m.ChoiceOf(got) < 0:
			return -1
		default:
			score++
		}
	}
	return max(score, 0)
}
