package schema

import (
	"math/big"
	"unicode/utf8"

	lib "github.com/santhosh-tekuri/jsonschema/v6"

	"mcploupe/session/jsondoc"
)

// quick is a compiled schema in a form that is applied to a document as it lies, without converting it
// first and without words for what is wrong. It answers yes or no exactly as the library does, several
// times faster, which is what a result of many megabytes on its way to the screen needs; for a no the
// library is asked for the reasons. Schemas with keywords that are rare in tools have none.
type quick struct {
	never   bool // the schema false
	types   map[jsondoc.Kind]bool
	integer bool // numbers have to be integers
	choice  *choice

	all, any, one []*quick // all holds $ref too
	not           *quick

	bounds               []bound
	minLength, maxLength *int
	pattern              lib.Regexp

	props              map[string]*quick
	required           map[string]int // name → its bit
	closed             bool           // no further members
	further            *quick
	minProps, maxProps *int

	prefix             []*quick
	items              *quick
	noItems            bool // none beyond prefix
	minItems, maxItems *int
}

// bound is minimum (sign 1), maximum (-1) or one of their exclusive forms.
type bound struct {
	limit     *big.Rat
	sign      int
	exclusive bool
}

// planner builds quick forms; it gives up on the whole when it meets what it does not know.
type planner struct {
	done  map[*lib.Schema]*quick
	whole bool
}

// newQuick is the quick form of a compiled schema that has no hooks yet; nil when it has none.
func newQuick(s *lib.Schema) *quick {
	p := planner{done: map[*lib.Schema]*quick{}, whole: true}
	q := p.plan(s)
	if !p.whole {
		return nil
	}
	return q
}

func (p *planner) plan(s *lib.Schema) *quick {
	if s == nil || !p.whole {
		return nil
	}
	if q := p.done[s]; q != nil {
		return q
	}
	q := &quick{}
	p.done[s] = q
	if s.Bool != nil {
		q.never = !*s.Bool
		return q
	}
	if s.RecursiveRef != nil || s.DynamicRef != nil || s.If != nil || s.PropertyNames != nil || s.PatternProperties != nil ||
		s.Dependencies != nil || s.DependentRequired != nil || s.DependentSchemas != nil || s.UnevaluatedProperties != nil ||
		s.UnevaluatedItems != nil || s.UniqueItems || s.Contains != nil || s.MultipleOf != nil || len(s.Required) > 64 {
		p.whole = false
		return nil
	}
	if s.Types != nil && !s.Types.IsEmpty() {
		p.types(q, s.Types.ToStrings())
	}
	if s.Enum != nil || s.Const != nil {
		c := newChoice(s)
		q.choice = &c
	}
	if s.Ref != nil {
		q.all = append(q.all, p.plan(s.Ref))
	}
	q.all = append(q.all, p.list(s.AllOf)...)
	q.any, q.one, q.not = p.list(s.AnyOf), p.list(s.OneOf), p.plan(s.Not)
	for _, b := range []bound{{s.Minimum, 1, false}, {s.Maximum, -1, false}, {s.ExclusiveMinimum, 1, true}, {s.ExclusiveMaximum, -1, true}} {
		if b.limit != nil {
			q.bounds = append(q.bounds, b)
		}
	}
	q.minLength, q.maxLength, q.pattern = s.MinLength, s.MaxLength, s.Pattern
	p.object(q, s)
	p.array(q, s)
	return q
}

func (p *planner) list(schemas []*lib.Schema) []*quick {
	var out []*quick
	for _, s := range schemas {
		out = append(out, p.plan(s))
	}
	return out
}

func (p *planner) types(q *quick, names []string) {
	q.types = map[jsondoc.Kind]bool{}
	number := false
	for _, name := range names {
		switch name {
		case "null":
			q.types[jsondoc.Null] = true
		case "boolean":
			q.types[jsondoc.Bool] = true
		case "number":
			q.types[jsondoc.Number], number = true, true
		case "integer":
			q.types[jsondoc.Number], q.integer = true, true
		case "string":
			q.types[jsondoc.String] = true
		case "array":
			q.types[jsondoc.Array] = true
		case "object":
			q.types[jsondoc.Object] = true
		}
	}
	q.integer = q.integer && !number
}

func (p *planner) object(q *quick, s *lib.Schema) {
	q.minProps, q.maxProps = s.MinProperties, s.MaxProperties
	if len(s.Properties) > 0 {
		q.props = make(map[string]*quick, len(s.Properties))
		for name, sub := range s.Properties {
			q.props[name] = p.plan(sub)
		}
	}
	if len(s.Required) > 0 {
		q.required = make(map[string]int, len(s.Required))
		for _, name := range s.Required {
			if _, twice := q.required[name]; !twice {
				q.required[name] = len(q.required)
			}
		}
	}
	switch a := s.AdditionalProperties.(type) {
	case bool:
		q.closed = !a
	case *lib.Schema:
		q.further = p.plan(a)
	}
}

