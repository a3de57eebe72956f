package book

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

// read is the book of a journal, and the time of its last entry.
func read(t *testing.T, script string) (*Book, time.Time) {
	t.Helper()
	log := wire.NewLog(wire.LogOptions{})
	b := New()
	now := tell(t, b, log, feed.New(log, inspect.New(inspect.Options{})), script)
	return b, now
}

func tell(t *testing.T, b *Book, log *wire.Log, f *feed.Feed, script string) time.Time {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	var last time.Time
	for _, e := range entries {
		log.Append(e)
		last = e.At
	}
	for n := 0; n < len(entries); {
		p, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n += len(p.Entries)
		b.Take(&p)
	}
	return last
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

const modern = `
= connecting +kind=stdio +target="node x.js" starting
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Be kind.","ttlMs":300000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n\u001b","title":"T","version":"2"}}}}
= ready +era=modern +version=2026-07-28 discovered
`

func page(id int, cursor, tools, next string) string {
	if cursor != "" {
		cursor = `"cursor":"` + cursor + `",`
	}
	if next != "" {
		next = `"nextCursor":"` + next + `",`
	}
	return fmt.Sprintf(`
> {"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s%s}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",%s"tools":[%s]}}
`, id, cursor, meta, id, next, tools)
}

func tool(name string) string {
	return `{"name":"` + name + `","title":"T","description":"Does it.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`
}

func TestWhoTheServerIs(t *testing.T) {
	b, _ := read(t, modern)
	s := &b.Server
	if s.Name() != "T" || s.ServerVersion() != "2" || s.Version != "2026-07-28" || s.Era != "modern" || s.Kind != "stdio" || s.Target != "node x.js" || s.Phase != wire.Ready {
		t.Errorf("server is %+v", s)
	}
	if s.Instructions != "Be kind." || !s.Capabilities.Get("tools").Exists() || strings.Join(s.Supported, " ") != "2026-07-28" || len(s.Steps) != 2 {
		t.Errorf("server is %+v", s)
	}
	legacy, _ := read(t, `
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"prompts":{}},"serverInfo":{"name":"old","version":"0.1"}}}
= ready +era=legacy +version=2025-06-18 initialized
`)
	if s := &legacy.Server; s.Name() != "old" || s.Version != "2025-06-18" || !s.Capabilities.Get("prompts").Exists() {
		t.Errorf("server is %+v", s)
	}
}

// What a server calls itself is drawn with every key, and goes into the title of the terminal's window: a name of megabytes is cut before
// anything is done with it.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("wé", 100_000)
	b, _ := read(t, strings.NewReplacer(`"T"`, `"`+long+`"`, `"version":"2"`, `"version":"a`+long+`"`).Replace(modern))
	for what, got := range map[string]string{"name": b.Server.Name(), "version": b.Server.ServerVersion()} {
		if n := len(got); n < longestName/2 || n > longestName+10 || !strings.HasSuffix(got, "é…") && !strings.HasSuffix(got, "w…") {
			t.Errorf("the %s has %d bytes: %.500q", what, n, got)
		}
	}
}

func names(l *List) string {
	var out []string
	for i := range l.Items {
		out = append(out, l.Items[i].ID)
	}
	return strings.Join(out, " ")
}

func TestListsGrowByPagesAndAreReplacedByANewWalk(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	tell(t, b, log, f, modern+page(2, "", tool("a")+","+tool("b"), "c2"))
	l := b.List(Tools)
	if names(l) != "a b" || !l.Partial || !l.Known {
		t.Errorf("after the first page: %s, partial %v", names(l), l.Partial)
	}
	tell(t, b, log, f, page(3, "c2", tool("c"), ""))
	if names(l) != "a b c" || l.Partial || l.Pages != 2 {
		t.Errorf("after the second page: %s, partial %v, %d pages", names(l), l.Partial, l.Pages)
	}
	v := l.Version()
	tell(t, b, log, f, page(4, "", tool("z"), ""))
	if names(l) != "z" || l.Version() == v {
		t.Errorf("after a new walk: %s", names(l))
	}
	tell(t, b, log, f, `
> {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{`+meta+`}}
< {"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no \u001b[2J"}}
`)
	if names(l) != "z" || l.Failed != "-32603 no ␛[2J" {
		t.Errorf("a failed listing leaves %q and says %q", names(l), l.Failed)
	}
	if l.Find("z") == nil || l.Find("a") != nil {
		t.Error("Find finds the wrong item")
	}
}

