package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// oldServer answers the handshake in a revision, with a session id, and leaves the rest to next.
func oldServer(version string, next func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return oldSession(version, func() string { return "s-1" }, next)
}

func oldSession(version string, id func() string, next func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return func(f *fake, m wire.Message) {
		if m.Method == mcp.Initialize {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane,
				HTTP: &wire.Head{Status: 200, Header: []wire.Field{{Name: "Mcp-Session-Id", Value: id()}}},
				Body: []byte(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{},"logging":{},"resources":{"subscribe":true}},"serverInfo":{"name":"old","version":"1"}}}`)})
			return
		}
		legacy(next)(f, m)
	}
}

// asked are the headers that the nth GET (from 0) went with: version, session, Last-Event-ID.
func (f *fake) asked(n int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n >= len(f.gets) {
		return fmt.Sprintf("only %d GETs", len(f.gets))
	}
	h := f.gets[n]
	return h.Get(mcp.HeaderProtocolVersion) + " " + h.Get(mcp.HeaderSessionID) + " " + h.Get(mcp.HeaderLastEventID)
}

func (f *fake) getCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.gets)
}

// withGET opens a session over HTTP whose server answers GETs.
func withGET(t *testing.T, o Options, serve func(*fake, wire.Message), get func(f *fake, lane uint32, h *wire.Head)) (*Session, *fake) {
	t.Helper()
	s, now, err := converseWith(t, "http", o, serve, get)
	if err != nil {
		t.Fatal(err)
	}
	return s, now()
}

// A server may refuse its stream in many ways: that is said, and requests go on as before (case C54).
func TestAServerWithoutAStream(t *testing.T) {
	for status, want := range map[int]struct{ info, note string }{
		405: {"none (405)", "no server stream: the server offers none (HTTP 405)"},
		404: {"none (404; 405 expected)", "no server stream (404; 405 expected)"},
		406: {"none (406; 405 expected)", "no server stream (406; 405 expected)"},
		401: {"none (401; 405 expected)", "no server stream (401; 405 expected)"},
		200: {"none (200 with no content type; an event stream or 405 expected)", "(200 with no content type; an event stream or 405 expected)"},
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20251125, func(f *fake, m wire.Message) { f.result(m, `{"tools":[]}`) }),
					func(f *fake, lane uint32, _ *wire.Head) { f.end(lane, status) })
				synctest.Wait()
				if i := s.Info(); i.Stream != want.info || i.Phase != wire.Ready {
					t.Errorf("stream %q, phase %d", i.Stream, i.Phase)
				}
				if !strings.Contains(notes(s), want.note) {
					t.Errorf("notes %q", notes(s))
				}
				if a, err := s.Do(t.Context(), Request{Method: mcp.ToolsList}); err != nil || !a.OK() {
					t.Errorf("a request: %v", err)
				}
				time.Sleep(5 * time.Minute)
				if n := f.getCount(); n != 1 {
					t.Errorf("%d GETs", n)
				}
				shut(t, s)
			})
		})
	}
}

// Which revisions have the stream, and what the GET says.
func TestWhichRevisionsHaveAStream(t *testing.T) {
	for version, want := range map[string]string{
		mcp.R20251125: "2025-11-25 s-1 ", mcp.R20250618: "2025-06-18 s-1 ", mcp.R20250326: " s-1 ", mcp.R20241105: "only 0 GETs",
	} {
		synctest.Test(t, func(t *testing.T) {
			s, f := withGET(t, Options{Era: Legacy, Protocol: version}, oldServer(version, nil), nil)
			synctest.Wait()
			if got := f.asked(0); got != want {
				t.Errorf("%s: asked with %q, want %q", version, got, want)
			}
			if s.Info().Version != version {
				t.Errorf("%s was chosen", s.Info().Version)
			}
			shut(t, s)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s, f := withGET(t, Options{Era: Legacy, NoStream: true}, oldServer(mcp.R20251125, nil), nil)
		synctest.Wait()
		if f.getCount() != 0 || s.Info().Stream != "not asked for" {
			t.Errorf("%d GETs, stream %q", f.getCount(), s.Info().Stream)
		}
		shut(t, s)
	})
}

// The stream breaks and is opened again from the last event on; what came on it is recorded on its own lane; it ends with Close.
func TestTheStreamIsOpenedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := map[uint32]bool{}
		s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20251125, nil), func(f *fake, lane uint32, _ *wire.Head) {
			open[lane] = true
			f.begin(lane)
			f.event(lane, fmt.Sprint("e", lane), "1500", "")
		})
		synctest.Wait()
		if got := s.Info().Stream; got != "open" {
			t.Errorf("stream %q", got)
		}
		var first uint32
		for lane := range open {
			first = lane
		}
		f.event(first, "e-9", "", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		begin := time.Now()
		f.end(first, 0)
		synctest.Wait()
		if got := s.Info().Stream; got != "opening again" {
			t.Errorf("stream %q", got)
		}
		for f.getCount() < 2 {
			time.Sleep(100 * time.Millisecond)
		}
		if took := time.Since(begin); took < 1500*time.Millisecond || took > 1700*time.Millisecond {
			t.Errorf("opened again after %s", took)
		}
		if got := f.asked(1); got != "2025-11-25 s-1 e-9" {
			t.Errorf("asked with %q", got)
		}
		resumes := uint32(0)
		for _, e := range entries(s) {
			if e.Lane != nil && e.Lane.Resumes != 0 {
				resumes = e.Lane.Resumes
			}
		}
		if resumes != first {
			t.Errorf("it goes on with lane %d, want %d", resumes, first)
		}
		shut(t, s)
		time.Sleep(time.Hour)
		if n := f.getCount(); n != 2 {
			t.Errorf("%d GETs in all", n)
		}
	})
}

// A server that ends its stream at once, again and again, does not make us loop; one that brings something each time is
// asked less and less often.
func TestAStreamThatEndsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		bring string
		least int
		most  int
		left  string
	}{
		"empty":   {"", 4, 5, "none (it ended 5 times in a row without bringing anything)"},
		"talking": {`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, 20, 80, "opening again"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20251125, nil), func(f *fake, lane uint32, _ *wire.Head) {
					n++
					f.begin(lane)
					f.event(lane, fmt.Sprint("e", n), "0", c.bring)
					f.end(lane, 0)
				})
				time.Sleep(10 * time.Minute)
				if got := f.getCount(); got < c.least || got > c.most {
					t.Errorf("%d GETs in ten minutes", got)
				}
				if got := s.Info().Stream; got != c.left {
					t.Errorf("stream %q", got)
				}
				shut(t, s)
			})
		})
	}
}

