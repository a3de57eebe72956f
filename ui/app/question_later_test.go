package app

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/mcp"
)

// askedBack is a call that was answered with a question: its request is #11.
const askedBack = `
> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_weather","arguments":{}}}
< {"jsonrpc":"2.0","id":8,"result":{"resultType":"input_required","inputRequests":{"obs":{"method":"elicitation/create","params":{"message":"What do you see?"}}},"requestState":"s1"}}
`

// retriedTwice goes on: an answer with the state byte for byte, and one with another state.
const retriedTwice = `
> +why=retry {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"get_weather","arguments":{},"inputResponses":{"obs":{"action":"accept","content":{"sky":"fog"}}},"requestState":"s1"}}
< {"jsonrpc":"2.0","id":9,"result":{"resultType":"input_required","inputRequests":{"more":{"method":"roots/list"}},"requestState":"s2"}}
> +why=retry-altered-state {"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"get_weather","arguments":{},"inputResponses":{},"requestState":"forged"}}
< {"jsonrpc":"2.0","id":10,"result":{"resultType":"complete","content":[]}}
`

func (s *story) lastAsked() string {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	if n := len(s.fake.asked); n > 0 {
		return s.fake.asked[n-1]
	}
	return ""
}

// A question is put aside, counted in the header, and opened again from its exchange.
func TestAQuestionWaits(t *testing.T) {
	tell(t, 120, 36, opening+lists+askedBack, func(s *story) {
		row := s.m.book.Timeline.Rows[len(s.m.book.Timeline.Rows)-1]
		r := round(elicitation("obs", observation))
		r.Request, r.Of = row.X.Request.Seq, row.X.Reply.Seq
		answer := s.asks(s.ctx, r)
		s.wait(grace)
		s.press("ctrl+g")
		s.seesNot("weather asks")
		s.sees("1 to answer")
		if got := answer(); got != "waiting" {
			t.Fatalf("put aside: %s", got)
		}
		s.press("5", "G")
		s.sees("a answer")
		s.press("a")
		s.sees("weather asks", "What do you see?")
		s.press("ctrl+d") // no grace: it was asked for
		if got := answer(); got != `[obs {"action":"decline"}]` {
			t.Errorf("%s", got)
		}
		s.seesNot("1 to answer")
	})
}

// What a legacy server asks waits as well, until the server takes it back.
func TestALegacyQuestionWaits(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.say(`< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Old?"}}`)
		s.settle()
		row := s.m.book.Timeline.Rows[len(s.m.book.Timeline.Rows)-1]
		ctx, takeBack := context.WithCancel(s.ctx)
		answer := s.asks(ctx, session.Round{Of: row.Ref.Seq, Legacy: true, Questions: []session.Question{elicitation("", `{"message":"Old?"}`)}})
		s.wait(grace)
		s.press("ctrl+g", "5", "G", "a")
		s.sees("Old?", "weather asks")
		s.press("ctrl+g")
		takeBack()
		s.settle()
		s.seesNot("to answer")
		if got := answer(); !strings.Contains(got, "canceled") {
			t.Errorf("%s", got)
		}
		s.press("a")
		s.sees("cannot send requests: it is shown, and not answered") // this journal is of a modern server
	})
}

// A question that was left unanswered is asked again by a key, on its exchange and on its result.
func TestAQuestionIsOpenedAgain(t *testing.T) {
	tell(t, 120, 36, opening+lists+askedBack, func(s *story) {
		want := fmt.Sprintf("reopen %d", s.m.book.Timeline.Rows[len(s.m.book.Timeline.Rows)-1].Ref.Seq)
		s.press("5", "G", "a")
		if got := s.lastAsked(); got != want {
			t.Errorf("in the list: %s, want %s", got, want)
		}
		s.fake.note("nothing")
		s.press("enter", "a")
		if got := s.lastAsked(); got != want {
			t.Errorf("on the result: %s, want %s", got, want)
		}
	})
}

// The rounds of a request are a chain; what became of the requestState is said.
func TestTheRoundsOfARequest(t *testing.T) {
	tellWith(t, 190, 40, opening+lists+askedBack+retriedTwice, Options{Rounds: 50}, func(s *story) {
		rows := s.m.book.Timeline.Rows
		first := rows[len(rows)-3].Ref.Seq
		s.press("5", "G")
		s.sees("altered call get_weather", fmt.Sprintf("round 3 of #%d", first))
		s.press("enter")
		s.sees(fmt.Sprintf("round 3 of #%d", first), "altered-state")
		for range 8 {
			if strings.Contains(s.screen(), "Round 1 of at most 50") {
				break
			}
			s.press(">")
		}
		s.sees("Round 1 of at most 50", "Round 3 of at most 50", "(shown here)", "What do you see?", fmt.Sprintf("that #%d gave out, byte for byte", first),
			`altered: "forged" for "s2"`, "left out  more", "on purpose: altered-state", `obs  {"action":"accept","content":{"sky":"fog"}}`, "roots/list")
		s.fits()
	})
}