func TestARowHasTheWorstFindingOfItsDescriptionAndItsUse(t *testing.T) {
	b, _ := read(t, modern+page(2, "", tool("good")+`,{"name":"bad tool name!","inputSchema":{"type":"string"}}`, "")+`
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"good","arguments":{},`+meta+`}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"galaxy","content":[]}}
`)
	l := b.List(Tools)
	if it := l.Find("bad tool name!"); it.Worst == 0 || l.WorstOf(it) != it.Worst {
		t.Errorf("the finding about the second tool's description is on no row: %+v", b.Findings.Groups)
	}
	if it := l.Find("good"); it.Worst != 0 || l.WorstOf(it) != inspect.Must {
		t.Errorf("the tool whose call broke a rule has %v, its description %v", l.WorstOf(it), it.Worst)
	}
	if b.Findings.Count.Must == 0 || b.Findings.Groups[0].Rule.Level != inspect.Must {
		t.Errorf("findings are %+v", b.Findings.Count)
	}
	for _, g := range b.Findings.Groups {
		if g.Count != len(g.All) || b.Timeline.Row(g.First.Row) == nil {
			t.Errorf("%s: count %d, %d kept", g.Rule.ID, g.Count, len(g.All))
		}
	}
}

func TestFreshnessCountsDownAndEndsByNotification(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	now := tell(t, b, log, f, modern+page(2, "", tool("a"), ""))
	if st, known := b.Freshness(Tools, now.Add(20*time.Second)); !known || st.Name != fresh.Fresh || st.Left != 40*time.Second {
		t.Errorf("after 20 s of 60: %+v", st)
	}
	if st, _ := b.Freshness(Tools, now.Add(61*time.Second)); st.Name != fresh.Stale {
		t.Errorf("after 61 s of 60: %+v", st)
	}
	if _, known := b.Freshness(Prompts, now); known {
		t.Error("a list that was never asked for has a freshness")
	}
	tell(t, b, log, f, `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	if st, _ := b.Freshness(Tools, now.Add(time.Second)); st.Name != fresh.Invalidated {
		t.Errorf("after list_changed: %+v", st)
	}
}

func TestProgressAndWhatRuns(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	tell(t, b, log, f, modern+`
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":"t"}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":4,"message":"one\u0007"}}
`)
	r := b.Timeline.Newest("tools/call", "slow")
	if r == nil || !r.Running() || len(b.Timeline.Open) != 1 {
		t.Fatalf("the call does not run: %+v", r)
	}
	if part, ok := r.Progress.Part(); !ok || part != 0.25 || r.Progress.Message != "one␇" {
		t.Errorf("progress is %+v", r.Progress)
	}
	if _, ok := r.Took(); ok {
		t.Error("it took time although it is not over")
	}
	tell(t, b, log, f, `
@ +1.5s
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}
`)
	if d, ok := r.Took(); r.Running() || len(b.Timeline.Open) != 0 || !ok || d < time.Second {
		t.Errorf("it is over after %v: %+v", d, r)
	}
}

func TestTheLogHasWhatIsBesideTheProtocol(t *testing.T) {
	b, _ := read(t, modern+`