// A server that is busy is asked again; an event id that it does not know any more is left out.
func TestTheStreamAfterARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20250618, nil), func(f *fake, lane uint32, h *wire.Head) {
			n++
			switch n {
			case 1:
				f.end(lane, 503)
			case 2:
				f.begin(lane)
				f.event(lane, "gone", "", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
				f.end(lane, 0)
			case 3:
				f.end(lane, 400)
			default:
				f.begin(lane)
			}
		})
		time.Sleep(time.Minute)
		for i, want := range []string{"2025-06-18 s-1 ", "2025-06-18 s-1 ", "2025-06-18 s-1 gone", "2025-06-18 s-1 "} {
			if got := f.asked(i); got != want {
				t.Errorf("GET %d with %q, want %q", i, got, want)
			}
		}
		if got := s.Info().Stream; got != "open" || f.getCount() != 4 {
			t.Errorf("stream %q after %d GETs", got, f.getCount())
		}
		shut(t, s)
	})
}

// What the server asks on its stream is answered like anything else.
func TestQuestionsOnTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lane := uint32(0)
		s, f := withGET(t, Options{Era: Legacy}, oldServer(mcp.R20251125, nil), func(f *fake, l uint32, _ *wire.Head) { lane = l; f.begin(l) })
		synctest.Wait()
		f.event(lane, "", "", `{"jsonrpc":"2.0","id":"q","method":"ping"}`)
		synctest.Wait()
		if got := string(f.last().Body); got != `{"jsonrpc":"2.0","id":"q","result":{}}` {
			t.Errorf("answered %s", got)
		}
		shut(t, s)
	})
}
