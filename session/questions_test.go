package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

func value(text string) jsondoc.Value { return jsondoc.Parse([]byte(text)).Root() }

// What is done otherwise on purpose is marked, and sent byte for byte as it was written.
func TestARetryWrittenByHand(t *testing.T) {
	first := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"mine":1}}}`)})
	two := Round{State: value(`"s\u0031"`), Questions: []Question{{Key: "a"}, {Key: "b"}}}
	for _, c := range []struct{ whole, why string }{
		{`{"inputResponses":{"a":1,"b":2},"requestState":"s\u0031"}`, "retry"},
		{`{"inputResponses":{"a":1,"b":2},"requestState":"s1"}`, "retry-altered-state"},
		{`{"inputResponses":{"a":1,"b":2}}`, "retry-without-state"},
		{`{"inputResponses":{"a":1 },"requestState":"s\u0031"}`, "retry-missing-response"},
		{`{"inputResponses":{"a":1,"b":2,"c":3},"requestState":"s\u0031"}`, "retry-altered-responses"},
		{`{"inputResponses":[],"requestState":7}`, "retry-altered-state+altered-responses"},
		{`{"requestState":"s\u0031"}`, "retry-without-responses"},
		{`{}`, "retry-without-state+without-responses"},
	} {
		r := retry(&first, two, Replies{Whole: []byte(c.whole)})
		members := strings.TrimSuffix(strings.TrimPrefix(c.whole, "{"), "}")
		if members != "" {
			members = "," + members
		}
		if want := `{"name":"x","_meta":{"mine":1}` + members + `}`; string(r.Params) != want || r.Why != c.why {
			t.Errorf("%s because %q, want %s because %q", r.Params, r.Why, want, c.why)
		}
	}
	if r := retry(&first, Round{}, Replies{Whole: []byte(`{"requestState":"mine"}`)}); r.Why != "retry-made-up-state" {
		t.Errorf("because %q", r.Why)
	}
	if r := retry(&first, two, Replies{List: []Reply{{Key: "b", Result: []byte(`{}`)}}}); r.Why != "retry-missing-response" || !strings.Contains(string(r.Params), `"inputResponses":{"b":{}}`) {
		t.Errorf("%s because %q", r.Params, r.Why)
	}
}

// The state that a person saw masked and left alone goes back exactly.
func TestAMaskedStateThatIsLeftAloneStaysExact(t *testing.T) {
	exact, shown := Round{State: value(`"hunter2hunter2"`)}, Round{State: value(`"**************"`)}
	if got := exactState([]byte(`{"requestState": "**************","x":1}`), exact, shown); string(got) != `{"requestState":"hunter2hunter2","x":1}` {
		t.Errorf("%s", got)
	}
	if got := exactState([]byte(`{"requestState":"other"}`), exact, shown); string(got) != `{"requestState":"other"}` {
		t.Errorf("%s", got)
	}
}

// A question left unanswered is asked again, from the round where it was left, and one that was answered can be
// answered once more.
func TestAQuestionIsReopened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Round
		stop := true
		ask := func(_ context.Context, r Round) (Replies, error) {
			seen = append(seen, r)
			if stop {
				return Replies{Stop: "later"}, nil
			}
			return Replies{List: []Reply{{Key: "who", Result: Accept(nil)}}}, nil
		}
		s, now, err := converse(t, "stdio", Options{Ask: ask}, modern(func(f *fake, m wire.Message) {
			if m.Params().Get("inputResponses").Exists() {
				f.result(m, doneThere)
				return
			}
			f.result(m, whoAsked)
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.CallTool(t.Context(), "x", nil, CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		first := a.Seq()
		if _, err = s.Finish(t.Context(), a, CallOptions{}); !errors.As(err, new(*Unanswered)) {
			t.Fatalf("error %v", err)
		}
		stop = false
		for range 2 {
			a, err = s.Reopen(t.Context(), first)
			if err != nil || a.InputRequired() || !a.OK() || folded(s, a.Seq()).Retries != first {
				t.Fatalf("%v: %s", err, a.Result().Raw())
			}
		}
		if len(seen) != 3 || seen[2].N != 1 || seen[2].Request != first {
			t.Errorf("asked %+v", seen)
		}
		if _, err := s.Reopen(t.Context(), 9999); err == nil || !strings.Contains(err.Error(), "not kept") {
			t.Errorf("nothing to reopen: %v", err)
		}
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall, mcp.ToolsCall, mcp.ToolsCall)
	})
}

// A result that no faithful client can answer is left alone, until a person writes the answer himself.
func TestWhatCannotBeAnsweredIsAnsweredByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		ask := func(_ context.Context, r Round) (Replies, error) {
			asked++
			if r.Problem == "" || r.Questions[0].Method != "ping" {
				t.Errorf("asked %+v", r)
			}
			return Replies{Whole: []byte(`{"inputResponses":{"p":{}}}`)}, nil
		}
		s, now, err := converse(t, "stdio", Options{Ask: ask}, modern(func(f *fake, m wire.Message) {
			if m.Params().Get("inputResponses").Exists() {
				f.result(m, doneThere)
				return
			}
			f.result(m, `{"resultType":"input_required","inputRequests":{"p":{"method":"ping"}}}`)
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, _ := s.CallTool(t.Context(), "x", nil, CallOptions{})
		if a, err = s.Finish(t.Context(), a, CallOptions{}); err == nil || asked != 0 {
			t.Fatalf("asked %d times, error %v", asked, err)
		}
		if a, err = s.Reopen(t.Context(), a.Seq()); err != nil || a.InputRequired() || now().last().Why != "retry" {
			t.Errorf("%v: %s", err, a.Result().Raw())
		}
	})
}

// Ten thousand questions are not put to anybody; a requestState of ten megabytes goes back as it came.
func TestResultsThatAskTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var many strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&many, `,"k\u00%02x-%d":{"method":"elicitation/create","params":{"message":"?"}}`, i%32, i)
		}
		huge := bytes.Repeat([]byte("0123456789"), 1<<20)
		asked := 0
		var echoed int
		ask := func(_ context.Context, r Round) (Replies, error) {
			asked++
			return Replies{}, nil
		}
		s, now, err := converse(t, "stdio", Options{Ask: ask}, modern(func(f *fake, m wire.Message) {
			state := m.Params().Get("requestState")
			switch {
			case m.Params().Get("name").Text() == "many":
				f.result(m, `{"resultType":"input_required","inputRequests":{`+many.String()[1:]+`}}`)
			case state.Exists():
				echoed = len(state.Raw())
				f.result(m, doneThere)
			default:
				f.result(m, `{"resultType":"input_required","requestState":"`+string(huge)+`"}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, _ := s.CallTool(t.Context(), "many", nil, CallOptions{})
		if _, err = s.Finish(t.Context(), a, CallOptions{}); err == nil || !strings.Contains(err.Error(), "10000 questions at once") || asked != 0 {
			t.Errorf("asked %d times: %v", asked, err)
		}
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall)
		for n := range 2 {
			a, _ = s.CallTool(t.Context(), "huge", nil, CallOptions{})
			if a, err = s.Finish(t.Context(), a, CallOptions{}); err != nil || a.InputRequired() || echoed != len(huge)+2 || asked != n+1 {
				t.Errorf("%v, %d bytes echoed, asked %d times", err, echoed, asked)
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.asked) != 1 {
			t.Errorf("%d results are kept, beyond the bound of %d bytes", len(s.asked), keptAskedBytes)
		}
	})
}

