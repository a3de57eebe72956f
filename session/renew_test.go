package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// forgetful is a server that hands out sessions s-1, s-2 … and knows only the newest one until it is made to forget it.
type forgetful struct {
	mu     sync.Mutex
	n      int
	known  string
	refuse func(f *fake, m wire.Message) // answers what comes in a session that is not known; nil: 404
}

func (g *forgetful) forget() { g.mu.Lock(); g.known = ""; g.mu.Unlock() }

func (g *forgetful) serve(next func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return func(f *fake, m wire.Message) {
		g.mu.Lock()
		if m.Method == mcp.Initialize {
			g.n++
			g.known = fmt.Sprint("s-", g.n)
		}
		known := g.known
		g.mu.Unlock()
		if id := m.HTTP.Get("Mcp-Session-Id"); id != "" && id != known {
			if g.refuse != nil {
				g.refuse(f, m)
				return
			}
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane, HTTP: &wire.Head{Status: 404},
				Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)})
			return
		}
		oldSession(mcp.R20251125, func() string { return known }, next)(f, m)
	}
}

func listed(f *fake, m wire.Message) { f.result(m, `{"tools":[]}`) }

// A 404 to a request in a session: a new session without the old id, the same request once more, a boundary in the log,
// nothing kept, log level and subscriptions asked for again, the server's stream opened in the new session (case C53).
func TestALostSessionIsBegunAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &forgetful{}
		s, f := withGET(t, Options{Era: Legacy, LogLevel: "info"}, g.serve(listed), func(f *fake, lane uint32, _ *wire.Head) { f.begin(lane) })
		if _, err := s.Subscribe(t.Context(), "note://one"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.List(t.Context(), Tools, ListOptions{}); err != nil {
			t.Fatal(err)
		}
		g.forget()
		a, err := s.Do(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x","arguments":{"n":1.50}}`)})
		if err != nil || !a.OK() {
			t.Fatalf("error %v", err)
		}
		synctest.Wait()
		var said []string
		f.mu.Lock()
		sent := slices.Clone(f.sent)
		f.mu.Unlock()
		for _, m := range sent {
			id := m.HTTP.Get("Mcp-Session-Id")
			if m.Method == mcp.Initialize || id == "s-2" || m.Method == mcp.ToolsCall {
				said = append(said, strings.TrimSpace(m.Method+" "+id))
			}
		}
		want := []string{"initialize", "tools/call s-1", "initialize", "notifications/initialized s-2", "logging/setLevel s-2", "resources/subscribe s-2", "tools/call s-2"}
		if !slices.Equal(said, want) {
			t.Errorf("sent %q\nwant %q", said, want)
		}
		last := f.last()
		if !strings.Contains(string(last.Body), `"arguments":{"n":1.50}`) || last.Why != whyRenewed || last.Aside() {
			t.Errorf("sent again (%s): %s", last.Why, last.Body)
		}
		if f.asked(1) != "2025-11-25 s-2 " {
			t.Errorf("the stream of the new session: %s", f.asked(1))
		}
		all := strings.Join(states(s), "\n")
		for _, text := range []string{"the server ended the session s** (HTTP 404 to #", "a new session s** has begun: what was read in the old one is forgotten"} {
			if !strings.Contains(strings.ReplaceAll(all, "s-*", "s**"), text) && !strings.Contains(all, text) {
				t.Errorf("no state %q in\n%s", text, all)
			}
		}
		for _, e := range entries(s) {
			if st := e.State; st != nil && st.Boundary() != (st.Phase == wire.Connecting || strings.Contains(st.Text, "has begun")) {
				t.Errorf("the %s step %q has session %d", st.Kind, st.Text, st.Session)
			}
		}
		s.mu.Lock()
		if len(s.listings) != 0 || len(s.kept) != 0 {
			t.Error("lists of the old session are kept")
		}
		s.mu.Unlock()
		first := 0
		for _, e := range entries(s) {
			if e.Frame != nil && e.Frame.HTTP != nil && e.Frame.HTTP.Status == 404 {
				first++
			}
		}
		if first != 1 {
			t.Errorf("%d refusals in the journal", first)
		}
		shut(t, s)
	})
}

// Several requests under way lose one session: one new session serves them all.
func TestOneNewSessionForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &forgetful{}
		s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
		g.forget()
		serve := f.serving()
		f.turn(func(f *fake, m wire.Message) { // the news takes its time
			time.AfterFunc(100*time.Millisecond, func() { serve(f, m) })
		})
		var calls []*Call
		for range 4 {
			c, err := s.Start(t.Context(), Request{Method: mcp.ToolsList})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, c)
			time.Sleep(30 * time.Millisecond)
		}
		for i, c := range calls {
			if a, err := c.Wait(t.Context()); err != nil || !a.OK() {
				t.Errorf("request %d: %v", i, err)
			}
		}
		if n := strings.Count(strings.Join(f.methods(), " "), "initialize "); n != 2 {
			t.Errorf("%d handshakes: %v", n, f.methods())
		}
		shut(t, s)
	})
}

