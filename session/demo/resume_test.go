package demo

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// oldClient is a legacy client over HTTP in a session of its own.
type oldClient struct {
	t       *testing.T
	url     string
	session []string
}

func enter(t *testing.T, url, revision string) *oldClient {
	t.Helper()
	c := &oldClient{t: t, url: url}
	first := c.say(hello(revision))
	want(t, first.json(t), "/result/protocolVersion", `"`+revision+`"`)
	c.session = []string{"Mcp-Session-Id: " + first.header.Get("Mcp-Session-Id")}
	return c
}

func plainHeaders() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
}

func (c *oldClient) say(text string) answer {
	return send(c.t, "POST", c.url, text, plainHeaders(), c.session...)
}

// fields are the values of one field of an event stream, in order.
func fields(body, name string) []string {
	var all []string
	for line := range strings.SplitSeq(body, "\n") {
		if v, ok := strings.CutPrefix(line, name+":"); ok {
			all = append(all, strings.TrimSpace(v))
		}
	}
	return all
}

// A client that is sent away before its answer gets the rest by GET, each event once, wherever it goes on.
func TestTheRestOfAStreamByGET(t *testing.T) {
	_, url := overHTTP(t, Options{Era: Legacy, Poll: 60 * time.Millisecond})
	c := enter(t, url, "2025-11-25")
	first := c.say(old(2, "tools/call", `{"name":"calibrate","arguments":{"steps":4,"stepMs":50},"_meta":{"progressToken":"p"}}`))
	ids := fields(first.body, "id")
	if len(ids) < 2 || fmt.Sprint(fields(first.body, "retry")) != "[300]" || strings.Contains(first.body, `"result"`) {
		t.Fatalf("the first part: %s", first)
	}
	for _, id := range []string{ids[len(ids)-1], ids[0]} {
		rest := send(t, "GET", url, "", http.Header{"Accept": {"text/event-stream"}}, append(c.session, "Last-Event-ID: "+id)...)
		if n := strings.Count(rest.body, `"id":2,"result"`); rest.status != 200 || n != 1 {
			t.Errorf("behind %s: %d answers in %s", id, n, rest)
		}
		seen := map[string]bool{id: true}
		for _, id := range fields(rest.body, "id") {
			if seen[id] {
				t.Errorf("the event %s twice", id)
			}
			seen[id] = true
		}
	}
	for _, id := range []string{"99-1", "x", "1-x", "-"} {
		if got := send(t, "GET", url, "", nil, append(c.session, "Last-Event-ID: "+id)...); got.status != 400 {
			t.Errorf("behind %q: %d", id, got.status)
		}
	}
}

