package demo

import (
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// retried asks with a state that the server gave, and answers.
func retried(t *testing.T, s *Server, method, params, responses string) jsondoc.Value {
	t.Helper()
	first := ask(t, s, method+" {"+params+"}")
	want(t, first, "/result/resultType", `"input_required"`)
	state := string(at(t, first, "/result/requestState").Raw())
	answers := ""
	if responses != "" {
		answers = `,"inputResponses":` + responses
	}
	return ask(t, s, method+" {"+params+`,"requestState":`+state+answers+"}")
}

func TestAPromptAndAResourceAsk(t *testing.T) {
	s := New(Options{})
	r := retried(t, s, "resources/read", `"uri":"station://skerry/safe"`, `{"open":{"action":"accept","content":{"open":true}}}`)
	if text := at(t, r, "/result/contents/0/text").Text(); !strings.Contains(text, "brass key") {
		t.Errorf("opened: %s", text)
	}
	r = retried(t, s, "resources/read", `"uri":"station://skerry/safe"`, `{"open":{"action":"decline"}}`)
	want(t, r, "/result/contents/0/text", `"The safe stays shut.\n"`)
	r = retried(t, s, "prompts/get", `"name":"guest_book"`, `{"guest":{"action":"accept","content":{"name":"Ada","from":"Amber"}}}`)
	if text := at(t, r, "/result/messages/0/content/text").Text(); !strings.Contains(text, "Ada from Amber") {
		t.Errorf("signed: %s", text)
	}
	// A state is good for the request that it was given out for alone.
	state := string(at(t, ask(t, s, `resources/read {"uri":"station://skerry/safe"}`), "/result/requestState").Raw())
	want(t, ask(t, s, `prompts/get {"name":"guest_book","requestState":`+state+`}`), "/error/code", "-32602")
}

func TestTheInterviewAsksInEveryWay(t *testing.T) {
	s := New(Options{})
	for how, c := range map[string]struct{ answers, want string }{
		"form":  {`{"about":{"action":"decline"}}`, `This came: {"about":{"action":"decline"}}`},
		"again": {"", "Thank you for coming again."},
	} {
		r := retried(t, s, "tools/call", `"name":"interview","arguments":{"how":"`+how+`"}`, c.answers)
		if got := at(t, r, "/result/content/0/text").Text(); got != c.want {
			t.Errorf("%s: %s, want %s", how, got, c.want)
		}
	}
	r := retried(t, s, "tools/call", `"name":"interview","arguments":{"how":"forever"}`, `{"else":{"action":"accept","content":{}}}`)
	want(t, r, "/result/resultType", `"input_required"`)
	r = retried(t, s, "tools/call", `"name":"interview"`, `{"about":7}`) // no answer at all
	want(t, r, "/result/resultType", `"input_required"`)
	for how, needed := range map[string]string{
		"address": `{"elicitation":{"url":{}}}`, "sampling": `{"sampling":{}}`, "sampling-tools": `{"sampling":{"tools":{}}}`, "roots": `{"roots":{}}`,
	} {
		r := ask(t, s, `tools/call {"name":"interview","arguments":{"how":"`+how+`"}}`)
		want(t, r, "/error/code", "-32021")
		want(t, r, "/error/data/requiredCapabilities", needed)
	}
}

// Whichever character of a state is changed, the server notices: the last ones hold bits that decode to nothing.
func TestEveryCharacterOfAStateCounts(t *testing.T) {
	s := New(Options{})
	state := at(t, ask(t, s, `resources/read {"uri":"station://skerry/safe"}`), "/result/requestState").Text()
	for i := range len(state) {
		for _, c := range []byte("AQgw_-.") {
			if state[i] == c {
				continue
			}
			altered := state[:i] + string(c) + state[i+1:]
			want(t, ask(t, s, `resources/read {"uri":"station://skerry/safe","requestState":"`+altered+`","inputResponses":{"open":{"action":"decline"}}}`), "/error/code", "-32602")
		}
	}
}
