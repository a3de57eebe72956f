package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// told is what Add returned, one line an entry that returned something:
//
//	4: 1 replied 4 during 2 3
//
// is: entry 4 changed the exchange of request 1, which was replied to by frame 4 and had 2 and 3 before.
func told(t testing.TB, script string) string {
	t.Helper()
	var out strings.Builder
	f := NewFold()
	for _, e := range mustParse(t, script) {
		if list := f.Add(e); len(list) > 0 {
			fmt.Fprintf(&out, "%d:", e.Seq)
			for i := range list {
				if i > 0 {
					out.WriteByte(';')
				}
				out.WriteByte(' ')
				out.WriteString(describe(&list[i]))
			}
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func describe(x *Exchange) string {
	var b strings.Builder
	b.WriteString(ref(x.Ref()))
	b.WriteByte(' ')
	b.WriteString([]string{"open", "replied", "cancelled", "timed out", "dropped", "alone", "posted"}[x.End])
	if x.Reply != nil {
		b.WriteString(" " + ref(x.Reply.Ref()))
	}
	list := func(word string, messages []Message) {
		for i := range messages {
			if i == 0 {
				b.WriteString(" " + word)
			}
			b.WriteString(" " + ref(messages[i].Ref()))
		}
	}
	list("during", x.During)
	list("late", x.Late)
	if x.Head != nil {
		fmt.Fprintf(&b, " http %d", x.Head.Status)
	}
	if x.Of != 0 {
		fmt.Fprintf(&b, " of %d", x.Of)
	}
	if x.Retries != 0 {
		fmt.Fprintf(&b, " retries %d", x.Retries)
	}
	if len(x.Foreign) > 0 {
		fmt.Fprintf(&b, " foreign %d", x.Foreign)
	}
	if x.Exit != nil {
		fmt.Fprintf(&b, " exit %d", x.Exit.Code)
	}
	if x.EndText != "" {
		b.WriteString(" (" + x.EndText + ")")
	}
	return b.String()
}

func ref(r Ref) string {
	if r.Part > 0 {
		return fmt.Sprintf("%d.%d", r.Seq, r.Part)
	}
	return fmt.Sprint(r.Seq)
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"stdio: many wait, ids are typed, a second reply is late", `
> {"id":1,"method":"a"}
> {"id":"1","method":"b"}
> {"id":2,"method":"c"}
< {"id":2,"result":{}}
< {"id":"1","error":{}}
< {"id":"2","result":{}}
< {"id":1,"result":{}}
< {"id":1,"result":{}}
< {"id":7,"result":{}}
`, `1: 1 open
2: 2 open
3: 3 open
4: 3 replied 4
5: 2 replied 5
6: 6 alone
7: 1 replied 7
8: 1 replied 7 late 8
9: 9 alone
`},
		{"stdio: progress goes by its token, in time and late; made-up tokens stand alone", `
> {"id":1,"method":"tools/call","params":{"_meta":{"progressToken":"1"}}}
> {"id":2,"method":"tools/call","params":{"_meta":{"progressToken":1}}}
< {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
< {"method":"notifications/progress","params":{"progressToken":"\u0031","progress":1}}
< {"method":"notifications/progress","params":{"progressToken":"made-up","progress":1}}
< {"id":1,"result":{}}
< {"method":"notifications/progress","params":{"progressToken":"1","progress":2}}
< {"method":"notifications/message","params":{"level":"info"}}
< noise
`, `1: 1 open
2: 2 open
3: 2 open during 3
4: 1 open during 4
5: 5 alone
6: 1 replied 6 during 4
7: 1 replied 6 during 4 late 7
8: 8 alone
9: 9 alone
`},
		{"stdio: requests of the server and our answers", `
> {"id":1,"method":"tools/call"}
< {"id":1,"method":"roots/list"}
> {"id":1,"result":{"roots":[]}}
< {"id":1,"result":{}}
> {"id":"x","result":{}}
> {"method":"notifications/initialized"}
`, `1: 1 open
2: 2 alone
3: 3 alone of 2
4: 1 replied 4
5: 5 alone
6: 6 alone
`},
		{"stdio: an error without id is taken for the answer to what alone waits", `
> +why=raw {"jsonrpc":
< {"error":{"code":-32700},"id":null}
> {"id":1,"method":"a"}
> {"id":2,"method":"b"}
< {"error":{"code":-32600}}
< {"id":2,"result":{}}
> {"method":"notifications/x"}
< {"error":{"code":-32600}}
`, `1: 1 open
2: 1 replied 2
3: 3 open
4: 4 open
5: 5 alone
6: 4 replied 6
7: 7 alone
8: 8 alone
`},
		{"stdio: the same id twice: first come, first served", `
> {"id":1,"method":"a"}
> {"id":1,"method":"b"}
< {"id":1,"result":{}}
< {"id":1,"result":{}}
< {"id":1,"result":{}}
`, `1: 1 open
2: 2 open
3: 1 replied 3
4: 2 replied 4
5: 2 replied 4 late 5
`},
		{"stdio: a reply that has neither result nor error", `
> {"id":1,"method":"a"}
< {"jsonrpc":"2.0","id":1}
`, `1: 1 open
2: 1 replied 2
`},
		{"what we give up; what still comes is late", `
> {"id":1,"method":"a"}
> {"id":2,"method":"b"}
~ cancel 1 not needed
> {"method":"notifications/cancelled","params":{"requestId":1}}
~ timeout 2
< {"id":1,"result":{}}
< {"id":2,"result":{}}
`, `1: 1 open
2: 2 open
3: 1 cancelled (not needed)
4: 4 alone
5: 2 timed out
6: 1 cancelled late 6 (not needed)
7: 2 timed out late 7
`},
		{"stdio: a subscription says everything at once", `
> {"id":1,"method":"subscriptions/listen"}
> {"id":2,"method":"tools/list"}
< {"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
< {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
< {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
< {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
< {"method":"notifications/tools/list_changed"}
< {"method":"notifications/cancelled","params":{"requestId":1}}
< {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
`, `1: 1 open
2: 2 open
3: 1 open during 3
4: 4 alone of 1
5: 5 alone
6: 6 alone
7: 7 alone
8: 1 dropped during 3 8 (the server cancelled the subscription)
9: 1 dropped during 3 8 late 9 (the server cancelled the subscription)
`},
		{"stdio: the output ends, then the child's exit is known", `
= ready +kind=stdio
> {"id":1,"method":"a"}
> {"id":2,"method":"b"}
< {"id":1,"result":{}}
~ eof
~ exit 3
> {"id":3,"method":"c"}
`, `2: 2 open
3: 3 open
4: 2 replied 4
5: 3 dropped (the server closed its output)
6: 3 dropped exit 3 (the server exited with code 3)
7: 7 open
`},
		{"stdio: the child is killed", `
> {"id":1,"method":"a"}
~ exit -1 +signal=killed
~ open again
> {"id":2,"method":"a"}
~ exit 0 it said goodbye
`, `1: 1 open
2: 1 dropped exit -1 (the server was ended by signal killed)
4: 4 open
5: 4 dropped exit 0 (it said goodbye)
`},
		{"http: a JSON answer each", `
> http POST /mcp
> {"id":1,"method":"a"}
> http POST /mcp
> {"id":2,"method":"b"}
<2 http 200 Content-Type=application/json
< {"id":2,"result":{}}
<1 http 404
< {"id":1,"error":{"code":-32601}}
<1 {"id":1,"result":{}}
`, `1: 1 open
2: 2 open
3: 2 replied 3 http 200
4: 1 replied 4 http 404
5: 1 replied 4 late 5 http 404
`},
		{"http: an event stream; foreign messages on it, and late ones", `
> http POST /mcp
> {"id":1,"method":"tools/call","params":{"_meta":{"progressToken":"1"}}}
< http 200 Content-Type=text/event-stream
<< +comment=ping +nodata
< {"method":"notifications/progress","params":{"progressToken":"other","progress":1}}
< {"id":5,"method":"elicitation/create"}
< {"id":1,"result":{}}
< {"method":"notifications/message"}
~ eof
`, `1: 1 open
2: 1 open http 200
3: 1 open during 3 http 200
4: 1 open during 3 4 http 200
5: 1 open during 3 4 5 http 200
6: 1 replied 6 during 3 4 5 http 200
7: 1 replied 6 during 3 4 5 late 7 http 200
`},
		{"http: an answer with another id cannot be the answer", `
> http POST /mcp
> {"id":1,"method":"a"}
< http 200
< {"id":"1","result":{}}
> http POST /mcp
> {"id":2,"method":"a"}
< http 200 Content-Type=text/event-stream
< {"id":1,"result":{}}
~ eof
`, `1: 1 open
2: 1 dropped http 200 foreign [2] (only an answer with another id came (frame 2)); 2 alone http 200 of 1
3: 3 open
4: 3 open http 200
5: 3 open http 200 foreign [5]; 5 alone of 3
6: 3 dropped http 200 foreign [5] (only an answer with another id came (frame 5))
`},
		{"http: what is no JSON-RPC is the answer all the same; without id or body it is told apart", `
> http POST /mcp
> {"id":1,"method":"a"}
< http 502 Content-Type=text/html
< <html>
> http POST /mcp
> {"id":2,"method":"a"}
< http 400
< {"error":{"code":-32600},"id":null}
> http POST /mcp
> {"id":3,"method":"a"}
< http 500
> http POST /mcp
> {"id":4,"method":"a"}
< http 200 Content-Type=application/json
<<
> http POST /mcp
> {"id":5,"method":"a"}
~ failed connection refused
> http POST /mcp
> {"id":6,"method":"a"}
< http 200 Content-Type=text/event-stream
~ cut the line went dead
> http POST /mcp
> {"id":7,"method":"a"}
< http 200 Content-Type=text/event-stream
< {"method":"notifications/message"}
~ eof
`, `1: 1 open
2: 1 replied 2 http 502
3: 3 open
4: 3 replied 4 http 400
5: 5 open
6: 5 open http 500
7: 5 dropped http 500 (HTTP status 500 without a body)
8: 8 open
9: 8 replied 9 http 200
10: 10 open
11: 10 dropped (connection refused)
12: 12 open
13: 12 open http 200
14: 12 dropped http 200 (the line went dead)
15: 15 open
16: 15 open http 200
17: 15 open during 17 http 200
18: 15 dropped during 17 http 200 (the stream ended without an answer)
`},
		{"http: notifications and answers that we post", `
> http POST /mcp
> {"method":"notifications/initialized"}
< http 202
> http POST /mcp
> {"method":"notifications/x"}
< http 400
< {"error":{"code":-32600}}
> http POST /mcp
> {"method":"notifications/x"}
~ failed no route
> http POST /mcp
> {"id":1,"method":"tools/call"}
< http 200 Content-Type=text/event-stream
< {"id":"s1","method":"sampling/createMessage"}
> http POST /mcp
> {"id":"s1","result":{}}
< http 202
> http POST /mcp
> {"method":"notifications/x"}
< http 202
< Accepted
`, `1: 1 open
2: 1 open http 202
3: 1 posted http 202
4: 4 open
5: 4 replied 5 http 400
6: 6 open
7: 6 dropped (no route)
8: 8 open
9: 8 open http 200
10: 8 open during 10 http 200
11: 11 open of 10
12: 11 open http 202 of 10
13: 11 posted http 202 of 10
14: 14 open
15: 14 replied 15 http 202
`},
		{"http: cancelling is closing; the reason may come before or after", `
> http POST /mcp
> {"id":1,"method":"a"}
~ closed
~ timeout #1 after 30 s
> http POST /mcp
> {"id":2,"method":"a"}
~ cancel 2
~ closed
<2 {"id":2,"result":{}}
`, `1: 1 open
2: 1 cancelled (we closed the connection)
3: 1 timed out (after 30 s)
4: 4 open
5: 4 cancelled
7: 4 cancelled late 7
`},
		{"http: a subscription", `
> http POST /mcp
> {"id":1,"method":"subscriptions/listen"}
< http 200 Content-Type=text/event-stream
< {"method":"notifications/subscriptions/acknowledged","params":{}}
< {"method":"notifications/tools/list_changed"}
<< +comment=ping +nodata
< {"method":"notifications/cancelled","params":{"requestId":1}}
< {"id":1,"result":{}}
< {"method":"notifications/tools/list_changed"}
`, `1: 1 open
2: 1 open http 200
3: 1 open during 3 http 200
4: 4 alone of 1
5: 5 alone of 1
6: 1 open during 3 6 http 200
7: 1 replied 7 during 3 6 http 200
8: 1 replied 7 during 3 6 late 8 http 200
`},
		{"http, legacy: a stream that we opened carries what belongs to others", `
> http GET /mcp
< http 200 Content-Type=text/event-stream
> http POST /mcp
> {"id":1,"method":"a","params":{"_meta":{"progressToken":"1"}}}
<1 {"method":"notifications/progress","params":{"progressToken":"1","progress":1}}
<1 {"method":"notifications/tools/list_changed"}
<1 {"id":1,"result":{}}
~1 eof
`, `2: 2 alone http 200
3: 3 open
4: 3 open during 4
5: 5 alone
6: 3 replied 6 during 4
`},
		{"http, legacy: a stream with event ids is gone on with by GET", `
= ready +kind=http +version=2025-11-25
> http POST /mcp
> {"id":1,"method":"tools/call"}
< http 200 Content-Type=text/event-stream
< +id=e1 +retry=500
~ eof
> http GET /mcp Last-Event-ID=e1 +resumes=1
< http 200 Content-Type=text/event-stream
< +id=e2 {"method":"notifications/message"}
~ cut
> http GET /mcp Last-Event-ID=e2 +resumes=1
< http 503
< {"id":1,"error":{"code":-32000}}
> http GET /mcp Last-Event-ID=e2 +resumes=1
< http 200 Content-Type=text/event-stream
< +id=e3 {"id":1,"result":{}}
~ closed
`, `2: 2 open
3: 2 open http 200
4: 2 open during 4 http 200
7: 7 alone http 200
8: 2 open during 4 8 http 200
11: 11 alone http 503
13: 13 alone http 200
14: 2 replied 14 during 4 8 http 200
`},
		{"http, legacy: nobody goes on with it", `
= ready +kind=http +version=2025-03-26
> http POST /mcp
> {"id":1,"method":"a"}
< http 200 Content-Type=text/event-stream
< +id=e1 {"method":"notifications/message"}
~ eof
~ drop 1 given up
> http POST /mcp
> {"id":2,"method":"a"}
< http 200 Content-Type=text/event-stream
< +id=e2 {"method":"notifications/message"}
~ cut
= closed +kind=http +version=2025-03-26
`, `2: 2 open
3: 2 open http 200
4: 2 open during 4 http 200
6: 2 dropped during 4 http 200 (given up)
7: 7 open
8: 7 open http 200
9: 7 open during 9 http 200
11: 7 dropped during 9 http 200 (the stream ended without an answer, and was not resumed)
`},
		{"http: no stream goes on without an event id, nor in 2026-07-28", `
= ready +kind=http +version=2025-06-18
> http POST /mcp
> {"id":1,"method":"a"}
< http 200 Content-Type=text/event-stream
< {"method":"notifications/message"}
~ eof
= ready +kind=http +version=2026-07-28
> http POST /mcp
> {"id":2,"method":"a"}
< http 200 Content-Type=text/event-stream
< +id=e2 {"method":"notifications/message"}
~ eof
`, `2: 2 open
3: 2 open http 200
4: 2 open during 4 http 200
5: 2 dropped during 4 http 200 (the stream ended without an answer)
7: 7 open
8: 7 open http 200
9: 7 open during 9 http 200
10: 7 dropped during 9 http 200 (the stream ended without an answer)
`},
		{"http: a body that is no stream answers the GET, not a request", `
> http POST /mcp
> {"id":1,"method":"a"}
> http GET /mcp
< http 405
< {"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}
> http GET /mcp
< http 404
< Cannot GET /mcp
<1 http 200
< {"id":1,"result":{}}
`, `1: 1 open
3: 3 alone http 405
5: 5 alone http 404
6: 1 replied 6 http 200
`},
		{"http+sse, 2024-11-05: answers come on the event stream", `
= connecting +kind=sse
> http GET /sse
< http 200 Content-Type=text/event-stream
< +event=endpoint /messages?id=1
> http POST /messages
> {"id":1,"method":"initialize"}
<2 http 202
< Accepted
<1 {"id":1,"result":{}}
> http POST /messages
> {"id":2,"method":"a"}
< http 202
> http POST /messages
> {"id":3,"method":"a"}
< http 404
< gone
~1 eof
`, `3: 3 alone http 200
4: 4 alone
5: 5 open
6: 5 open during 6 http 202
7: 5 replied 7 during 6 http 202
8: 8 open
9: 8 open http 202
11: 11 open
12: 11 replied 12 http 404
13: 8 dropped http 202 (HTTP status 202 without a body)
`},
		{"2025-03-26: batches", `
> [{"id":1,"method":"a"},{"id":2,"method":"b"},{"method":"notifications/x"}]
< [{"id":2,"result":{}},{"method":"notifications/message"},{"id":1,"result":{}},5]
< []
> http POST /mcp
> [{"id":3,"method":"a","params":{"_meta":{"progressToken":3}}},{"id":4,"method":"b","params":{"_meta":{"progressToken":4}}}]
< http 200 Content-Type=text/event-stream
< {"method":"notifications/progress","params":{"progressToken":4}}
< [{"id":4,"result":{}}]
~ eof
> http POST /mcp
> {"id":5,"method":"a"}
< http 200
< [{"id":5,"result":{}}]
> http POST /mcp
> {"id":6,"method":"a"}
< http 200
< []
`, `1: 1 alone; 1.1 open; 1.2 open; 1.3 alone
2: 2 alone; 1.2 replied 2.1; 2.2 alone; 1.1 replied 2.3
3: 3 alone
4: 4 alone; 4.1 open; 4.2 open
5: 4.1 open http 200; 4.2 open http 200
6: 4.2 open during 6 http 200
7: 7 alone; 4.2 replied 7.1 during 6 http 200
8: 4.1 dropped http 200 (the stream ended without an answer)
9: 9 open
10: 10 alone http 200; 9 replied 10.1 http 200
11: 11 open
12: 11 replied 12 http 200
`},
		{"multi round-trip requests", `
> {"id":1,"method":"tools/call","params":{"name":"book"}}
> {"id":2,"method":"tools/call","params":{"name":"book"}}
> {"id":3,"method":"tools/call","params":{"name":"pay"}}
< {"id":1,"result":{"resultType":"input_required","requestState":"A"}}
< {"id":2,"result":{"resultType":"input_required","requestState":"B"}}
< {"id":3,"result":{"resultType":"input_required"}}
> {"id":4,"method":"tools/call","params":{"name":"book","requestState":"\u0041","inputResponses":{}}}
> {"id":5,"method":"tools/call","params":{"name":"pay","inputResponses":{}}}
> {"id":6,"method":"tools/call","params":{"name":"book","requestState":"altered","inputResponses":{}}}
> {"id":7,"method":"tools/call","params":{"name":"other","inputResponses":{}}}
> {"id":8,"method":"tools/call","params":{"name":"pay"}}
< {"id":4,"result":{"resultType":"complete","note":"input_required"}}
`, `1: 1 open
2: 2 open
3: 3 open
4: 1 replied 4
5: 2 replied 5
6: 3 replied 6
7: 7 open retries 1
8: 8 open retries 3
9: 9 open retries 2
10: 10 open
11: 11 open
12: 7 replied 12 retries 1
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(t, c.script); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

func TestFoldGivesValues(t *testing.T) {
	f := NewFold()
	e := mustParse(t, `
> {"id":1,"method":"tools/call","params":{"_meta":{"progressToken":1}}}
< {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
< {"method":"notifications/progress","params":{"progressToken":1,"progress":2}}
< {"method":"notifications/progress","params":{"progressToken":1,"progress":3}}
< {"id":1,"result":{}}
`)
	f.Add(e[0])
	early := f.Add(e[1])[0]
	other := append(early.During, early.During...) // a reader may append to its own
	f.Add(e[2])
	f.Add(e[3])
	if p := f.Pending(); len(p) != 1 || p[0].Ref() != (Ref{Seq: 1}) || len(p[0].During) != 3 {
		t.Errorf("pending: %+v", p)
	}
	late := f.Add(e[4])[0]
	if early.End != Open || len(early.During) != 1 || early.Reply != nil {
		t.Errorf("the early value changed: %s", describe(&early))
	}
	if other[1].Seq != 2 || describe(&late) != "1 replied 5 during 2 3 4" {
		t.Errorf("%s, and the reader's: %d", describe(&late), other[1].Seq)
	}
	if len(f.Pending()) != 0 {
		t.Error("still pending")
	}
	if late.Ended != e[4].At || late.Method() != "tools/call" || late.Seq() != 1 {
		t.Errorf("%v %s %d", late.Ended, late.Method(), late.Seq())
	}
}

// Of what ended long ago a Fold keeps a bounded amount; neighbours are not affected.
func TestFoldIsBounded(t *testing.T) {
	f := NewFold()
	var seq Seq
	add := func(dir Dir, body string) []Exchange {
		seq++
		return f.Add(Entry{Seq: seq, At: ScriptStart(), Frame: (&Frame{Dir: dir, Body: []byte(body)}).Seal()})
	}
	big := strings.Repeat("x", 8<<20)
	for i := range 12 {
		add(Sent, fmt.Sprintf(`{"id":%d,"method":"a"}`, i))
		add(Received, fmt.Sprintf(`{"id":%d,"result":"%s"}`, i, big))
	}
	if f.weight > keepBodies+10<<20 {
		t.Errorf("%d bytes are kept", f.weight)
	}
	x := add(Received, `{"id":0,"result":"again"}`)[0]
	if describe(&x) != "1 replied 2 late 25" || x.Reply.Dropped < 8<<20 || x.Request.Method != "a" || len(x.Request.Body) == 0 {
		t.Errorf("an old exchange: %s, %d dropped, request %q", describe(&x), x.Reply.Dropped, x.Request.Body)
	}
	x = add(Received, `{"id":11,"result":"again"}`)[0]
	if x.Reply.Dropped != 0 {
		t.Error("the last reply lost its body")
	}
	for i := range 3 * keepEnded {
		add(Sent, fmt.Sprintf(`{"id":"n%d","method":"a"}`, i))
		add(Received, fmt.Sprintf(`{"id":"n%d","result":{}}`, i))
		add(Received, fmt.Sprintf(`{"id":"s%d","method":"ping"}`, i))
	}
	if len(f.all) > 2*keepEnded || len(f.ended) > 2*keepEnded || len(f.pending.known) > 2*keepEnded || len(f.pending.ids) > 2*keepEnded || f.weight < 0 {
		t.Errorf("kept: %d exchanges, %d ended, %d known, weight %d", len(f.all), len(f.ended), len(f.pending.known), f.weight)
	}
	if x := add(Received, `{"id":"n0","result":{}}`)[0]; x.End != Alone {
		t.Errorf("an answer to what was forgotten: %s", describe(&x))
	}
}

// Whatever comes, the same entries give the same exchanges, every frame is told, and nothing panics.
func FuzzFold(f *testing.F) {
	f.Add([]byte("\x01\x00\x00{\"id\":1,\"method\":\"subscriptions/listen\"}\n\x02\x00\x00{\"id\":1,\"result\":{}}"))
	f.Add([]byte("\x01\x11\x02{\"id\":1,\"method\":\"a\"}\n\x02\x12\x02[{\"id\":1,\"result\":{}},{\"id\":null,\"error\":1}]\n\x03\x02\x01\n\x04\x01"))
	f.Add([]byte("\x01\x00\x00[{\"id\":1,\"method\":\"a\"},{\"id\":1,\"method\":\"b\"}]\n\x02\x00\x00[{\"id\":1}]\n\x03\x00\x02\n\x03\x00\x06\n\x05\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries := arbitrary(text)
		one, two := NewFold(), NewFold()
		for _, e := range entries {
			a, b := one.Add(e), two.Add(e)
			if len(a) != len(b) {
				t.Fatalf("entry %d: %d and %d exchanges", e.Seq, len(a), len(b))
			}
			if e.Frame != nil && len(a) == 0 {
				t.Fatalf("entry %d: nothing is told of its frame", e.Seq)
			}
			for i := range a {
				x := &a[i]
				if describe(x) != describe(&b[i]) {
					t.Fatalf("entry %d: %s and %s", e.Seq, describe(x), describe(&b[i]))
				}
				if (x.Request == nil) == (x.Lone == nil) || (x.End == Replied) != (x.Reply != nil) || (x.End == Alone) != (x.Lone != nil) ||
					(x.End == Open) != x.Ended.IsZero() {
					t.Fatalf("entry %d: %+v", e.Seq, x)
				}
				x.Name()
			}
		}
		for _, x := range one.Pending() {
			if x.End != Open {
				t.Fatalf("pending: %+v", x)
			}
		}
	})
}

// arbitrary makes entries of lines: kind, lane and head, shape, body.
func arbitrary(text []byte) []Entry {
	var out []Entry
	for i, line := range strings.Split(string(text), "\n") {
		for len(line) < 3 {
			line += "\x00"
		}
		e := Entry{Seq: Seq(i + 1), At: time.Unix(int64(i+1), 0)}
		lane, head, body := uint32(line[1]&3), line[1]&0x30, line[3:]
		var h *Head
		if head == 0x10 {
			h = &Head{Method: "POST"}
		} else if head != 0 {
			h = &Head{Status: 100 * int(line[1]>>4&7)}
		}
		switch line[0] % 6 {
		case 0, 1:
			e.Frame = (&Frame{Dir: Sent, Lane: lane, HTTP: h, Body: []byte(body)}).Seal()
		case 2:
			e.Frame = (&Frame{Dir: Received, Lane: lane, HTTP: h, Body: []byte(body)}).Seal()
		case 3:
			e.Lane = &Lane{ID: lane, Kind: LaneKind(line[2] % 8), HTTP: h, Text: body}
		case 4:
			e.Ending = &Ending{Of: Seq(line[1]), How: End(line[2] % 8)}
		case 5:
			e.State = &State{Kind: []string{"sse", "http", "stdio", ""}[line[1]%4]}
		}
		out = append(out, e)
	}
	return out
}

// What was fetched beside the protocol is an exchange of its own, with the document that came.
func TestFoldOfAFetch(t *testing.T) {
	f := NewFold()
	fetch := &Fetch{For: ForServer, Request: &Head{Method: "GET", URL: "https://as.example/"}, Response: &Head{Status: 200}, Body: []byte(`{"issuer":"x"}`)}
	got := f.Add(Entry{Seq: 7, At: ScriptStart(), Fetch: fetch})
	if len(got) != 1 || got[0].Fetch != fetch || got[0].End != Alone || got[0].Seq() != 7 || got[0].Head.Status != 200 ||
		got[0].Lone.Kind != Document || got[0].Lone.Root().Get("issuer").Text() != "x" {
		t.Errorf("%+v", got)
	}
	// Nothing came.
	got = f.Add(Entry{Seq: 8, At: ScriptStart(), Fetch: &Fetch{For: ForServer, Request: fetch.Request, Failed: true}})
	if len(got) != 1 || got[0].Head != nil || len(got[0].Lone.Body) != 0 {
		t.Errorf("%+v", got)
	}
	// The answer to a DELETE ends a session; a lane that we close before it is answered brings nothing.
	open := func(seq Seq, lane uint32) []Exchange {
		return f.Add(Entry{Seq: seq, Lane: &Lane{ID: lane, Kind: LaneOpen, HTTP: &Head{Method: "DELETE"}}})
	}
	head := func(seq Seq, lane uint32) []Exchange {
		return f.Add(Entry{Seq: seq, Lane: &Lane{ID: lane, Kind: LaneHead, HTTP: &Head{Status: 204}}})
	}
	open(9, 1)
	if got := head(10, 1); len(got) != 1 || got[0].Fetch.For != ForSession || got[0].Fetch.Response.Status != 204 {
		t.Errorf("%+v", got)
	}
	open(11, 2)
	f.Add(Entry{Seq: 12, Lane: &Lane{ID: 2, Kind: LaneClosed}})
	if got := head(13, 2); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