! a line
! +level=warning watch out
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"db","data":{"code":7}}}
~ exit 3 +stderr="last"
`)
	var all []string
	for _, l := range b.Log.Lines {
		all = append(all, l.From+"|"+l.Level+"|"+l.Logger+"|"+l.Text)
	}
	got := strings.Join(all, "\n")
	for _, want := range []string{"connection|info||starting", "stderr|||a line", `server|error|db|{"code":7}`, "connection|error||the server process ended with exit code 3"} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	if b.Server.Exit == nil || b.Server.Exit.Code != 3 {
		t.Errorf("the exit is %+v", b.Server.Exit)
	}
}

// However long a server goes on, the book stays within its bounds and says what had to go.
func TestMemoryIsBounded(t *testing.T) {
	b := New()
	var p feed.Page
	const n = MaxRows*2 + 5000
	note := &wire.Note{From: "stderr", Text: "x"}
	for i := 1; i <= n; i++ {
		m := wire.Read(wire.Seq(i), time.Time{}, &wire.Frame{Dir: wire.Received, Body: []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`)})
		p.Exchanges = append(p.Exchanges, feed.Judged{Exchange: wire.Exchange{Lone: &m, End: wire.Alone}})
		p.Entries = append(p.Entries, wire.Entry{Seq: wire.Seq(n + i), Note: note})
	}
	b.Take(&p)
	if len(b.Timeline.Rows) > MaxRows*11/10 || len(b.Timeline.Rows)+b.Timeline.Dropped != n || len(b.Timeline.byRef) != len(b.Timeline.Rows) {
		t.Errorf("%d rows, %d dropped, %d indexed of %d", len(b.Timeline.Rows), b.Timeline.Dropped, len(b.Timeline.byRef), n)
	}
	if len(b.Log.Lines) > MaxLines*11/10 || len(b.Log.Lines)+b.Log.Dropped != 2*n {
		t.Errorf("%d lines, %d dropped", len(b.Log.Lines), b.Log.Dropped)
	}
}

// What the log lets go from memory the book lets go too.
func TestFramesThatWereLetGoAreNotKeptAlive(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{Budget: 20_000})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	big := strings.Repeat("x", 15_000)
	tell(t, b, log, f, modern+`
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"big"}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"`+big+`"}]}}
`)
	tell(t, b, log, f, `
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"bigger"}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"`+big+`"}]}}
`)
	b.Timeline.LetGo(log.Cut(0), log.Get)
	r := b.Timeline.Newest("tools/call", "big")
	if len(r.X.Reply.Body) >= 15_000 || r.Size() < 15_000 {
		t.Errorf("the body has %d bytes still, its size is said to be %d", len(r.X.Reply.Body), r.Size())
	}
	if last := b.Timeline.Newest("tools/call", "bigger"); len(last.X.Reply.Body) < 15_000 {
		t.Error("the newest body is gone")
	}
}

// A server may log a megabyte a line: the lines keep a beginning, and the frame the rest.
func TestLinesOfTheLogAreBounded(t *testing.T) {
	big := strings.Repeat("é", 40_000)
	b, _ := read(t, modern+`
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"`+big+`"}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"message":"hello","big":"`+big+`"}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":7,"logger":["x"],"data":null}}
< {"jsonrpc":"2.0","method":"notifications/message","params":[1]}
! `+big+`
`)
	lines := b.Log.Lines[len(b.Log.Lines)-5:]
	for i, l := range lines {
		if len(l.Text)+len(l.Data) > 20_000 {
			t.Errorf("line %d keeps %d bytes", i, len(l.Text)+len(l.Data))
		}
	}
	if l := lines[0]; l.More != 2*40_000-2048 || !strings.HasPrefix(l.Text, "éé") {
		t.Errorf("the text is cut at %d, %d more", len(l.Text), l.More)
	}
	if l := lines[1]; !strings.HasPrefix(l.Text, `hello  {"message":"hello"`) || l.More == 0 {
		t.Errorf("the object reads %.40q", l.Text)
	}
	if lines[2].Text != "null" || lines[3].Text != "a message without data" || lines[4].From != "stderr" {
		t.Errorf("odd ones read %+v", lines[2:])
	}
	if r := b.Timeline.Row(lines[0].During); r == nil || r.Name != "slow" {
		t.Error("nothing says during which request it was")
	}
}
