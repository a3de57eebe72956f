package schema

import (
	"encoding/json"
	"math/big"
	"time"

	lib "github.com/santhosh-tekuri/jsonschema/v6"
)

// meter counts the work of one validation and ends it, by a panic that Validate recovers, when it
// exceeds the limit. A validation in progress cannot be stopped from outside.
type meter struct {
	done     int
	matching time.Duration
}

type giveUp struct{ err error }

func (m *meter) reset() { m.done, m.matching = 0, 0 }

func (m *meter) work(n int) {
	if m.done += n; m.done > MaxWork {
		panic(giveUp{&ErrTooComplex{What: "steps of validation", Got: m.done, Max: MaxWork}})
	}
}

// hooks puts the meter into a compiled schema. The library asks "format" first of all, before it looks
// at references and parts, for each subschema and value: that is the hook. enum and const, which come
// before format and may be long, move into it, so that they are counted too. What the schema itself
// says about format is an annotation and no check.
type hooks struct {
	meter *meter
	seen  map[*lib.Schema]bool
}

func (h hooks) install(s *lib.Schema) {
	if s == nil || h.seen[s] {
		return
	}
	h.seen[s] = true
	h.each(s, h.install)
	if s.Bool != nil {
		return
	}
	choice := newChoice(s)
	s.Enum, s.Const = nil, nil
	weight := 1 + len(s.Required) + len(s.PatternProperties)
	for _, names := range s.DependentRequired {
		weight += 1 + len(names)
	}
	h.each(s, func(*lib.Schema) { weight++ })
	patterns := 1 + len(s.PatternProperties)
	s.Format = &lib.Format{Validate: func(v any) error {
		h.meter.work(weight)
		switch v := v.(type) {
		case map[string]any:
			h.meter.work(len(v) * patterns)
		case []any:
			h.meter.work(len(v))
		case json.Number:
			h.meter.work(magnitude(v) / 16)
		}
		return choice.check(v, h.meter)
	}}
}

// each calls f for every subschema that s applies.
func (h hooks) each(s *lib.Schema, f func(*lib.Schema)) {
	call := func(list ...*lib.Schema) {
		for _, x := range list {
			if x != nil {
				f(x)
			}
		}
	}
	anyOf := func(v any) {
		switch v := v.(type) {
		case *lib.Schema:
			call(v)
		case []*lib.Schema:
			call(v...)
		}
	}
	call(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	if s.DynamicRef != nil {
		call(s.DynamicRef.Ref)
	}
	call(s.AllOf...)
	call(s.AnyOf...)
	call(s.OneOf...)
	call(s.PrefixItems...)
	for _, x := range s.Properties {
		call(x)
	}
	for _, x := range s.PatternProperties {
		call(x)
	}
	for _, x := range s.DependentSchemas {
		call(x)
	}
	for _, x := range s.Dependencies {
		anyOf(x)
	}
	anyOf(s.AdditionalProperties)
	anyOf(s.AdditionalItems)
	anyOf(s.Items)
}

// choice is enum and const of one subschema.
type choice struct {
	konst  *any
	values []any
	texts  map[string]bool // the strings among values, for long lists
}

func newChoice(s *lib.Schema) choice {
	c := choice{konst: s.Const}
	if s.Enum != nil {
		c.values = s.Enum.Values
		c.texts = map[string]bool{}
		for _, v := range c.values {
			if t, ok := v.(string); ok {
				c.texts[t] = true
			}
		}
	}
	return c
}

// notChosen is the error of a value that is not among the allowed ones.
type notChosen struct {
	keyword string
	want    []any
}

func (*notChosen) Error() string { return "the value is not among those allowed" }

func (c choice) check(v any, m *meter) error {
	if c.konst != nil && !equal(v, *c.konst, m) {
		return &notChosen{"const", []any{*c.konst}}
	}
	if c.values == nil {
		return nil
	}
	if t, ok := v.(string); ok {
		if !c.texts[t] {
			return &notChosen{"enum", c.values}
		}
		return nil
	}
	for _, w := range c.values {
		if equal(v, w, m) {
			return nil
		}
	}
	return &notChosen{"enum", c.values}
}

// equal compares two converted values as JSON Schema does: numbers by what they are worth, objects
// without order.
func equal(a, b any, m *meter) bool {
	m.work(1)
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || sameNumber(a, b, m))
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i], m) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			w, ok := b[k]
			if !ok || !equal(v, w, m) {
				return false
			}
		}
		return true
	}
	return false
}

func sameNumber(a, b json.Number, m *meter) bool {
	m.work((magnitude(a) + magnitude(b)) / 16)
	x, ok := new(big.Rat).SetString(string(a))
	y, fine := new(big.Rat).SetString(string(b))
	return ok && fine && x.Cmp(y) == 0
}

// magnitude is about how many digits a number has when written out; the converter has bounded it.
func magnitude(n json.Number) int {
	exp := 0
	for i := range len(n) {
		if n[i] == 'e' || n[i] == 'E' {
			for _, c := range n[i+1:] {
				if c >= '0' && c <= '9' {
					exp = exp*10 + int(c-'0')
				}
			}
			break
		}
	}
	return len(n) + exp
}
