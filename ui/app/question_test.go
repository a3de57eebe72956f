package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

const observation = `{"message":"What do you see?","requestedSchema":{"type":"object","properties":{
	"sky":{"type":"string","title":"Sky","oneOf":[{"const":"clear","title":"Clear"},{"const":"fog","title":"Fog"}]},
	"visibility":{"type":"integer","default":20},"remark":{"type":"string"}},"required":["sky"]}}`

func params(text string) jsondoc.Value { return jsondoc.Parse([]byte(text)).Root() }

func elicitation(key, text string) session.Question {
	return session.Question{Key: key, Method: mcp.ElicitationCreate, Params: params(text)}
}

// asks puts a round on the desk; the answer is what the session would get.
func (s *story) asks(ctx context.Context, r session.Round) (answer func() string) {
	type end struct {
		replies session.Replies
		err     error
	}
	over := make(chan end, 1)
	go func() {
		replies, err := s.desk.Ask(ctx, r)
		over <- end{replies, err}
	}()
	s.settle()
	return func() string {
		s.settle()
		select {
		case e := <-over:
			if e.err != nil {
				return "error: " + e.err.Error()
			}
			out := ""
			if e.replies.Stop != "" {
				out = "stop: " + e.replies.Stop
			}
			if e.replies.Whole != nil {
				out += "whole: " + string(jsondoc.Compact(nil, e.replies.Whole))
			}
			for _, one := range e.replies.List {
				out += fmt.Sprintf("[%s %s]", one.Key, one.Result)
			}
			return out
		default:
			return "waiting"
		}
	}
}

func round(questions ...session.Question) session.Round {
	return session.Round{Of: 9, Request: 5, N: 2, Most: 50, Method: mcp.ToolsCall, Name: "get_weather", Questions: questions, State: params(`"opaque"`)}
}

func TestAQuestionIsAnsweredInItsForm(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {50, 16}} {
		tell(t, size[0], size[1], opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round(elicitation("obs", observation)))
			s.fits()
			s.sees("weather asks", "round 2 of at most 50", "What do you see?")
			if size[0] > 60 {
				s.sees("elicitation/create (form) for tools/call get_weather", "sky *", "visibility", "opaque, goes back unchanged", "ctrl+s accept", "ctrl+d decline", "esc cancel")
			}
			s.press("ctrl+s") // still in grace
			s.wait(grace)
			s.press("ctrl+s")
			s.sees("ctrl+x")
			if got := answer(); got != "waiting" {
				t.Fatalf("%v: a form without its required field went out: %s", size, got)
			}
			s.press("right", "down", "down", "enter")
			s.typed("gulls")
			if size[1] > 20 {
				s.sees(`"remark"`)
			}
			s.press("ctrl+s")
			got := answer()
			if !strings.Contains(got, `[obs {"action":"accept","content":{`) || !strings.Contains(got, `"visibility":20`) || !strings.Contains(got, `"sky":"clear"`) || !strings.Contains(got, `"remark":"gulls"`) {
				t.Errorf("%v: %s", size, got)
			}
			s.seesNot("weather asks")
		})
	}
}

func TestAQuestionIsDeclinedOrCancelled(t *testing.T) {
	for key, want := range map[string]string{
		"ctrl+d": `[obs {"action":"decline"}]`, "esc": `[obs {"action":"cancel"}]`, "ctrl+q": "stop: left unanswered by hand",
	} {
		tell(t, 120, 36, opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round(elicitation("obs", observation)))
			s.press(key) // was meant for something else
			s.wait(grace)
			if got := answer(); got != "waiting" {
				t.Fatalf("%s at once: %s", key, got)
			}
			s.press("q") // closes no question
			s.sees("weather asks")
			s.press(key)
			if got := answer(); got != want {
				t.Errorf("%s: %s, want %s", key, got, want)
			}
		})
	}
}

