package session

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// A server may ask on the stream that a GET opens. What it says there while nobody listens is lost, so the first call is not
// sent before the stream is there, or is known not to come; nothing else waits for it.
func TestTheFirstCallWaitsForTheServersStream(t *testing.T) {
	listed := make(chan struct{})
	done := sync.OnceFunc(func() { close(listed) })
	for _, c := range []struct {
		name string
		get  func(open chan<- struct{}) func(http.ResponseWriter, string)
		want string
	}{
		{"opened after a while", func(open chan<- struct{}) func(http.ResponseWriter, string) {
			return func(w http.ResponseWriter, _ string) {
				<-listed // a request that does not wait is answered before
				w.Header().Set("Content-Type", "text/event-stream")
				close(open) // before the head is out: the call may be here at once
				flush(w)
				hold(w)
			}
		}, "open"},
		{"refused", func(open chan<- struct{}) func(http.ResponseWriter, string) {
			return func(w http.ResponseWriter, _ string) { close(open); w.WriteHeader(http.StatusMethodNotAllowed) }
		}, "open"},
		{"never answered", func(chan<- struct{}) func(http.ResponseWriter, string) {
			return func(w http.ResponseWriter, _ string) { hold(w) }
		}, "not open"},
	} {
		open := make(chan struct{})
		e := &endpoint{rules: map[string]func(http.ResponseWriter, string){
			"server/discover":           plain(http.StatusBadRequest, "text/plain", "no"),
			"initialize":                answers(200, "result", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`, "Mcp-Session-Id", "s1"),
			"notifications/initialized": plain(http.StatusAccepted, "", ""),
			"GET":                       c.get(open),
			"DELETE":                    plain(http.StatusNoContent, "", ""),
			"tools/list":                answers(200, "result", `{"tools":[]}`),
			"tools/call": func(w http.ResponseWriter, id string) {
				how := "not open"
				select {
				case <-open:
					how = "open"
				default:
				}
				answers(200, "result", fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, how))(w, id)
			},
		}}
		server := httptest.NewServer(e)
		s := New(Target{URL: server.URL}, Options{Timeout: 5 * time.Second, Era: Legacy})
		if c.want == "open" {
			s.streamWait = time.Minute // a slow machine is no reason to give up
		}
		if err := s.Connect(context.Background()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if _, err := s.List(context.Background(), Tools, ListOptions{}); err != nil {
			t.Errorf("%s: a list waits for the stream: %v", c.name, err)
		}
		done()
		a, err := s.CallTool(context.Background(), "x", nil, CallOptions{})
		if got := a.Result().Get("content").Index(0).Get("text").Text(); err != nil || got != c.want {
			t.Errorf("%s: the stream is %s when the call comes, want %s (%v); asked %v", c.name, got, c.want, err, e.log())
		}
		if !slices.Contains(e.log(), "GET  s1") && !slices.Contains(e.log(), "GET s1") {
			t.Errorf("%s: no GET: %v", c.name, e.log())
		}
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("%s: closing: %v", c.name, err)
		}
		server.Close()
	}
}
