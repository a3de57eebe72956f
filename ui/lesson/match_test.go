package lesson

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/wire"
	"mcploupe/ui/book/booktest"
	"mcploupe/ui/query"
)

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// said is a conversation: a call that succeeds, one that fails, a subscription that hears of a change, and a call that still runs.
// Its frames are numbered: 1 and 2, 3 and 4, 5 with 6 and 7, 8.
const said = `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Port Amber","days":3},` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"Fog, as ever"}],"tags":["a","b"],"n":4.5}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Nowhere"},` + meta + `}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such place"}}
> {"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"calibrate","arguments":{},` + meta + `}}
`

func heard(t testing.TB, script string) *query.Facts {
	t.Helper()
	return &query.Facts{Book: booktest.Of(t, booktest.Script(t, script)), Now: time.Now()}
}

func task(t testing.TB, lines string) *Task {
	t.Helper()
	l, err := Parse("x.md", []byte("# T\nminutes: 1\n\nx\n\n## Task: A\n\n"+lines+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return l.Pages[1].Task
}

func TestConditions(t *testing.T) {
	f := heard(t, said)
	for condition, want := range map[string]wire.Seq{ // the frame with which it came true, 0 for never
		`m:tools/call`:                                                      1,
		`m:tools/call tool:calibrate`:                                       0, // it still runs
		`m:tools/call tool:calibrate is:run`:                                8,
		`is:err`:                                                            3,
		`m:tools/call !is:ok`:                                               3,
		`2 of m:tools/call`:                                                 3,
		`3 of m:tools/call`:                                                 0,
		`rt:complete`:                                                       1,
		`rule:result-server-info-missing`:                                   1,
		`request /params/arguments/location = "Nowhere"`:                    3,
		`request /params/arguments/location != "Nowhere"`:                   1,
		`request /params/arguments/days = 3.0`:                              1,
		`request /params/arguments/days = "3"`:                              0,
		`request /params/arguments/days > 2`:                                1,
		`request /params/arguments/days >= 3`:                               1,
		`request /params/arguments/days < 3`:                                0,
		`request /params/arguments/days <= 3`:                               1,
		`request /params/arguments/location > 2`:                            0,
		`m:tools/call request /params/arguments/days absent`:                3,
		`response /result/tags has "b"`:                                     1,
		`response /result/tags has "c"`:                                     0,
		`response /result/content/0/text has "FOG"`:                         1,
		`response /result/n exists`:                                         1,
		`response /error/code = -32602`:                                     3,
		`m:subscriptions/listen`:                                            5,
		`m:notifications/tools/list_changed dir:in`:                         7,
		`notification /method = "notifications/subscriptions/acknowledged"`: 6,
		`notification /params/notifications/toolsListChanged = true`:        6,
		`notification /method = "notifications/tools/list_changed" notification /params/notifications/toolsListChanged = true`: 0,
		`header Mcp-Method exists`:              0,
		`m:tools/call header Mcp-Method absent`: 1,
		`status exists`:                         0,
		`m:tools/call status absent`:            1,
	} {
		steps, at := task(t, "when: "+condition).Happened(f, 0)
		if at != want || (steps == 1) != (want != 0) {
			t.Errorf("%s: came true with %d, want %d", condition, at, want)
		}
	}
}

func TestWhatWasBeforeDoesNotCount(t *testing.T) {
	f := heard(t, said)
	for _, c := range []struct {
		condition string
		start     wire.Seq
		want      wire.Seq
	}{
		{"m:tools/call", 1, 3},
		{"m:tools/call", 3, 0},
		{"m:subscriptions/listen", 5, 0},
		{`m:subscriptions/listen notification /method = "notifications/subscriptions/acknowledged"`, 5, 6}, // it goes on
		{`m:subscriptions/listen notification /method = "notifications/subscriptions/acknowledged"`, 6, 0},
	} {
		if _, at := task(t, "when: "+c.condition).Happened(f, c.start); at != c.want {
			t.Errorf("%s behind %d: %d, want %d", c.condition, c.start, at, c.want)
		}
	}
}

func TestStepsComeInTheirOrder(t *testing.T) {
	f := heard(t, said)
	for _, c := range []struct {
		lines string
		steps int
	}{
		{"when: is:ok\nthen: is:err", 2},
		{"when: is:err\nthen: is:ok", 1},
		{"when: is:err\nand: m:tools/call is:ok", 1},
		{"when: is:err\nand: m:tools/call is:ok\nthen: m:subscriptions/listen\nthen: m:notifications/tools/list_changed", 3},
		{"when: m:subscriptions/listen\nthen: m:tools/call is:ok", 1},
		{"when: m:nothing\nthen: m:tools/call", 0},
	} {
		if steps, _ := task(t, c.lines).Happened(f, 0); steps != c.steps {
			t.Errorf("%q: %d steps, want %d", c.lines, steps, c.steps)
		}
	}
}

func TestAWayThroughALesson(t *testing.T) {
	l, err := Parse("x.md", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	f := heard(t, said)
	r := Begin(l, nil, 0)
	r.Opened(99)
	if r.Turn(-1) || !r.Turn(1) || !r.Turn(1) {
		t.Fatal("the pages do not turn")
	}
	if r.Look(f) || r.Steps() != 0 || r.Done(2) || r.Answered() {
		t.Errorf("the task is done by what was before")
	}
	r.Turn(1)
	if !r.Answered() || r.Answered() || !r.Done(3) {
		t.Errorf("the question is not answered once")
	}
	if n, all := r.Count(); n != 1 || all != 2 || r.Finished() || r.Open() != 2 {
		t.Errorf("%d of %d, %d is open", n, all, r.Open())
	}
	again := Begin(l, append(r.Titles(), "a page that is gone"), 0)
	if _, at := again.Page(); at != 3 || !again.Done(3) || again.Done(2) {
		t.Errorf("it goes on with page %d", at)
	}
	if all := Begin(l, []string{"Call it twice", "Why?"}, 0); !all.Finished() || all.Open() != -1 {
		t.Errorf("it is not finished")
	}
}

// With each page of the feed a task is looked at: over thousands of exchanges, too.
func BenchmarkLook(b *testing.B) {
	var script strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&script, "> {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"arguments\":{\"n\":%d},%s}}\n< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n", i+1, i, meta, i+1)
	}
	f := heard(b, script.String())
	t := task(b, "when: m:tools/call request /params/arguments/n = -1")
	for b.Loop() {
		if steps, _ := t.Happened(f, 0); steps != 0 {
			b.Fatal("it happened")
		}
	}
}
