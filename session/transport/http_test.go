package transport

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// serve starts a server on loopback and a connection to its /mcp.
func serve(t *testing.T, tap *Tap, h http.HandlerFunc, o HTTPOptions) (Conn, *httptest.Server) {
	t.Helper()
	noLeak(t)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	if o.URL == "" {
		o.URL = s.URL + "/mcp"
	}
	c, err := NewHTTP(o, tap)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(background(t)); err != nil {
			t.Error(err)
		}
	})
	return c, s
}

// raw answers a request with bytes, whatever they are, and hangs up.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(c, text)
		_ = c.Close()
	}
}

// laneEnd waits for the end of a lane.
func (l *listener) laneEnd(t *testing.T, id uint32) wire.Entry {
	t.Helper()
	e, _ := l.wait(t, 0, "the end of the lane", func(e wire.Entry) bool {
		return e.Lane != nil && e.Lane.ID == id && (e.Lane.Kind == wire.LaneEOF || e.Lane.Kind == wire.LaneCut || e.Lane.Kind == wire.LaneFailed || e.Lane.Kind == wire.LaneClosed)
	})
	return e
}

// told is the story of a lane without what we sent, in short: "200: shapes: body" and lane events.
func (l *listener) told(id uint32) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, e := range l.entries {
		switch {
		case e.Frame != nil && e.Frame.Lane == id && e.Frame.Dir == wire.Received:
			s := "< " + tell(e.Frame)
			if h := e.Frame.HTTP; h != nil {
				s = fmt.Sprintf("%d %s", h.Status, s)
			}
			if v := e.Frame.Event; v != nil {
				s = "event " + v.Name + s
				if v.NoData {
					s += fmt.Sprintf(" nodata %q", v.Comments)
				}
			}
			out = append(out, s)
		case e.Lane != nil && e.Lane.ID == id:
			s := laneNames[e.Lane.Kind]
			if h := e.Lane.HTTP; h != nil && h.Status != 0 {
				s += fmt.Sprintf(" %d", h.Status)
			}
			out = append(out, strings.TrimSpace(s+" "+e.Lane.Text))
		case e.Note != nil:
			out = append(out, "note "+e.Note.Text)
		}
	}
	return strings.Join(out, "\n")
}

func post(t *testing.T, c Conn, l *listener, o Outgoing) (Sent, string) {
	t.Helper()
	if o.Body == nil {
		o.Body = []byte(one)
	}
	s, err := c.Send(background(t), o)
	if err != nil || s.Seq == 0 || s.Lane == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	l.laneEnd(t, s.Lane)
	return s, l.told(s.Lane)
}

