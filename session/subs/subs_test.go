package subs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

const tag = `"_meta":{"io.modelcontextprotocol/subscriptionId":`

// told is the list after a script.
func told(t *testing.T, script string) *List {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	l, fold := NewList(), wire.NewFold()
	for _, e := range entries {
		l.Observe(&e)
		for _, x := range fold.Add(e) {
			l.Add(&x)
		}
	}
	return l
}

func listen(id, filter string) string {
	return `> {"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"notifications":` + filter + "}}\n"
}

func ack(id, granted string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":` + granted + `,` + tag + id + "}}}\n"
}

func notice(method, id string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/` + method + `","params":{"uri":"f:///a",` + tag + id + "}}}\n"
}

func TestSeveralSubscriptionsAreToldApart(t *testing.T) {
	l := told(t, listen("1", `{"toolsListChanged":true,"resourceSubscriptions":["f:///a","f:///b"]}`)+
		listen(`"one"`, `{"promptsListChanged":true}`)+
		ack(`"one"`, `{"promptsListChanged":true,"toolsListChanged":true}`)+
		ack("1", `{"toolsListChanged":true,"resourceSubscriptions":["f:///a"]}`)+
		notice("tools/list_changed", "1")+notice("resources/updated", "1")+notice("prompts/list_changed", `"one"`)+
		notice("tools/list_changed", `"1"`)+ // a string is no number
		`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`+tag+`1}}}
`)
	if len(l.All) != 2 || l.Running() != 1 || l.Stray != 2 {
		t.Fatalf("%d subscriptions, %d running, %d stray", len(l.All), l.Running(), l.Stray)
	}
	one, two := l.All[0], l.All[1]
	if one.Withheld().String() != "f:///b" || !one.Extra().Empty() || one.Count != 2 || one.Tools != 1 || one.Updates != 1 || one.Last.URI != "f:///a" {
		t.Errorf("first: withheld %s, extra %s, %+v", one.Withheld(), one.Extra(), one)
	}
	if one.How != Finished || one.Words() != "ended by the server, with a result" {
		t.Errorf("first: %s", one.Words())
	}
	if !two.Withheld().Empty() || two.Extra().String() != "tools" || two.Count != 1 || two.Words() != "open" {
		t.Errorf("second: withheld %s, extra %s, %+v", two.Withheld(), two.Extra(), two)
	}
	if l.Watching("f:///a") != nil {
		t.Error("an ended one still watches")
	}
}

func TestHowSubscriptionsEnd(t *testing.T) {
	const begin = "> http POST /mcp\n> " + `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}` + "\n"
	const stream = "< http 200 Content-Type=text/event-stream\n"
	stdio := listen("1", `{"toolsListChanged":true}`)
	for name, c := range map[string]struct {
		script string
		how    How
		words  string
	}{
		"open":                    {stdio, Open, "not acknowledged yet"},
		"acknowledged":            {stdio + ack("1", "{}"), Open, "open"},
		"acknowledged twice":      {stdio + ack("1", "{}") + ack("1", `{"toolsListChanged":true}`), Open, "open"},
		"a result":                {stdio + ack("1", "{}") + `< {"jsonrpc":"2.0","id":1,"result":{}}`, Finished, "ended by the server, with a result"},
		"cancelled by the server": {stdio + ack("1", "{}") + `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, Withdrawn, "ended by the server, with notifications/cancelled"},
		"refused":                 {stdio + `< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, Refused, "refused: -32601 no"},
		"an error afterwards":     {stdio + ack("1", "{}") + `< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oh"}}`, Failed, "ended by the server, with an error: -32603 oh"},
		"ended by us":             {stdio + ack("1", "{}") + "~ cancel 1 seen enough", Ours, "ended by us: seen enough"},
		"given up":                {stdio + "~ timeout 1 too long", TimedOut, "given up: too long"},
		"the process died":        {stdio + ack("1", "{}") + "~ eof\n~ exit 3", Gone, "broke off: the server exited with code 3"},
		"the stream ended":        {begin + stream + ack("1", "{}") + "~ eof", Broken, "broke off: the stream ended without an answer"},
		"the stream was cut":      {begin + stream + ack("1", "{}") + "~ cut connection reset", Broken, "broke off: connection reset"},
		"we closed the stream":    {begin + stream + ack("1", "{}") + "~ closed", Ours, "ended by us: we closed the connection"},
		"nobody there":            {begin + "~ failed connection refused", Broken, "broke off: connection refused"},
		"a busy gateway":          {begin + "< http 503 Content-Type=text/html\n< <h1>later</h1>", Broken, "broke off: HTTP status 503"},
		"an unknown address":      {begin + "< http 404 Content-Type=text/html\n< <h1>no</h1>", Refused, "refused: HTTP status 404 with no answer in it"},
	} {
		l := told(t, c.script)
		if s := l.All[0]; s.How != c.how || s.Words() != c.words || s.Running() != s.Ended.IsZero() {
			t.Errorf("%s: %d %q, want %d %q", name, s.How, s.Words(), c.how, c.words)
		} else if name == "acknowledged twice" && (s.Acks != 2 || !s.Granted.Empty()) {
			t.Errorf("%s: %d times, granted %s", name, s.Acks, s.Granted)
		}
	}
}

