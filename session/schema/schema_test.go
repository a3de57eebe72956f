package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

func doc(text string) jsondoc.Value { return jsondoc.Parse([]byte(text)).Root() }

func compile(t testing.TB, text string) *Schema {
	t.Helper()
	s, err := Compile(doc(text))
	if err != nil {
		t.Fatalf("Compile(%s): %v", cut(text, 200), err)
	}
	return s
}

// validate gives the problems as lines "instance keyword: text".
func validate(t testing.TB, s *Schema, value string) string {
	t.Helper()
	problems, err := s.Validate(doc(value))
	if err != nil {
		t.Fatalf("Validate(%s): %v", cut(value, 200), err)
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s %s: %s", p.Instance, p.Schema, p.Text))
	}
	return strings.Join(lines, "\n")
}

func TestProblemsAreNamedWithPlaceAndWords(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`true`, `{"a":1}`, ""},
		{`{}`, `null`, ""},
		{`false`, `1`, " : nothing is allowed here"},
		{`{"type":"object","properties":{"temp":{"type":"number"}}}`, `{"temp":"22"}`, `/temp /properties/temp/type: want a number, got "22"`},
		{`{"type":["string","null"]}`, `1.50`, ` /type: want null or a string, got 1.50`},
		{`{"required":["a","b"]}`, `{}`, " /required: the member \"a\" is missing\n /required: the member \"b\" is missing"},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"a":1,"x":2,"y~/":3}`,
			"/x /additionalProperties: the member \"x\" is not among those allowed\n/y~0~1 /additionalProperties: the member \"y~/\" is not among those allowed"},
		{`{"properties":{"u":{"enum":["c","f",null]}}}`, `{"u":"k"}`, `/u /properties/u/enum: want "c", "f" or null, got "k"`},
		{`{"enum":[1,2,3,4,5,6,7,8,9,10]}`, `0`, ` /enum: want 1, 2, 3, 4, 5, 6, 7, 8 or one of 2 more, got 0`},
		{`{"const":{"a":[1]}}`, `{"a":[1.0]}`, ""},
		{`{"const":9007199254740993}`, `9007199254740992`, ` /const: want 9007199254740993, got 9007199254740992`},
		{`{"maximum":0.3}`, `0.30000000000000001`, ` /maximum: want at most 0.3, got 0.30000000000000001`},
		{`{"exclusiveMinimum":5}`, `5.0`, ` /exclusiveMinimum: want more than 5, got 5.0`},
		{`{"multipleOf":0.01}`, `0.015`, ` /multipleOf: want a multiple of 0.01, got 0.015`},
		{`{"maxLength":1200}`, `"` + strings.Repeat("é", 1201) + `"`, ` /maxLength: want at most 1200 characters, got 1201`},
		{`{"minItems":1}`, `[]`, ` /minItems: want at least 1 item, got 0`},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, `/2 /uniqueItems: items 0 and 2 are equal`},
		{`{"pattern":"^\\d+$"}`, `"x1"`, ` /pattern: want text matching ^\d+$, got "x1"`},
		{`{"not":{"type":"null"}}`, `null`, ` /not: fits what it must not fit`},
		{`{"propertyNames":{"maxLength":2}}`, `{"abc":1}`, `/abc /propertyNames: the name "abc" is not allowed`},
		{`{"contains":{"type":"string"}}`, `[1]`, ` /contains: no item fits what the array must contain`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, ` /dependentRequired: the member "b" is missing, which "a" demands`},
		{`{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer"}}}`, `[1,2.0,2.5]`, `/2 /$defs/n/type: want an integer, got 2.5`},
		{`{"format":"email"}`, `"not an address"`, ""},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"not an address"`, ""},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","maximum":3,"exclusiveMaximum":true}`, `3`, ` /exclusiveMaximum: want less than 3, got 3`},
		{`{"$id":"https://example.com/a","$ref":"b","$defs":{"x":{"$id":"b","type":"string"}}}`, `1`, ` /$defs/x/type: want a string, got 1`},
		{`{"oneOf":[{"type":"number"},{"minimum":3}]}`, `5`, ` /oneOf: fits more than one form (0 and 1)`},
		{`{"type":"string"}`, `"a"`, ""},
		{`{"a%b c":1,"properties":{"a%b c":{"type":"string"}}}`, `{"a%b c":1}`, `/a%b c /properties/a%b c/type: want a string, got 1`},
	} {
		if got := validate(t, compile(t, c.schema), c.value); got != c.want {
			t.Errorf("%s against %s:\ngot  %s\nwant %s", cut(c.value, 80), c.schema, got, c.want)
		}
	}
}

