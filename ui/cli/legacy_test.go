package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mcploupe/session/demo"
)

// oldStation serves the demo as a server of the older revisions.
func oldStation(t *testing.T, o demo.Options) (s *demo.Server, url string) {
	t.Helper()
	o.Era = demo.Legacy
	s = demo.New(o)
	mux := http.NewServeMux()
	mux.Handle(demo.Path, s.Handler())
	mux.Handle("/", s.SSEHandler())
	server := httptest.NewServer(mux)
	t.Cleanup(func() { s.Close(); server.CloseClientConnections(); server.Close() })
	return s, server.URL
}

// A server may refuse the stream for what it says by itself in any way: nothing else suffers, and nothing is printed about it
// that looks like an answer (case C54).
func TestAServerThatRefusesItsStream(t *testing.T) {
	for name, refuse := range map[string]http.HandlerFunc{
		"404": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Cannot GET /mcp", http.StatusNotFound) },
		"406": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotAcceptable) },
		"405": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusMethodNotAllowed)
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := demo.New(demo.Options{Era: demo.Legacy})
			handler := s.Handler()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					refuse(w, r)
					return
				}
				handler.ServeHTTP(w, r)
			}))
			t.Cleanup(func() { s.Close(); server.Close() })
			r := program(t, "call", "get_weather", "--arg", "location=Gannet Rock", server.URL)
			if r.code != 0 || !strings.Contains(r.out, "success") || r.err != "" {
				t.Errorf("%s", r)
			}
			r = program(t, "check", "--json", server.URL)
			lines, _ := contract(t, r.out)
			for rule, n := range grave(lines) {
				if rule != "must legacy-get-response" {
					t.Errorf("%s %d times", rule, n)
				}
			}
		})
	}
}

// What a server of an older revision says by itself, and what was subscribed to; --no-stream hears nothing over HTTP.
func TestListeningToAnOlderServer(t *testing.T) {
	s, url := oldStation(t, demo.Options{Tick: 50 * time.Millisecond})
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				s.Announce("tools")
			}
		}
	}()
	for _, target := range []string{url + demo.Path, url + demo.SSEPath} {
		r := program(t, "listen", "--for", "400ms", "--tools", "--resource", "station://skerry/weather", target)
		if r.code != 0 || !strings.Contains(r.out, "notifications/tools/list_changed") ||
			!strings.Contains(r.out, `notifications/resources/updated {"uri":"station://skerry/weather"}`) || !strings.Contains(r.err, ": station://skerry/weather") {
			t.Errorf("%s: %s", target, r)
		}
	}
	r := program(t, "listen", "--json", "--for", "400ms", url+demo.Path)
	lines, summary := contract(t, r.out)
	count := map[string]int{}
	for _, l := range lines {
		count[*l.Method]++
	}
	if count["notifications/tools/list_changed"] == 0 || summary.Era != "legacy" {
		t.Errorf("--json: %s", r)
	}
	if n := count["notifications/resources/updated"]; n != 0 {
		t.Errorf("%d updates that nobody subscribed to", n)
	}
	r = program(t, "listen", "--no-stream", "--for", "200ms", url+demo.Path)
	if r.code != 0 || r.out != "" {
		t.Errorf("--no-stream: %s", r)
	}
	r = program(t, "listen", "--for", "2s", "--tools", "--uri", "station://skerry/weather", url+"/nothing")
	if r.code != 3 {
		t.Errorf("nothing there: %s", r)
	}
}

