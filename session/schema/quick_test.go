package schema

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
)

// agree holds the quick way against the slow one.
func agree(t testing.TB, schema, value []byte) (quick bool) {
	t.Helper()
	s, err := Compile(doc(string(schema)))
	if err != nil || s.quick == nil {
		return false
	}
	v := doc(string(value))
	if !v.Exists() || len(v.Document().Faults) > 0 {
		return false
	}
	fits := false
	if err := s.metered(func() error { fits = s.quick.fits(v, s.meter); return nil }); err != nil {
		return true // not checked, says one; the other may manage
	}
	problems, err := s.explain(v, nil)
	if err == nil && fits != (len(problems) == 0) {
		t.Errorf("%s\nagainst %s\nquick says %v, the library %v", value, schema, fits, problems)
	}
	return true
}

func TestTheQuickWayAgreesWithTheSlowOne(t *testing.T) {
	schemas := []string{
		tool, `true`, `false`, `{}`, `{"type":"integer"}`, `{"type":["integer","string"]}`, `{"type":["integer","number"]}`,
		`{"enum":[1,"a",null,{"a":[1.0]}]}`, `{"const":"a"}`, `{"minimum":1,"exclusiveMaximum":2.5}`, `{"maximum":9007199254740993}`,
		`{"minLength":1,"maxLength":2}`, `{"pattern":"^a"}`, `{"required":["a","b"]}`, `{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}`,
		`{"properties":{"a":true,"b":false},"additionalProperties":false}`, `{"minProperties":1,"maxProperties":1}`,
		`{"items":{"type":"integer"},"minItems":1,"maxItems":2}`, `{"prefixItems":[{"type":"string"}],"items":false}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":{"type":"null"}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":{"type":"string"},"additionalItems":false}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/s","type":"number","definitions":{"s":{"type":"string"}}}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`,
		`{"anyOf":[{"type":"string"},{"minimum":2}]}`, `{"oneOf":[{"type":"number"},{"minimum":2}]}`, `{"not":{"type":"string"}}`,
		`{"allOf":[{"$ref":"#/$defs/a"},{"not":{"const":1}}],"$defs":{"a":{"type":["number","array"]}}}`,
		`{"type":"array","items":{"$ref":"#"}}`,
	}
	values := []string{
		args, `null`, `true`, `1`, `1.0`, `2`, `2.5`, `1.5`, `-1`, `9007199254740993`, `9007199254740992.5`, `1e400`, `1e20000`, `"a"`, `""`, `"é😀"`, `"abc"`,
		`[]`, `[1]`, `["a"]`, `["a",null]`, `[1,2,3]`, `[[],[[]]]`, `[[1]]`, `{}`, `{"a":1}`, `{"a":"x","c":2}`, `{"a":[1],"b":2}`, `{"b":1}`, `{"city":""}`, `{"city":"x","days":15}`,
	}
	for _, s := range schemas {
		used := false
		for _, v := range values {
			used = agree(t, []byte(s), []byte(v)) || used
		}
		if !used {
			t.Errorf("%s has no quick form", s)
		}
	}
	for _, s := range []string{`{"patternProperties":{"a":{}}}`, `{"items":{"uniqueItems":true}}`, `{"unevaluatedProperties":false}`} {
		if compile(t, s).quick != nil {
			t.Errorf("%s has a quick form", s)
		}
	}
}

// chance writes random schemas and values over a small vocabulary, so that they meet.
type chance struct{ *rand.Rand }

func (c chance) of(words ...string) string { return words[c.IntN(len(words))] }

func (c chance) schema(depth int) string {
	if depth == 0 {
		return c.of(`{}`, `true`, `false`, `{"type":"string"}`, `{"type":"integer"}`, `{"$ref":"#/$defs/d"}`)
	}
	sub := func() string { return c.schema(depth - 1) }
	words := []string{
		`"type":` + c.of(`"object"`, `"array"`, `"number"`, `"integer"`, `["string","null"]`, `["integer","object"]`),
		`"enum":[` + c.of(`1`, `"a"`, `null`) + `,` + c.of(`2.0`, `[1]`, `{"a":1}`) + `]`, `"const":` + c.of(`1`, `"a"`, `[]`),
		`"minimum":` + c.of(`1`, `1.5`, `-1e2`), `"exclusiveMaximum":` + c.of(`2`, `2.5`), `"minLength":1`, `"maxLength":1`, `"pattern":"a"`,
		`"properties":{"a":` + sub() + `,"b":` + sub() + `}`, `"required":["` + c.of("a", "b", "c") + `"]`, `"additionalProperties":` + sub(), `"maxProperties":1`,
		`"items":` + sub(), `"prefixItems":[` + sub() + `]`, `"minItems":1`, `"maxItems":2`,
		`"anyOf":[` + sub() + `,` + sub() + `]`, `"oneOf":[` + sub() + `,` + sub() + `]`, `"allOf":[` + sub() + `]`, `"not":` + sub(),
	}
	var parts []string
	for range 1 + c.IntN(3) {
		parts = append(parts, words[c.IntN(len(words))])
	}
	return `{` + strings.Join(parts, ",") + `}`
}

func (c chance) value(depth int) string {
	scalar := c.of(`null`, `true`, `1`, `2`, `1.0`, `2.5`, `-3`, `1e2`, `"a"`, `""`, `"ba"`, `"x"`)
	if depth == 0 {
		return scalar
	}
	sub := func() string { return c.value(depth - 1) }
	return c.of(scalar, `[]`, `[`+sub()+`]`, `[`+sub()+`,`+sub()+`]`, `{}`, `{"a":`+sub()+`}`, `{"a":`+sub()+`,"b":`+sub()+`}`, `{"c":`+sub()+`}`)
}

func TestTheTwoWaysAgreeOnChance(t *testing.T) {
	c := chance{rand.New(rand.NewPCG(1, 2))}
	compared := 0
	for range 800 {
		schema := strings.TrimSuffix(c.schema(3), "}") + `,"$defs":{"d":` + c.schema(1) + `}}`
		for range 4 {
			if agree(t, []byte(schema), []byte(c.value(3))) {
				compared++
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d compared", compared)
	}
}

func FuzzQuickAgrees(f *testing.F) {
	for _, seed := range [][2]string{
		{tool, args}, {`{"oneOf":[{"type":"number"},{"minimum":2}]}`, `3`}, {`{"properties":{"a":{"enum":[1,null]}},"required":["a"]}`, `{"a":1.0}`},
		{`{"prefixItems":[{}],"items":{"maxLength":1}}`, `["a","é"]`}, {`{"$schema":"http://json-schema.org/draft-04/schema#","maximum":1,"exclusiveMaximum":true}`, `1`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, schema, value []byte) { agree(t, schema, value) })
}

// The point of the quick way, within one run so that it holds on any machine: a large result that fits
// takes at most half of what the library needs.
func TestTheQuickWayIsQuicker(t *testing.T) {
	s := compile(t, `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"ok":{"type":"boolean"}},"required":["id"]}}}}`)
	v := doc(`{"rows":[` + strings.Repeat(`{"id":12345,"name":"a name","ok":true},`, 20_000) + `{"id":1}]}`)
	fits := func(f func(jsondoc.Value) ([]Problem, error)) time.Duration {
		return ratiotest.Timed(func() {
			if p, err := f(v); len(p) > 0 || err != nil {
				t.Fatal(p, err)
			}
		})
	}
	ratiotest.AtMost(t, 0.5, 10, func() (quick, slow time.Duration) {
		return fits(s.Validate), fits(func(v jsondoc.Value) ([]Problem, error) { return s.explain(v, nil) })
	})
}