func (p *planner) array(q *quick, s *lib.Schema) {
	q.minItems, q.maxItems = s.MinItems, s.MaxItems
	if s.DraftVersion >= 2020 {
		q.prefix, q.items = p.list(s.PrefixItems), p.plan(s.Items2020)
		return
	}
	switch items := s.Items.(type) {
	case *lib.Schema:
		q.items = p.plan(items)
		return
	case []*lib.Schema:
		q.prefix = p.list(items)
	}
	switch a := s.AdditionalItems.(type) {
	case bool:
		q.noItems = !a
	case *lib.Schema:
		q.items = p.plan(a)
	}
}

// fits says whether a value fits. The document must be without faults.
func (q *quick) fits(v jsondoc.Value, m *meter) bool {
	m.work(1)
	kind := v.Kind()
	switch {
	case q.never, q.types != nil && !q.types[kind]:
		return false
	case kind == jsondoc.Number && (q.integer || q.bounds != nil) && !q.number(v, m):
		return false
	case q.choice != nil && !q.chosen(v, m):
		return false
	case kind == jsondoc.String && !q.text(v):
		return false
	case kind == jsondoc.Object && !q.members(v, m), kind == jsondoc.Array && !q.elements(v, m):
		return false
	case q.not != nil && q.not.fits(v, m):
		return false
	}
	for _, sub := range q.all {
		if !sub.fits(v, m) {
			return false
		}
	}
	return (len(q.any) == 0 || count(q.any, v, m, 1) > 0) && (len(q.one) == 0 || count(q.one, v, m, 2) == 1)
}

// count is how many of the schemas a value fits, counted up to enough.
func count(schemas []*quick, v jsondoc.Value, m *meter, enough int) int {
	n := 0
	for _, sub := range schemas {
		if sub.fits(v, m) {
			if n++; n == enough {
				break
			}
		}
	}
	return n
}

// converted is a scalar or container as the slow way sees it; its errors end the validation.
func converted(v jsondoc.Value) any {
	c := converter{digits: MaxDigits, exponent: MaxExponent, depth: MaxValueDepth, nodes: MaxValueNodes}
	x, err := c.convert(v)
	if err != nil {
		panic(giveUp{err})
	}
	return x
}

func (q *quick) chosen(v jsondoc.Value, m *meter) bool { return q.choice.check(converted(v), m) == nil }

func (q *quick) number(v jsondoc.Value, m *meter) bool {
	if q.integer && !v.IsInteger() {
		return false
	}
	if len(q.bounds) == 0 {
		return true
	}
	var x *big.Rat
	if n, ok := v.Int(); ok {
		x = new(big.Rat).SetInt64(n)
	} else {
		n := converted(v).(interface{ String() string }).String()
		m.work(len(n))
		if x, ok = new(big.Rat).SetString(n); !ok {
			return false
		}
	}
	for _, b := range q.bounds {
		if c := x.Cmp(b.limit) * b.sign; c < 0 || c == 0 && b.exclusive {
			return false
		}
	}
	return true
}

func (q *quick) text(v jsondoc.Value) bool {
	if q.minLength == nil && q.maxLength == nil && q.pattern == nil {
		return true
	}
	s := v.Text()
	n := utf8.RuneCountInString(s)
	return (q.minLength == nil || n >= *q.minLength) && (q.maxLength == nil || n <= *q.maxLength) &&
		(q.pattern == nil || q.pattern.MatchString(s))
}

func (q *quick) members(v jsondoc.Value, m *meter) bool {
	if q.props == nil && q.required == nil && !q.closed && q.further == nil && q.minProps == nil && q.maxProps == nil {
		return true
	}
	n, found := 0, uint64(0)
	for name, w := range v.Members() {
		n++
		m.work(1)
		if bit, ok := q.required[name]; ok {
			found |= 1 << bit
		}
		sub, known := q.props[name]
		if !known {
			if q.closed {
				return false
			}
			sub = q.further
		}
		if sub != nil && !sub.fits(w, m) {
			return false
		}
	}
	return found == 1<<len(q.required)-1 && (q.minProps == nil || n >= *q.minProps) && (q.maxProps == nil || n <= *q.maxProps)
}

func (q *quick) elements(v jsondoc.Value, m *meter) bool {
	n := 0
	for i, w := range v.Elements() {
		n++
		m.work(1)
		sub := q.items
		if i < len(q.prefix) {
			sub = q.prefix[i]
		} else if q.noItems {
			return false
		}
		if sub != nil && !sub.fits(w, m) {
			return false
		}
	}
	return (q.minItems == nil || n >= *q.minItems) && (q.maxItems == nil || n <= *q.maxItems)
}
