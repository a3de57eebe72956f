package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
)

const tool = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
	"city":{"type":"string","description":"City name","minLength":1,"maxLength":80,"x-mcp-header":"City"},
	"units":{"type":"string","enum":["metric","imperial"],"default":"metric"},
	"days":{"type":"integer","minimum":1,"maximum":14},
	"options":{"type":"object","properties":{"alerts":{"type":"boolean"},"lang":{"type":"string","pattern":"^[a-z]{2}(-[A-Z]{2})?$"}},"additionalProperties":false},
	"where":{"anyOf":[{"$ref":"#/$defs/point"},{"type":"null"}]}},
	"required":["city"],"additionalProperties":false,
	"$defs":{"point":{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"]}}}`

const args = `{"city":"Zürich","units":"metric","days":3,"options":{"alerts":true,"lang":"de-CH"},"where":{"lat":47.3769,"lon":8.5417}}`

func BenchmarkCompile(b *testing.B) {
	v := doc(tool)
	b.SetBytes(int64(len(tool)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileCached(b *testing.B) {
	v, c := doc(tool), NewCache(8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Compile(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	s, v := compile(b, tool), doc(args)
	b.SetBytes(int64(len(args)))
	b.ReportAllocs()
	for b.Loop() {
		if p, err := s.Validate(v); len(p) > 0 || err != nil {
			b.Fatal(p, err)
		}
	}
}

func BenchmarkValidateLarge(b *testing.B) {
	s := compile(b, `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"ok":{"type":"boolean"}},"required":["id"]}}}}`)
	text := `{"rows":[` + strings.Repeat(`{"id":12345,"name":"a name","ok":true},`, 20_000) + `{"id":1}]}`
	v := doc(text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if p, err := s.Validate(v); len(p) > 0 || err != nil {
			b.Fatal(p, err)
		}
	}
}

// The largest schemas that the limits let through, each of the shape that costs the compiler most.
func BenchmarkCompileAtTheLimit(b *testing.B) {
	var props, refs, stray, half, ids, defs strings.Builder
	for i := range MaxSubschemas - 2 {
		fmt.Fprintf(&props, `"p%d":{"type":"string"},`, i)
	}
	for i := range MaxSubschemas/2 - 2 {
		fmt.Fprintf(&refs, `"p%d":{"$ref":"#/$defs/d%d"},`, i, i)
		fmt.Fprintf(&defs, `"d%d":{"type":"string"},`, i)
	}
	for i := range MaxSubschemas / 2 {
		fmt.Fprintf(&half, `"h%d":{"type":"string"},`, i)
	}
	for i := range MaxStrayRefs {
		fmt.Fprintf(&stray, `"p%d":{"$ref":"#/x/%d"},`, i, i)
	}
	for i := range MaxIDs {
		fmt.Fprintf(&ids, `"p%d":{"$id":"i%d"},`, i, i)
	}
	for name, text := range map[string]string{
		"wide":  `{"properties":{` + props.String() + `"z":{}}}`,
		"refs":  `{"properties":{` + refs.String() + `"z":{}},"$defs":{` + defs.String() + `"z":{}}}`,
		"stray": `{"properties":{` + stray.String() + half.String() + `"z":{}},"x":[` + strings.Repeat(`{},`, MaxStrayRefs) + `{}]}`,
		"ids":   `{"properties":{` + ids.String() + `"z":{}}}`,
		"deep":  strings.Repeat(`{"allOf":[`, MaxDepth/2-1) + `{}` + strings.Repeat(`]}`, MaxDepth/2-1),
	} {
		b.Run(name, func(b *testing.B) {
			v := doc(text)
			for b.Loop() {
				if _, err := Compile(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a cache is for: the second compilation costs a small part of the first. A ratio within one run
// holds on any machine.
func TestACachedSchemaIsCompiledOnce(t *testing.T) {
	var c *Cache
	var first *Schema
	here, there := doc(tool), doc("["+tool+"]").Index(0) // the same text elsewhere
	ratiotest.AtMost(t, 0.5, 20, func() (warm, cold time.Duration) {
		c = NewCache(2)
		var second *Schema
		var err error
		cold = ratiotest.Timed(func() { first, err = c.Compile(here) })
		if err != nil {
			t.Fatal(err)
		}
		warm = ratiotest.Timed(func() { second, _ = c.Compile(there) })
		if first != second {
			t.Fatal("compiled twice")
		}
		return warm, cold
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := c.Compile(doc(tool))
			if err != nil || s != first {
				t.Error("another schema, or", err)
			}
			if p, err := s.Validate(doc(args)); len(p) > 0 || err != nil {
				t.Error(p, err)
			}
		})
	}
	wg.Wait()
	for i := range 5 {
		if _, err := c.Compile(doc(fmt.Sprintf(`{"type":"x%d"}`, i))); err == nil {
			t.Error("no error for a wrong type")
		}
	}
	if c.Len() != 2 {
		t.Errorf("%d schemas kept", c.Len())
	}
}
