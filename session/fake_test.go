package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// fake is a channel whose other side is a function: it sees each message that we send and may answer,
// now or later, in any way. It runs inside testing/synctest.
type fake struct {
	kind  string
	tap   *transport.Tap
	serve func(f *fake, m wire.Message)
	get   func(f *fake, lane uint32, h *wire.Head) // answers a GET; nil refuses it as servers without a stream do

	mu     sync.Mutex
	sent   []wire.Message
	gets   []*wire.Head // GETs that were sent
	closed []uint32     // lanes that we closed
	done   chan struct{}
	once   sync.Once
}

func (f *fake) Kind() string          { return f.kind }
func (f *fake) Target() string        { return "fake" }
func (f *fake) Done() <-chan struct{} { return f.done }

func (f *fake) Send(_ context.Context, o transport.Outgoing) (transport.Sent, error) {
	select {
	case <-f.done:
		return transport.Sent{}, transport.ErrClosed
	default:
	}
	if o.HTTPMethod == "GET" {
		return f.stream(o), nil
	}
	frame := &wire.Frame{Dir: wire.Sent, Why: o.Why, Body: o.Body}
	if f.kind != "stdio" {
		method := o.HTTPMethod
		if method == "" {
			method = "POST"
		}
		frame.Lane = f.tap.NextLane()
		frame.HTTP = &wire.Head{Method: method, Header: o.Header}
	}
	seq := f.tap.Frame(frame)
	m := wire.Read(seq, time.Now(), frame)
	f.mu.Lock()
	f.sent = append(f.sent, m)
	f.mu.Unlock()
	if serve := f.serving(); serve != nil {
		serve(f, m)
	}
	return transport.Sent{Seq: seq, Lane: frame.Lane}, nil
}

func (f *fake) serving() func(*fake, wire.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.serve
}

// turn makes the server another one.
func (f *fake) turn(serve func(*fake, wire.Message)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.serve = serve
}

// stream takes a GET.
func (f *fake) stream(o transport.Outgoing) transport.Sent {
	lane, head := f.tap.NextLane(), &wire.Head{Method: "GET", Header: o.Header}
	f.mu.Lock()
	f.gets = append(f.gets, head)
	f.mu.Unlock()
	sent := transport.Sent{Lane: lane, Seq: f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneOpen, HTTP: head, Resumes: o.Resumes})}
	if f.get == nil {
		f.end(lane, 405)
	} else {
		f.get(f, lane, head)
	}
	return sent
}

// end answers with a status and no body; 0 ends an event stream.
func (f *fake) end(lane uint32, status int) {
	if status != 0 {
		f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneHead, HTTP: &wire.Head{Status: status}})
	}
	f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneEOF})
}

// begin begins an event stream on a lane.
func (f *fake) begin(lane uint32) {
	f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneHead, HTTP: &wire.Head{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "text/event-stream"}}}})
}

// event sends an event with an id, a retry field ("" for none) and a message ("" for none).
func (f *fake) event(lane uint32, id, retry, text string) {
	f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: lane, Event: &wire.Event{ID: id, Retry: retry}, Body: []byte(text)})
}

func (f *fake) CloseLane(lane uint32) {
	f.mu.Lock()
	f.closed = append(f.closed, lane)
	f.mu.Unlock()
	f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneClosed})
}

func (f *fake) Close(context.Context) error {
	f.exit(wire.Exit{Ours: true})
	return nil
}

// exit ends the channel as a child's end does.
func (f *fake) exit(x wire.Exit) {
	f.once.Do(func() {
		if f.kind == "stdio" {
			f.tap.Lane(wire.Lane{Kind: wire.LaneExit, Exit: &x})
		}
		close(f.done)
	})
}

// say sends one message from the server, over HTTP as the whole response of a lane.
func (f *fake) say(lane uint32, text string) {
	frame := &wire.Frame{Dir: wire.Received, Lane: lane, Body: []byte(text)}
	if lane != 0 {
		frame.HTTP = &wire.Head{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}}}
	}
	f.tap.Frame(frame)
}

