package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// endpoint is a small HTTP server that answers each message by its method ("" for anything that is no
// request with a body), and remembers what it was asked.
type endpoint struct {
	mu    sync.Mutex
	asked []string // HTTP method, JSON-RPC method, session id
	rules map[string]func(w http.ResponseWriter, id string)
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: body})
	e.mu.Lock()
	e.asked = append(e.asked, strings.TrimSpace(r.Method+" "+m.Method+" "+r.Header.Get("Mcp-Session-Id")))
	e.mu.Unlock()
	rule := e.rules[m.Method]
	if m.Method == "" {
		rule = e.rules[r.Method]
	}
	if rule == nil {
		rule = e.rules["*"]
	}
	if rule == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	rule(&pen{w, r.Context()}, m.ID)
}

// pen is a ResponseWriter that knows when the asker has left.
type pen struct {
	http.ResponseWriter
	left context.Context
}

func (p *pen) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func hold(w http.ResponseWriter)  { <-w.(*pen).left.Done() }
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

func (e *endpoint) log() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.asked...)
}

func answers(status int, member, value string, header ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"%s":%s}`, id, member, value)
	}
}

func plain(status int, mediaType, text string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, _ string) {
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// events answers as an event stream; $ID is the request's id.
func events(texts ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, text := range texts {
			fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(text, "$ID", id))
			flush(w)
		}
	}
}

type rules = map[string]func(http.ResponseWriter, string)

func listen(t *testing.T, h http.Handler) Target {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return Target{URL: server.URL + "/mcp"}
}

// Every way of era detection over HTTP (rules/notes: HTTP 1 to 8), over real connections.
func TestDetectionOverHTTP(t *testing.T) {
	initialized := answers(200, "result", `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"old","version":"1"}}`, "Mcp-Session-Id", "s-1")
	accepted := plain(202, "", "")
	modernResult := answers(200, "result", discoverResult)
	for name, c := range map[string]struct {
		rules rules
		era   string
		asked string
		fails string
		auth  bool
	}{
		"modern, as JSON":   {rules{mcp.Discover: modernResult}, Modern, "POST server/discover", "", false},
		"modern, as events": {rules{mcp.Discover: events(`{"jsonrpc":"2.0","id":$ID,"result":` + discoverResult + `}`)}, Modern, "POST server/discover", "", false},
		"-32022 with status 400": {rules{mcp.Discover: answers(400, "error", `{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}}`)},
			Modern, "POST server/discover", "", false},
		"-32020 with status 500": {rules{mcp.Discover: answers(500, "error", `{"code":-32020,"message":"no"}`)}, Modern, "POST server/discover", "", false},
		"a login":                {rules{"*": plain(401, "", "")}, "", "POST server/discover", "HTTP 401", true},
		"legacy: session error": {rules{mcp.Discover: plain(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`),
			mcp.Initialize: initialized, mcp.Initialized: accepted},
			Legacy, "POST server/discover, POST initialize, POST notifications/initialized s-1", "", false},
		"legacy: html 404": {rules{mcp.Discover: plain(404, "text/html", "<h1>no</h1>"), mcp.Initialize: initialized, mcp.Initialized: accepted},
			Legacy, "POST server/discover, POST initialize, POST notifications/initialized s-1", "", false},
		"legacy: an empty 202": {rules{mcp.Discover: accepted, mcp.Initialize: initialized, mcp.Initialized: accepted},
			Legacy, "POST server/discover, POST initialize, POST notifications/initialized s-1", "", false},
		"legacy: 415": {rules{mcp.Discover: plain(415, "", ""), mcp.Initialize: initialized, mcp.Initialized: accepted},
			Legacy, "POST server/discover, POST initialize, POST notifications/initialized s-1", "", false},
		"without discover": {rules{mcp.ToolsList: answers(200, "result", `{"resultType":"complete","tools":[]}`)},
			Modern, "POST server/discover, POST initialize, GET, POST tools/list", "", false},
		"nothing here": {rules{}, "", "POST server/discover, POST initialize, GET, POST tools/list", "era unknown", false},
		"a web page":   {rules{"*": plain(200, "text/html", "<html><title>Hello there</title></html>")}, "", "", "with text/html “Hello there”", false},
		"redirects to afar": {rules{"*": func(w http.ResponseWriter, _ string) {
			w.Header().Set("Location", "http://elsewhere.invalid/")
			w.WriteHeader(308)
		}}, "", "", "http://elsewhere.invalid/, which was not followed: it is another origin", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &endpoint{rules: c.rules}
			s, err := open(t, listen(t, e), quick())
			if c.fails != "" {
				ce, ok := errors.AsType[*ConnectError](err)
				if !ok || !strings.Contains(err.Error(), c.fails) || ce.Auth != c.auth {
					t.Fatalf("error %v", err)
				}
			} else if err != nil || s.Info().Era != c.era {
				t.Fatalf("%s, %v", s.Info().Era, err)
			}
			asked := slices.DeleteFunc(e.log(), func(a string) bool { return a == "GET  s-1" }) // the server's stream, beside the rest
			if got := strings.Join(asked, ", "); c.asked != "" && got != c.asked {
				t.Errorf("asked %s\nwant  %s", got, c.asked)
			}
		})
	}
}

