package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// listening runs listen until it ends, or until stop says so (^C).
func listenTo(t *testing.T, stop func(out, errOut string) bool, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var out, errOut locked
	root := command(streams{strings.NewReader(""), &out, &errOut})
	root.SetArgs(append([]string{"listen"}, args...))
	begin, done := time.Now(), make(chan int, 1)
	go func() { done <- tellError(&errOut, root.ExecuteContext(ctx)) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case code := <-done:
			r := result{code, out.String(), errOut.String(), time.Since(begin)}
			if strings.Contains(strings.Join(args, " "), "--json") {
				contract(t, r.out)
			}
			return r
		case <-tick.C:
			if stop != nil && stop(out.String(), errOut.String()) {
				cancel()
			}
		}
	}
}

func (r result) says(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit %d, want %d: %s", r.code, code, r)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.err, text) {
			t.Errorf("%q is not said: %s", text, r)
		}
	}
}

// station is the demo server over HTTP.
func stationHTTP(t *testing.T, o demo.Options) (*demo.Server, string) {
	s := demo.New(o)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close() })
	return s, h.URL
}

func TestListenShowsWhatComes(t *testing.T) {
	t.Parallel()
	s, url := stationHTTP(t, demo.Options{})
	asked := false
	r := listenTo(t, func(out, errOut string) bool {
		if !asked && strings.Count(errOut, "subscription ") == 2 {
			asked = true
			s.Announce("tools")
			s.Announce("station://skerry/logbook")
			s.Announce("prompts") // nobody listens for that
		}
		return strings.Count(out, "\n") == 2
	}, "--tools", "--filter", `{"resourceSubscriptions":["station://skerry/logbook","station://skerry/diary"]}`, url)
	r.says(t, exitInterrupted, "subscription 2: ", "subscription 3: ", " 2 notifications/", " 3 notifications/", ": tools\n", ": station://skerry/logbook, station://skerry/diary\n",
		"ended by us: seen enough", "2 notifications in ")
	if strings.Contains(r.out, "subscription ") || strings.Contains(r.out, "prompts") {
		t.Errorf("on stdout is more than what came: %s", r)
	}
}

func TestListenEndsWithTheTime(t *testing.T) {
	t.Parallel()
	_, url := stationHTTP(t, demo.Options{Tick: 5 * time.Millisecond})
	r := listenTo(t, nil, "--json", "--uri", "station://skerry/weather", "--for", "300ms", url)
	r.says(t, exitOK, `"type":"subscription"`, `"granted":{"resourceSubscriptions":["station://skerry/weather"]}`, `"state":"ended","words":"ended by us: the time is over","graceful":false`,
		`"method":"notifications/resources/updated"`)
}

func TestListenTellsTheEndsApart(t *testing.T) {
	t.Parallel()
	closing := func(s *demo.Server) func(out, errOut string) bool {
		return func(_, errOut string) bool {
			if strings.Contains(errOut, "subscription 2: ") {
				s.Close()
			}
			return false
		}
	}
	t.Run("with a result", func(t *testing.T) {
		s, url := stationHTTP(t, demo.Options{})
		listenTo(t, closing(s), url).says(t, exitOK, "subscription 2 ended by the server, with a result")
	})
	t.Run("without a word", func(t *testing.T) {
		_, url := stationHTTP(t, demo.Options{Faults: []string{"listen-ends"}})
		listenTo(t, nil, url).says(t, exitTransport, "subscription 2 broke off: ", "subscription-ungraceful-end")
	})
	t.Run("a process that dies", func(t *testing.T) {
		argv := childArgv(t, "child:listened", "dies")
		listenTo(t, nil, append([]string{"--tools"}, argv...)...).says(t, exitTransport, "subscription 2 broke off: the server exited with code 7", "ended by   exit code 7", "not granted: tools")
	})
	t.Run("refused", func(t *testing.T) {
		argv := childArgv(t, "child:listened", "refuses")
		listenTo(t, nil, append([]string{"--tools"}, argv...)...).says(t, exitFindings, "subscription 2 refused: -32601 no ␛[31mway")
	})
	t.Run("nothing declared", func(t *testing.T) {
		argv := childArgv(t, "child:listened", "refuses")
		listenTo(t, nil, argv...).says(t, exitFindings, "declares no changes to listen for")
	})
	t.Run("no JSON", func(t *testing.T) {
		listenTo(t, nil, "--filter", "{", "http://127.0.0.1:1/").says(t, exitUsage, "--filter is not JSON")
	})
}