// Case C31: a union at the root. The branch that the constant names is the one that is explained.
func TestOfSeveralFormsTheNearestIsExplained(t *testing.T) {
	s := compile(t, `{"type":"object","oneOf":[
		{"properties":{"kind":{"const":"mail"},"to":{"type":"string"}},"required":["kind","to"]},
		{"properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"]}]}`)
	got := validate(t, s, `{"kind":"sms","phone":491}`)
	want := "/phone /oneOf/1/properties/phone/type: want a string, got 491\n /oneOf: fits none of its 2 forms"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := validate(t, compile(t, `{"anyOf":[{"type":"string"},{"type":"null"}]}`), `3`); got != " /anyOf: fits none of its 2 forms" {
		t.Errorf("two wrong types: %s", got)
	}
}

func TestPatternsAreECMAScript(t *testing.T) {
	for pattern, c := range map[string]struct{ yes, no string }{
		`^(?!admin)\\w+$`:  {"user", "admin1"},   // RE2 has no lookahead
		`^(a|b)\\1$`:       {"aa", "ab"},         // nor back references
		`^\\p{Lu}\\u{e9}$`: {"Éé", "éé"},         // Unicode
		`^\\d$`:            {"7", "٣"},           // \d is ASCII in ECMA
		`^.$`:              {"😀", "😀😀"},          // a character, not a UTF-16 unit
		`b`:                {"abc", "ac"},        // not anchored
		`^\\cJ$`:           {`\n`, "J"},          // control escape
		`^\\pL$`:           {"pL", "x"},          // only without the u flag
		`^(?<y>\\d{4})-`:   {"2026-07", "26-07"}, // named group
	} {
		s := compile(t, `{"pattern":"`+pattern+`"}`)
		if got := validate(t, s, `"`+c.yes+`"`); got != "" {
			t.Errorf("%s on %q: %s", pattern, c.yes, got)
		}
		if got := validate(t, s, `"`+c.no+`"`); got == "" {
			t.Errorf("%s fits %q", pattern, c.no)
		}
	}
}

func TestErrorsHaveTypesAndPlaces(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 70) + `{}` + strings.Repeat(`}`, 70)
	wide := `{"anyOf":[` + strings.Repeat(`{},`, MaxSubschemas) + `{}]}`
	for _, c := range []struct{ schema, want string }{
		{``, "*schema.ErrInvalid invalid schema: there is no schema"},
		{`[]`, "*schema.ErrInvalid invalid schema: a schema is an object, true or false, not an array"},
		{`{"type":"strin"}`, `*schema.ErrInvalid invalid schema at /type: want "array", "boolean", "integer", "null", "number", "object" or "string"`},
		{`{"properties":{"a":{"minLength":-1}}}`, `*schema.ErrInvalid invalid schema at /properties/a/minLength: want at least 0`},
		{`{"required":"a"}`, `*schema.ErrInvalid invalid schema at /required: want an array`},
		{`{"properties":{"a":{"pattern":"["}}}`, "*schema.ErrInvalid invalid schema at /properties/a/pattern: "},
		{`{"a":01}`, "*schema.ErrInvalid invalid schema at /a: it is not JSON: 01"},
		{`{"$ref":"#/$defs/x"}`, `*schema.ErrUnresolvedRef the reference "#/$defs/x" leads nowhere`},
		{`{"items":{"$ref":"#nowhere"}}`, `*schema.ErrUnresolvedRef the reference "#nowhere" at /items leads nowhere`},
		{`{"$ref":"other.json"}`, `*schema.ErrUnresolvedRef the reference "other.json" leads nowhere`},
		{`{"properties":{"a":{"$ref":"https://example.com/s.json#/x"}}}`, `*schema.ErrRemoteRef the schema refers to "https://example.com/s.json#/x" at /properties/a, which is not fetched`},
		{`{"$ref":"file:///etc/passwd"}`, `*schema.ErrRemoteRef the schema refers to "file:///etc/passwd", which is not fetched`},
		{`{"$id":"https://example.com/a/","$ref":"b"}`, `*schema.ErrRemoteRef the schema refers to "https://example.com/a/b", which is not fetched`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "*schema.ErrCycle the schema refers back to itself without end at /$defs/a"},
		{`{"allOf":[{"$ref":"#"}]}`, "*schema.ErrCycle the schema refers back to itself without end"},
		{`{"$schema":"https://example.com/my-dialect"}`, `*schema.ErrDialect the schema's dialect "https://example.com/my-dialect" is not understood`},
		{deep, "*schema.ErrTooComplex not checked: 71 levels of nesting, the limit is 64"},
		{wide, "*schema.ErrTooComplex not checked: 5002 subschemas, the limit is 5000"},
		{`{"enum":[` + strings.Repeat(`1,`, MaxNodes) + `1]}`, "*schema.ErrTooComplex not checked: 20003 JSON values, the limit is 20000"},
		{`{"description":"` + strings.Repeat("x", MaxBytes) + `"}`, "*schema.ErrTooComplex not checked: 1048594 bytes, the limit is 1048576"},
		{`{"maximum":1e999999999}`, "*schema.ErrTooComplex not checked: the exponent of 1e999999999 is beyond ±10000 at /maximum"},
		{`{"pattern":"` + strings.Repeat("a", MaxPattern+1) + `"}`, "*schema.ErrInvalid invalid schema at /pattern: "},
		{doubling(24), "*schema.ErrTooComplex not checked: 100001 subschemas for one value, references followed, the limit is 100000"},
	} {
		_, err := Compile(doc(c.schema))
		got := "none"
		if err != nil {
			got = fmt.Sprintf("%T %v", err, err)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", cut(c.schema, 80), got, c.want)
		}
	}
}

