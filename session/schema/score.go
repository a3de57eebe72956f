package schema

import (
	"slices"

	"mcploupe/session/jsondoc"
)

// Score tells how well a value fits a branch, by what tells branches apart: less than 0 when a constant, a choice or the
// type speaks against it, 0 when nothing speaks for it. It looks one level deep into the value, and through the unions of
// the branch itself: one of whose branches none fits is not for the value.
func Score(root jsondoc.Value, b Branch, v jsondoc.Value) int {
	s := scorer{root: root, v: v}
	return s.score(b.Schema)
}

type scorer struct {
	root, v jsondoc.Value
	way     []int32 // the branches looked into: a union may lead back to itself
	looked  int
}

func (s *scorer) score(b jsondoc.Value) int {
	if s.looked++; s.looked > maxHeld || slices.Contains(s.way, b.Node()) {
		return 0
	}
	f := Describe(s.root, b)
	if len(f.Types) > 0 && !OfType(s.v, f.Types) {
		return -1
	}
	if only := f.Only(); only.Exists() {
		if !only.Same(s.v) {
			return -1
		}
		return 10
	}
	if len(f.Choices) > 0 {
		if f.ChoiceOf(s.v) < 0 {
			return -1
		}
		return 8
	}
	score := 0
	if s.v.Is(jsondoc.Object) {
		if score = s.members(b); score < 0 {
			return -1
		}
	} else if len(f.Types) > 0 {
		score = 5
	}
	s.way = append(s.way, b.Node())
	defer func() { s.way = s.way[:len(s.way)-1] }()
	for _, u := range Unions(s.root, b) {
		best := -1
		for _, inner := range u.Branches {
			best = max(best, s.score(inner.Schema))
		}
		if best < 0 {
			return -1
		}
		score += best
	}
	return max(score, 0)
}

// members tells how well the members of an object fit those of a branch; less than 0: it is not for the object.
func (s *scorer) members(b jsondoc.Value) int {
	score := 0
	for _, m := range Fields(s.root, b, "") {
		got, only := s.v.Get(m.Name), m.Only()
		switch {
		case !got.Exists() && m.Required:
			score--
		case !got.Exists():
		case only.Exists() && !only.Same(got):
			return -1
		case only.Exists():
			score += 10
		case len(m.Choices) > 0 && m.ChoiceOf(got) < 0:
			return -1
		default:
			score++
		}
	}
	return max(score, 0)
}