// listenedChild is a modern server on stdio that answers server/discover, and subscriptions/listen in the way its argument names.
func listenedChild(args []string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		m := wire.Read(0, time.Time{}, &wire.Frame{Dir: wire.Received, Body: in.Bytes()})
		id, method := m.ID, m.Method
		switch {
		case method == mcp.Discover && args[0] == "old":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`+"\n", id)
		case method == mcp.Initialize:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"old","version":"1"}}}`+"\n", id)
		case method == mcp.ResourcesSubscribe:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id)
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"f:///a"}}`)
			os.Exit(7)
		case method == mcp.Discover:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}}`+"\n", id)
		case method == mcp.Listen && args[0] == "dies":
			fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`+"\n", id)
			os.Exit(7)
		case method == mcp.Listen:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no \u001b[31mway"}}`+"\n", id)
		}
	}
}

// A stream that breaks each time is asked for again, by another id, with growing pauses; ^C in a pause ends it.
func TestListenReconnects(t *testing.T) {
	t.Parallel()
	_, url := stationHTTP(t, demo.Options{Faults: []string{"listen-ends"}})
	r := listenTo(t, func(_, errOut string) bool { return strings.Contains(errOut, "asking again in 1s") }, "--reconnect", "--tools", url)
	r.says(t, exitTransport, "subscription 2 broke off", "asking again in 500ms", "subscription 3 broke off")
	if a, b := strings.Index(r.err, "subscription 2 broke off"), strings.Index(r.err, "asking again in 500ms"); a > b {
		t.Errorf("not in order: %s", r)
	}
}

func TestListenRestartsAChildThatDied(t *testing.T) {
	t.Parallel()
	argv := childArgv(t, "child:listened", "dies")
	r := listenTo(t, func(_, errOut string) bool { return strings.Contains(errOut, "asking again in 1s") }, append([]string{"--reconnect", "--tools"}, argv...)...)
	r.says(t, exitTransport, "subscription 2 broke off: the server exited with code 7", "subscription 4 broke off: the server exited with code 7")
}

func TestListenToALegacyServer(t *testing.T) {
	t.Parallel()
	s, url := stationHTTP(t, demo.Options{Era: demo.Legacy})
	asked := false
	r := listenTo(t, func(out, errOut string) bool {
		if !asked && strings.Contains(errOut, "subscription ") {
			asked = true
			s.Announce("station://skerry/logbook")
			s.Announce("tools")
		}
		return strings.Count(out, "\n") == 2
	}, "--tools", "--uri", "station://skerry/logbook", url)
	r.says(t, exitInterrupted, "2025-11-25 has no subscriptions/listen", "notifications/tools/list_changed", "notifications/resources/updated", ": station://skerry/logbook",
		"less cannot be subscribed to there: shown is only tools, station://skerry/logbook")
}

// An older server says what it likes; printed is what was chosen, as text and with --json, and the rest is counted.
func TestWhatWasNotChosenOfALegacyServerIsNotShown(t *testing.T) {
	t.Parallel()
	for _, json := range []bool{false, true} {
		s, url := stationHTTP(t, demo.Options{Era: demo.Legacy})
		seen := 0
		r := listenTo(t, func(out, errOut string) bool {
			if seen++; seen%10 == 0 { // whenever the server's stream stands, they arrive
				s.Announce("prompts")
				s.Announce("tools")
			}
			return strings.Contains(out, "notifications/tools/list_changed")
		}, append(map[bool][]string{true: {"--json"}}[json], "--tools", url)...)
		if r.code != exitInterrupted || strings.Contains(r.out, "prompts/list_changed") {
			t.Errorf("%s", r)
		}
		if !json {
			r.says(t, exitInterrupted, "more not shown", "shown is only tools")
		}
	}
}