func TestHTTPAnswers(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		name, response string
		want           string
	}{
		{"JSON", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n" + one, "200 < : " + one + "\neof"},
		{"until the connection ends", "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\n\r\n" + one, "200 < : " + one + "\neof"},
		{"nothing", "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", "head 202\neof"},
		{"HTML", "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n\r\n<h1>no</h1>", "502 < : <h1>no</h1>\neof"},
		{"cut in the body", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n" + one, "200 < truncated: " + one + "\ncut the connection ended before the body was complete"},
		{"cut before the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", "head 200\ncut the connection ended before the body was complete"},
		{"cut in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n30\r\n" + one, "200 < truncated: " + one + "\ncut the connection ended before the body was complete"},
		{"no answer", "", "failed EOF"},
		{"no HTTP", "hello\n", `failed net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello"`},
		{"events", "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=UTF-8\r\n\r\nevent: message\ndata: " + one + "\n\n: ping\n\ndata: a\ndata: b\n\n", "head 200\nevent message< : " + one + "\nevent < : nodata [\" ping\"]\nevent < : a\nb\neof"},
		{"an event without its blank line", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: " + one, "head 200\nevent < unterminated: " + one + "\neof"},
		{"a stream cut in an event", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: x\n\n\r\n20\r\ndata: y", "head 200\nevent < : x\nevent < unterminated,truncated: y\ncut the connection ended before the body was complete"},
		{"an empty stream", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", "head 200\neof"},
		{"a long body", "HTTP/1.1 200 OK\r\n\r\n" + long, "200 < : " + long + "\neof"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tap, l := listen(t)
			conn, _ := serve(t, tap, raw(c.response), HTTPOptions{})
			if _, got := post(t, conn, l, Outgoing{}); got != c.want {
				t.Errorf("got\n%.400s\nwant\n%.400s", got, c.want)
			}
		})
	}
}

func TestHTTPRequestsGoOutAsRecorded(t *testing.T) {
	tap, l := listen(t)
	var mu sync.Mutex
	var seen string
	s, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	go func() {
		for {
			c, err := s.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 4096)
			n, _ := c.Read(buf)
			mu.Lock()
			seen = string(buf[:n])
			mu.Unlock()
			_, _ = io.WriteString(c, "HTTP/1.1 202 Accepted\r\nConnection: close\r\n\r\n")
			_ = c.Close()
		}
	}()
	conn, err := NewHTTP(HTTPOptions{URL: "http://user:pa%24sword@" + s.Addr().String() + "/mcp?x=1#f", Header: []wire.Field{{Name: "X-Mine", Value: "1"}, {Name: "X-Twice", Value: "a"}, {Name: "X-Twice", Value: "b"}}}, tap)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(background(t))
	request := func() string {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
	var got string
	has := func(lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(got, "\r\n"+line+"\r\n") {
				t.Errorf("%q is missing in %q", line, got)
			}
		}
	}
	sent, _ := post(t, conn, l, Outgoing{Header: []wire.Field{{Name: "mcp-METHOD", Value: "tools/list"}, {Name: "x-mine", Value: "2"}}, Why: "probe"})
	got = request()
	if !strings.HasPrefix(got, "POST /mcp?x=1 HTTP/1.1\r\n") || !strings.HasSuffix(got, "\r\n\r\n"+one) {
		t.Errorf("%q", got)
	}
	has("mcp-METHOD: tools/list", "x-mine: 2", "X-Twice: a", "X-Twice: b", "Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Accept-Encoding: gzip", "User-Agent: mcploupe", "Content-Length: 36", "Authorization: Basic dXNlcjpwYSRzd29yZA==", "Host: "+s.Addr().String())
	if strings.Contains(got, "X-Mine") {
		t.Errorf("the field of the options should have been replaced: %q", got)
	}
	e, _ := l.wait(t, 0, "the request", func(e wire.Entry) bool { return e.Frame != nil })
	if h := e.Frame.HTTP; e.Seq != sent.Seq || e.Frame.Why != "probe" || h.Method != "POST" || h.URL != "http://"+s.Addr().String()+"/mcp?x=1" || string(e.Frame.Body) != one {
		t.Errorf("recorded %+v", h)
	}
	recorded := "\r\n"
	for _, f := range e.Frame.HTTP.Header {
		recorded += f.Name + ": " + f.Value + "\r\n"
		if !strings.Contains(got, "\r\n"+f.Name+": "+f.Value+"\r\n") {
			t.Errorf("recorded but not sent: %s: %s", f.Name, f.Value)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(got[strings.Index(got, "\r\n")+2:], "\r\n\r\n"+one), "\r\n") {
		if !strings.Contains(recorded, "\r\n"+line+"\r\n") {
			t.Errorf("sent but not recorded: %s", line)
		}
	}

	// Everything can be left to the caller, and a GET has no body.
	post(t, conn, l, Outgoing{RawHeaders: true, Header: []wire.Field{{Name: "Host", Value: "evil.example"}, {Name: "A", Value: "b"}}})
	got = request()
	if want := "POST /mcp?x=1 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 36\r\nA: b\r\n\r\n" + one; got != want {
		t.Errorf("raw: %q", got)
	}
	sent, told := post(t, conn, l, Outgoing{Body: []byte{}, HTTPMethod: "GET"})
	got = request()
	if !strings.HasPrefix(got, "GET /mcp?x=1 HTTP/1.1\r\n") || strings.Contains(got, "Content-") || !strings.HasPrefix(told, "open GET http://") {
		t.Errorf("%q told as\n%s", got, told)
	}
	has("Accept: text/event-stream")
	e, _ = l.wait(t, 0, "the GET", isLane(wire.LaneOpen))
	if e.Seq != sent.Seq || e.Lane.HTTP.Method != "GET" {
		t.Errorf("recorded %+v", e.Lane)
	}
}

func TestHTTPLanesAreClosedAlone(t *testing.T) {
	tap, l := listen(t)
	ended := make(chan string, 10)
	conn, _ := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		switch string(b) {
		case "stream":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: x\n\ndata: y")
			w.(http.Flusher).Flush()
		case "body":
			fmt.Fprint(w, "half")
			w.(http.Flusher).Flush()
		case "quick":
			fmt.Fprint(w, one)
			return
		}
		<-r.Context().Done()
		ended <- string(b)
	}, HTTPOptions{})
	send := func(body string) Sent {
		s, err := conn.Send(background(t), Outgoing{Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	silent, stream, body := send("silent"), send("stream"), send("body")
	l.wait(t, 0, "the event", isReceived("x"))
	conn.CloseLane(stream.Lane)
	conn.CloseLane(99)
	l.laneEnd(t, stream.Lane)
	if got := <-ended; got != "stream" {
		t.Errorf("the server saw the end of %s", got)
	}
	if got := l.told(stream.Lane); got != "head 200\nevent < : x\nevent < unterminated,truncated: y\nclosed we closed the connection" {
		t.Errorf("got\n%s", got)
	}
	quick := send("quick") // the others go on
	l.laneEnd(t, quick.Lane)

	if err := conn.Close(background(t)); err != nil {
		t.Fatal(err)
	}
	<-conn.Done()
	if got := l.told(silent.Lane); got != "closed we closed the connection" {
		t.Errorf("got\n%s", got)
	}
	if got := l.told(body.Lane); got != "200 < truncated: half\nclosed we closed the connection" && got != "closed we closed the connection" {
		t.Errorf("got\n%s", got)
	}
	if _, err := conn.Send(background(t), Outgoing{Body: []byte(one)}); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func TestHTTPLimits(t *testing.T) {
	tap, l := listen(t)
	text := `{"a":"` + strings.Repeat("é", 50_000) + `"}`
	conn, _ := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if string(b) == "stream" {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\ndata: x\n\n", text)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = io.WriteString(w, text)
	}, HTTPOptions{MaxMessage: 1000})
	for _, how := range []string{"stream", "body"} {
		s, err := conn.Send(background(t), Outgoing{Body: []byte(how)})
		if err != nil {
			t.Fatal(err)
		}
		end := l.laneEnd(t, s.Lane)
		e, _ := l.wait(t, 0, "the frame", func(e wire.Entry) bool {
			return e.Frame != nil && e.Frame.Dir == wire.Received && e.Frame.Lane == s.Lane
		})
		f := e.Frame
		if f.Shape != wire.ShapeCut || len(f.Body) > 1000 || len(f.Body)+int(f.Dropped) != len(text) || !bytes.HasSuffix(f.Body, []byte(`é"}`)) || end.Lane.Kind != wire.LaneEOF {
			t.Errorf("%s: %d kept, %d dropped, shape %b", how, len(f.Body), f.Dropped, f.Shape)
		}
	}
}

func TestHTTPFailures(t *testing.T) {
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.Close()
	tap, l := listen(t)
	conn, s := serve(t, tap, raw(""), HTTPOptions{URL: "http://" + dead.Addr().String()})
	if _, got := post(t, conn, l, Outgoing{}); !strings.HasPrefix(got, "failed ") || !strings.Contains(got, "refused") {
		t.Errorf("got %s", got)
	}
	tap, l = listen(t)
	conn, err = NewHTTP(HTTPOptions{URL: strings.Replace(s.URL, "http:", "https:", 1)}, tap)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(background(t))
	if _, got := post(t, conn, l, Outgoing{}); !strings.HasPrefix(got, "failed ") {
		t.Errorf("got %s", got)
	}
	if _, got := post(t, conn, l, Outgoing{Header: []wire.Field{{Name: "X", Value: "a\r\nb"}}}); !strings.HasPrefix(got, "failed ") {
		t.Errorf("a field that cannot be sent: %s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := conn.Send(ctx, Outgoing{Body: []byte(one)}); s.Seq != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := conn.Send(background(t), Outgoing{HTTPMethod: "BAD METHOD"}); err == nil {
		t.Error("a bad method went out")
	}
	for url, want := range map[string]string{
		"example.com/mcp": "does not begin with http", "ftp://x": "does not begin with http", "http://": "no host", "http://u:secret@[::1": "missing ']'", "://": "missing protocol scheme",
	} {
		if _, err := NewHTTP(HTTPOptions{URL: url}, tap); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := NewHTTP(HTTPOptions{URL: "https://x", CAFile: "/no/such/file"}, tap); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no CA file: %v", err)
	}
}

func TestHTTPS(t *testing.T) {
	noLeak(t)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, one) }))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = quiet()
	s.StartTLS()
	defer s.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		o    HTTPOptions
		want string
	}{
		"unknown certificate": {HTTPOptions{}, "failed tls: failed to verify certificate"},
		"CA file":             {HTTPOptions{CAFile: ca}, "200 < : " + one + "\neof"},
		"insecure":            {HTTPOptions{Insecure: true}, "200 < : " + one + "\neof"},
	} {
		tap, l := listen(t)
		c.o.URL = s.URL
		conn, err := NewHTTP(c.o, tap)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := post(t, conn, l, Outgoing{}); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
		_ = conn.Close(background(t))
		for _, e := range l.entries {
			if e.Frame != nil && e.Frame.Dir == wire.Received && e.Frame.HTTP.Proto != "HTTP/2.0" {
				t.Errorf("%s: spoke %s", name, e.Frame.HTTP.Proto)
			}
		}
	}
}

// Bytes that come one by one make no difference, and an event is told when its blank line has come.
func TestHTTPSlowStream(t *testing.T) {
	tap, l := listen(t)
	goOn := make(chan struct{})
	conn, _ := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, b := range []byte("data: " + one + "\n\n") {
			_, _ = w.Write([]byte{b})
			w.(http.Flusher).Flush()
		}
		<-goOn
	}, HTTPOptions{})
	s, err := conn.Send(background(t), Outgoing{Body: []byte(two)})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := l.wait(t, 0, "the event", isReceived(one))
	if e.Frame.Event.Raw != nil || time.Since(e.At) > time.Minute {
		t.Errorf("%+v", e.Frame.Event)
	}
	close(goOn)
	l.laneEnd(t, s.Lane)
}
