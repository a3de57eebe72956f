package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	whoAsked  = `{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}},"requestState":"caf\u00e9 =\/="}`
	doneThere = `{"resultType":"complete","content":[]}`
)

// always answers every question the same way.
func always(result string, seen *[]Round) Asker {
	return func(_ context.Context, r Round) (Replies, error) {
		if seen != nil {
			*seen = append(*seen, r)
		}
		var out Replies
		for _, q := range r.Questions {
			out.List = append(out.List, Reply{Key: q.Key, Result: []byte(result)})
		}
		return out, nil
	}
}

// The retry: a new id, the same params byte for byte, the answers under the keys asked, the state byte for byte.
func TestARetryRepeatsEverythingButTheID(t *testing.T) {
	for _, kind := range []string{"stdio", "http"} {
		synctest.Test(t, func(t *testing.T) {
			var seen []Round
			s, _, err := converse(t, kind, Options{Ask: always(`{"action":"accept","content":{"name":"Ada","n":1.50e+3}}`, &seen)}, modern(func(f *fake, m wire.Message) {
				switch {
				case m.Method != mcp.ToolsCall:
					f.result(m, `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}`)
				case m.Params().Get("inputResponses").Exists():
					f.result(m, doneThere)
				default:
					f.result(m, whoAsked)
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			defer shut(t, s)
			a, err := s.CallTool(t.Context(), "greet", []byte(`{"b": 1.00, "a\u0041":[ ]}`), CallOptions{})
			if err != nil || !a.InputRequired() {
				t.Fatalf("%v, %s", err, a.Result().Raw())
			}
			first := a.Exchange.Request
			a, err = s.Finish(t.Context(), a, CallOptions{})
			if err != nil || a.InputRequired() || !a.OK() {
				t.Fatalf("%v, %s", err, a.Result().Raw())
			}
			second := a.Exchange.Request
			if second.Why != "retry" || second.ID == first.ID {
				t.Errorf("id %s after %s, because %q", second.ID, first.ID, second.Why)
			}
			renew := func(m *wire.Message) string {
				text := strings.Replace(string(m.Body), `"id":`+m.ID+`,`, `"id":ID,`, 1)
				return strings.Replace(text, `"progressToken":"`+m.ID+`"`, `"progressToken":"ID"`, 1)
			}
			want := strings.TrimSuffix(renew(first), "}}") +
				`,"inputResponses":{"who":{"action":"accept","content":{"name":"Ada","n":1.50e+3}}},"requestState":"caf\u00e9 =\/="}}`
			if got := renew(second); got != want {
				t.Errorf("sent\n%s\nwant\n%s", got, want)
			}
			if x := folded(s, a.Seq()); x.Retries != first.Seq {
				t.Errorf("readers of the log see a retry of #%d, want #%d", x.Retries, first.Seq)
			}
			if len(seen) != 1 || seen[0].N != 1 || seen[0].Name != "greet" || seen[0].Questions[0].Mode() != "form" {
				t.Errorf("asked %+v", seen)
			}
			var asks []wire.Ask
			for _, e := range entries(s) {
				if e.Ask != nil {
					asks = append(asks, *e.Ask)
				}
			}
			if len(asks) != 2 || asks[0].Key != "who" || asks[0].Params != `{"message":"Who?"}` || asks[0].Answer != "" || !strings.Contains(asks[1].Answer, `"Ada"`) || asks[1].Of != asks[0].Of {
				t.Errorf("the journal has %+v", asks)
			}
		})
	}
}

func TestAServerThatAsksForeverIsLeftStanding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, now, err := converse(t, "stdio", Options{Ask: always(`{"action":"accept","content":{}}`, nil)}, modern(func(f *fake, m wire.Message) {
			n++
			f.result(m, fmt.Sprintf(`{"resultType":"input_required","requestState":"%d","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Again?"}}}}`, n))
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.Prompt(t.Context(), "p", nil, CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a, err = s.Finish(t.Context(), a, CallOptions{})
		if un, ok := errors.AsType[*Unanswered](err); !ok || !strings.Contains(un.Text, "6th time") || un.Seq != a.Seq() {
			t.Errorf("error %v", err)
		}
		if got := len(now().methods()); got != 1+1+MaxRounds {
			t.Errorf("%d messages sent: %q", got, now().methods())
		}
		if !strings.Contains(notes(s), "no more than 5 rounds") {
			t.Errorf("notes: %s", notes(s))
		}
	})
}

// What cannot be answered is left alone, and said.
func TestQuestionsThatCannotBeAnswered(t *testing.T) {
	for _, c := range []struct{ method, result, want string }{
		{mcp.ToolsCall, `{"resultType":"input_required"}`, "nothing to answer"},
		{mcp.ToolsCall, `{"resultType":"input_required","inputRequests":[]}`, "no object"},
		{mcp.ToolsCall, `{"resultType":"input_required","inputRequests":{"a":7}}`, "no client can answer"},
		{mcp.ToolsCall, `{"resultType":"input_required","inputRequests":{"a":{"method":"ping"}}}`, `"ping"`},
		{mcp.Complete, `{"resultType":"input_required","requestState":"x"}`, "must not ask back"},
	} {
		x := wire.Exchange{Request: &wire.Message{Frame: &wire.Frame{Body: []byte(`{}`)}, Method: c.method},
			Reply: &wire.Message{Frame: &wire.Frame{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + c.result + `}`)}}}
		if r := roundOf(&x, 1, 5); !strings.Contains(r.Problem, c.want) {
			t.Errorf("%s: %q, want %q", c.result, r.Problem, c.want)
		}
	}
}

// A second round drops the answers and the state of the first; a state that was not given out is not sent.
func TestRetryOfARetry(t *testing.T) {
	first := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"7","mine":1},"inputResponses":{"a":{}},"requestState":"old"}}`)})
	r := retry(&first, Round{}, Replies{})
	if want := `{"name":"x","_meta":{"mine":1}}`; string(r.Params) != want {
		t.Errorf("%s, want %s", r.Params, want)
	}
	r = retry(&first, Round{State: jsondoc.Parse([]byte(`"new"`)).Root(), Questions: []Question{{Key: "b"}}}, Replies{State: []byte(`"forged"`)})
	if want := `{"name":"x","_meta":{"mine":1},"inputResponses":{},"requestState":"forged"}`; string(r.Params) != want || r.Why == "retry" {
		t.Errorf("%s because %q, want %s", r.Params, r.Why, want)
	}
}

// A legacy server's question may take longer than a request: the clock stands still while a person thinks.
func TestALegacyServerAsksThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var call wire.Message
		ask := func(_ context.Context, r Round) (Replies, error) {
			time.Sleep(10 * time.Minute)
			if r.Name != "slow" || !r.Legacy {
				return Replies{}, fmt.Errorf("asked %+v", r)
			}
			return Replies{List: []Reply{{Result: Accept([]byte(`{"n":1.0}`))}}}, nil
		}
		s, _, err := converse(t, "stdio", Options{Ask: ask}, legacy(func(f *fake, m wire.Message) {
			switch {
			case m.Method == mcp.ToolsCall:
				call = m
				f.say(0, `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?"}}`)
				f.say(0, `{"jsonrpc":"2.0","id":"q2","method":"sampling/createMessage","params":{}}`)
			case m.ID == `"q1"`:
				f.result(call, `{"content":[],"got":`+string(m.Body)+`}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.CallTool(t.Context(), "slow", nil, CallOptions{})
		if got := string(a.Result().Get("got").Raw()); err != nil || got != `{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"n":1.0}}}` {
			t.Errorf("%v: %s", err, got)
		}
		if !strings.Contains(notes(s), "sampling/createMessage: refused") {
			t.Errorf("sampling was not declared: %s", notes(s))
		}
	})
}

// A question that the server takes back is not answered.
func TestALegacyQuestionIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		s, now, err := converse(t, "stdio", Options{Ask: func(ctx context.Context, _ Round) (Replies, error) {
			<-ctx.Done()
			close(over)
			return Replies{}, ctx.Err()
		}}, legacy(func(f *fake, m wire.Message) {
			if m.Method == mcp.ToolsCall {
				f.say(0, `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?"}}`)
				f.say(0, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`)
				f.result(m, `{"content":[]}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
			t.Fatal(err)
		}
		<-over
		synctest.Wait()
		wantMethods(t, now(), mcp.Discover, mcp.Initialize, mcp.Initialized, mcp.ToolsCall)
	})
}

