package demo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Requests are written short in these tests: "tools/list", or "tools/call {…params…}". The _meta that a
// modern client sends is added; "-key" words before the method leave one of its keys out.

// request is the text of a modern request. short may begin with words: "-version", "-info", "-caps" leave
// a key out, "-elicitation" declares nothing, "tasks" declares the tasks extension too, "token" asks for progress, "level=debug" for log messages,
// "as=1900-01-01" names another version.
func request(id int, short string) string {
	version, info, caps := "2026-07-28", `"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}`, `{"elicitation":{"form":{}}}`
	keys := map[string]bool{}
	extra := ""
	for {
		word, rest, _ := strings.Cut(short, " ")
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "tasks":
			caps = `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
		case "-version", "-info", "-caps":
			keys[name] = true
		case "-elicitation":
			caps = "{}"
		case "token":
			extra += fmt.Sprintf(`,"progressToken":"t%d"`, id)
		case "level":
			extra += `,"io.modelcontextprotocol/logLevel":"` + value + `"`
		case "as":
			version = value
		default:
			method, params, _ := strings.Cut(short, " ")
			var meta []string
			if !keys["-version"] {
				meta = append(meta, `"io.modelcontextprotocol/protocolVersion":"`+version+`"`)
			}
			if !keys["-info"] {
				meta = append(meta, info)
			}
			if !keys["-caps"] {
				meta = append(meta, `"io.modelcontextprotocol/clientCapabilities":`+caps)
			}
			if params = strings.TrimSuffix(strings.TrimPrefix(params, "{"), "}"); params != "" {
				params += ","
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{%s%s}}}`, id, method, params, strings.Join(meta, ","), extra)
		}
		short = rest
	}
}

// exchange sends one request to a server without a transport and gives the messages that came back.
func exchange(t *testing.T, s *Server, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	var got []string
	s.Handle(ctx, []byte(text), func(m []byte) { got = append(got, string(m)) })
	if ctx.Err() != nil {
		t.Fatalf("no end to %s", text)
	}
	return got
}

// ask sends a request and gives its response, which must be the last message that comes.
func ask(t *testing.T, s *Server, short string) jsondoc.Value {
	t.Helper()
	got := exchange(t, s, request(7, short))
	if len(got) == 0 {
		t.Fatalf("%s: no answer", short)
	}
	root := jsondoc.Parse([]byte(got[len(got)-1])).Root()
	if string(root.Get("id").Raw()) != "7" {
		t.Fatalf("%s: the last message is no response to 7: %s", short, got[len(got)-1])
	}
	return root
}

func at(t *testing.T, v jsondoc.Value, pointer string) jsondoc.Value {
	t.Helper()
	got := v.Document().At(jsondoc.Pointer(pointer))
	if !got.Exists() {
		t.Fatalf("nothing at %s in %s", pointer, v.Document().Text)
	}
	return got
}

// want compares the raw JSON at a pointer.
func want(t *testing.T, v jsondoc.Value, pointer, raw string) {
	t.Helper()
	if got := string(at(t, v, pointer).Raw()); got != raw {
		t.Errorf("%s is %s, want %s", pointer, got, raw)
	}
}

// pipes is a client of a server that speaks over real pipes.
type pipes struct {
	t     *testing.T
	in    *os.File
	lines chan string // closed when the server's output ends
	ended chan error
}

func overPipes(t *testing.T, opt Options) *pipes {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &pipes{t: t, in: inW, lines: make(chan string, 1000), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := ServeStdio(ctx, inR, outW, io.Discard, opt)
		outW.Close()
		p.ended <- err
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		r := bufio.NewReader(outR)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				p.lines <- line
			}
			if err != nil {
				close(p.lines)
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		<-read
		inR.Close()
		outR.Close()
	})
	return p
}

func (p *pipes) send(text string) {
	p.t.Helper()
	if _, err := p.in.WriteString(text + "\n"); err != nil {
		p.t.Fatal(err)
	}
}

// next is the next line; "" after the end.
func (p *pipes) next() string {
	p.t.Helper()
	select {
	case line := <-p.lines:
		return line
	case <-time.After(60 * time.Second):
		p.t.Fatal("the server says nothing")
		return ""
	}
}