func TestAServerThatIsBusyIsAskedAgain(t *testing.T) {
	t.Parallel()
	n := 0
	e := &endpoint{}
	e.rules = rules{mcp.Discover: func(w http.ResponseWriter, id string) {
		if n++; n < 3 {
			plain(503, "text/plain", "later")(w, id)
			return
		}
		answers(200, "result", discoverResult)(w, id)
	}}
	s, err := open(t, listen(t, e), quick())
	if err != nil || s.Info().Era != Modern || n != 3 {
		t.Errorf("%d times: %v", n, err)
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	url := server.URL
	server.Close()
	begin := time.Now()
	_, err := open(t, Target{URL: url}, quick())
	if e, ok := errors.AsType[*ConnectError](err); !ok || e.Auth || !strings.Contains(err.Error(), "refused") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(begin); took > atOnce {
		t.Errorf("took %s", took)
	}
}

func TestALegacySessionEndsWithDelete(t *testing.T) {
	t.Parallel()
	e := &endpoint{rules: rules{
		mcp.Initialize:  answers(200, "result", initResult, "Mcp-Session-Id", "s-1"),
		mcp.Initialized: plain(202, "", ""),
		"DELETE":        plain(204, "", ""),
		"":              plain(202, "", ""),
	}}
	s, err := open(t, listen(t, e), quick())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	log := e.log()
	if last := log[len(log)-1]; last != "DELETE  s-1" {
		t.Errorf("asked %q", log)
	}
}

// The server dies, hangs or cuts in every way while an answer is under way.
func TestBrokenAnswersOverHTTP(t *testing.T) {
	t.Parallel()
	hijack := func(text string) func(http.ResponseWriter, string) {
		return func(w http.ResponseWriter, _ string) {
			c, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			buf.WriteString(text)
			buf.Flush()
			c.Close()
		}
	}
	for name, c := range map[string]struct {
		rule func(http.ResponseWriter, string)
		end  wire.End
		o    CallOptions
	}{
		"closed without a word":    {hijack(""), wire.Dropped, CallOptions{}},
		"cut in the body":          {hijack("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\""), wire.Replied, CallOptions{}},
		"cut in the event stream":  {hijack("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"jsonrpc\""), wire.Dropped, CallOptions{}},
		"stream without an answer": {events(`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`), wire.Dropped, CallOptions{}},
		"only a foreign id":        {events(`{"jsonrpc":"2.0","id":"other","result":{}}`), wire.Dropped, CallOptions{}},
		"an empty 500":             {plain(500, "", ""), wire.Dropped, CallOptions{}},
		"html":                     {plain(502, "text/html", "<h1>bad gateway</h1>"), wire.Replied, CallOptions{}},
		"silence": {func(w http.ResponseWriter, _ string) { hold(w) }, wire.TimedOut,
			CallOptions{Timeout: 100 * time.Millisecond}},
		"silence after the head": {func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			flush(w)
			hold(w)
		}, wire.TimedOut, CallOptions{Timeout: 100 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			e := &endpoint{rules: rules{mcp.Discover: answers(200, "result", discoverResult), mcp.ToolsCall: c.rule}}
			s, err := open(t, listen(t, e), quick())
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			a, err := s.CallTool(t.Context(), "x", nil, c.o)
			no, ok := errors.AsType[*NoReply](err)
			if !ok || a.Exchange.End != c.end && !(c.end == wire.Replied && a.Exchange.End == wire.Dropped) {
				t.Errorf("end %d, error %v", a.Exchange.End, err)
			}
			if ok && no.Text == "" {
				t.Error("no reason")
			}
			if took := time.Since(begin); took > atOnce {
				t.Errorf("took %s", took)
			}
			if _, err := s.Raw(t.Context(), Raw{}); err != nil {
				t.Errorf("an empty POST: %v", err)
			}
			if _, err := s.Discover(t.Context(), true); err != nil { // the neighbours are unaffected
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// All a session does, against the official SDK's server and the demo, in each era and over each transport.
func TestWithOtherServers(t *testing.T) {
	get := func(*http.Request) *sdk.Server { return politeServer() }
	for name, c := range map[string]struct {
		target func(*testing.T) Target
		era    string // asked for
		want   string
		kind   string
	}{
		"stdio":         {func(*testing.T) Target { return child("sdk") }, "", Modern, "stdio"},
		"stdio, legacy": {func(*testing.T) Target { return child("sdk") }, Legacy, Legacy, "stdio"},
		"http": {func(t *testing.T) Target {
			return listen(t, sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}))
		}, "", Modern, "http"},
		"http, JSON": {func(t *testing.T) Target {
			return listen(t, sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, JSONResponse: true}))
		}, "", Modern, "http"},
		"http, legacy":        {func(t *testing.T) Target { return listen(t, sdk.NewStreamableHTTPHandler(get, nil)) }, Legacy, Legacy, "http"},
		"http+sse (detected)": {func(t *testing.T) Target { return listen(t, sdk.NewSSEHandler(get, nil)) }, "", Legacy, "sse"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := quick()
			o.Era = c.era
			s, err := open(t, c.target(t), o)
			if err != nil {
				t.Fatal(err)
			}
			info := s.Info()
			if info.Era != c.want || info.Kind != c.kind || info.Server.Get("name").Text() != "polite" || !info.Has("completions") {
				t.Errorf("%s over %s, server %s, capabilities %s", info.Era, info.Kind, info.Server.Raw(), info.Capabilities.Raw())
			}
			l, err := s.List(t.Context(), Tools, ListOptions{Fresh: true})
			if err != nil || len(l.Items) != 3 || len(l.Pages) != 2 || !l.Complete {
				t.Errorf("list: %v, %+v", err, l)
			}
			a, err := s.CallTool(t.Context(), "add", []byte(`{"a":2,"b":40}`), CallOptions{})
			if n, _ := a.Result().Get("structuredContent").Get("sum").Int(); err != nil || n != 42 {
				t.Errorf("add: %v, %s", err, a.Result().Raw())
			}
			a, err = s.CallTool(t.Context(), "slow", nil, CallOptions{})
			if err != nil || len(a.Exchange.During) != 3 && name != "http, JSON" { // a single JSON body has no room for them
				t.Errorf("slow: %v, %d notifications", err, len(a.Exchange.During))
			}
			a, err = s.CallTool(t.Context(), "nope", nil, CallOptions{})
			if code, _ := a.Err().Get("code").Int(); err != nil || code != mcp.CodeInvalidParams {
				t.Errorf("nope: %v, %s", err, a.Err().Raw())
			}
			if a, err := s.Read(t.Context(), "note://one", CallOptions{}); err != nil || a.Result().Get("contents").Len() != 1 {
				t.Errorf("read: %v", err)
			}
			if a, err := s.Prompt(t.Context(), "greet", []byte(`{"who":"you"}`), CallOptions{}); err != nil || a.Result().Get("messages").Len() != 1 {
				t.Errorf("prompt: %v", err)
			}
			q := Completion{Ref: []byte(`{"type":"ref/prompt","name":"greet"}`), Argument: "who", Value: "a"}
			if a, err := s.Complete(t.Context(), q, CallOptions{}); err != nil || a.Result().Get("completion").Get("values").Index(0).Text() != "abc" {
				t.Errorf("complete: %v, %s", err, a.Result().Raw())
			}
			if _, err := s.LogFrom(t.Context(), "warning"); err != nil {
				t.Errorf("log level: %v", err)
			}
			a, err = s.CallTool(t.Context(), "add", []byte(`{"a":2,"b":40}`), CallOptions{})
			if level := a.Exchange.Request.Params().Get("_meta").Get(mcp.MetaLogLevel).Text(); err != nil || (c.want == Modern) != (level == "warning") {
				t.Errorf("add asks for log messages from %q on: %v", level, err)
			}
			if _, err := s.LogFrom(t.Context(), ""); err != nil {
				t.Errorf("no log level: %v", err)
			}
			begin := time.Now()
			if _, err := s.CallTool(t.Context(), "hang", nil, CallOptions{Timeout: 100 * time.Millisecond}); err == nil || time.Since(begin) > atOnce {
				t.Errorf("hang: %v after %s", err, time.Since(begin))
			}
			a, err = s.Do(t.Context(), Request{Method: "no/such"})
			if no, plain := errors.AsType[*NoReply](err); !a.Err().Exists() && !(plain && no.Status == 400) { // legacy HTTP of this SDK: text
				t.Errorf("unknown method: %v", err)
			}
			if c.want == Modern {
				sub, err := s.Listen(t.Context(), Filter{Tools: true}, "")
				if err != nil {
					t.Fatal(err)
				}
				select {
				case <-sub.Acknowledged():
				case <-time.After(60 * time.Second):
					t.Error("the subscription was not acknowledged")
				}
				sub.Close("enough")
				<-sub.Done()
			} else if _, err := s.Listen(t.Context(), Filter{Tools: true}, ""); err == nil {
				t.Error("listened to a legacy server")
			}
			if len(s.Pending()) != 0 {
				t.Errorf("pending %v", s.Pending())
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			compareWithFold(t, s)
		})
	}
}

// What readers of the log see is what callers were told: no call is pending there either.
func compareWithFold(t *testing.T, s *Session) {
	t.Helper()
	fold := wire.NewFold()
	for _, e := range entries(s) {
		fold.Add(e)
	}
	for _, x := range fold.Pending() {
		t.Errorf("readers of the log still wait for #%d %s", x.Seq(), x.Method())
	}
}

func TestWithTheDemoOverHTTP(t *testing.T) {
	t.Parallel()
	for name, era := range map[string]demo.Era{"modern": demo.Modern, "legacy": demo.Legacy} {
		t.Run(name, func(t *testing.T) {
			server := demo.New(demo.Options{Era: era})
			defer server.Close()
			s, err := open(t, listen(t, server.Handler()), quick())
			if err != nil || s.Info().Era != name {
				t.Fatalf("%s: %v", s.Info().Era, err)
			}
			for _, kind := range ListKinds() {
				if !s.Info().Has(kind.Capability()) {
					continue
				}
				if l, err := s.List(t.Context(), kind, ListOptions{}); err != nil || !l.Complete {
					t.Errorf("%s: %v", kind, err)
				}
			}
		})
	}
}