func TestListenRestartsALegacyChildThatDied(t *testing.T) {
	t.Parallel()
	argv := childArgv(t, "child:listened", "old")
	stop := func(_, errOut string) bool { return strings.Contains(errOut, "connecting again in 1s") }
	r := listenTo(t, stop, append([]string{"--reconnect", "--uri", "f:///a"}, argv...)...)
	r.says(t, exitInterrupted, "connecting again in 500ms", "exit code 7")
	if n := strings.Count(r.out, "notifications/resources/updated"); n != 2 {
		t.Errorf("%d updates: %s", n, r)
	}
	r = listenTo(t, nil, append([]string{"--uri", "f:///a"}, argv...)...)
	r.says(t, exitTransport, "notifications/resources/updated", "the server process ended by itself")
}

// flood is a modern server in this process that sends as many notifications as it is told.
type flood struct {
	tap  *transport.Tap
	done chan struct{}
}

func (f *flood) Kind() string                { return "stdio" }
func (f *flood) Target() string              { return "flood" }
func (f *flood) Done() <-chan struct{}       { return f.done }
func (f *flood) CloseLane(uint32)            {}
func (f *flood) Close(context.Context) error { close(f.done); return nil }
func (f *flood) say(text string)             { f.tap.Frame(&wire.Frame{Dir: wire.Received, Body: []byte(text)}) }

func (f *flood) Send(_ context.Context, o transport.Outgoing) (transport.Sent, error) {
	seq := f.tap.Frame(&wire.Frame{Dir: wire.Sent, Body: o.Body})
	m := wire.Read(seq, time.Now(), &wire.Frame{Dir: wire.Sent, Body: o.Body})
	switch m.Method {
	case mcp.Discover:
		f.say(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"public"}}`)
	case mcp.Listen:
		f.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":` + m.ID + `}}}`)
	}
	return transport.Sent{Seq: seq}, nil
}

// A listen that goes on for days must not grow, whatever comes: right notifications, wrong ones with findings each, noise.
func TestAListenForDaysDoesNotGrow(t *testing.T) {
	if raced {
		t.Skip("sizes say nothing under the race detector")
	}
	kinds := []string{
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
		`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, // unasked, and of another each time
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///%d"}}`,
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
		`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete"}}`, // answers that nobody waits for
		`noise %d`,
		`{"jsonrpc":"2.0","method":"notifications/%d","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}`,
	}
	f := &flags{walks: true, endless: true, timeout: time.Minute}
	var lines atomic.Int64
	r := f.reader(streams{strings.NewReader(""), writerFunc(func(p []byte) (int, error) { lines.Add(1); return len(p), nil }), io.Discard})
	r.record = func() error { return nil }
	log := wire.NewLog(wire.LogOptions{})
	server := &flood{done: make(chan struct{})}
	r.session = session.New(session.Target{Argv: []string{"flood"}}, session.Options{Log: log,
		Open: func(_ context.Context, how session.Opening) (transport.Conn, error) {
			server.tap = how.Tap
			return server, nil
		}})
	go r.follow(log)
	if err := r.session.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.listen(ctx, nil, &listenFlags{}) }()
	until(t, "the acknowledgment", func() bool { return len(r.session.Subscriptions()) == 1 && r.session.Subscriptions()[0].Acks == 1 })

	sent := 0
	heap := func(upTo int) float64 {
		for ; sent < upTo; sent++ {
			text := kinds[0]
			if sent%5 == 0 {
				text = kinds[sent/5%len(kinds)]
			}
			if strings.Contains(text, "%d") {
				text = fmt.Sprintf(text, 1000+sent)
			}
			server.say(text)
			if sent%5000 == 0 { // the reader keeps up, as it does over days
				until(t, "the reader", func() bool { return judgedUpTo(r, log.Last()) })
			}
		}
		until(t, "the reader", func() bool { return judgedUpTo(r, log.Last()) })
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	early := heap(40_000)
	late := heap(200_000)
	t.Logf("%.1f MB after 40,000 notifications, %.1f MB after 200,000", early, late)
	if late > 1.5*early+4 {
		t.Errorf("%.1f MB after 40,000 notifications, %.1f MB after 200,000", early, late)
	}
	if lines.Load() < 200_000 {
		t.Errorf("only %d lines were printed", lines.Load())
	}
	cancel()
	if err := <-ended; rankOf(err) != exitInterrupted {
		t.Errorf("in the end: %v", err)
	}
	r.close()
}

func judgedUpTo(r *run, seq wire.Seq) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read >= seq
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