// message is the next line as JSON.
func (p *pipes) message() jsondoc.Value {
	p.t.Helper()
	line := p.next()
	doc := jsondoc.Parse([]byte(line))
	if !doc.Valid() || !strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r\n") {
		p.t.Fatalf("no message on a line: %q", line)
	}
	return doc.Root()
}

// close ends the server's input and waits for it to go.
func (p *pipes) close() error {
	p.t.Helper()
	p.in.Close()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(60 * time.Second):
		p.t.Fatal("the server does not end")
		return nil
	}
}

// answer is what came back over HTTP.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) json(t *testing.T) jsondoc.Value {
	t.Helper()
	doc := jsondoc.Parse([]byte(a.body))
	if !doc.Valid() {
		t.Fatalf("no JSON: %d %q", a.status, a.body)
	}
	return doc.Root()
}

// String is the whole answer as text, for patterns.
func (a answer) String() string {
	var head []string
	for name, values := range a.header {
		head = append(head, name+": "+strings.Join(values, ", "))
	}
	slices.Sort(head)
	return fmt.Sprintf("HTTP %d\n%s\n\n%s\n", a.status, strings.Join(head, "\n"), a.body)
}

// overHTTP is a real HTTP server.
func overHTTP(t *testing.T, opt Options) (*Server, string) {
	t.Helper()
	s := New(opt)
	return s, serve(t, s, s.Handler())
}

func serve(t *testing.T, s *Server, h http.Handler) (url string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() { s.Close(); server.Close() })
	return server.URL
}

// post sends a message with the headers that it needs; changes are "Name: value" to add or replace, or
// "-Name" to leave out.
func post(t *testing.T, url, text string, changes ...string) answer {
	t.Helper()
	return send(t, http.MethodPost, url, text, modernHeaders(text), changes...)
}

func modernHeaders(text string) http.Header {
	m := jsondoc.Parse([]byte(text)).Root()
	h := http.Header{
		"Content-Type":            {"application/json"},
		"Accept":                  {"application/json, text/event-stream"},
		mcp.HeaderProtocolVersion: {m.Get("params").Get("_meta").Get(mcp.MetaProtocolVersion).Text()},
		mcp.HeaderMethod:          {m.Get("method").Text()},
	}
	method, _ := mcp.Lookup(m.Get("method").Text())
	if name := m.Get("params").Get(method.NameParam); method.NameParam != "" && name.Exists() {
		h[mcp.HeaderName] = []string{mcp.EncodeHeader(name.Text())}
	}
	return h
}

func send(t *testing.T, method, url, text string, h http.Header, changes ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	response := do(t, ctx, method, url, text, h, changes...)
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, body.String()}
}

func do(t *testing.T, ctx context.Context, method, url, text string, h http.Header, changes ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range h {
		if len(values) > 0 && values[0] != "" {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	for _, c := range changes {
		if name, gone := strings.CutPrefix(c, "-"); gone {
			r.Header.Del(name)
			continue
		}
		name, value, _ := strings.Cut(c, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// streaming is an event stream that is still open.
type streaming struct {
	t      *testing.T
	r      *bufio.Reader
	hangUp func()
}

// open posts a request and reads its answer as it comes.
func open(t *testing.T, url, text string, changes ...string) *streaming {
	t.Helper()
	return opened(t, http.MethodPost, url, text, modernHeaders(text), changes...)
}

func opened(t *testing.T, method, url, text string, h http.Header, changes ...string) *streaming {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	response := do(t, ctx, method, url, text, h, changes...)
	t.Cleanup(func() { cancel(); response.Body.Close() })
	if got := response.Header.Get("Content-Type"); response.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("no stream: %d %s", response.StatusCode, got)
	}
	return &streaming{t, bufio.NewReader(response.Body), cancel}
}

// event is the data of the next event.
func (s *streaming) event() jsondoc.Value {
	s.t.Helper()
	for {
		line, err := s.r.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return jsondoc.Parse([]byte(data)).Root()
		}
	}
}

// events are the data of an event stream.
func events(body string) []string {
	var all []string
	for block := range strings.SplitSeq(body, "\n\n") {
		for line := range strings.SplitSeq(block, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				all = append(all, data)
			}
		}
	}
	return all
}
