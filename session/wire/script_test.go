package wire

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// bare is a copy of the entries without what reading them cached.
func bare(entries []Entry) []Entry {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		if e.Frame != nil {
			f := *e.Frame
			f.read = nil
			e.Frame = &f
		}
		e.At = e.At.UTC()
		out[i] = e
	}
	return out
}

func mustParse(t testing.TB, script string) []Entry {
	t.Helper()
	entries, err := ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func sameEntries(t testing.TB, got, want []Entry) {
	t.Helper()
	g, w := bare(got), bare(want)
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Fatalf("entry %d is missing: %s", i, Format(w[i:i+1]))
		case i >= len(w):
			t.Fatalf("entry %d is too many: %s", i, Format(g[i:i+1]))
		case !reflect.DeepEqual(g[i], w[i]):
			t.Fatalf("entry %d:\ngot  %s%+v\nwant %s%+v", i, Format(g[i:i+1]), g[i], Format(w[i:i+1]), w[i])
		}
	}
}

const wholeScript = `# everything once
= connecting +kind=http +target=http://127.0.0.1:9/mcp trying Streamable HTTP
> http POST /mcp Mcp-Method=tools/call MCP-Protocol-Version=2026-07-28 Mcp-Name="two words"
> {"jsonrpc":"2.0","id":1,"method":"tools/call",
   "params":{"name":"two words"}}
< http 200 +waited=12.5ms +dialed=3ms HTTP/2.0 Content-Type=text/event-stream
< +event=message +id=4 {"jsonrpc":"2.0","method":"notifications/progress"}
<< +comment="keep-alive" +nodata
@ +1.5s
< {"jsonrpc":"2.0","id":1,"result":{}}
~ eof
> http POST /mcp
> {"jsonrpc":"2.0","method":"notifications/initialized"}
< http 202
> http GET /mcp Last-Event-ID=e-1 +resumes=2
< http 405 Allow="POST, DELETE"
~ cut the line went dead
<1 {"late":true}
<0 Server listening on port 3000
< +crlf {"jsonrpc":"2.0","id":2,"result":{}}
<< \xff\xfe not "text"\n
!  deprecated
! +from=client +level=warning over the limit
= ready +era=modern +version=2026-07-28 +server=` + "`" + `{"name":"x","version":"1"}` + "`" + ` +evidence=3 discovered
? elicitation/create +of=3 +key=name {"message":"Who?"}
@ 2026-08-01T13:00:00.000000001Z
@ seq=100
> +why=probe-x {"jsonrpc":"2.0","id":"a b","method":"x"}
~ timeout "a gave up
~ exit 1 +late +arg=node +arg="a b" +stderr="Error: boom" it died
`