// A server of 2025-11-25 that wants the person to go somewhere first: after a yes the same request goes out again, after
// a no it does not. That he has been there is told with the request that it is about.
func TestAnAddressIsRequired(t *testing.T) {
	for _, yes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var seen []Round
			answer := Decline()
			if yes {
				answer = Accept(nil)
			}
			calls := 0
			s, now, err := converse(t, "stdio", Options{Ask: always(string(answer), &seen)}, legacy(func(f *fake, m wire.Message) {
				if m.Method != mcp.ToolsCall {
					return
				}
				if calls++; calls > 1 {
					f.result(m, doneThere)
					return
				}
				f.say(0, `{"jsonrpc":"2.0","id":`+m.ID+`,"error":{"code":-32042,"message":"Sign in","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://a.example/c","message":"Sign in"}]}}}`)
				f.say(0, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e9"}}`)
			}))
			if err != nil {
				t.Fatal(err)
			}
			defer shut(t, s)
			a, _ := s.CallTool(t.Context(), "x", []byte(`{"n":1.0}`), CallOptions{})
			refused := a.Exchange.Request
			a, err = s.Finish(t.Context(), a, CallOptions{})
			if len(seen) != 1 || !seen[0].Again || seen[0].Questions[0].Mode() != "url" || seen[0].Questions[0].Key != "e1" {
				t.Fatalf("asked %+v", seen)
			}
			if !yes {
				if !errors.As(err, new(*Unanswered)) || calls != 1 {
					t.Errorf("declined, %d calls: %v", calls, err)
				}
				return
			}
			again := now().last()
			if err != nil || !a.OK() || calls != 2 || again.Why != "retry" || string(again.Params().Get("arguments").Raw()) != `{"n":1.0}` || again.Params().Get("inputResponses").Exists() {
				t.Errorf("%v, %d calls, %s after %s", err, calls, again.Body, refused.Body)
			}
			now().say(0, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
			synctest.Wait()
			if text := notes(s); !strings.Contains(text, fmt.Sprintf(`elicitation "e1", asked for in #%d, is complete`, seen[0].Of)) || !strings.Contains(text, `"e9" is complete, which it never asked for`) {
				t.Errorf("notes: %s", text)
			}
		})
	}
}

