package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

func TestConnectModern(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "http", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		info := s.Info()
		if info.Era != Modern || info.Version != "2026-07-28" || info.Server.Get("name").Text() != "fake" || !info.Has("tools") || info.Has("prompts") {
			t.Errorf("info %+v", info)
		}
		if info.Opened != now().last().Seq {
			t.Errorf("decided by %d", info.Opened)
		}
		h := now().last().HTTP
		if h.Get("MCP-Protocol-Version") != "2026-07-28" || h.Get("Mcp-Method") != "server/discover" || h.Get("Mcp-Name") != "" {
			t.Errorf("headers %v", h.Header)
		}
		shut(t, s)
		want := []string{"connecting to http://fake/mcp", "asking with server/discover whether the server is modern",
			"server/discover was answered with supportedVersions 2026-07-28: modern, 2026-07-28", "closed by us"}
		if got := states(s); !slices.Equal(got, want) {
			t.Errorf("states %q", got)
		}
		if s.Info().Phase != wire.Closed {
			t.Errorf("phase %d", s.Info().Phase)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Errorf("closing again: %v", err)
		}
	})
}

func TestConnectLegacyOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := false
		s, now, err := converse(t, "http", Options{LogLevel: "debug"}, func(f *fake, m wire.Message) {
			if m.Method == mcp.Initialize {
				f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane,
					HTTP: &wire.Head{Status: 200, Header: []wire.Field{{Name: "mcp-session-id", Value: "abc"}}},
					Body: []byte(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"protocolVersion":"2025-06-18","capabilities":{"logging":{}},"serverInfo":{"name":"old"}}}`)})
				return
			}
			legacy(func(f *fake, m wire.Message) {
				if gone {
					f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane, HTTP: &wire.Head{Status: 404}, Body: []byte("no such session")})
					return
				}
				f.result(m, `{}`)
			})(f, m)
		})
		if err != nil {
			t.Fatal(err)
		}
		f := now()
		wantMethods(t, f, mcp.Discover, mcp.Initialize, mcp.Initialized, mcp.SetLevel)
		for i, want := range []string{"2026-07-28/", "/", "2025-06-18/abc", "2025-06-18/abc"} {
			h := f.sent[i].HTTP
			if got := h.Get("MCP-Protocol-Version") + "/" + h.Get("Mcp-Session-Id"); got != want {
				t.Errorf("%s went with %s, want %s", f.sent[i].Method, got, want)
			}
			if i > 0 && h.Get("Mcp-Method") != "" {
				t.Errorf("%s went with Mcp-Method", f.sent[i].Method)
			}
		}
		gone = true
		_, err = s.Do(t.Context(), Request{Method: "tools/list"})
		if no, ok := errors.AsType[*NoReply](err); !ok || no.Status != 404 {
			t.Errorf("error %v", err)
		}
		synctest.Wait()
		if i := s.Info(); i.Phase != wire.Ready || !strings.Contains(i.Text, "a new session a** has begun") {
			t.Errorf("after a 404 for the session: %s", i.Text)
		}
		f = now()
		wantMethods(t, f, mcp.Discover, mcp.Initialize, mcp.Initialized, mcp.SetLevel,
			mcp.ToolsList, mcp.Initialize, mcp.Initialized, mcp.SetLevel, mcp.ToolsList)
		if got := f.sent[5].HTTP.Get("Mcp-Session-Id"); got != "" {
			t.Errorf("the new session was asked for with the id %q of the old one", got)
		}
		gone = false
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if last := f.last(); last.HTTP.Method != "DELETE" || last.HTTP.Get("Mcp-Session-Id") != "abc" {
			t.Errorf("the old session ended with %s", last.HTTP.Method)
		}
		shut(t, s)
	})
}

// A legacy server that stays silent on the probe is asked with initialize after ten seconds; signs of
// life of a child that is still starting prolong that.
func TestTheProbeWaitsLongerForAStartingChild(t *testing.T) {
	for name, c := range map[string]struct {
		chatter []time.Duration
		want    time.Duration
	}{
		"silent":                      {nil, 10 * time.Second},
		"stderr while starting":       {[]time.Duration{8 * time.Second, 15 * time.Second}, 25 * time.Second},
		"chatter without end":         {[]time.Duration{5 * time.Second, 14 * time.Second, 23 * time.Second, 29 * time.Second, 31 * time.Second}, 30 * time.Second},
		"a line after the time is up": {[]time.Duration{11 * time.Second}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var asked time.Duration
				s, _, err := converse(t, "stdio", Options{}, func(f *fake, m wire.Message) {
					switch m.Method {
					case mcp.Discover:
						for _, d := range c.chatter {
							time.AfterFunc(d, func() { f.tap.Note(wire.Note{From: "stderr", Text: "loading"}) })
						}
					case mcp.Initialize:
						asked = time.Since(begin)
						f.result(m, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}`)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if asked != c.want {
					t.Errorf("initialize after %s, want %s", asked, c.want)
				}
				for _, e := range entries(s) { // the probe is not cancelled on the wire: a legacy server would not know what
					if e.Frame != nil && strings.Contains(string(e.Frame.Body), "cancelled") {
						t.Errorf("sent %s", e.Frame.Body)
					}
				}
				time.Sleep(time.Minute)
				shut(t, s)
			})
		})
	}
}

