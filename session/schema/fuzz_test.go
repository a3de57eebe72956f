package schema

import (
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

func FuzzCompileAndValidate(f *testing.F) {
	for _, seed := range [][2]string{
		{tool, args},
		{doubling(5), `"x"`},
		{`{"allOf":[{"$ref":"#"}]}`, `1`},
		{`{"$id":"a","$ref":"#b","$defs":{"b":{"$anchor":"b","$dynamicAnchor":"b"}}}`, `{}`},
		{`{"$ref":"#/a~1b/%25","a/b":{"%":{}}}`, `null`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"#x","dependencies":{"a":["b"]},"items":[{}],"additionalItems":false}`, `[1,2]`},
		{`{"patternProperties":{"(a+)+$":{"enum":[1e10,1.0]}},"unevaluatedProperties":false}`, `{"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!":1}`},
		{`{"$dynamicRef":"#meta","$recursiveRef":"#","if":true,"then":{"contains":{"minimum":-1e-9999}}}`, `[1e9999]`},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":"nope"}`},
		{`{"properties":{"a":{"x-mcp-header":"A","type":["integer","null"]}}}`, `{"a":1}`},
		{`{"a":1,"a":{"$ref":"#/a"},"$ref":"#/a"`, `{"a":`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, text, value []byte) {
		start := time.Now()
		v, x := doc(string(text)), doc(string(value))
		Look(v)
		Headers(v)
		for _, fd := range Fields(v, v, "") {
			Fields(v, fd.Schema, fd.Pointer)
			Branches(v, fd.Schema)
			Openness(v, fd.Schema)
			Additional(v, "a", fd.Pointer, fd.Schema)
			Locate(v, fd.Pointer+"/a/0", nil)
		}
		Skeleton(v, v)
		Parts(v, v, x, func(jsondoc.Value) (fits, known bool) { return true, true })
		DependentRequired(v, v, x)
		for _, b := range Branches(v, v) {
			Score(v, b, x)
		}
		s, err := Compile(v)
		if err == nil {
			problems, err := s.Validate(x)
			if err != nil && len(problems) > 0 {
				t.Errorf("both problems and %v", err)
			}
			for _, p := range problems {
				if !x.Document().At(p.Instance).Exists() && p.Instance != "" {
					t.Errorf("problem at %q, where nothing is: %+v", p.Instance, p)
				}
			}
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("took %v", d)
		}
	})
}
