package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book/booktest"
	"mcploupe/ui/kit"
	"mcploupe/ui/query"
)

// Whatever is typed is read; what is found by text is what a plain search finds.
func FuzzFilter(f *testing.F) {
	f.Add(`m:tools/call tool:get_* is:err "a b" !x`, `{"name":"get_weather","a b":1}`)
	f.Add(`is:st foo:bar`, "IS:ST")
	f.Fuzz(func(t *testing.T, line, body string) {
		q := query.Parse(line)
		query.Help(line)
		for _, w := range q.Words {
			if w.Value == "" {
				t.Errorf("%q has an empty word", line)
			}
			if w.Key == "" {
				p := newPattern(w.Value)
				if got, want := p.in([]byte(body)), strings.Index(lowASCII(body), w.Value); got != want && lowASCII(w.Value) == w.Value {
					t.Errorf("%q in %q at %d, want %d", w.Value, body, got, want)
				}
			}
			query.Glob(w.Value, strings.ToLower(body))
		}
	})
}

func lowASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// panelOf is a panel on a conversation with n calls, each tenth of which fails.
func panelOf(t testing.TB, n int) *Panel {
	t.Helper()
	var all []wire.Entry
	for i := range n {
		failed := ""
		if i%10 == 3 {
			failed = `,"isError":true`
		}
		all = append(all, booktest.Script(t, fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_%d","arguments":{"q":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete"%s,"content":[{"type":"text","text":"%s number %d"}]}}
`, i+1, i%7, i+1, failed, strings.Repeat("some weather ", 60), i))...)
	}
	return New(&kit.Env{Styles: themes.Plain(), Now: time.Now}, booktest.Of(t, all))
}

func TestTheFilterFindsExchanges(t *testing.T) {
	p := panelOf(t, 100)
	for line, want := range map[string]int{
		"": 100, "m:tools/call": 100, "m:resources": 0, "tool:tool_3": 14, "tool:tool_*": 100, "is:err": 10, "!is:err": 90, "is:ok": 90,
		"is:err tool:tool_3": 2, "rt:complete": 100, "rt:task": 0, "dir:out": 100, "dir:in": 0, "is:run": 0, "number": 100, "NUMBER": 100,
		`"number 7\""`: 0, `"number 7"`: 11, "number zebra": 0, "rule:result-server*": 1, "foo:bar": 0, "is:mark": 0,
	} {
		p.ClearFilter()
		p.TypeFilter(line)
		if got := p.List.Len(); got != want {
			t.Errorf("%q finds %d, want %d", line, got, want)
		}
	}
}

// Typing on, taking back and a new exchange find what a fresh look finds.
func TestTheFilterRemembersRightly(t *testing.T) {
	p := panelOf(t, 60)
	p.OpenFilter()
	line := ""
	for _, step := range []string{"n", "u", "m", "b", "e", "r", " ", "5", "<", "<", "4", "7", "<", "<", "<", "<"} {
		if step == "<" {
			line = line[:len(line)-1]
		} else {
			line += step
		}
		p.TypeFilter(line)
		fresh := panelOf(t, 60)
		fresh.TypeFilter(line)
		got, want := p.finder.Find(line), fresh.finder.Find(line)
		if !slices.Equal(got, want) {
			t.Fatalf("%q finds %v, afresh %v", line, got, want)
		}
	}
}

// Every letter of a filter over 10,000 exchanges of a kilobyte each.
func BenchmarkFilterKey(b *testing.B) {
	p := panelOf(b, 10_000)
	for _, word := range []string{"number 99", "zebra", "tool:tool_3 is:err"} {
		b.Run(word, func(b *testing.B) {
			p.ClearFilter()
			for i := range b.N {
				n := i % (len(word) + 1)
				if n == 0 {
					p.ClearFilter()
				}
				p.TypeFilter(word[:n])
			}
		})
	}
}
