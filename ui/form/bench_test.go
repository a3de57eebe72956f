package form

import (
	"fmt"
	"strings"
	"testing"
)

// wide is a form of n fields with their values.
func wide(b testing.TB, n int) *Form {
	var fields, values strings.Builder
	for i := range n {
		fmt.Fprintf(&fields, `"f%d":{"type":"string","description":"about %d"},`, i, i)
		fmt.Fprintf(&values, `"f%d":"v%d",`, i, i)
	}
	t, _ := b.(*testing.T)
	if t == nil {
		t = &testing.T{}
	}
	f := form(t, `{"type":"object","properties":{`+fields.String()+`"last":{"type":"integer"},"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}}}`, `{`+values.String()+`"last":1}`)
	f.find("/last", scalar)
	f.begin()
	return f
}

// A letter typed into a field, and its frame.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{5, 200} {
		b.Run(fmt.Sprintf("%d fields", n), func(b *testing.B) {
			f := wide(b, n)
			for b.Loop() {
				f.Text(keyOf("1"))
				f.Text(keyOf("backspace"))
				f.Draw(100, 30, true)
			}
		})
	}
	b.Run("1 MB of arguments", func(b *testing.B) {
		f := wide(b, 5)
		f.env.Aside = func(func() func()) {} // what is done beside the screen is not what a key costs
		f.SetValue([]byte(`{"rows":[` + strings.Repeat(`{"id": 12345, "name": "somebody", "on": true},`, 22000) + `{}],"last":1}`))
		f.find("/last", scalar)
		f.begin()
		for b.Loop() {
			f.Text(keyOf("1"))
			f.Draw(100, 30, true)
		}
	})
	b.Run("100 elements of 40 kinds", func(b *testing.B) {
		f := ofKinds(&testing.T{}, 40)
		for b.Loop() {
			f.Text(keyOf("1"))
			f.Text(keyOf("backspace"))
			f.Draw(100, 30, true)
		}
	})
}

// ofKinds is a form of a hundred elements, each one of n kinds.
func ofKinds(t *testing.T, n int) *Form {
	var kinds, blocks strings.Builder
	for i := range n {
		fmt.Fprintf(&kinds, `{"type":"object","properties":{"type":{"const":"k%d"},"k%d":{"type":"object","properties":{"text":{"type":"string"},"on":{"type":"boolean"}}},"id":{"type":"integer"}},"required":["type"]},`, i, i)
	}
	for i := range 100 {
		fmt.Fprintf(&blocks, `{"type":"k%d","id":%d},`, i%n, i)
	}
	f := form(t, `{"type":"object","properties":{"last":{"type":"string"},"blocks":{"type":"array","items":{"oneOf":[`+strings.TrimSuffix(kinds.String(), ",")+`]}}}}`,
		`{"last":"","blocks":[`+strings.TrimSuffix(blocks.String(), ",")+`]}`)
	f.find("/last", scalar)
	f.begin()
	return f
}