func TestScriptSaysWhatAJournalSays(t *testing.T) {
	script := strings.Replace(wholeScript, "~ timeout \"a gave up\n", "~ timeout #100 gave up\n", 1)
	e := mustParse(t, script)
	at := ScriptStart()
	post := &Head{Method: "POST", URL: "/mcp", Header: []Field{
		{"Mcp-Method", "tools/call"}, {"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Name", "two words"}}}
	want := []Entry{
		{State: &State{Phase: Connecting, Kind: "http", Target: "http://127.0.0.1:9/mcp", Text: "trying Streamable HTTP"}},
		{Frame: &Frame{Dir: Sent, Lane: 1, HTTP: post, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call", "params":{"name":"two words"}}`)}},
		{Lane: &Lane{ID: 1, Kind: LaneHead, HTTP: &Head{Status: 200, Proto: "HTTP/2.0", Waited: 12500 * time.Microsecond, Dialed: 3 * time.Millisecond, Header: []Field{{"Content-Type", "text/event-stream"}}}}},
		{Frame: &Frame{Dir: Received, Lane: 1, Event: &Event{Name: "message", ID: "4"}, Body: []byte(`{"jsonrpc":"2.0","method":"notifications/progress"}`)}},
		{Frame: &Frame{Dir: Received, Lane: 1, Event: &Event{Comments: []string{"keep-alive"}, NoData: true}, Body: []byte{}}},
		{Frame: &Frame{Dir: Received, Lane: 1, Event: &Event{}, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)}},
		{Lane: &Lane{ID: 1, Kind: LaneEOF}},
		{Frame: &Frame{Dir: Sent, Lane: 2, HTTP: &Head{Method: "POST", URL: "/mcp"}, Body: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)}},
		{Lane: &Lane{ID: 2, Kind: LaneHead, HTTP: &Head{Status: 202}}},
		{Lane: &Lane{ID: 2, Kind: LaneEOF}},
		{Lane: &Lane{ID: 3, Kind: LaneOpen, HTTP: &Head{Method: "GET", URL: "/mcp", Header: []Field{{"Last-Event-ID", "e-1"}}}, Resumes: 2}},
		{Lane: &Lane{ID: 3, Kind: LaneHead, HTTP: &Head{Status: 405, Header: []Field{{"Allow", "POST, DELETE"}}}}},
		{Lane: &Lane{ID: 3, Kind: LaneCut, Text: "the line went dead"}},
		{Frame: &Frame{Dir: Received, Lane: 1, Event: &Event{}, Body: []byte(`{"late":true}`)}},
		{Frame: &Frame{Dir: Received, Shape: ShapeNoise, Body: []byte("Server listening on port 3000")}},
		{Frame: &Frame{Dir: Received, Shape: ShapeCRLF, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":{}}`)}},
		{Frame: &Frame{Dir: Received, Shape: ShapeNoise, Body: []byte("\xff\xfe not \"text\"\n")}},
		{Note: &Note{From: "stderr", Text: "deprecated"}},
		{Note: &Note{From: "client", Level: "warning", Text: "over the limit"}},
		{State: &State{Phase: Ready, Era: "modern", Version: "2026-07-28", Server: `{"name":"x","version":"1"}`, Evidence: 3, Text: "discovered"}},
		{Ask: &Ask{Of: 3, Key: "name", Method: "elicitation/create", Params: `{"message":"Who?"}`}},
		{Frame: &Frame{Dir: Sent, Why: "probe-x", Body: []byte(`{"jsonrpc":"2.0","id":"a b","method":"x"}`)}},
		{Ending: &Ending{Of: 100, How: TimedOut, Text: "gave up"}},
		{Lane: &Lane{Kind: LaneExit, Text: "it died", Exit: &Exit{Code: 1, Late: true, Argv: []string{"node", "a b"}, Stderr: []string{"Error: boom"}}}},
	}
	for i := range want {
		want[i].Seq = Seq(i + 1)
		switch {
		case i == 5:
			at = at.Add(1500 * time.Millisecond)
		case i == 21:
			at = ScriptStart().Add(time.Hour + 1)
		case i > 0:
			at = at.Add(10 * time.Millisecond)
		}
		if i >= 21 {
			want[i].Seq = Seq(i - 21 + 100)
		}
		want[i].At = at
	}
	sameEntries(t, e, want)

	text := Format(e)
	sameEntries(t, mustParse(t, text), e)
	if again := Format(mustParse(t, text)); again != text {
		t.Errorf("writing twice differs:\n%s\n%s", text, again)
	}
}

func TestScriptFormatIsReadable(t *testing.T) {
	const script = `> http POST /mcp Mcp-Method=tools/list
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< http 200 Content-Type=application/json
< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
@ +2s
> http POST /mcp
> {"jsonrpc":"2.0","method":"notifications/initialized"}
< http 202
`
	if got := Format(mustParse(t, script)); got != script {
		t.Errorf("got:\n%s", got)
	}
}

func TestScriptEndingsFindTheirRequest(t *testing.T) {
	e := mustParse(t, `
> {"jsonrpc":"2.0","id":7,"method":"a"}
> {"jsonrpc":"2.0","id":8,"method":"b"}
~ cancel 7 no longer wanted
~ timeout
`)
	if e[2].Ending.Of != 1 || e[2].Ending.How != Cancelled || e[2].Ending.Text != "no longer wanted" {
		t.Errorf("cancel: %+v", e[2].Ending)
	}
	if e[3].Ending.Of != 2 || e[3].Ending.How != TimedOut {
		t.Errorf("timeout: %+v", e[3].Ending)
	}
}

func TestScriptErrorsNameTheLine(t *testing.T) {
	for script, want := range map[string]string{
		"\n\nx":               "line 3",
		"> {}\n~ cancel 9":    "line 2: no request 9 waits",
		"< http abc":          "line 1: reading the status",
		"< +nonsense {}":      "+nonsense is no mark here",
		"<< \\q":              "reading the escape",
		"@ yesterday":         "reading the time",
		"@ seq=0":             "a number greater",
		"= happy":             "the phases are",
		"~ explode":           "a channel can",
		"~":                   "something is missing",
		">99999999999 {}":     "reading the lane",
		">http POST /":        "a line is a mark",
		`< http 200 A="x`:     "reading the quoted text",
		`< http 200 A="x"y`:   "right behind",
		"? m +of=x":           "reading +of",
		"! +colour=red hello": "+colour is no mark here",
	} {
		_, err := ParseScript(script)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}

// What a journal may hold and nobody would write down by hand comes back unchanged, too.
func TestScriptRoundTripsOddEntries(t *testing.T) {
	entries := []Entry{
		{Frame: &Frame{Dir: Received, Body: []byte{}}},
		{Frame: &Frame{Dir: Received, Body: []byte(" \t padded ")}},
		{Frame: &Frame{Dir: Received, Body: []byte("+crlf {}")}},
		{Frame: &Frame{Dir: Received, Body: []byte("http 200")}},
		{Frame: &Frame{Dir: Sent, Body: []byte("tab\tnul\x00bell\x07 \u202e \U000e0041 é \xc3")}},
		{Frame: &Frame{Dir: Received, Lane: 9, HTTP: &Head{Status: 0, Method: "X", URL: "u", Proto: "odd proto", Header: []Field{{"a b", "=\"`"}, {"", ""}, {"HTTP/1.1", "+x"}}}, Body: []byte("{}")}},
		{Frame: &Frame{Dir: Sent, Lane: 9, HTTP: &Head{Status: 7, Method: "", URL: ""}, Body: []byte("{}")}},
		{Frame: &Frame{Dir: Received, Lane: 9, HTTP: &Head{Status: 200, Header: []Field{{"content-type", "text/event-stream"}}}, Body: []byte("{}")}},
		{Lane: &Lane{ID: 9, Kind: LaneHead, HTTP: &Head{Status: 200}}},
		{Frame: &Frame{Dir: Received, Lane: 9, Body: []byte("{}")}},
		{Lane: &Lane{ID: 9, Kind: LaneHead, HTTP: &Head{Status: 200}}},
		{Lane: &Lane{ID: 4, Kind: LaneEOF}},
		{Lane: &Lane{ID: 9, Kind: LaneHead, HTTP: &Head{Status: 200}}},
		{Lane: &Lane{ID: 9, Kind: LaneHead, HTTP: &Head{Status: 200}}},
		{Lane: &Lane{ID: 9, Kind: LaneEOF, Text: "3 of +4\n"}},
		{Lane: &Lane{ID: 9, Kind: LaneHead, HTTP: &Head{Status: 200, Header: []Field{{"Content-Type", "Text/Event-Stream; charset=utf-8"}}}, Text: "+"}},
		{Frame: &Frame{Dir: Received, Lane: 9, Body: []byte("not an event")}},
		{Frame: &Frame{Dir: Received, Lane: 2, Event: &Event{}, Body: []byte("an event")}},
		{Frame: &Frame{Dir: Received, Lane: 9, Event: &Event{Comments: []string{"", " x"}, Raw: []byte("data: {}\r\r\xff")}, Body: []byte("{}")}},
		{Lane: &Lane{ID: 10, Kind: LaneOpen, HTTP: &Head{Method: "GET", URL: "/"}, Text: "again"}},
		{Frame: &Frame{Dir: Sent, Lane: 10, Body: []byte("{}")}},
		{Lane: &Lane{ID: 10, Kind: LaneOpen, HTTP: &Head{Method: "GET", URL: "/"}}},
		{Frame: &Frame{Dir: Sent, Lane: 10, HTTP: &Head{Method: "POST", URL: "/"}, Body: []byte("{}")}},
		{Lane: &Lane{ID: 0, Kind: LaneExit}},
		{Lane: &Lane{ID: 0, Kind: LaneExit, Text: "12"}},
		{Lane: &Lane{ID: 3, Kind: LaneExit, Exit: &Exit{Code: -1, Signal: "killed", Ours: true, Dir: "/a b"}, Text: "+x"}},
		{Note: &Note{From: "", Text: "\x1b[31mred\x1b[0m"}},
		{Note: &Note{From: "stderr", Text: ""}},
		{State: &State{Phase: Ready, Session: 3, Text: "a new session"}},
		{State: &State{Phase: Lost, Try: 2, Tries: 5, Pause: 1500 * time.Millisecond, Text: "again"}},
		{State: &State{Phase: Lost, Server: "{\"a\":\"`\"}", Text: " "}},
		{Ask: &Ask{Method: "", Params: "+", Answer: "null"}},
		{Ending: &Ending{Of: 3, How: Dropped, Text: "+"}},
		{Frame: &Frame{Dir: Received, Shape: ShapeCut | ShapeTruncated, Dropped: 1 << 40, Lines: 3, Masked: true, Before: []byte("\xef\xbb\xbf"), Body: []byte("{}")}},
	}
	for i := range entries {
		entries[i].Seq = Seq(2*i + 1)
		entries[i].At = ScriptStart().Add(time.Duration(i*i) * time.Minute)
	}
	text := Format(entries)
	got, err := ParseScript(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	sameEntries(t, got, entries)
	// The same at the usual times, where an end of a lane may be left out.
	for i := range entries {
		entries[i].Seq, entries[i].At = Seq(i+1), ScriptStart().Add(time.Duration(i)*scriptStep)
	}
	sameEntries(t, mustParse(t, Format(entries)), entries)
}

func FuzzParseScript(f *testing.F) {
	f.Add(strings.Replace(wholeScript, "~ timeout \"a gave up\n", "~ timeout #100 gave up\n", 1))
	f.Add("<< \\u00e9\\101\n  more\n@ -3ms\n@ +1h\n~9 open +text=\"\\n\"")
	f.Add("< http 200 +open\n~ eof\n< http 200\n< x\n> http \"\" \"\"\n>7 http A B\n> http C D")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseScript(text)
		if err != nil {
			return
		}
		again, err := ParseScript(Format(e))
		if err != nil {
			t.Fatalf("%v\n%s", err, Format(e))
		}
		sameEntries(t, again, e)
	})
}
