package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

func TestCallCarriesWhatTheRevisionAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{ClientVersion: "1.2"}, modern(func(f *fake, m wire.Message) {
			f.result(m, `{"resultType":"complete","content":[]}`)
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.CallTool(t.Context(), "add", []byte(`{ "b": 1.50, "a": 12345678901234567890 }`), CallOptions{})
		if err != nil || !a.OK() {
			t.Fatalf("answer %v, error %v", a, err)
		}
		want := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"b":1.50,"a":12345678901234567890},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1.2"},` +
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"progressToken":"2"}}}`
		if got := string(now().last().Body); got != want {
			t.Errorf("sent\n%s\nwant\n%s", got, want)
		}
		if a.Seq() != now().last().Seq || string(a.Exchange.Request.Body) != want {
			t.Errorf("the answer belongs to %d, not to %d", a.Seq(), now().last().Seq)
		}
	})
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		begin := time.Now()
		a, err := s.CallTool(t.Context(), "slow", nil, CallOptions{})
		if d := time.Since(begin); d != 30*time.Second {
			t.Errorf("gave up after %s", d)
		}
		no, ok := errors.AsType[*NoReply](err)
		if !ok || no.End != wire.TimedOut || no.Text != "no answer within 30s" || a.Exchange.End != wire.TimedOut {
			t.Errorf("error %v, exchange %v", err, a.Exchange.End)
		}
		synctest.Wait()
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall, mcp.Cancelled)
		if got := string(now().last().Body); got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no answer within 30s"}}` {
			t.Errorf("told the server %s", got)
		}
		if x := folded(s, a.Seq()); x.End != wire.TimedOut || x.EndText != no.Text {
			t.Errorf("readers of the log see %v %q", x.End, x.EndText)
		}
		if len(s.Pending()) != 0 {
			t.Errorf("still pending: %v", s.Pending())
		}
	})
}

func TestProgressProlongsTheWaitWithinALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps := make(chan int, 1)
		s, _, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			if m.Method != mcp.ToolsCall {
				return
			}
			n := <-steps
			go func() {
				for i := range n {
					time.Sleep(20 * time.Second)
					f.say(0, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"%s","progress":%d}}`, m.ID, i+1))
				}
				if n < 10 {
					f.result(m, `{"resultType":"complete","content":[]}`)
				}
			}()
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		begin := time.Now()
		steps <- 4
		a, err := s.CallTool(t.Context(), "build", nil, CallOptions{})
		if err != nil || time.Since(begin) != 80*time.Second || len(a.Exchange.During) != 4 {
			t.Errorf("after %s: %v, %d notifications", time.Since(begin), err, len(a.Exchange.During))
		}
		begin = time.Now()
		steps <- 100
		_, err = s.CallTool(t.Context(), "build", nil, CallOptions{})
		if time.Since(begin) != 5*time.Minute || err == nil || !strings.Contains(err.Error(), "within 5m0s") {
			t.Errorf("after %s: %v", time.Since(begin), err)
		}
		begin = time.Now()
		steps <- 2 // progress, and then silence although an answer follows: 20 s, 40 s, answer at once
		_, err = s.CallTool(t.Context(), "build", nil, CallOptions{Timeout: 15 * time.Second})
		if time.Since(begin) != 15*time.Second || err == nil {
			t.Errorf("after %s: %v", time.Since(begin), err)
		}
		time.Sleep(40 * time.Minute) // the flood of the second call ends
	})
}

func TestCancelOverEachTransport(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		serve      func(func(*fake, wire.Message)) func(*fake, wire.Message)
		want       []string
		lanes      int
	}{
		{"stdio", "stdio", modern, []string{mcp.Discover, mcp.ToolsCall, mcp.Cancelled}, 0},
		{"stdio, legacy", "stdio", legacy, []string{mcp.Discover, mcp.Initialize, mcp.Initialized, mcp.ToolsCall, mcp.Cancelled}, 0},
		{"http", "http", modern, []string{mcp.Discover, mcp.ToolsCall}, 1},
		{"http, legacy", "http", legacy, []string{mcp.Discover, mcp.Initialize, mcp.Initialized, mcp.ToolsCall, mcp.Cancelled}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, now, err := converse(t, c.kind, Options{}, c.serve(nil))
				if err != nil {
					t.Fatal(err)
				}
				defer shut(t, s)
				s.mu.Lock()
				s.listings[Tools] = &Listing{} // so that HTTP does not list for the header mirroring
				s.mu.Unlock()
				call, err := s.StartTool(t.Context(), "slow", nil, CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if !s.Cancel(call.Seq(), "no longer wanted") {
					t.Error("not pending")
				}
				a, err := call.Wait(t.Context())
				if no, ok := errors.AsType[*NoReply](err); !ok || no.End != wire.Cancelled || no.Text != "no longer wanted" {
					t.Errorf("error %v", err)
				}
				synctest.Wait()
				wantMethods(t, now(), c.want...)
				if got := len(now().closed); got != c.lanes {
					t.Errorf("closed %d lanes, want %d", got, c.lanes)
				}
				if x := folded(s, a.Seq()); x.End != wire.Cancelled {
					t.Errorf("readers of the log see %v", x.End)
				}
				if s.Cancel(call.Seq(), "again") {
					t.Error("cancelled twice")
				}
			})
		})
	}
}

func TestCancelByContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Read(ctx, "file:///x", CallOptions{})
		if no, ok := errors.AsType[*NoReply](err); !ok || no.End != wire.Cancelled {
			t.Errorf("error %v", err)
		}
		synctest.Wait()
		wantMethods(t, now(), mcp.Discover, mcp.ResourcesRead, mcp.Cancelled)
	})
}

func TestTheEndOfTheChildEndsEverythingAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		var calls []*Call
		for range 3 {
			c, err := s.StartTool(t.Context(), "x", nil, CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, c)
		}
		begin := time.Now()
		now().exit(wire.Exit{Argv: []string{"fake", "--x"}, Code: 7, Stderr: []string{"boom"}})
		for _, c := range calls {
			_, err := c.Wait(t.Context())
			no, ok := errors.AsType[*NoReply](err)
			if !ok || no.End != wire.Dropped || no.Exit == nil || no.Exit.Code != 7 {
				t.Errorf("error %v", err)
			}
		}
		if time.Since(begin) != 0 {
			t.Errorf("noticed after %s", time.Since(begin))
		}
		synctest.Wait()
		info := s.Info()
		if info.Phase != wire.Lost || info.Text != "the server process ended by itself: exit code 7 (fake --x); last words: boom" {
			t.Errorf("phase %d: %s", info.Phase, info.Text)
		}
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err == nil || !strings.Contains(err.Error(), "exit code 7") {
			t.Errorf("a call after the end: %v", err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if id := now().last().ID; id != "5" {
			t.Errorf("after the restart ids go on with %s", id)
		}
	})
}

func TestServerRequests(t *testing.T) {
	ask := func(f *fake, m wire.Message) {
		if m.Method != mcp.ToolsCall {
			return
		}
		f.say(m.Lane, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		f.say(m.Lane, `{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}`)
		f.say(m.Lane, `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"?"}}`)
		f.result(m, `{"content":[]}`)
	}
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, legacy(ask))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		answers := map[string]string{}
		for _, m := range now().sent {
			if m.Kind == wire.Result || m.Kind == wire.Error {
				answers[m.ID] = string(m.Body)
			}
		}
		for id, want := range map[string]string{
			"1":   `{"jsonrpc":"2.0","id":1,"result":{}}`,
			`"q"`: `{"jsonrpc":"2.0","id":"q","error":{"code":-32601,"message":"Method not found","data":{"method":"sampling/createMessage"}}}`,
			"3":   `{"jsonrpc":"2.0","id":3,"result":{"action":"decline"}}`,
		} {
			if answers[id] != want {
				t.Errorf("answered %s, want %s", answers[id], want)
			}
		}
		if n := notes(s); !strings.Contains(n, "sampling/createMessage: refused") || !strings.Contains(n, "declined") {
			t.Errorf("notes: %s", n)
		}
	})
	synctest.Test(t, func(t *testing.T) { // a modern server must not ask so, and gets no answer
		s, now, err := converse(t, "stdio", Options{}, modern(ask))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall)
	})
}

func TestRawGoesOutAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			if m.Kind == wire.Request {
				f.result(m, `{"x":1}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		body := `{ "id" : "my own", "method":"odd",  "method":"tools/list"}`
		a, err := s.Raw(t.Context(), Raw{Body: []byte(body)})
		if err != nil || !a.OK() || string(now().last().Body) != body || now().last().Why != "raw" {
			t.Errorf("%v, sent %s because %q", err, now().last().Body, now().last().Why)
		}
		begin := time.Now()
		if _, err := s.Raw(t.Context(), Raw{Body: []byte(`{"jsonrpc":"2.0","method":"notifications/x"}`)}); err != nil || time.Since(begin) != 0 {
			t.Errorf("a notification waited %s: %v", time.Since(begin), err)
		}
		if _, err := s.Raw(t.Context(), Raw{Body: []byte(`{`), Timeout: time.Second}); err == nil {
			t.Error("garbage got an answer")
		}
		if _, err := s.Raw(t.Context(), Raw{Body: []byte(`{"jsonrpc":"2.0","id":700,"method":"x"}`)}); err != nil {
			t.Error(err)
		}
		if a, _ := s.Do(t.Context(), Request{Method: "y"}); a.Exchange.Request.ID != "701" {
			t.Errorf("an id that a person used came again: %s", a.Exchange.Request.ID)
		}
	})
}

// A batch (2025-03-26) ends when each of its requests has.
func TestRawBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			go func() {
				time.Sleep(time.Second)
				f.say(0, `{"jsonrpc":"2.0","id":"a","result":{}}`)
				time.Sleep(time.Second)
				f.say(0, `{"jsonrpc":"2.0","id":"b","result":{}}`)
			}()
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		begin := time.Now()
		_, err = s.Raw(t.Context(), Raw{Body: []byte(`[{"jsonrpc":"2.0","id":"a","method":"x"},{"jsonrpc":"2.0","id":"b","method":"y"}]`)})
		if err != nil || time.Since(begin) != 2*time.Second {
			t.Errorf("after %s: %v", time.Since(begin), err)
		}
	})
}
