package handout_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/book/booktest"
	"mcploupe/ui/handout"
	"mcploupe/ui/kit"

	"github.com/charmbracelet/colorprofile"
)

// page is the handout of all stories of a script.
func page(t testing.TB, script string) string {
	t.Helper()
	entries := booktest.Script(t, script)
	at := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	for i := range entries {
		if entries[i].At.IsZero() {
			at = at.Add(10 * time.Millisecond)
			entries[i].At = at
		}
	}
	b := booktest.Of(t, entries)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	env := &kit.Env{Styles: theme.Styles(colorprofile.TrueColor), Now: time.Now}
	h := handout.Handout{Server: b.Server.About(), Version: "9"}
	told := map[*book.Row]bool{}
	for _, r := range b.Timeline.Rows {
		if told[r] {
			continue
		}
		c := env.Chapter(b, r)
		for _, one := range c.Rows {
			told[one] = true
		}
		h.Chapters = append(h.Chapters, c)
	}
	return h.HTML()
}

const call = `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Madrid"},"_meta":{"progressToken":"1","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1,"total":2}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1,"total":2}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"fog"}],"isError":"no","big":12345678901234567890,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"w","version":"1"}}}}
`

func TestAHandout(t *testing.T) {
	got := page(t, call)
	for _, want := range []string{
		"<title>tools/call get_weather</title>",
		"1 request · 4 messages",
		`<div class="step to"><div class="said">tools/call get_weather <a href="#m1">`,
		"progress 1 of 2 ×2", // folded in the diagram, each in full below
		`<section class="message from" id="m2">`, `<section class="message from" id="m3">`,
		`<span class="here">    &#34;isError&#34;: &#34;no&#34;,</span>`,
		`<span class="must"><a href="#tool-error-iserror-type">tool-error-iserror-type</a>: want `,
		`<section class="rule" id="tool-error-iserror-type">`, "How to fix it",
		`<a href="#progress-not-increasing">`,
		"12345678901234567890", // digits as they were sent
		"Made by mcploupe 9.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	wellFormed(t, got)
}

func TestManyStoriesHaveAList(t *testing.T) {
	got := page(t, call+"> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n< {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n")
	for _, want := range []string{`<li><a href="#story-1">tools/call get_weather</a>`, `<li><a href="#story-2">ping</a>`, `<h2 id="story-2">ping</h2>`} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	wellFormed(t, got)
}

// Nothing that a server says is more than text: no element, no attribute, no style, no character that commands.
func TestHostileText(t *testing.T) {
	const bad = `</pre></style></title><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x\u001b]0;x\u0007\u202e\u0085<!--`
	got := page(t, strings.ReplaceAll(`
= connecting +target="server" +kind=stdio starting
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"BAD","arguments":{"BAD":"BAD"}}}
< {"jsonrpc":"2.0","id":"q","method":"BAD","params":{"message":"BAD","BAD":["BAD",{"BAD":1}]}}
> {"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"BAD","content":[{"type":"BAD","text":"BAD"}],"ttlMs":"BAD","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"BAD","version":"BAD"}}}}
< <b>BAD</b>
< {"jsonrpc":"2.0","id":9,"error":{"code":"BAD","message":"BAD"}}
`, "BAD", bad))
	wellFormed(t, got)
	if strings.Contains(got, "‹RLO›") == false || strings.Contains(got, "\\u202e") == false {
		t.Error("neither the sign nor the spelling of what turns the reading direction is there")
	}
}

var tag = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>`)

// wellFormed fails the test unless the page holds our elements alone, each closed, with harmless attributes, and no character
// that commands anything.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	body := text[strings.Index(text, "</style>"):]
	rest := tag.ReplaceAllString(body, "")
	if strings.ContainsAny(rest, "<>") {
		i := strings.IndexAny(rest, "<>")
		t.Errorf("there is more than text and elements: %q", rest[max(i-40, 0):min(i+60, len(rest))])
	}
	for _, r := range text {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%U is on the page", r)
		}
	}
	ours := map[string]bool{"html": true, "style": true, "h1": true, "h2": true, "h3": true, "p": true, "b": true, "a": true, "span": true, "div": true, "section": true,
		"ol": true, "ul": true, "li": true, "details": true, "summary": true, "pre": true, "code": true, "footer": true}
	attribute := regexp.MustCompile(`^\s*(class="[a-z ]+"|id="[a-z0-9-]+"|href="#[a-z0-9-]+"|open)*$`)
	open := []string{"html", "style"}
	for _, m := range tag.FindAllStringSubmatch(body, -1) {
		if !ours[m[2]] {
			t.Errorf("element %s", m[0])
		}
		for a := range strings.FieldsSeq(regexp.MustCompile(`"[^"]*"`).ReplaceAllStringFunc(m[3], func(s string) string { return strings.ReplaceAll(s, " ", "") })) {
			if !attribute.MatchString(a) {
				t.Errorf("attribute %s of %s", a, m[0])
			}
		}
		if m[1] == "" {
			open = append(open, m[2])
			continue
		}
		if n := len(open) - 1; n < 0 || open[n] != m[2] {
			t.Fatalf("%s closes %v", m[0], open)
		} else {
			open = open[:n]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
}

func BenchmarkHandout(b *testing.B) {
	script := strings.Repeat(call, 50)
	for b.Loop() {
		page(b, script)
	}
}