// What is no lost session, and servers that lose every session.
func TestWhatBeginsNoNewSession(t *testing.T) {
	refuse := func(status int, text string) func(f *fake, m wire.Message) {
		return func(f *fake, m wire.Message) {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane, HTTP: &wire.Head{Status: status}, Body: []byte(strings.ReplaceAll(text, "$ID", m.ID))})
		}
	}
	const seems = "the server seems to have lost the session: HTTP "
	for name, c := range map[string]struct {
		refuse func(f *fake, m wire.Message)
		note   string
	}{
		"400":             {refuse(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no valid session"}}`), seems + "400 with “no valid session”"},
		"200":             {refuse(200, `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"Session expired"}}`), seems + "200 with “Session expired”"},
		"another 400":     {refuse(400, `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32600,"message":"bad request"}}`), ""},
		"unknown, by 404": {refuse(404, `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"Method not found"}}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &forgetful{refuse: c.refuse}
				s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
				g.forget()
				for range 3 {
					if a, err := s.Do(t.Context(), Request{Method: mcp.ToolsList}); err == nil && a.OK() {
						t.Error("it worked")
					}
				}
				synctest.Wait()
				if n := strings.Count(strings.Join(f.methods(), " "), "initialize "); n != 1 {
					t.Errorf("%d handshakes", n)
				}
				if n := strings.Count(notes(s), seems); c.note != "" && (n != 1 || !strings.Contains(notes(s), c.note) || !strings.Contains(notes(s), "restart")) || c.note == "" && n != 0 {
					t.Errorf("notes %q", notes(s))
				}
				if s.Info().Phase != wire.Ready {
					t.Errorf("phase %d", s.Info().Phase)
				}
				shut(t, s)
			})
		})
	}
	t.Run("an id that somebody chose", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := &forgetful{}
			s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
			_, err := s.Do(t.Context(), Request{Method: mcp.ToolsList, Why: "probe", Header: []wire.Field{{Name: "mcp-session-id", Value: "nobody"}}})
			if no, ok := errors.AsType[*NoReply](err); err != nil && (!ok || no.Status != 404) || f.last().Method != mcp.ToolsList {
				t.Errorf("error %v, last %s", err, f.last().Method)
			}
			shut(t, s)
		})
	})
}

func TestSessionsThatDoNotLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &forgetful{}
		s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
		for range 20 {
			g.forget()
			if _, err := s.Do(t.Context(), Request{Method: mcp.ToolsList}); err != nil {
				break
			}
		}
		synctest.Wait()
		if n := strings.Count(strings.Join(f.methods(), " "), "initialize "); n != 1+renewMost {
			t.Errorf("%d handshakes", n)
		}
		if i := s.Info(); i.Phase != wire.Lost || !strings.Contains(i.Text, "no further one is opened") {
			t.Errorf("%d %s", i.Phase, i.Text)
		}
		if err := s.Restart(t.Context()); err != nil || s.Info().Phase != wire.Ready {
			t.Errorf("a restart: %v", err)
		}
		shut(t, s)
	})
}

// The new session cannot be had: the request ends with what it got, and the connection is lost.
func TestNoNewSession(t *testing.T) {
	for name, initialize := range map[string]func(f *fake, m wire.Message){
		"refused": func(f *fake, m wire.Message) { f.error(m, -32603, "full") },
		"silence": func(*fake, wire.Message) {},
		"no way": func(f *fake, m wire.Message) {
			f.tap.Lane(wire.Lane{ID: m.Lane, Kind: wire.LaneFailed, Text: "refused"})
		},
		"HTTP 404": func(f *fake, m wire.Message) { f.end(m.Lane, 404) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &forgetful{}
				s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
				g.forget()
				serve := f.serving()
				f.turn(func(f *fake, m wire.Message) {
					if m.Method == mcp.Initialize {
						initialize(f, m)
						return
					}
					serve(f, m)
				})
				a, _ := s.Do(t.Context(), Request{Method: mcp.ToolsList})
				if a.Exchange.Head == nil || a.Exchange.Head.Status != 404 {
					t.Errorf("it ended with %+v", a.Exchange.Head)
				}
				synctest.Wait()
				if i := s.Info(); i.Phase != wire.Lost || !strings.Contains(i.Text, "no new one could be opened") {
					t.Errorf("%d %s", i.Phase, i.Text)
				}
				shut(t, s)
			})
		})
	}
}

// Whoever waits for the new session can leave.
func TestLeavingWhileASessionIsBegun(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, s *Session, c *Call){
		"cancel":  func(t *testing.T, s *Session, c *Call) { c.Cancel("no longer wanted") },
		"close":   func(t *testing.T, s *Session, c *Call) { shut(t, s) },
		"restart": func(t *testing.T, s *Session, c *Call) { _ = s.Restart(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &forgetful{}
				s, f := withGET(t, Options{Era: Legacy, NoStream: true}, g.serve(listed), nil)
				g.forget()
				serve := f.serving()
				f.turn(func(f *fake, m wire.Message) {
					if m.Method != mcp.Initialize {
						serve(f, m)
					}
				})
				c, err := s.Start(t.Context(), Request{Method: mcp.ToolsList})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				f.turn(serve)
				leave(t, s, c)
				if a, _ := c.Wait(t.Context()); a.Exchange.Head == nil && a.Exchange.End == wire.Open {
					t.Errorf("it is still open")
				}
				shut(t, s)
			})
		})
	}
}