func TestTheAnswerIsEditedAsJSON(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		answer := s.asks(s.ctx, round(elicitation("obs", observation)))
		s.wait(grace)
		s.press("ctrl+t")
		s.sees(`"visibility"`)
		s.press("esc") // back to the form, nothing is cancelled
		s.sees("sky *")
		s.press("ctrl+t", "ctrl+x") // wrong on purpose
		if got := answer(); !strings.HasPrefix(got, `[obs {"action":"accept","content":{"visibility":20}`) {
			t.Errorf("%s", got)
		}
	})
}

func TestAnAddressIsShownAndNotOpened(t *testing.T) {
	tell(t, 80, 24, opening+lists, func(s *story) {
		address := "https://user@xn--pple-43d.example/connect?id=" + strings.Repeat("0123456789", 10) + "end\u202e"
		answer := s.asks(s.ctx, round(elicitation("go", `{"mode":"url","message":"Sign in","url":`+jsondoc.Quote(address)+`}`)))
		s.wait(grace)
		s.fits()
		s.sees("xn--pple-43d.example", "end‹RLO›", "It is not opened from here", "y copy the address", "letters of Cyrillic and Latin", "reads  аpple.example", "before the @ is no part of the host: user")
		s.seesNot("\u202e")
		s.press("ctrl+s")
		if got := answer(); got != `[go {"action":"accept"}]` {
			t.Errorf("%s", got)
		}
	})
}

func TestSeveralQuestionsOneAfterTheOther(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		r := round(elicitation("a", `{"message":"First?","requestedSchema":{"type":"object","properties":{}}}`),
			session.Question{Key: "b", Method: mcp.SamplingCreate, Params: params(`{"messages":[{"role":"user","content":{"type":"text","text":"Write a poem"}}],"maxTokens":9}`)},
			session.Question{Key: "c", Method: mcp.RootsList})
		answer := s.asks(s.ctx, r)
		s.wait(grace)
		s.sees("question 1 of 3", "First?")
		s.press("ctrl+s")
		s.sees("question 2 of 3", "sampling/createMessage", "user      Write a poem", "wants     maxTokens 9", `"role": "assistant"`)
		s.press("ctrl+s")
		s.sees("question 3 of 3", "roots/list", `"roots"`)
		s.press("ctrl+s")
		got := answer()
		for _, want := range []string{`[a {"action":"accept","content":{}}]`, `[b {`, `"stopReason":"endTurn"`, `[c {`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s", got, want)
			}
		}
	})
}

func TestAStateAloneIsSentAgainByOneKey(t *testing.T) {
	for key, want := range map[string]string{"enter": "", "esc": "stop: not sent again"} {
		tell(t, 120, 36, opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round())
			s.wait(grace)
			s.sees("asks no question", "round 2 of at most 50", `"requestState": "opaque"`, "enter send again")
			s.press(key)
			if got := answer(); got != want {
				t.Errorf("%s: %s", key, got)
			}
		})
	}
}

// A second question waits for its turn; one that is taken back goes away by itself.
func TestQuestionsQueueAndAreWithdrawn(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		legacy := session.Round{Of: 7, Legacy: true, Questions: []session.Question{elicitation("", `{"message":"Old style?"}`)}}
		ctx, takeBack := context.WithCancel(s.ctx)
		first := s.asks(ctx, legacy)
		second := s.asks(s.ctx, round(elicitation("obs", observation)))
		s.sees("Old style?", "by a request of its own", "no requestedSchema")
		s.seesNot("What do you see?")
		takeBack()
		s.settle()
		s.sees("What do you see?")
		s.seesNot("Old style?")
		if got := first(); got != "error: context canceled" {
			t.Errorf("taken back: %s", got)
		}
		s.wait(grace)
		s.send(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft}) // beside the dialog
		s.settle()
		s.press("ctrl+d")
		if got := second(); got != `[obs {"action":"decline"}]` {
			t.Errorf("the second: %s", got)
		}
		s.wait(time.Second)
		s.seesNot("asks")
	})
}