// The whole answer is written by hand: what a faithful client would not send is said, and marked by the session.
func TestTheWholeAnswerIsEdited(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		answer := s.asks(s.ctx, round(elicitation("a", `{"message":"?","requestedSchema":{"type":"object","properties":{}}}`), elicitation("b", `{"message":"?"}`)))
		s.wait(grace)
		s.press("ctrl+o")
		s.sees("The whole answer to weather", `"inputResponses"`, `"requestState": "opaque"`, "as a faithful client answers")
		s.press("esc")
		s.sees("question 1 of 2")
		s.press("ctrl+o")
		s.send(tea.KeyPressMsg{Code: tea.KeyHome, Mod: tea.ModCtrl})
		for range 400 {
			s.send(keyMsg(t, "ctrl+k"))
		}
		s.press("ctrl+s")
		s.sees("no JSON object")
		s.send(paste(`{"inputResponses":{"a":{"action":"accept"},"x":1},"requestState":"forged"}`))
		s.settle()
		s.sees("on purpose: requestState altered; no response for b; a response that nobody asked for: x")
		s.press("ctrl+s")
		if got := answer(); got != `whole: {"inputResponses":{"a":{"action":"accept"},"x":1},"requestState":"forged"}` {
			t.Errorf("%s", got)
		}
	})
}

func TestAQuestionIsLeftOutOnPurpose(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		answer := s.asks(s.ctx, round(elicitation("a", `{"message":"?"}`), elicitation("b", `{"message":"??"}`)))
		s.wait(grace)
		s.press("ctrl+n")
		s.sees("left out on purpose: a")
		s.press("ctrl+d")
		if got := answer(); got != `[a ][b {"action":"decline"}]` {
			t.Errorf("%s", got)
		}
	})
}

// A page is opened after two yeses, and only when it is one of http or https.
func TestAnAddressIsOpenedAfterAYes(t *testing.T) {
	var opened []string
	o := Options{Browse: func(url string) error { opened = append(opened, url); return nil }}
	tellWith(t, 120, 36, opening+lists, o, func(s *story) {
		ask := func(url string) func() string {
			r := round(elicitation("go", `{"mode":"url","message":"Sign in","elicitationId":"e1","url":"`+url+`"}`))
			answer := s.asks(s.ctx, r)
			s.wait(grace)
			return answer
		}
		answer := ask("https://a.example/x?y=1")
		s.press("o", "esc")
		if len(opened) != 0 {
			t.Fatalf("opened without a yes: %v", opened)
		}
		s.press("o")
		s.sees("Open a.example in your browser?")
		s.press("enter")
		s.settle()
		if fmt.Sprint(opened) != "[https://a.example/x?y=1]" || answer() != "waiting" {
			t.Fatalf("opened %v", opened)
		}
		s.say(`< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
		s.settle()
		s.sees("the server says that it is done")
		s.press("ctrl+s")
		if got := answer(); got != `[go {"action":"accept"}]` {
			t.Errorf("%s", got)
		}
		for _, url := range []string{"file:///etc/passwd", "javascript:alert(1)", "ftp://a.example/", "https:///x", "/connect", `https://a\u202e.example/`, "vscode://x/y"} {
			answer = ask(url)
			s.press("o", "enter", "y")
			s.press("esc")
			if got := answer(); len(opened) != 1 || got != `[go {"action":"cancel"}]` {
				t.Errorf("%s: opened %v, %s", url, opened, got)
			}
		}
	})
}

// Roots are answered from the list that the person keeps; the list is edited in a form.
func TestRootsAreKept(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press(":")
		s.typed("roots:")
		s.press("enter")
		s.sees("roots/list is answered from this list")
		s.press("down", "enter", "down", "enter")
		s.typed("file:///charts")
		s.press("ctrl+s")
		if got := s.lastAsked(); got != "roots [{file:///charts }]" {
			t.Fatalf("%s", got)
		}
		s.sees("1 roots: told")
		answer := s.asks(s.ctx, round(session.Question{Key: "r", Method: mcp.RootsList}))
		s.wait(grace)
		s.sees("folders and files", "file:///charts")
		if got := answer(); got != "waiting" {
			t.Errorf("answered without a yes: %s", got)
		}
		s.press("ctrl+s")
		if got := strings.Join(strings.Fields(answer()), ""); got != `[r{"roots":[{"uri":"file:///charts"}]}]` {
			t.Errorf("%s", got)
		}
	})
}