// A batch by hand: every request with its own answer; the exit code is that of the worst.
func TestABatchByHand(t *testing.T) {
	_, url := oldStation(t, demo.Options{})
	const good = `[{"jsonrpc":"2.0","id":100,"method":"ping"},{"jsonrpc":"2.0","id":101,"method":"tools/list"}]`
	r := program(t, "send", "x", "--protocol", "2025-03-26", "--raw", good, url+demo.Path)
	if r.code != 0 || strings.Count(r.out, "✔ complete") != 2 || !strings.Contains(r.out, `"id": 100`) || !strings.Contains(r.out, `"id": 101`) {
		t.Errorf("%s", r)
	}
	r = program(t, "send", "x", "--json", "--protocol", "2025-03-26", "--raw", strings.Replace(good, "tools/list", "no/such", 1), url+demo.Path)
	lines, _ := contract(t, r.out)
	if r.code != 1 || len(exchangesOf(lines, "ping")) != 1 || len(exchangesOf(lines, "no/such")) != 1 {
		t.Errorf("one that fails: %s", r)
	}
	r = program(t, "send", "x", "--protocol", "2025-11-25", "--raw", good, url+demo.Path)
	if r.code != exitFindings || !strings.Contains(r.out, "batches left the protocol") || strings.Contains(r.out, "no answer") ||
		!strings.Contains(r.err, "refused as a whole, by an error without id: that answers its 1 other request too") {
		t.Errorf("a revision without batches: %s", r)
	}
	// On stdio nothing but the order tells what an error without id is about; nobody waits for the time to be over.
	stdio := append([]string{"send", "x", "--protocol", "2025-11-25", "--era", "legacy", "--raw", good}, childArgv(t, "child:demo")...)
	if r = program(t, stdio...); r.code != exitFindings || strings.Contains(r.out, "timed out") || !strings.Contains(r.err, "refused as a whole") || strings.Contains(r.err, "no answer") {
		t.Errorf("on stdio: %s", r)
	}
	stdio[3] = "2025-03-26"
	if r = program(t, stdio...); r.code != 0 || strings.Contains(r.err, "no answer") {
		t.Errorf("on stdio, with batches: %s", r)
	}
	r = program(t, "send", "x", "--json", "--protocol", "2025-11-25", "--raw", good, url+demo.Path)
	lines, _ = contract(t, r.out)
	for _, l := range append(exchangesOf(lines, "ping"), exchangesOf(lines, "tools/list")...) {
		if l.Verdict.Outcome.Class != "protocol-error" || l.Verdict.Outcome.Kind != "invalid-request" {
			t.Errorf("%s is %+v", *l.Method, l.Verdict.Outcome)
		}
	}
}

// --json names the transport that it was.
func TestTheTransportIsNamed(t *testing.T) {
	_, url := oldStation(t, demo.Options{})
	for target, kind := range map[string]string{url + demo.Path: "http", url + demo.SSEPath: "sse"} {
		r := program(t, "send", "ping", "--json", "--era", "legacy", target)
		lines, _ := contract(t, r.out)
		got := exchangesOf(lines, "ping")
		if r.code != 0 || len(got) != 1 || got[0].Transport.Kind != kind {
			t.Errorf("%s: %s", kind, r)
		}
	}
}

// A session that the server forgets in the middle of a command: the command does what it was asked (case C53), and what it
// cost is in the output.
func TestASessionLostInTheMiddle(t *testing.T) {
	_, url := oldStation(t, demo.Options{Forget: 3})
	r := program(t, "list", "tools", "--json", "--era", "legacy", url+demo.Path)
	lines, _ := contract(t, r.out)
	if r.code != 0 || len(exchangesOf(lines, "initialize")) != 2 {
		t.Errorf("%s", r)
	}
	again := 0
	for _, l := range exchangesOf(lines, "tools/list") {
		if strings.HasPrefix(l.Why, "retry: ") {
			again++
		}
	}
	if again != 1 || len(grave(lines)) != 0 {
		t.Errorf("%d requests again, findings %v", again, grave(lines))
	}
}

// A server that ends the streams of requests early (2025-11-25): calls are answered all the same, without a finding.
func TestStreamsThatEndEarly(t *testing.T) {
	_, url := oldStation(t, demo.Options{Poll: 40 * time.Millisecond})
	r := program(t, "call", "calibrate", "--arg", "steps:=3", "--arg", "stepMs:=50", "--json", url+demo.Path)
	lines, _ := contract(t, r.out)
	got := exchangesOf(lines, "tools/call")
	if r.code != 0 || len(got) != 1 || !strings.Contains(string(got[0].Response), "agrees") || len(grave(lines)) != 0 {
		t.Errorf("%v %s", grave(lines), r)
	}
}