func (f *fake) result(m wire.Message, result string) {
	f.say(m.Lane, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

func (f *fake) error(m wire.Message, code int, text string) {
	f.say(m.Lane, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text))
}

// methods are what we sent, in order.
func (f *fake) methods() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, m := range f.sent {
		name := m.Method
		if name == "" {
			name = "answer"
		}
		all = append(all, name)
	}
	return all
}

func (f *fake) last() wire.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent[len(f.sent)-1]
}

// modern answers server/discover and leaves the rest to next.
func modern(next func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return func(f *fake, m wire.Message) {
		if m.Method == mcp.Discover {
			f.result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{}},`+
				`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}},"ttlMs":0,"cacheScope":"public"}`)
			return
		}
		if next != nil {
			next(f, m)
		}
	}
}

// legacy refuses server/discover, answers initialize and leaves the rest to next.
func legacy(next func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return func(f *fake, m wire.Message) {
		switch m.Method {
		case mcp.Discover:
			f.error(m, -32601, "Method not found")
		case mcp.Initialize:
			f.result(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"old","version":"1"}}`)
		default:
			if m.Lane != 0 && m.Kind != wire.Request {
				f.tap.Lane(wire.Lane{ID: m.Lane, Kind: wire.LaneHead, HTTP: &wire.Head{Status: 202}})
				f.tap.Lane(wire.Lane{ID: m.Lane, Kind: wire.LaneEOF})
				return
			}
			if next != nil {
				next(f, m)
			}
		}
	}
}

// converse opens a session on fakes of a kind, one for each opening of the channel.
func converse(t *testing.T, kind string, o Options, serve func(f *fake, m wire.Message)) (*Session, func() *fake, error) {
	t.Helper()
	return converseWith(t, kind, o, serve, nil)
}

// converseWith is converse with a server that answers GETs.
func converseWith(t *testing.T, kind string, o Options, serve func(f *fake, m wire.Message), get func(f *fake, lane uint32, h *wire.Head)) (*Session, func() *fake, error) {
	t.Helper()
	var mu sync.Mutex
	var all []*fake
	o.Open = func(_ context.Context, how Opening) (transport.Conn, error) {
		f := &fake{kind: how.Kind, tap: how.Tap, serve: serve, get: get, done: make(chan struct{})}
		mu.Lock()
		all = append(all, f)
		mu.Unlock()
		return f, nil
	}
	target := Target{Argv: []string{"fake"}}
	if kind != "stdio" {
		target = Target{URL: "http://fake/mcp"}
	}
	s, err := Open(t.Context(), target, o)
	newest := func() *fake {
		mu.Lock()
		defer mu.Unlock()
		return all[len(all)-1]
	}
	return s, newest, err
}

// shut closes the session; a story ends with it, so that nothing of it goes on.
func shut(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Close(context.Background()); err != nil {
		t.Errorf("closing: %v", err)
	}
}

// states are the steps of the connection's life in the log.
func states(s *Session) []string {
	var all []string
	for _, e := range entries(s) {
		if e.State != nil {
			all = append(all, e.State.Text)
		}
	}
	return all
}

func entries(s *Session) []wire.Entry {
	var all []wire.Entry
	var last wire.Seq
	for {
		some, _ := s.Log().After(last)
		if len(some) == 0 {
			return all
		}
		all = append(all, some...)
		last = some[len(some)-1].Seq
	}
}

// check that what readers of the log see is what the session told its callers.
func folded(s *Session, seq wire.Seq) *wire.Exchange {
	fold := wire.NewFold()
	var found *wire.Exchange
	for _, e := range entries(s) {
		for _, x := range fold.Add(e) {
			if x.Seq() == seq && x.Request != nil {
				found = &x
			}
		}
	}
	return found
}

func notes(s *Session) string {
	var all []string
	for _, e := range entries(s) {
		if e.Note != nil {
			all = append(all, e.Note.Text)
		}
	}
	return strings.Join(all, "\n")
}

func wantMethods(t *testing.T, f *fake, want ...string) {
	t.Helper()
	if got := f.methods(); !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func fixedTime() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
