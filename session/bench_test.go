package session

import (
	"context"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// echo is a transport that costs nothing but its tap: it answers at once, on the same goroutine.
type echo struct {
	fake
	reply []byte // what follows the id
}

func (e *echo) Send(_ context.Context, o transport.Outgoing) (transport.Sent, error) {
	seq := e.tap.Frame(&wire.Frame{Dir: wire.Sent, Body: o.Body})
	body := append([]byte(`{"jsonrpc":"2.0","id":`), wire.Read(seq, fixedTime(), &wire.Frame{Body: o.Body}).ID...)
	e.tap.Frame(&wire.Frame{Dir: wire.Received, Body: append(body, e.reply...)})
	return transport.Sent{Seq: seq}, nil
}

var benchArguments = []byte(`{"location":"Madrid","days":3,"units":"metric"}`)

func benchReply() []byte {
	text := []byte(`,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"content":[{"type":"text","text":"`)
	for range 1500 {
		text = append(text, 'x')
	}
	return append(text, `"}],"structuredContent":{"temp":22.5}}}`...)
}

// BenchmarkCall is a tool call of 2 KB from the arguments to the answer, over a transport that costs
// nothing but the log.
func BenchmarkCall(b *testing.B) {
	s, err := Open(b.Context(), Target{Argv: []string{"echo"}}, Options{Log: wire.NewLog(wire.LogOptions{Budget: 16 << 20}),
		Open: func(_ context.Context, how Opening) (transport.Conn, error) {
			return &echo{fake{kind: "stdio", tap: how.Tap, done: make(chan struct{})}, benchReply()}, nil
		}})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close(context.Background())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.CallTool(b.Context(), "get_weather", benchArguments, CallOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCallBelow is what of BenchmarkCall is not the session's: the same messages through the same
// tap and log, without anybody who waits for them.
func BenchmarkCallBelow(b *testing.B) {
	e := &echo{fake{tap: &transport.Tap{Log: wire.NewLog(wire.LogOptions{Budget: 16 << 20})}}, benchReply()}
	r := Request{Method: mcp.ToolsCall, Params: toolParams("get_weather", benchArguments)}
	body := web().build(r, 7, jsondoc.Value{}).body
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Send(b.Context(), transport.Outgoing{Body: body}); err != nil {
			b.Fatal(err)
		}
	}
}
