package story

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/wire"
)

// exchanges folds a script.
func exchanges(t testing.TB, script string) []wire.Exchange {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	var order []wire.Ref
	by := map[wire.Ref]wire.Exchange{}
	f := wire.NewFold()
	for _, e := range entries {
		for _, x := range f.Add(e) {
			if _, known := by[x.Ref()]; !known {
				order = append(order, x.Ref())
			}
			by[x.Ref()] = x
		}
	}
	out := make([]wire.Exchange, len(order))
	for i, r := range order {
		out[i] = by[r]
	}
	return out
}

// tell is the story of the exchange with a message number.
func tell(t testing.TB, script string, of wire.Seq) Story {
	t.Helper()
	all := exchanges(t, script)
	for i := range all {
		if !Holds(&all[i], of) {
			continue
		}
		var parts []Part
		for _, j := range Gather(len(all), func(i int) *wire.Exchange { return &all[i] }, i) {
			parts = append(parts, Part{X: &all[j]})
		}
		return Tell("weather", parts)
	}
	t.Fatalf("no exchange holds #%d", of)
	return Story{}
}

func text(s *Story, w int) string {
	var b strings.Builder
	for _, l := range s.Lines(w) {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

const rounds = `
> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"log"}]}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"log","arguments":{"sky":"fog"},"_meta":{"progressToken":"p"}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":3}}
@ +1s
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":3}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"abc","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who are you?"}}}}}
> {"jsonrpc":"2.0","id":3,"method":"ping"}
< {"jsonrpc":"2.0","id":3,"result":{}}
@ +2s
> +why=retry {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"log","arguments":{"sky":"fog"},"requestState":"abc","inputResponses":{"who":{"action":"accept"}}}}
< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"noted"}]}}
`

func TestRoundsAreOneStory(t *testing.T) {
	want := strings.TrimPrefix(`
         mcploupe                                    weather
   +0 ms │── tools/call log #3 ───────────────────────────▸│
         │    {"sky":"fog"}                                │
  +10 ms │◂─ progress 2 of 3 ×2 until +1.0 s ──────────────│
  +1.0 s │◂─ log info ─────────────────────────────────────│
         │    hello                                        │
  +1.0 s │◂╌ result #3 ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│
         │    asks who: elicitation/create — Who are you?  │
         │    requestState, 5 bytes                        │
  +3.0 s │── tools/call log, again #10 ───────────────────▸│
         │    {"sky":"fog"}                                │
         │    answers who: {"action":"accept"}             │
         │    requestState, 5 bytes                        │
  +3.1 s │◂╌ result #10 ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│
         │    noted                                        │
         2 requests · 7 messages · 3.1 s
`, "\n")
	// From whichever of its messages it is asked for, it is the same.
	for _, of := range []wire.Seq{3, 7, 10, 11} {
		if s := tell(t, rounds, of); text(&s, 60) != want {
			t.Errorf("from #%d:\n%s\nwant\n%s", of, text(&s, 60), want)
		}
	}
	if s := tell(t, rounds, 8); s.Requests != 1 || s.Title != "ping" {
		t.Errorf("a request between the rounds has a story of its own: %+v", s)
	}
}

func TestWhatBelongsTogether(t *testing.T) {
	for _, c := range []struct {
		name, script string
		of           []wire.Seq
		want         []string // lines, in this order
	}{
		{"cancelled, and answered late", `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
@ +3s
> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"by hand"}}
~ cancel 1 cancelled by hand
@ +1s
< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
`, []wire.Seq{1, 2, 4}, []string{"tools/call slow #1", "+3.0 s │── cancelled 1", "by hand", "cancelled #1", "result late, 1.0 s after the cancel"}},
		{"a question of an older server while a call runs", `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}
< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?"}}
> {"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}
< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
`, []wire.Seq{1, 2, 3}, []string{"tools/call ask", "◂─ elicitation/create", "Sure?", "elicitation/create: result", `{"action":"decline"}`, "result #1"}},
		{"a subscription, alike folded", `
> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
> {"jsonrpc":"2.0","id":2,"method":"ping"}
< {"jsonrpc":"2.0","id":2,"result":{}}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
`, []wire.Seq{1, 3, 6}, []string{"subscriptions/listen #1", "acknowledged", "notifications/tools/list_changed ×2", "it is open", "not over yet"}},
		{"polls of a task folded", `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"survey"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t","status":"working"}}
> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t"}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"t","status":"working"}}
> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"t"}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","taskId":"t","status":"working"}}
> {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t"}}
< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","taskId":"t","status":"completed","result":{"content":[{"type":"text","text":"done"}]}}}
`, []wire.Seq{1, 3, 7}, []string{"tools/call survey", "task t: working", "tasks/get: working ×2", "tasks/get #7", "result #7", "task: completed", "done", "4 requests · 8 messages"}},
		{"pages of a list", `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{}],"nextCursor":"x"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
`, []wire.Seq{1, 3}, []string{"tools/list #1", "1 tools", "tools/list #3", "0 tools", "2 requests"}},
		{"another walk through a list, with the same cursors", `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{}],"nextCursor":"x"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
< {"jsonrpc":"2.0","id":3,"result":{"tools":[{}],"nextCursor":"x"}}
> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
`, []wire.Seq{5, 7}, []string{"+0 ms │── tools/list #5", "tools/list #7", "2 requests · 4 messages"}},
		{"pages of a list again", `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{}],"nextCursor":"x"}}
> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
< {"jsonrpc":"2.0","id":3,"result":{"tools":[{}],"nextCursor":"x"}}
> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}
< {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
`, []wire.Seq{1}, []string{"tools/list #1", "1 request · 2 messages"}},
		{"the opening of an older server", `
> {"jsonrpc":"2.0","id":1,"method":"server/discover"}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
< {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18"}}
> {"jsonrpc":"2.0","method":"notifications/initialized"}
> {"jsonrpc":"2.0","id":3,"method":"ping"}
< {"jsonrpc":"2.0","id":3,"result":{}}
`, []wire.Seq{1, 3, 5}, []string{"server/discover #1", "error -32601 #1", "Method not found", "initialize #3", "protocolVersion 2025-06-18", "notifications/initialized", "2 requests"}},
		{"it broke", `
> {"jsonrpc":"2.0","id":1,"method":"ping"}
~ exit 1
`, []wire.Seq{1}, []string{"ping #1", "no answer #1"}},
	} {
		for _, of := range c.of {
			s := tell(t, c.script, of)
			got := text(&s, 80)
			rest := got
			for _, w := range c.want {
				_, after, ok := strings.Cut(rest, w)
				if !ok {
					t.Errorf("%s, from #%d: no %q (in this order):\n%s", c.name, of, w, got)
					break
				}
				rest = after
			}
			if strings.Contains(got, "ping") && c.name != "it broke" {
				t.Errorf("%s, from #%d: tells of another one:\n%s", c.name, of, got)
			}
		}
	}
}

func TestALogin(t *testing.T) {
	all := exchanges(t, `
> http POST https://a.example/mcp
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}
< http 401
> http POST https://a.example/mcp
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}
< http 200
< {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
`)
	fetched := wire.Fetch{For: wire.ForToken, Request: &wire.Head{Method: "POST", URL: "https://auth.example/token?secret=1"}, Response: &wire.Head{Status: 200}, Text: "a token"}
	f := wire.NewFold().Add(wire.Entry{Seq: 3, At: all[0].Ended, Fetch: &fetched})
	list := []wire.Exchange{all[0], f[0], all[1]}
	for i := range list {
		got := Gather(3, func(i int) *wire.Exchange { return &list[i] }, i)
		if fmt.Sprint(got) != "[0 1 2]" {
			t.Errorf("from %d: %v", i, got)
		}
	}
	if got := Gather(2, func(i int) *wire.Exchange { return &all[i] }, 1); fmt.Sprint(got) != "[1]" {
		t.Errorf("without a fetch between: %v", got)
	}
	s := Tell("a", []Part{{X: &list[0]}, {X: &list[1]}, {X: &list[2]}})
	got := text(&s, 80)
	for _, w := range []string{"[auth.example] POST /token", "token, auth.example", "HTTP 401"} {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(s.Markdown(), "secret") {
		t.Error("a query is shown")
	}
	if !strings.Contains(s.Markdown(), "    participant A1 as auth.example\n") || !strings.Contains(s.Markdown(), "C->>A1: ") {
		t.Errorf("no participant of its own:\n%s", s.Markdown())
	}
}

// Every line fits, at every width, and what comes of a server cannot command the terminal.
func TestWidths(t *testing.T) {
	script := strings.ReplaceAll(rounds, "hello", `wide 漢字漢字漢字漢字漢字漢字漢字 \u001b[31m and long `+strings.Repeat("long ", 50))
	for w := 16; w < 140; w++ {
		s := tell(t, script, 3)
		for _, l := range s.Lines(w) {
			if n := ansi.StringWidth(l.String()); n > w || strings.ContainsAny(l.String(), "\x1b\n\r") {
				t.Fatalf("%d cells of %d: %q", n, w, l.String())
			}
		}
	}
	s := tell(t, rounds, 3)
	if got := text(&s, 30); strings.Contains(got, "│") || !strings.Contains(got, "  +0 ms → tools/call log #3\n") {
		t.Errorf("narrow:\n%s", got)
	}
}

func TestManyRows(t *testing.T) {
	var b strings.Builder
	b.WriteString(`> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}` + "\n")
	for i := range 2000 {
		fmt.Fprintf(&b, `< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"r:%d","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`+"\n", i)
	}
	s := tell(t, b.String(), 1)
	got := text(&s, 80)
	if len(s.Rows) != mostRows || s.Left != 2002-mostRows || !strings.Contains(got, "1402 rows are left out here") || !strings.Contains(got, `"r:1999"`) {
		t.Errorf("%d rows, %d left out\n%s", len(s.Rows), s.Left, got[len(got)-500:])
	}
	if !strings.Contains(s.Markdown(), "1402 rows are left out") {
		t.Error("Markdown does not say it")
	}
}

// The only shapes that a line of the document may have.
var lineShape = regexp.MustCompile(`^(## [^\n]*|[0-9][^\n]*\.|` + "```mermaid|```" + `|sequenceDiagram|    participant (C|S|A\d+) as ` + labelShape +
	`|    (C|S|A\d+)--?>>(C|S|A\d+): ` + labelShape + `(<br/>` + labelShape + `)*|    Note over C,(S|A\d+): ` + labelShape + `(<br/>` + labelShape + `)*|)$`)

const labelShape = `([^\x00-\x1f#;<>%{}":ﬂ¶` + "`" + `]|#\d+;)+`

func FuzzMarkdown(f *testing.F) {
	f.Add("end", "a;b\n```\n# x", "<script>alert(1)</script>")
	f.Add("%%{init: {}}%%", "Note over C", "S->>C: x")
	f.Add("ﬂ°°60¶ßscriptﬂ°°62¶ß", "22 °C", "wrap: x")
	f.Add("style x:#1;", "\x1b]0;x\x07", "a\u2028b\u202e")
	f.Fuzz(func(t *testing.T, server, head, detail string) {
		s := Story{Title: line(head), Server: line(server), Rows: []Row{
			{Way: ToServer, Head: line(head), Count: 1, Detail: []string{line(detail)}, Peer: line(server)},
			{Way: Both, Head: line(detail), Count: 3}, {Way: Aside, Head: line(server), Count: 1},
			{Way: ToClient, Answer: true, Verdict: line(detail), Count: 1, Number: "#4"},
		}}
		md := s.Markdown()
		if strings.Count(md, "```") != 2 {
			t.Errorf("the fence is broken:\n%s", md)
		}
		inside := false
		for l := range strings.SplitSeq(strings.TrimSuffix(md, "\n"), "\n") {
			inside = inside != strings.HasPrefix(l, "```")
			if !lineShape.MatchString(l) {
				t.Errorf("a line of another shape: %q", l)
			}
			for word := range strings.FieldsSeq(strings.ReplaceAll(l, "<br/>", " ")) {
				if inside && reserved(word) && !strings.HasPrefix(l, "    participant") && !strings.HasPrefix(l, "    Note") {
					t.Errorf("a word of Mermaid stands in %q", l)
				}
			}
		}
	})
}

func BenchmarkStory(b *testing.B) {
	var script strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&script, "> {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"t%d\"}}\n< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[]}}\n", i, i%7, i)
	}
	all := exchanges(b, script.String())
	b.ReportAllocs()
	for b.Loop() {
		Gather(len(all), func(i int) *wire.Exchange { return &all[i] }, len(all)/2)
	}
}
