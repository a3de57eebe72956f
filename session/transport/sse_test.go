package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mcploupe/session/wire"
)

// oldServer speaks HTTP+SSE: what is posted comes back on the stream, in an answer.
func oldServer(endpoint string, post http.HandlerFunc) http.HandlerFunc {
	said := make(chan string, 10)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b, _ := io.ReadAll(r.Body)
			if post != nil {
				post(w, r)
				return
			}
			said <- string(b)
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "Accepted")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", endpoint)
		w.(http.Flusher).Flush()
		for {
			select {
			case s := <-said:
				if s == "end" {
					return
				}
				fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n\n", s)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
}

func dial(t *testing.T, tap *Tap, h http.HandlerFunc) (Conn, *httptest.Server, error) {
	t.Helper()
	noLeak(t)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := NewSSE(background(t), HTTPOptions{URL: s.URL + "/sse"}, tap)
	if err == nil {
		t.Cleanup(func() {
			if err := c.Close(background(t)); err != nil {
				t.Error(err)
			}
		})
	}
	return c, s, err
}

func TestSSETalks(t *testing.T) {
	tap, l := listen(t)
	c, s, err := dial(t, tap, oldServer("/messages?sessionId=0123456789abcdef", nil))
	if err != nil {
		t.Fatal(err)
	}
	open, _ := l.wait(t, 0, "the GET", isLane(wire.LaneOpen))
	stream := open.Lane.ID
	if h := open.Lane.HTTP; c.Kind() != "sse" || h.Method != "GET" || h.URL != s.URL+"/sse" || h.Get("Accept") != "text/event-stream" || stream == 0 {
		t.Errorf("%s, lane %d, %+v", c.Kind(), stream, h)
	}
	sent, told := post(t, c, l, Outgoing{Body: []byte(`{"a":1}`)})
	l.wait(t, 0, "the answer", isReceived(`{"a":1}`))
	if told != "202 < : Accepted\neof" || sent.Lane == stream {
		t.Errorf("the POST: lane %d\n%s", sent.Lane, told)
	}
	e, _ := l.wait(t, 0, "the POST", func(e wire.Entry) bool { return e.Frame != nil && e.Frame.Dir == wire.Sent })
	if e.Frame.HTTP.URL != s.URL+"/messages?sessionId=0123456789abcdef" {
		t.Errorf("posted to %s", e.Frame.HTTP.URL)
	}
	logged, _ := tap.Log.Get(e.Seq)
	if got := logged.Frame.HTTP.URL; got != s.URL+"/messages?sessionId=01234567********" {
		t.Errorf("logged %s", got)
	}
	post(t, c, l, Outgoing{Body: []byte("end")})
	<-c.Done()
	if got := l.told(stream); got != "open GET "+s.URL+"/sse\nhead 200\nevent endpoint< : /messages?sessionId=0123456789abcdef\nevent message< : {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\neof" {
		t.Errorf("the stream:\n%s", got)
	}
	if _, err := c.Send(background(t), Outgoing{Body: []byte("{}")}); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func TestSSEPostsThatFail(t *testing.T) {
	tap, l := listen(t)
	c, _, err := dial(t, tap, oldServer("messages", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no such session", http.StatusNotFound) }))
	if err != nil {
		t.Fatal(err)
	}
	if _, told := post(t, c, l, Outgoing{}); told != "404 < : no such session\neof" {
		t.Errorf("%s", told)
	}
}

func TestSSEThatCannotBeOpened(t *testing.T) {
	answer := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for _, c := range []struct {
		name   string
		h      http.HandlerFunc
		status int
		want   string
	}{
		{"not found", answer(404, "text/html", "<h1>Cannot GET /sse</h1>"), 404, "HTTP 404"},
		{"no event stream", answer(200, "application/json; x=y", "{}"), 200, "HTTP 200, but application/json instead of an event stream"},
		{"no endpoint", answer(200, "text/event-stream", ": hello\n\n"), 0, "the stream ended before the server named its endpoint"},
		{"an endpoint that is cut off", answer(200, "text/event-stream", "event: endpoint\ndata: /messages"), 0, "the stream ended before the server named its endpoint"},
		{"another origin", oldServer("https://evil.example/messages?token=s3cret", nil), 0, `endpoint "https://evil.example/messages?token=***": it lies on another origin`},
		{"no URL", oldServer("http://[::1", nil), 0, "it is no URL"},
		{"hung up", raw(""), 0, "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tap, l := listen(t)
			conn, s, err := dial(t, tap, c.h)
			if conn != nil || err == nil || !strings.HasPrefix(err.Error(), "opening the event stream of "+s.URL) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, %v", conn, err)
			}
			var status *StatusError
			if errors.As(err, &status) != (c.status != 0) || status != nil && (status.Head.Status != c.status || len(status.Body) == 0) {
				t.Errorf("%+v", status)
			}
			if !strings.Contains(l.story(), "~ open") {
				t.Errorf("told\n%s", l.story())
			}
		})
	}

	tap, l := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	go func() {
		l.wait(t, 0, "the head", isLane(wire.LaneHead))
		cancel()
	}()
	if _, err := NewSSE(ctx, HTTPOptions{URL: s.URL}, tap); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
