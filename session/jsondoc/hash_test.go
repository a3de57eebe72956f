package jsondoc

import (
	"hash/maphash"
	"testing"
)

func hashOf(seed maphash.Seed, text string) uint64 {
	h := Parse([]byte(text)).Hashes(seed)
	if len(h) == 0 {
		return 0
	}
	return h[0]
}

func TestHashesAreThoseOfValues(t *testing.T) {
	seed := maphash.MakeSeed()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[2]}`, `{ "b" : [2.0], "a" : 1e0 }`, true},
		{`"\u0061"`, `"a"`, true},
		{`{"\u0061":1}`, `{"a":1}`, true},
		{`0`, `-0.0`, true},
		{`100`, `1e2`, true},
		{`[1,2]`, `[2,1]`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`"1"`, `1`, false},
		{`{"a":1,"a":1}`, `{"a":1}`, false},
		{`{"a":{"b":1}}`, `{"b":{"a":1}}`, false},
		{`[[],[]]`, `[[[]]]`, false},
		{`{}`, `[]`, false},
		{`null`, `"null"`, false},
		{`1e99999999999999999999`, `1e99999999999999999998`, false},
	} {
		if got := hashOf(seed, c.a) == hashOf(seed, c.b); got != c.same {
			t.Errorf("%s and %s are taken for the same: %v", c.a, c.b, got)
		}
	}
}

// What hashes alike is the same; what is the same hashes alike, but for the two things that the comment names.
func FuzzHashes(f *testing.F) {
	f.Add(`{"a":[1,2.50,{"b":"x"}]}`, `{"a":[1.0,25e-1,{"b":"\u0078"}]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Parse([]byte(a)), Parse([]byte(b))
		if len(x.Nodes) == 0 || len(y.Nodes) == 0 {
			return
		}
		seed := maphash.MakeSeed()
		if x.Hashes(seed)[0] == y.Hashes(seed)[0] && x.Valid() && y.Valid() && !x.Root().Same(y.Root()) {
			t.Errorf("%q and %q hash alike", a, b)
		}
	})
}

func BenchmarkHashes(b *testing.B) {
	text := []byte(`[`)
	for len(text) < 5<<20 {
		text = append(text, `{"name":"get_weather","n":[1,2,3.5],"text":"some weather for tomorrow"},`...)
	}
	d := Parse(append(text, `1]`...))
	seed := maphash.MakeSeed()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		d.Hashes(seed)
	}
}
