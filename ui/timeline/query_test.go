package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
	"mcploupe/ui/kit"
)

func TestWordsOfTheFilter(t *testing.T) {
	for _, c := range []struct{ line, want, wrong string }{
		{"", "", ""},
		{"m:tools/call tool:get_*", "m=tools/call tool=get_*", ""},
		{"IS:Err Madrid", "is=err =madrid", ""},
		{`"two words" x`, "=two words =x", ""},
		{`tool:"get weather"`, "tool=get weather", ""},
		{`"is:err"`, "=is:err", ""},
		{"!is:err !madrid", "!is=err !=madrid", ""},
		{"!", "=!", ""},
		{"-32602", "=-32602", ""},
		{"is:", "", ""},                              // begun
		{"is:vi", "", ""},                            // begun
		{"rule: m:", "", ""},                         // begun
		{"is:vi x", "=is:vi =x", "is:vi is none of"}, // not any more
		{"is:odd", "=is:odd", "is:odd is none of ok err"},
		{"dir:sideways", "=dir:sideways", "none of in out"},
		{"foo:bar", "=foo:bar", "foo: is no filter word"},
		{"file:///a.txt", "=file:///a.txt", ""},
		{`{"a":1}`, "={a:1}", ""},
		{"12:30", "=12:30", ""},
	} {
		q := parse(c.line)
		var got []string
		for _, w := range q.words {
			not := ""
			if w.not {
				not = "!"
			}
			got = append(got, not+w.key+"="+w.value)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.line, s, c.want)
		}
		wrong := strings.Join(q.wrong, "; ")
		if !strings.Contains(wrong, c.wrong) || c.wrong == "" && wrong != "" {
			t.Errorf("%q is said to be wrong as %q, want %q", c.line, wrong, c.wrong)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"call", "tools/call", true}, {"call*", "tools/call", false}, {"*call", "tools/call", true}, {"tools/*", "tools/call", true},
		{"*", "", true}, {"", "x", true}, {"a*b*c", "aXbYc", true}, {"a*a", "a", false}, {"a**b", "ab", true}, {"*b*", "abc", true}, {"x", "", false},
	} {
		if got := glob(c.pattern, c.text); got != c.want {
			t.Errorf("glob(%q, %q) is %v", c.pattern, c.text, got)
		}
	}
}

// Whatever is typed is read; what is found by text is what a plain search finds.
func FuzzFilter(f *testing.F) {
	f.Add(`m:tools/call tool:get_* is:err "a b" !x`, `{"name":"get_weather","a b":1}`)
	f.Add(`is:st foo:bar`, "IS:ST")
	f.Fuzz(func(t *testing.T, line, body string) {
		q := parse(line)
		help(line)
		for _, w := range q.words {
			if w.value == "" {
				t.Errorf("%q has an empty word", line)
			}
			if w.key == "" {
				p := newPattern(w.value)
				if got, want := p.in([]byte(body)), strings.Index(lowASCII(body), w.value); got != want && lowASCII(w.value) == w.value {
					t.Errorf("%q in %q at %d, want %d", w.value, body, got, want)
				}
			}
			glob(w.value, strings.ToLower(body))
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
	log := wire.NewLog(wire.LogOptions{})
	for i := range n {
		failed := ""
		if i%10 == 3 {
			failed = `,"isError":true`
		}
		entries, err := wire.ParseScript(fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_%d","arguments":{"q":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete"%s,"content":[{"type":"text","text":"%s number %d"}]}}
`, i+1, i%7, i+1, failed, strings.Repeat("some weather ", 60), i))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			e.Seq = 0
			log.Append(e)
		}
	}
	log.Close()
	b := book.New()
	f := feed.New(log, inspect.New(inspect.Options{}))
	f.Pace = 0
	for {
		page, err := f.Next(t.Context())
		if err != nil {
			break
		}
		b.Take(&page)
	}
	return New(&kit.Env{Styles: themes.Plain(), Now: time.Now}, b)
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