// With an HTTP session its subscriptions are over; those asked for in the new one are others.
func TestSubscriptionsEndWithTheSession(t *testing.T) {
	l := told(t, `
> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"f:///a"}}
< {"jsonrpc":"2.0","id":1,"result":{}}
= ready +session=1 a new session has begun
> {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"f:///a"}}
< {"jsonrpc":"2.0","id":2,"result":{}}
`)
	if got := l.All[0].Words() + ", " + l.All[1].Words(); got != "broke off: the server ended the session, open" || l.Watching("f:///a") != l.All[1] {
		t.Error(got)
	}
}

func TestSubscriptionsOfEarlierRevisions(t *testing.T) {
	l := told(t, `
> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"f:///a"}}
< {"jsonrpc":"2.0","id":1,"result":{}}
> {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"f:///b"}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}
> {"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"f:///c"}}
< {"jsonrpc":"2.0","id":3,"result":{}}
< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"f:///a/below"}}
< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"f:///ab"}}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
> {"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"f:///a"}}
< {"jsonrpc":"2.0","id":4,"result":{}}
= lost it is gone
`)
	want := []string{"1 ended by us", "0 refused: -32601 no", "0 broke off: it is gone"}
	for i, s := range l.All {
		if got := fmt.Sprint(s.Count, " ", s.Words()); got != want[i] || !s.Legacy || s.Mistaken != 0 {
			t.Errorf("%d: %q, want %q", i, got, want[i])
		}
	}
	if l.Stray != 0 {
		t.Errorf("%d stray", l.Stray)
	}
}

func TestAListOfSubscriptionsIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(listen("0", `{"toolsListChanged":true}`))
	for i := range 1000 {
		b.WriteString(listen(fmt.Sprint(i+1), `{}`))
		fmt.Fprintf(&b, "< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", i+1)
	}
	l := told(t, b.String())
	if len(l.All) > MaxEnded+MaxEnded/10+1 || l.Dropped+len(l.All) != 1001 || l.Running() != 1 || l.All[0].ID != "0" {
		t.Errorf("%d kept, %d dropped, %d running", len(l.All), l.Dropped, l.Running())
	}
}

func TestFiltersAsJSON(t *testing.T) {
	f := Filter{Tools: true, Resources: true, URIs: []string{"a", "b\"c"}, Tasks: []string{"t"}}
	text := f.JSON()
	if want := `{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a","b\"c"],"taskIds":["t"]}`; string(text) != want {
		t.Errorf("%s", text)
	}
	back := Read(jsondoc.Parse(text).Root())
	if rest := f.Without(back); !rest.Empty() || f.String() != `tools, resources, a, b"c, task t` {
		t.Errorf("%s lost", rest)
	}
	if odd := Read(jsondoc.Parse([]byte(`{"toolsListChanged":1,"resourceSubscriptions":[1,"x",null]}`)).Root()); odd.String() != "x" {
		t.Errorf("read %s", odd)
	}
	if (Filter{}).String() != "nothing" || string(Filter{}.JSON()) != "{}" || string(Filter{Raw: []byte("7")}.JSON()) != "7" {
		t.Error("empty filters")
	}
}

func TestPatienceEnds(t *testing.T) {
	b := Patience()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	short := &Sub{How: Finished, Acked: now, Ended: now.Add(time.Second)}
	var sum time.Duration
	tries := 0
	for {
		wait, ok := b.After(short)
		if !ok {
			break
		}
		sum += wait
		tries++
	}
	if tries != 8 || sum != 91500*time.Millisecond {
		t.Errorf("%d tries in %s", tries, sum)
	}
	if wait, ok := b.After(&Sub{How: Broken, Acked: now, Ended: now.Add(time.Minute)}); !ok || wait != b.First {
		t.Errorf("after a steady one: %s, %v", wait, ok)
	}
	for _, how := range []How{Ours, Refused, Open} {
		if _, ok := b.After(&Sub{How: how}); ok {
			t.Errorf("tried again after %d", how)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"toolsListChanged":true,"resourceSubscriptions":["a"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		was := Read(jsondoc.Parse(text).Root())
		if back := Read(jsondoc.Parse(was.JSON()).Root()); back.String() != was.String() {
			t.Errorf("%q became %q", was, back)
		}
	})
}