// A server that floods with questions is refused beyond a few.
func TestALegacyServerCannotBuryAnybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{Ask: func(ctx context.Context, _ Round) (Replies, error) {
			<-ctx.Done()
			return Replies{}, ctx.Err()
		}}, legacy(func(f *fake, m wire.Message) {
			if m.Method == mcp.ToolsCall {
				for i := range 100 {
					f.say(0, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?"}}`, 1000+i))
				}
				f.result(m, `{"content":[]}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		refused := strings.Count(fmt.Sprint(now().methods()), "answer")
		if refused != 100-maxQuestions {
			t.Errorf("%d of 100 refused", refused)
		}
		shut(t, s)
	})
}

// Whoever is asked reads no secrets; what goes back to the server is exact.
func TestQuestionsShowNoSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Round
		var last string
		s, _, err := converse(t, "stdio", Options{Secrets: []string{"hunter2hunter2"}, Ask: always(`{"action":"decline"}`, &seen)}, modern(func(f *fake, m wire.Message) {
			if last = string(m.Body); m.Params().Get("requestState").Exists() {
				f.result(m, doneThere)
				return
			}
			f.result(m, `{"resultType":"input_required","requestState":"hunter2hunter2","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"You said hunter2hunter2?"}}}}`)
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, err := s.CallTool(t.Context(), "x", nil, CallOptions{})
		if err == nil {
			_, err = s.Finish(t.Context(), a, CallOptions{})
		}
		if err != nil || len(seen) != 1 {
			t.Fatalf("%v, asked %d times", err, len(seen))
		}
		if text := string(seen[0].Questions[0].Params.Raw()) + string(seen[0].State.Raw()); strings.Contains(text, "hunter2") || !strings.Contains(text, "You said") {
			t.Errorf("shown: %s", text)
		}
		if !strings.Contains(last, `"requestState":"hunter2hunter2"`) {
			t.Errorf("sent: %s", last)
		}
	})
}