// doubling is a schema of n definitions, each of which refers to the next one twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

// Case C33: recursion through items is fine, an unused cycle beside it does not spoil the rest, and
// the survey still names it.
func TestRecursionIsFineAndAnUnusedCycleIsOnlyNamed(t *testing.T) {
	text := `{"type":"object","properties":{"root":{"$ref":"#/$defs/n"}},
		"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}},"loop":{"$ref":"#/$defs/loop"}}}`
	s := compile(t, text)
	if got := validate(t, s, `{"root":{"kids":[{"kids":[{"kids":7}]}]}}`); got != "/root/kids/0/kids/0/kids /$defs/n/properties/kids/type: want an array, got 7" {
		t.Errorf("got %s", got)
	}
	sv := Look(doc(text))
	if len(sv.Cycles) != 1 || !sv.Cycles[0].Pure || sv.Cycles[0].Through[0] != "/$defs/loop" {
		t.Errorf("cycles %+v", sv.Cycles)
	}
}

// Everything that a hostile server can send ends, soon, and never as a pass.
func TestHostileSchemasAndValuesEnd(t *testing.T) {
	long := strings.Repeat("a", 40) + "!"
	numbers := strings.Repeat("7e9999,", 20_000) + "1"
	enum := strings.Repeat("1e9998,", 5_000) + "1"
	colliding := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat("[", i%8) + fmt.Sprint(i) + strings.Repeat("]", i%8) + ",")
		}
		return "[" + b.String() + "0]"
	}
	branching := `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
		{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["x"]},
		{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["y"]}]}}}`
	for name, c := range map[string]struct{ schema, value string }{
		"catastrophic pattern":   {`{"pattern":"^(a+)+$"}`, `"` + long + `"`},
		"many slow patterns":     {`{"items":{"pattern":"^(a+)+$"}}`, `["` + strings.Repeat(strings.Repeat("a", 22)+`!","`, 2000) + `"]`},
		"pattern property":       {`{"patternProperties":{"^(a+)+$":false}}`, `{"` + long + `":1}`},
		"exponential branching":  {branching, strings.Repeat(`{"a":`, 60) + `{}` + strings.Repeat(`}`, 60)},
		"huge number":            {`{"maximum":3}`, `1e5000000`},
		"digits":                 {`{"maximum":3}`, strings.Repeat("9", MaxDigits+1)},
		"many big numbers":       {`{"items":{"enum":[` + enum + `]}}`, `[` + numbers + `]`},
		"deep value":             {`{"contains":{}}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000)},
		"unique containers":      {`{"uniqueItems":true}`, colliding(maxUniqueItems * 2)},
		"wide value, many forms": {`{"allOf":[` + strings.Repeat(`{"minProperties":1},`, 4000) + `{}]}`, wideObject(2000)},
		"not JSON":               {`{}`, `[1,nope]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := compile(t, c.schema)
			v := doc(c.value)
			start := time.Now()
			problems, err := s.Validate(v)
			var complex *ErrTooComplex
			var odd *ErrNotJSON
			if !errors.As(err, &complex) && !errors.As(err, &odd) {
				t.Errorf("problems %v, error %v: want not checked", problems, err)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
			if got := validate(t, compile(t, `{"type":"string"}`), `"fine"`); got != "" {
				t.Errorf("afterwards: %s", got)
			}
		})
	}
}

func wideObject(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	return `{` + b.String() + `"z":0}`
}

// A validation that was given up leaves nothing behind that would spoil the next one.
func TestASchemaServesAgainAfterGivingUp(t *testing.T) {
	s := compile(t, `{"pattern":"^(a+)+$"}`)
	if _, err := s.Validate(doc(`"` + strings.Repeat("a", 40) + `!"`)); err == nil {
		t.Fatal("no error")
	}
	if got := validate(t, s, `"aaa"`); got != "" {
		t.Error(got)
	}
	if got := validate(t, s, `"b"`); got == "" {
		t.Error("b fits")
	}
}

func TestDynamicReferencesAreMeteredToo(t *testing.T) {
	s := compile(t, `{"$id":"https://example.com/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,
		"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"data":true,"kids":{"type":"array","items":{"$dynamicRef":"#node"}}}}}}`)
	if got := validate(t, s, `{"kids":[{"daat":1}]}`); !strings.Contains(got, "/kids/0/daat ") {
		t.Errorf("got %s", got)
	}
	if got := validate(t, s, `{"kids":[{"data":1,"kids":[]}]}`); got != "" {
		t.Error(got)
	}
}