// Sampling: a conversation to read, a small form to answer, a tool to use instead.
func TestSamplingIsAnswered(t *testing.T) {
	const request = `{"systemPrompt":"Be brief.","maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Weather?"}},
		{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{"at":"sea"}}]},
		{"role":"user","content":[{"type":"tool_result","toolUseId":"c1","content":[{"type":"text","text":"grey"}]}]}],
		"tools":[{"name":"look","description":"Looks.","inputSchema":{"type":"object"}}]}`
	q := session.Question{Key: "m", Method: mcp.SamplingCreate, Params: params(request)}
	tell(t, 120, 40, opening+lists, func(s *story) {
		answer := s.asks(s.ctx, round(q))
		s.wait(grace)
		s.sees("system    Be brief.", "user      Weather?", `assistant uses look {"at":"sea"}  (c1)`, "user      result of c1: grey", "tool      look  Looks.", "wants     maxTokens 9")
		s.typed("Grey.")
		s.press("ctrl+s")
		if got := answer(); got != `[m {"role":"assistant","content":{"type":"text","text":"Grey."},"model":"a person","stopReason":"endTurn"}]` {
			t.Errorf("text: %s", got)
		}
		answer = s.asks(s.ctx, round(q))
		s.wait(grace)
		s.press("down", "right", "ctrl+t")
		s.sees(`"type":"tool_use"`)
		s.press("ctrl+t")
		s.sees("what the model says")
		s.press("ctrl+s")
		if got := answer(); got != `[m {"role":"assistant","content":[{"type":"tool_use","id":"call-1","name":"look","input":{}}],"model":"a person","stopReason":"toolUse"}]` {
			t.Errorf("tool: %s", got)
		}
	})
}

// The _meta of an item's requests: other capabilities, a key left out; said, sent, and taken back by one key.
func TestMetaOfACall(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("2", "enter")
		s.typed("Oslo")
		s.press("esc", "ctrl+o")
		s.sees("clientCapabilities", "as a faithful client sends it")
		s.send(tea.KeyPressMsg{Code: tea.KeyHome, Mod: tea.ModCtrl})
		for range 60 {
			s.send(keyMsg(t, "ctrl+k"))
		}
		s.send(paste(`{"io.modelcontextprotocol/clientCapabilities":{},"com.example/x":1.0,"progressToken":"‹the id of the request›"}`))
		s.settle()
		s.sees("on purpose: clientCapabilities changed, +com.example/x", "_meta altered")
		s.press("ctrl+s")
		if got := s.lastAsked(); !strings.HasSuffix(got, ` with io.modelcontextprotocol/clientCapabilities={} with com.example/x=1.0`) {
			t.Errorf("%s", got)
		}
		s.press("ctrl+x")
		s.sees("as a faithful client sends it")
		s.press("ctrl+s")
		if got := s.lastAsked(); !strings.HasPrefix(got, "call ") || strings.Contains(got, " with ") {
			t.Errorf("%s", got)
		}
	})
}

// Error -32042 of 2025-11-25: after a yes nothing is answered, the same request goes out again.
func TestAnAddressToVisitFirst(t *testing.T) {
	tell(t, 100, 30, opening+lists, func(s *story) {
		r := round(elicitation("e1", `{"mode":"url","message":"Sign in first","elicitationId":"e1","url":"https://a.example/"}`))
		r.Again, r.Legacy, r.State = true, true, params("")
		answer := s.asks(s.ctx, r)
		s.wait(grace)
		s.sees("Sign in first", "the request again, which is of use", "ctrl+s agree, send again")
		s.seesNot("What is sent on", "ctrl+o")
		s.press("ctrl+s")
		if got := answer(); got != `[e1 {"action":"accept"}]` {
			t.Errorf("%s", got)
		}
	})
}

// What no faithful client can answer is written by hand, or left.
func TestAQuestionThatNobodyCanAnswer(t *testing.T) {
	tell(t, 100, 30, opening+lists, func(s *story) {
		r := round(session.Question{Key: "sh", Method: "shell/run", Params: params(`{"command":"rm"}`)})
		r.Problem = `question "sh" asks for "shell/run", which no client can answer`
		answer := s.asks(s.ctx, r)
		s.wait(grace)
		s.sees("which no client can answer", `"command": "rm"`, "ctrl+o whole answer")
		s.press("ctrl+q")
		if got := answer(); got != "stop: left unanswered by hand" {
			t.Errorf("%s", got)
		}
	})
}
