package transport

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"mcploupe/session/wire"
)

func squeeze(b []byte) string {
	var out []byte
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			out = append(out, c)
		}
	}
	return string(out)
}

// Whatever a server writes: pieces do not matter, nothing is lost or invented, and a message on a line
// of its own is delivered at the latest when the next one has come.
func FuzzCutter(f *testing.F) {
	for _, s := range []string{
		one, one + two, "{\n" + one, "[\n" + one + ",\n", "Content-Length: 36\r\n\r\n" + one, "Content-Length: 9\n\n{\"a\":", "\xEF\xBB\xBF{}\r\n",
		"{\"a\": \"b\\\"\n", "[[[[\n]]\n{", "ready." + one, "x{\"jsonrpc\":1}y{\"jsonrpc\":1", "[1] x\n[{}] y\n", "{}Content-Length: 3\r\n\r\n[]",
	} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		last := `{"jsonrpc":"2.0","id":"last","result":{}}`
		text := string(in) + "\n" + last + "\n" + two + "\n"
		whole := cutAll(text, 1<<20, 0)
		pieces := cutAll(text, int(piece)+1, 0)
		if a, b := strings.Join(tellAll(whole), "\n"), strings.Join(tellAll(pieces), "\n"); a != b {
			t.Fatalf("pieces of %d matter:\n%q\n%q", int(piece)+1, a, b)
		}
		var all []byte
		for _, f := range whole {
			all = append(append(all, f.Before...), f.Body...)
		}
		if got, want := squeeze(all), squeeze([]byte(text)); got != want {
			t.Fatalf("bytes changed:\n got %q\nwant %q", got, want)
		}
		found := false
		for _, f := range whole {
			found = found || string(bytes.TrimSpace(f.Body)) == last || f.Shape&wire.ShapePretty != 0 && json.Valid(f.Body)
		}
		if !found {
			t.Fatalf("the message is hidden: %q", tellAll(whole))
		}

		// The same with a tiny limit: nothing breaks, and what is dropped is counted.
		n := 0
		for _, f := range cutAll(text, int(piece)+1, 16) {
			n += len(f.Before) + len(f.Body) + int(f.Dropped)
			if len(f.Body) > 16 {
				t.Fatalf("%d bytes kept: %q", len(f.Body), f.Body)
			}
		}
		if n > len(text) {
			t.Fatalf("%d bytes came out of %d", n, len(text))
		}
	})
}

// The scanner knows where valid JSON ends, in whatever pieces it comes, and calls no beginning of it invalid.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `{"a":[1,-2.5e3,true,false,null,"x\"\\y"],"b":{"c":{}}}`, "[ 1 ,\n2 ]", `{"a":1,}`, `{"a" 1}`, `[1 2]`, `{"\\":"\\\""}`, `[`, `[tru`, `["a`} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		if len(in) == 0 || in[0] != '{' && in[0] != '[' {
			return
		}
		var whole scanner
		n, p := whole.scan(in)
		var s scanner
		m, q := 0, more
		for q == more && m < len(in) {
			var k int
			k, q = s.scan(in[m:min(len(in), m+int(piece)+1)])
			m += k
		}
		if n != m || p != q {
			t.Fatalf("at once: %d %v, in pieces: %d %v", n, p, m, q)
		}
		if json.Valid(in) {
			if p != complete || len(bytes.TrimSpace(in[n:])) > 0 {
				t.Fatalf("valid JSON: %d of %d, %v", n, len(in), p)
			}
			var s scanner
			if k, p := s.scan(in[:n-1]); p != more || k != n-1 {
				t.Fatalf("its beginning: %d of %d, %v", k, n-1, p)
			}
		}
	})
}

func BenchmarkCutter(b *testing.B) {
	small := []byte(strings.Repeat(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`+strings.Repeat("words and words, ", 100)+`"}],"structuredContent":{"temperature":22.5,"unit":"C","tags":["a","b"]}}}`+"\n", 500))
	rows := []byte(`{"jsonrpc":"2.0","id":1,"result":{"rows":[` + strings.Repeat(`{"id":12345,"name":"row","ok":true},`, 100_000) + `{}]}}` + "\n")
	text := []byte(`{"jsonrpc":"2.0","id":1,"result":{"text":"` + strings.Repeat("a", 5<<20) + `"}}` + "\n")
	for _, in := range []struct {
		name string
		text []byte
	}{{"2KB", small}, {"5MB-rows", rows}, {"5MB-text", text}, {"noise", bytes.Repeat([]byte("2026-01-01 INFO something happened\n"), 10_000)}} {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				c := newCutter(0)
				for p := in.text; len(p) > 0; {
					n := min(64<<10, len(p))
					c.Feed(p[:n])
					p = p[n:]
				}
			}
		})
	}
}
