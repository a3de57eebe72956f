package jsondoc

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"mcploupe/session/ratiotest"
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

func TestParseIsNotFarFromAScan(t *testing.T) {
	text := rows(10_000)
	tokens := 0
	ratiotest.AtMost(t, 8, 50, func() (ours, plain time.Duration) {
		plain = ratiotest.Timed(func() { tokens += scan(text) })
		return ratiotest.Timed(func() { Parse(text) }), plain
	})
	t.Logf("%d tokens", tokens)
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
		t.Run(c.name, func(t *testing.T) {
			ratiotest.AtMost(t, 16*6, 20, func() (much, little time.Duration) {
				little = ratiotest.Timed(func() { Parse(small) })
				return ratiotest.Timed(func() { Parse(large) }), max(little, 100*time.Microsecond)
			})
		})
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