func TestALateAnswerToTheProbe(t *testing.T) {
	late := func(after time.Duration, initialize bool) func(*fake, wire.Message) {
		return func(f *fake, m wire.Message) {
			switch m.Method {
			case mcp.Discover:
				time.AfterFunc(after, func() {
					f.result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}`)
				})
			case mcp.Initialize:
				if initialize {
					f.result(m, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}`)
				}
			}
		}
	}
	t.Run("while initialize waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			s, now, err := converse(t, "stdio", Options{}, late(12*time.Second, false))
			if err != nil || s.Info().Era != Modern || time.Since(begin) != 12*time.Second {
				t.Errorf("%v, %s after %s", err, s.Info().Era, time.Since(begin))
			}
			wantMethods(t, now(), mcp.Discover, mcp.Initialize)
			shut(t, s)
		})
	})
	t.Run("after a legacy verdict the era is detected again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, now, err := converse(t, "stdio", Options{}, late(12*time.Second, true))
			if err != nil || s.Info().Era != Legacy {
				t.Fatalf("%v, %s", err, s.Info().Era)
			}
			first := now()
			time.Sleep(20 * time.Second)
			synctest.Wait()
			if s.Info().Era != Modern || now() == first {
				t.Errorf("era %s: %s", s.Info().Era, s.Info().Text)
			}
			wantMethods(t, now(), mcp.Discover)
			shut(t, s)
		})
	})
	t.Run("but not under a call", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, now, err := converse(t, "stdio", Options{}, late(12*time.Second, true))
			if err != nil {
				t.Fatal(err)
			}
			first := now()
			c, err := s.Start(t.Context(), Request{Method: "x"})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Second)
			if now() != first {
				t.Error("restarted under a running call")
			}
			c.Cancel("enough")
			time.Sleep(time.Minute)
			if s.Info().Era != Modern || now() == first {
				t.Errorf("era %s: %s", s.Info().Era, s.Info().Text)
			}
			shut(t, s)
		})
	})
}

func TestConnectSurvivesADeathOnTheProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, func(f *fake, m wire.Message) {
			if m.Method == mcp.Discover {
				f.exit(wire.Exit{Code: 1})
				return
			}
			legacy(nil)(f, m)
		})
		if err != nil || s.Info().Era != Legacy {
			t.Fatalf("%v: %+v", err, s.Info())
		}
		wantMethods(t, now(), mcp.Initialize, mcp.Initialized)
		shut(t, s)
	})
}

func TestConnectFailsWithWhatIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{Secrets: []string{"open sesame"}}, func(f *fake, m wire.Message) {
			f.tap.Note(wire.Note{From: "stderr", Text: "cannot find module"})
			f.exit(wire.Exit{Code: 3, Argv: []string{"fake"}, Stderr: []string{"cannot find module"}})
		})
		e, ok := errors.AsType[*ConnectError](err)
		if !ok || e.Exit == nil || e.Exit.Code != 3 || len(e.Stderr) != 1 || !strings.Contains(e.Error(), "exit code 3") {
			t.Errorf("error %v", err)
		}
		if s.Info().Phase != wire.Failed {
			t.Errorf("phase %d", s.Info().Phase)
		}
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err == nil {
			t.Error("called without a connection")
		}
		shut(t, s)
	})
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "http", Options{}, func(f *fake, m wire.Message) {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: m.Lane, HTTP: &wire.Head{Status: 401,
				Header: []wire.Field{{Name: "WWW-Authenticate", Value: `Bearer resource_metadata="x"`}}}, Body: []byte(`{}`)})
		})
		if e, ok := errors.AsType[*ConnectError](err); !ok || !e.Auth || e.Status != 401 {
			t.Errorf("error %v", err)
		}
		shut(t, s)
	})
	synctest.Test(t, func(t *testing.T) { // an error of the operating system
		boom := &transport.StartError{Argv0: "nod", Near: []string{"node"}, Searched: []string{"/bin"}, Err: errors.New("not found")}
		s, err := Open(t.Context(), Target{Argv: []string{"nod"}}, Options{Open: func(context.Context, Opening) (transport.Conn, error) { return nil, boom }})
		e, ok := errors.AsType[*ConnectError](err)
		if !ok || !errors.Is(err, boom.Err) || e.Hint != "similar names: node; searched: /bin" {
			t.Errorf("error %v, hint %q", err, e.Hint)
		}
		shut(t, s)
	})
}

// Close may come at any moment of a Connect; nothing goes on after it.
func TestCloseWhileConnecting(t *testing.T) {
	for _, kind := range []string{"stdio", "http"} {
		synctest.Test(t, func(t *testing.T) {
			target := Target{Argv: []string{"fake"}}
			if kind == "http" {
				target = Target{URL: "http://fake/"}
			}
			s := New(target, Options{Open: func(_ context.Context, how Opening) (transport.Conn, error) {
				return &fake{kind: how.Kind, tap: how.Tap, done: make(chan struct{})}, nil
			}})
			failed := make(chan error, 1)
			go func() { failed <- s.Connect(context.Background()) }()
			time.Sleep(time.Second)
			begin := time.Now()
			shut(t, s)
			if err := <-failed; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			if time.Since(begin) != 0 {
				t.Errorf("took %s", time.Since(begin))
			}
			if err := s.Connect(t.Context()); err == nil {
				t.Error("connected after Close")
			}
		})
	}
}

func TestChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		changed := s.Changed()
		select {
		case <-changed:
			t.Error("nothing changed")
		default:
		}
		shut(t, s)
		<-changed
	})
}

// A server that goes between the last step of the opening and our being ready is lost, not ready for ever.
func TestTheServerGoesAtTheLastStepOfTheOpening(t *testing.T) {
	for how, leave := range map[string]func(f *fake){
		"exit code 9":       func(f *fake) { f.exit(wire.Exit{Code: 9, Argv: []string{"fake"}}) },
		"closed its output": func(f *fake) { f.tap.Lane(wire.Lane{Kind: wire.LaneEOF}) },
	} {
		synctest.Test(t, func(t *testing.T) {
			old := legacy(nil)
			s, _, err := converse(t, "stdio", Options{}, func(f *fake, m wire.Message) {
				if m.Method == mcp.Initialized {
					leave(f)
					return
				}
				old(f, m)
			})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if info := s.Info(); info.Phase != wire.Lost || !strings.Contains(info.Text, how) {
				t.Errorf("%s: phase %d, %q", how, info.Phase, info.Text)
			}
			shut(t, s)
		})
	}
}
