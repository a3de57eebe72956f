package jsondoc

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// rows is a document like a database answer: n rows of five members.
func rows(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"rows":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"customer number %d","email":"customer.%d@mail.example","created":"2026-07-28T12:00:00Z","active":true}`, i, i, i)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// wide is one object with n members, each name once.
func wide(n int) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"name-%07d":%d`, i, i)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// scan is the least that any reader must do: look at every byte once and tell strings from the rest.
func scan(text []byte) (tokens int) {
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case !inside && (c == ',' || c == '[' || c == '{'):
			tokens++
		}
	}
	return tokens
}

// best is the shortest of several runs: what is left when others disturb the machine.
func best(f func()) time.Duration {
	shortest := time.Duration(1 << 62)
	for range 7 {
		start := time.Now()
		f()
		shortest = min(shortest, time.Since(start))
	}
	return shortest
}

func TestParseIsNotFarFromAScan(t *testing.T) {
	text := rows(10_000)
	tokens := 0
	plain := best(func() { tokens += scan(text) })
	ours := best(func() { Parse(text) })
	t.Logf("scan %v, parse %v, %d tokens", plain, ours, tokens)
	if ours > 8*plain {
		t.Errorf("parsing takes %v, a plain scan %v", ours, plain)
	}
}

func TestTimeStaysNearLinear(t *testing.T) {
	one := strings.Repeat
	for _, c := range []struct {
		name string
		text func(n int) []byte
	}{
		{"wide object", wide},
		{"same name", func(n int) []byte { return []byte(`{"a":1` + one(`,"a":1`, n) + "}") }},
		{"wrong brackets", func(n int) []byte { return []byte(`{"a":` + one("[", 5000) + one("}[", n)) }},
		{"single quotes", func(n int) []byte { return []byte("[" + one("',", n)) }},
		{"open comments", func(n int) []byte { return []byte("[" + one("/*,", n)) }},
		{"bad bytes", func(n int) []byte { return bytes.Repeat([]byte("\xff,"), n) }},
	} {
		small, large := c.text(4000), c.text(64_000)
		a, b := best(func() { Parse(small) }), best(func() { Parse(large) })
		t.Logf("%s: %v and %v", c.name, a, b)
		if b > 16*6*max(a, 100*time.Microsecond) {
			t.Errorf("%s: 16 times the text takes %v instead of %v", c.name, b, a)
		}
	}
}

func TestMemoryStaysInBounds(t *testing.T) {
	if size := unsafe.Sizeof(Node{}); size > 28 {
		t.Errorf("a node has %d bytes", size)
	}
	for name, text := range map[string][]byte{"rows": rows(20_000), "prose": []byte(`["` + strings.Repeat("well, yes, ", 100_000) + `"]`)} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		d := Parse(text)
		l := NewLayout(d)
		runtime.GC()
		runtime.ReadMemStats(&after)
		used := float64(after.HeapAlloc) - float64(before.HeapAlloc)
		t.Logf("%s: %.2f times the text", name, used/float64(len(text)))
		if used > 3*float64(len(text)) {
			t.Errorf("%s: document and layout hold %.1f times the text", name, used/float64(len(text)))
		}
		runtime.KeepAlive(d)
		runtime.KeepAlive(l)
	}
}

func BenchmarkScan(b *testing.B) { benchmark(b, rows(40_000), func(t []byte) { scan(t) }) }

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string][]byte{
		"rows": rows(40_000), "wide": wide(200_000), "text": []byte(`["` + strings.Repeat("well, yes, ", 450_000) + `"]`),
	} {
		b.Run(name, func(b *testing.B) { benchmark(b, text, func(t []byte) { Parse(t) }) })
	}
}

func BenchmarkNewLayout(b *testing.B) {
	text := rows(40_000)
	d := Parse(text)
	benchmark(b, text, func([]byte) { NewLayout(d) })
}

func BenchmarkLine(b *testing.B) {
	l := NewLayout(Parse(rows(40_000)))
	l.FoldDepth(2)
	l.Fold(l.Line(l.Lines()/2).Node, false)
	for b.Loop() {
		for i := range 60 {
			l.Line(l.Lines()/2 + i)
		}
	}
}

func benchmark(b *testing.B, text []byte, f func([]byte)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f(text)
	}
}
