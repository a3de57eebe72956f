package schema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"mcploupe/session/jsondoc"
)

// Problem is one way in which a value does not fit a schema.
type Problem struct {
	Instance jsondoc.Pointer // the offending place, relative to the value; the object for a missing member
	Member   string          // the missing member (keywords required, dependentRequired), else ""
	Schema   jsondoc.Pointer // the subschema and keyword that say so, relative to the schema, references followed
	Keyword  string          // "type", "required", …; "" where the schema false stands
	Want     string          // what is asked for: `a number`, `at most 5 characters`, `"c" or "f"`
	Text     string          // a whole sentence part for people: `want a number, got "22"`
}

// Validate applies the schema to a value. It returns the problems, leaves only, the most specific first
// (deepest in the value; of branches the one that came nearest), at most MaxProblems of them; none when
// the value fits. The error says that the value could not be checked: *ErrTooComplex, *ErrNotJSON. Then
// nothing is known, and neither a pass nor a failure may be claimed.
func (s *Schema) Validate(v jsondoc.Value) (problems []Problem, err error) {
	return s.ValidateAs(v, nil)
}

// Fork is one place at which a branch of a union is chosen.
type Fork struct {
	Instance jsondoc.Pointer // where the value stands, relative to the value that is validated
	List     jsondoc.Pointer // the oneOf or anyOf, relative to the schema, references followed
}

// ValidateAs is Validate for a value of which is known what it is meant to be: where no branch of a union fits, only what is
// wrong with the one that was chosen is reported, and only that none fits where it is open. The numbers are places in the
// union's list, -1 for open.
func (s *Schema) ValidateAs(v jsondoc.Value, chosen map[Fork]int) (problems []Problem, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quick != nil && v.Exists() && len(v.Document().Faults) == 0 {
		fits := false
		if err := s.metered(func() error { fits = s.quick.fits(v, s.meter); return nil }); fits || err != nil {
			return nil, err
		}
	}
	return s.explain(v, chosen)
}

// explain applies the schema with the library, which has the reasons.
func (s *Schema) explain(v jsondoc.Value, chosen map[Fork]int) ([]Problem, error) {
	c := converter{digits: MaxDigits, exponent: MaxExponent, depth: MaxValueDepth, nodes: MaxValueNodes, unique: s.unique}
	x, err := c.convert(v)
	if err != nil {
		return nil, err
	}
	var verr *lib.ValidationError
	err = s.metered(func() error {
		err := s.compiled.Validate(x)
		if err != nil && !errors.As(err, &verr) {
			return &ErrTooComplex{What: "the validator gave up: " + err.Error()}
		}
		return nil
	})
	switch {
	case err != nil || verr == nil:
		return nil, err
	case loops(verr):
		return nil, &ErrTooComplex{What: "the schema refers back to itself without end"}
	}
	return translate(verr, &v, chosen), nil
}

// metered runs one validation; what it panics with is its error.
func (s *Schema) metered(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case giveUp:
			err = r.err
		default:
			err = &ErrTooComplex{What: fmt.Sprintf("the validator gave up: %v", r)}
		}
	}()
	s.meter.reset()
	return f()
}

// loops says whether the validator met a cycle that a dynamic reference closed only now.
func loops(e *lib.ValidationError) bool {
	if _, ok := e.ErrorKind.(*kind.RefCycle); ok {
		return true
	}
	return slices.ContainsFunc(e.Causes, loops)
}

// translate makes problems of the library's tree of errors. v is the value, for what was got; nil when
// it is a schema that was held against its meta-schema.
func translate(e *lib.ValidationError, v *jsondoc.Value, chosen map[Fork]int) []Problem {
	t := translator{value: v, chosen: chosen}
	t.tree(e)
	slices.SortStableFunc(t.out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(strings.Count(string(b.Instance), "/"), strings.Count(string(a.Instance), "/")),
			cmp.Compare(composite(a), composite(b)),
			cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.Member, b.Member),
			cmp.Compare(a.Schema, b.Schema),
		)
	})
	t.out = slices.Compact(t.out)
	return t.out[:min(len(t.out), MaxProblems)]
}

// composite problems say less than the leaves beside them.
func composite(p Problem) int {
	switch p.Keyword {
	case "anyOf", "oneOf":
		return 1
	}
	return 0
}

type translator struct {
	value  *jsondoc.Value
	chosen map[Fork]int
	out    []Problem
}

func (t *translator) tree(e *lib.ValidationError) {
	if len(t.out) > 4*MaxProblems {
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		t.branches(e, "anyOf")
		return
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			t.branches(e, "oneOf")
			return
		}
	case *kind.PropertyNames:
		t.leaf(e)
		return
	case *kind.Contains, *kind.MinContains:
		t.leaf(e) // the causes say why each item is not it, which is more than anybody asked
		return
	}
	if len(e.Causes) == 0 {
		t.leaf(e)
		return
	}
	for _, c := range e.Causes {
		t.tree(c)
	}
}

// branches reports that none of several branches fits: itself, and what is wrong in the branch that came
// nearest.
func (t *translator) branches(e *lib.ValidationError, keyword string) {
	list := jsondoc.Join(place(e.SchemaURL), keyword)
	i, known := t.chosen[Fork{jsondoc.Join("", e.InstanceLocation...), list}]
	if known && i >= 0 && i < len(e.Causes) {
		t.tree(e.Causes[i])
		return
	}
	best, score := -1, 0
	for i, c := range e.Causes {
		if n := nearness(c, len(e.InstanceLocation)); best < 0 || n > score {
			best, score = i, n
		}
	}
	want := fmt.Sprintf("one of %d forms", len(e.Causes))
	t.add(e, keyword, "", want, "fits none of its "+fmt.Sprint(len(e.Causes))+" forms")
	if best >= 0 && score > wrongKind && !known {
		t.tree(e.Causes[best])
	}
}

// wrongKind is the nearness of a branch that is not for this value at all.
const wrongKind = -1000

// nearness judges how near a branch came to fitting: the wrong type or the wrong constant means that the
// branch is for something else; else the deeper the first fault and the fewer faults the nearer. Of a union within the
// branch its own nearest branch counts.
func nearness(e *lib.ValidationError, depth int) int {
	n := nearest(e, depth)
	if n.other {
		return wrongKind
	}
	return n.score()
}

// fit is what nearness counts.
type fit struct {
	leaves, deepest int
	other           bool // it is for something else
}

func (f fit) score() int { return 10*f.deepest - f.leaves }

func nearest(e *lib.ValidationError, depth int) fit {
	below := len(e.InstanceLocation) - depth
	if len(e.Causes) == 0 {
		f := fit{leaves: 1, deepest: max(below, 0)}
		switch k := e.ErrorKind.(type) {
		case *kind.Type:
			f.other = below == 0
		case *kind.Format:
			var c *notChosen
			f.other = errors.As(k.Err, &c) && below <= 1 && (c.keyword == "const" || len(c.want) == 1)
		}
		return f
	}
	union := false
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		union = true
	}
	var all, best fit
	for i, c := range e.Causes {
		f := nearest(c, depth)
		if i == 0 || best.other && !f.other || best.other == f.other && f.score() > best.score() {
			best = f
		}
		all.leaves += f.leaves
		all.deepest = max(all.deepest, f.deepest)
		all.other = all.other || f.other
	}
	if union {
		return best
	}
	return all
}
