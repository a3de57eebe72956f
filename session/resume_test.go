package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// cutting begins the stream of each request with an event id, tells a message and ends it.
func cutting(retry string) func(f *fake, m wire.Message) {
	return func(f *fake, m wire.Message) {
		if m.Method == mcp.Cancelled {
			f.end(m.Lane, 202)
			return
		}
		f.begin(m.Lane)
		f.event(m.Lane, "a1", retry, "")
		f.event(m.Lane, "a2", "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half"}}`)
		f.end(m.Lane, 0)
	}
}

// own tells whether a GET is for the server's own stream.
func own(h *wire.Head) bool { return h.Get(mcp.HeaderLastEventID) == "" }

// The stream of a request ends early: it is gone on with behind the last event id, once the server's pause is over, and
// the answer is that of the request, for the caller and for every reader of the log.
func TestARequestGoesOnAfterItsStreamEnded(t *testing.T) {
	for _, version := range []string{mcp.R20250326, mcp.R20250618, mcp.R20251125} {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			begin := time.Now()
			var after time.Duration
			s, f := withGET(t, Options{Era: Legacy}, oldServer(version, cutting("700")), func(f *fake, lane uint32, h *wire.Head) {
				if own(h) {
					f.end(lane, 405)
					return
				}
				asked = append(asked, h.Get(mcp.HeaderLastEventID))
				f.begin(lane)
				switch len(asked) {
				case 1:
					after = time.Since(begin)
					f.event(lane, "a3", "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"more"}}`)
					f.end(lane, 0)
				case 2:
					f.event(lane, "a4", "", `{"jsonrpc":"2.0","id":`+f.last().ID+`,"result":{"content":[]}}`)
				}
			})
			synctest.Wait()
			begin = time.Now()
			a, err := s.Do(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`)})
			if err != nil || !a.OK() {
				t.Fatalf("%s: %v", version, err)
			}
			if after != 700*time.Millisecond {
				t.Errorf("%s: gone on with after %s", version, after)
			}
			if got := fmt.Sprint(asked); got != "[a2 a3]" {
				t.Errorf("%s: asked from %s on", version, got)
			}
			if x := folded(s, a.Seq()); x.End != wire.Replied || len(x.During) != 3 {
				t.Errorf("%s: readers see end %d and %d messages before", version, x.End, len(x.During))
			}
			if n := strings.Count(notes(s), "going on with it in"); n != 2 {
				t.Errorf("%s: %d notes\n%s", version, n, notes(s))
			}
			time.Sleep(2 * resumeGrace) // the stream that nobody needs any more is closed
			f.mu.Lock()
			if len(f.closed) != 1 {
				t.Errorf("%s: %d lanes closed", version, len(f.closed))
			}
			f.mu.Unlock()
			shut(t, s)
		})
	}
}

// Everything that can go wrong while a stream is gone on with: nothing hangs, and the reason is told.
func TestAStreamThatCannotBeGoneOnWith(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		get  func(f *fake, lane uint32, n int)
		gets int
		end  wire.End
		text string
	}{
		"refused": {Options{}, func(f *fake, lane uint32, _ int) { f.end(lane, 405) }, 1, wire.Dropped,
			"the server refused to go on with it: HTTP 405"},
		"the session is gone": {Options{}, func(f *fake, lane uint32, _ int) { f.end(lane, 404) }, 1, wire.Dropped, "HTTP 404"},
		"a page": {Options{}, func(f *fake, lane uint32, _ int) {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: lane, HTTP: &wire.Head{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "text/html"}}}, Body: []byte("<p>hello")})
			f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneEOF})
		}, 1, wire.Dropped, "HTTP 200 with text/html"},
		"busy, then it works": {Options{}, func(f *fake, lane uint32, n int) {
			if n < 3 {
				f.end(lane, 503)
				return
			}
			f.begin(lane)
			f.event(lane, "z", "", `{"jsonrpc":"2.0","id":`+f.last().ID+`,"result":{}}`)
		}, 3, wire.Replied, ""},
		"no way to it": {Options{}, func(f *fake, lane uint32, _ int) {
			f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneFailed, Text: "connection refused"})
		}, 4, wire.TimedOut, "no answer within"},
		"cut in the middle of an event": {Options{Timeout: time.Hour}, func(f *fake, lane uint32, _ int) {
			f.begin(lane)
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: lane, Event: &wire.Event{}, Shape: wire.ShapeUnterminated | wire.ShapeTruncated, Body: []byte(`{"jsonrpc":"2.0","id":3,"resu`)})
			f.tap.Lane(wire.Lane{ID: lane, Kind: wire.LaneCut, Text: "reset by peer"})
		}, 5, wire.Dropped, "5 tries in a row brought nothing"},
		"a new id each time and never an answer": {Options{Timeout: time.Hour, MaxTimeout: time.Hour}, func(f *fake, lane uint32, n int) {
			f.begin(lane)
			f.event(lane, fmt.Sprint("id", n), "0", "")
			f.end(lane, 0)
		}, 100, wire.Dropped, "100 tries brought no answer"},
		"silence": {Options{}, func(f *fake, lane uint32, _ int) { f.begin(lane) }, 1, wire.TimedOut, "no answer within"},
		"not wanted": {Options{NoResume: true}, func(*fake, uint32, int) {}, 0, wire.Dropped,
			"going on with it is switched off"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				o := c.o
				o.Era, o.NoStream = Legacy, true
				s, f := withGET(t, o, oldServer(mcp.R20251125, cutting("")), func(f *fake, lane uint32, h *wire.Head) { n++; c.get(f, lane, n) })
				a, err := s.Do(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`)})
				if a.Exchange.End != c.end {
					t.Errorf("end %d: %v", a.Exchange.End, err)
				}
				if no, ok := errors.AsType[*NoReply](err); c.text != "" && (!ok || !strings.Contains(no.Text, c.text)) {
					t.Errorf("error %v", err)
				}
				if n != c.gets {
					t.Errorf("%d GETs, want %d", n, c.gets)
				}
				if x := folded(s, a.Seq()); x.End != c.end || x.EndText != a.Exchange.EndText {
					t.Errorf("readers see %d %q", x.End, x.EndText)
				}
				time.Sleep(time.Hour)
				if n != c.gets || f.getCount() != c.gets {
					t.Errorf("%d GETs after the end", n)
				}
				shut(t, s)
			})
		})
	}
}

// While a stream is waited for, the request can be cancelled, the session closed, the server restarted.
func TestLeavingWhileAStreamIsGoneOnWith(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, s *Session, c *Call){
		"cancel":  func(t *testing.T, s *Session, c *Call) { c.Cancel("no longer wanted") },
		"close":   func(t *testing.T, s *Session, c *Call) { shut(t, s) },
		"restart": func(t *testing.T, s *Session, c *Call) { _ = s.Restart(t.Context()) },
	} {
		for when, wait := range map[string]time.Duration{"in the pause": 300 * time.Millisecond, "on the stream": 3 * time.Second} {
			t.Run(name+" "+when, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20251125, cutting("")), func(f *fake, lane uint32, h *wire.Head) { f.begin(lane) })
					c, err := s.Start(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`)})
					if err != nil {
						t.Fatal(err)
					}
					time.Sleep(wait)
					leave(t, s, c)
					if a, _ := c.Wait(t.Context()); a.Exchange.End != wire.Cancelled {
						t.Errorf("end %d", a.Exchange.End)
					}
					if x := folded(s, c.Seq()); x.End != wire.Cancelled {
						t.Errorf("readers see %d", x.End)
					}
					shut(t, s)
					n := f.getCount()
					time.Sleep(time.Hour)
					if f.getCount() != n {
						t.Error("it went on after the end")
					}
				})
			})
		}
	}
}

// Without an event id, and in 2026-07-28 with one, an early end is the end.
func TestNoStreamGoesOnWithoutAnEventID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := withGET(t, Options{Era: Legacy, NoStream: true}, oldServer(mcp.R20251125, func(f *fake, m wire.Message) {
			f.begin(m.Lane)
			f.event(m.Lane, "", "", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
			f.end(m.Lane, 0)
		}), nil)
		if a, err := s.Do(t.Context(), Request{Method: mcp.ToolsList}); err == nil || a.Exchange.End != wire.Dropped {
			t.Errorf("legacy: %v", err)
		}
		if f.getCount() != 0 {
			t.Errorf("%d GETs", f.getCount())
		}
		shut(t, s)
	})
	synctest.Test(t, func(t *testing.T) {
		s, f := withGET(t, Options{}, modern(cutting("")), nil)
		if a, err := s.Do(t.Context(), Request{Method: "x"}); err == nil || a.Exchange.End != wire.Dropped {
			t.Errorf("modern: %v", err)
		}
		if f.getCount() != 0 {
			t.Errorf("%d GETs", f.getCount())
		}
		shut(t, s)
	})
}