// A client that loses its connection in the middle of a call finds the answer later; one that cancels finds none.
func TestACallOutlivesItsConnection(t *testing.T) {
	_, url := overHTTP(t, Options{Era: Legacy})
	c := enter(t, url, "2025-06-18")
	stream := opened(t, "POST", url, old(2, "tools/call", `{"name":"calibrate","arguments":{"steps":5,"stepMs":40},"_meta":{"progressToken":"p"}}`), plainHeaders(), c.session...)
	stream.event()
	stream.hangUp()
	rest := send(t, "GET", url, "", nil, append(c.session, "Last-Event-ID: 1-0")...)
	if !strings.Contains(rest.body, `"id":2,"result"`) {
		t.Errorf("the rest: %s", rest)
	}
	stream = opened(t, "POST", url, old(3, "tools/call", `{"name":"calibrate","arguments":{"steps":5,"stepMs":40},"_meta":{"progressToken":"p"}}`), plainHeaders(), c.session...)
	stream.event()
	if got := c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`); got.status != 202 {
		t.Errorf("the cancellation: %s", got)
	}
	rest = send(t, "GET", url, "", nil, append(c.session, "Last-Event-ID: 2-0")...)
	if strings.Contains(rest.body, `"result"`) {
		t.Errorf("a cancelled call was answered: %s", rest)
	}
}

func TestBatches(t *testing.T) {
	_, url := overHTTP(t, Options{Era: Legacy})
	c := enter(t, url, "2025-03-26")
	got := c.say("[" + old(2, "ping", "") + "," + old(3, "no/such", "") + `,{"jsonrpc":"2.0","method":"notifications/x"}]`)
	want(t, got.json(t), "/0/id", "2")
	want(t, got.json(t), "/1/error/code", "-32601")
	if n := got.json(t).Len(); n != 2 {
		t.Errorf("%d replies: %s", n, got)
	}
	if got := c.say(`[{"jsonrpc":"2.0","method":"notifications/x"}]`); got.status != 202 || got.body != "" {
		t.Errorf("only notifications: %s", got)
	}
	if got := c.say(`[]`); got.status != 200 && got.status != 400 || !strings.Contains(got.body, "-32600") {
		t.Errorf("nothing: %s", got)
	}
	got = c.say("[" + old(4, "tools/call", `{"name":"calibrate","arguments":{"steps":1,"stepMs":1},"_meta":{"progressToken":"p"}}`) + "," + old(5, "ping", "") + "]")
	if all := events(got.body); len(all) < 3 || !strings.Contains(all[len(all)-1], `"id":5`) {
		t.Errorf("a tool in a batch: %s", got)
	}
	if got := enter(t, url, "2025-06-18").say("[" + old(2, "ping", "") + "]"); got.status != 400 {
		t.Errorf("2025-06-18: %s", got)
	}
	p := overPipes(t, Options{Era: Legacy})
	p.send(hello("2025-03-26"))
	p.message()
	p.send("[" + old(2, "ping", "") + "," + old(3, "ping", "") + "]")
	want(t, p.message(), "/1/id", "3")
}

// What a revision does not have yet is not there.
func TestEachRevisionHasWhatItHas(t *testing.T) {
	for revision, has := range map[string]map[string]bool{
		"2025-11-25": {`"icons"`: true, `"outputSchema"`: true, `"annotations"`: true, `"completions"`: true, `"structuredContent"`: true},
		"2025-06-18": {`"icons"`: false, `"outputSchema"`: true, `"annotations"`: true, `"completions"`: true, `"structuredContent"`: true},
		"2025-03-26": {`"icons"`: false, `"outputSchema"`: false, `"annotations"`: true, `"completions"`: true, `"structuredContent"`: false},
		"2024-11-05": {`"icons"`: false, `"outputSchema"`: false, `"annotations"`: false, `"completions"`: false, `"structuredContent"`: false},
	} {
		p := overPipes(t, Options{Era: Legacy, PageSize: 100})
		p.send(hello(revision))
		all := p.next()
		p.send(old(2, "tools/list", ""))
		all += p.next()
		p.send(old(3, "tools/call", `{"name":"get_weather","arguments":{"location":"Gannet Rock"}}`))
		all += p.next()
		for word, there := range has {
			if strings.Contains(all, word) != there {
				t.Errorf("%s has %s: %t", revision, word, !there)
			}
		}
	}
}

func TestASessionIsForgotten(t *testing.T) {
	_, url := overHTTP(t, Options{Era: Legacy, Forget: 2})
	c := enter(t, url, "2025-11-25")
	for i, status := range []int{200, 200, 404, 404} {
		if got := c.say(old(i+2, "ping", "")); got.status != status {
			t.Errorf("request %d: %s", i+1, got)
		}
	}
}

// HTTP+SSE: one stream that names the endpoint first and then carries everything.
func TestTheOldTransport(t *testing.T) {
	s := New(Options{Era: Legacy})
	url := serve(t, s, s.SSEHandler())
	stream := opened(t, "GET", url+SSEPath, "", http.Header{"Accept": {"text/event-stream"}})
	line, err := stream.r.ReadString('\n')
	data, err2 := stream.r.ReadString('\n')
	if err != nil || err2 != nil || line != "event: endpoint\n" || !strings.HasPrefix(data, "data: /messages?sessionId=") {
		t.Fatalf("the first event: %q %q", line, data)
	}
	to := url + strings.TrimSpace(strings.TrimPrefix(data, "data: "))
	if got := send(t, "POST", to, hello("2024-11-05"), plainHeaders()); got.status != 202 || got.body != "Accepted" {
		t.Errorf("initialize: %s", got)
	}
	want(t, stream.event(), "/result/protocolVersion", `"2024-11-05"`)
	send(t, "POST", to, "{", plainHeaders())
	want(t, stream.event(), "/error/code", "-32700")
	s.Announce("tools")
	want(t, stream.event(), "/method", `"notifications/tools/list_changed"`)
	if got := send(t, "POST", url+messagesPath+"?sessionId=nobody", hello("2024-11-05"), plainHeaders()); got.status != 404 {
		t.Errorf("no such stream: %s", got)
	}
}