func TestRootsAreDeclaredAndTheirChangeIsTold(t *testing.T) {
	home := Root{URI: "file:///home/ada", Name: "ada"}
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{Roots: []Root{home}}, legacy(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if got := now().sent[1].Params().Get("capabilities").Get("roots").Raw(); string(got) != `{"listChanged":true}` {
			t.Errorf("initialize declares %s", got)
		}
		told, err := s.SetRoots(t.Context(), nil)
		if err != nil || !strings.Contains(told, "was told") || now().last().Method != mcp.RootsChanged || len(s.Roots()) != 0 {
			t.Errorf("%v, %q, last %s", err, told, now().last().Body)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) { f.result(m, doneThere) }))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		caps := func() string {
			if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
				t.Fatal(err)
			}
			m := now().last()
			return string(m.Params().Get("_meta").Get(mcp.MetaClientCapabilities).Raw())
		}
		if got := caps(); strings.Contains(got, "roots") {
			t.Errorf("declared without any: %s", got)
		}
		if _, err := s.SetRoots(t.Context(), []Root{home}); err != nil {
			t.Fatal(err)
		}
		if got := caps(); !strings.HasSuffix(got, `,"roots":{}}`) {
			t.Errorf("not declared: %s", got)
		}
		if !strings.Contains(string(s.Meta(mcp.ToolsCall)), TokenPlace) || !strings.Contains(string(s.Meta(mcp.ToolsList)), `"roots":{}`) {
			t.Errorf("meta %s", s.Meta(mcp.ToolsCall))
		}
	})
}

func TestRootOf(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"file:///a%20b": "file:///a%20b", "https://x.example/": "https://x.example/",
		dir: "file://" + filepath.ToSlash(dir), filepath.Join(dir, "a b#c"): "file://" + filepath.ToSlash(dir) + "/a%20b%23c",
	} {
		if got, err := RootOf(text); err != nil || got.URI != want {
			t.Errorf("%s: %+v, %v, want %s", text, got, err, want)
		}
	}
	if _, err := RootOf("  "); err == nil {
		t.Error("an empty root")
	}
	if got := string(RootsResult([]Root{{URI: "file:///a", Name: "a"}, {URI: "file:///b"}})); got != `{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}` {
		t.Error(got)
	}
}

// _meta is changed for one request: what was written is what is sent.
func TestMetaOfOneRequest(t *testing.T) {
	ours := value(`{"v":"1","c":{"a":1},"progressToken":"T"}`)
	omit, set := SplitMeta(ours, value(`{"c":{ "a": 1},"progressToken":7,"x":[1.0]}`))
	if fmt.Sprint(omit) != "[v]" || len(set) != 2 || set[0].Name != "progressToken" || string(set[1].Raw) != "[1.0]" {
		t.Errorf("omit %v, set %v", omit, set)
	}
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) { f.result(m, doneThere) }))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		o := CallOptions{OmitMeta: []string{mcp.MetaClientInfo}, SetMeta: []Member{{mcp.MetaClientCapabilities, []byte(`{}`)}, {"x", []byte(`1.0`)}}}
		for _, send := range []func() (Answer, error){
			func() (Answer, error) { return s.CallTool(t.Context(), "x", nil, o) },
			func() (Answer, error) { return s.Read(t.Context(), "a:b", o) },
			func() (Answer, error) { return s.Prompt(t.Context(), "p", nil, o) },
		} {
			if _, err := send(); err != nil {
				t.Fatal(err)
			}
			m := now().last()
			sent := m.Params().Get("_meta")
			want := `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"` + m.ID + `","x":1.0}`
			if got := string(sent.Raw()); got != want || m.Why != AlteredMeta {
				t.Errorf("%s because %q, want %s", got, m.Why, want)
			}
		}
	})
}

// A legacy server that asks without end, one question after the other, is refused at some point, and the request ends.
func TestALegacyServerThatAsksForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // calls and answers are sent from several goroutines
		asked, n := 0, 0
		ask := func(context.Context, Round) (Replies, error) {
			mu.Lock()
			asked++
			mu.Unlock()
			return Replies{List: []Reply{{Result: Accept(nil)}}}, nil
		}
		var call wire.Message
		s, _, err := converse(t, "stdio", Options{Ask: ask}, legacy(func(f *fake, m wire.Message) {
			mu.Lock()
			if m.Method == mcp.ToolsCall {
				call = m
			}
			n++
			done, id := call, 5000+n
			mu.Unlock()
			if done.ID == "" { // what is asked before a call belongs to none
				return
			}
			if m.Kind == wire.Error {
				f.result(done, doneThere)
				return
			}
			f.say(0, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?"}}`, id))
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.CallTool(t.Context(), "x", nil, CallOptions{})
		mu.Lock()
		defer mu.Unlock()
		if err != nil || !a.OK() || asked != 20*MaxRounds {
			t.Errorf("%v, asked %d times", err, asked)
		}
		if !strings.Contains(notes(s), "does not stop asking") {
			t.Errorf("notes: %s", notes(s))
		}
	})
}
