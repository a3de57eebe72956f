package drive

import (
	"context"
	"slices"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// asking is a call that was asked back: the result that asked, and how it ended once that was answered.
type asking struct {
	call        Call
	first, last session.Answer
}

// answers sends one of the probes that answer wrongly what a named tool asks back. Each begins with a call of its own, so that none
// uses up what another needs.
func (w *Walk) answers(ctx context.Context, probe string) error {
	for i, a := range w.asking {
		again, err := w.Session.CallTool(ctx, a.call.Tool, a.call.Args, session.CallOptions{Why: probe})
		if gone(ctx, err) {
			return err
		}
		if err != nil || !again.InputRequired() {
			continue
		}
		w.say("probe %s", probe)
		for _, params := range w.wrong(probe, i, again) {
			if _, err := w.odd(ctx, session.Request{Method: mcp.ToolsCall, Params: params, Why: probe}); gone(ctx, err) {
				return err
			}
		}
	}
	return nil
}

// wrong is the params of the retries that a probe sends for a result that asked back.
func (w *Walk) wrong(probe string, i int, again session.Answer) [][]byte {
	a := w.asking[i]
	requests, state := again.Result().Get("inputRequests"), again.Result().Get("requestState")
	given := a.last.Exchange.Request.Params().Get("inputResponses")
	var out [][]byte
	add := func(responses, state string) { out = append(out, callParams(a.call, responses, state, "")) }
	switch probe {
	case inspect.ProbeAnswerMalformed:
		if requests.Len() > 0 {
			add("[]", string(state.Raw()))
		}
		for key, q := range requests.Members() {
			if q.Get("method").Text() == mcp.ElicitationCreate {
				add("{"+jsondoc.Quote(key)+`:{"action":"maybe"}}`, string(state.Raw()))
				break
			}
		}
	case inspect.ProbeAnswerMissing:
		if requests.Len() > 0 {
			add("{}", string(state.Raw()))
		}
	case inspect.ProbeAnswerExtra:
		// What was answered before was taken; with one answer more it should be taken, too.
		if given.Is(jsondoc.Object) && given.Len() > 0 && a.last.OK() && sameKeys(given, requests) {
			text := string(given.Raw())
			add(text[:len(text)-1]+`,"`+inspect.ProbeKey+`":{"action":"decline"}}`, string(state.Raw()))
		}
	case inspect.ProbeStateTampered:
		if altered := alter(state.Text()); altered != "" && (given.Exists() || requests.Len() == 0) && a.last.OK() {
			add(string(given.Raw()), jsondoc.Quote(altered))
		}
	case inspect.ProbeStateReplayed:
		for _, other := range w.asking {
			foreign := other.first.Result().Get("requestState")
			if other.call.Tool != a.call.Tool && foreign.Is(jsondoc.String) && state.Exists() && a.last.OK() {
				add(string(given.Raw()), string(foreign.Raw()))
				break
			}
		}
	}
	return out
}

// sameKeys tells that answers and questions have the same names.
func sameKeys(answers, questions jsondoc.Value) bool {
	names := func(v jsondoc.Value) []string {
		var all []string
		for name := range v.Members() {
			all = append(all, name)
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(names(answers), names(questions))
}

// alter changes one character in the middle of a text, "" when there is none.
func alter(text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return ""
	}
	i := len(runes) / 2
	if runes[i] == 'A' {
		runes[i] = 'B'
	} else {
		runes[i] = 'A'
	}
	return string(runes)
}

// callParams are the params of a call, with answers, a requestState and one member more where these are given, as raw JSON.
func callParams(c Call, responses, state, more string) []byte {
	args := "{}"
	if len(c.Args) > 0 {
		args = string(c.Args)
	}
	p := `{"name":` + jsondoc.Quote(c.Tool) + `,"arguments":` + args
	if responses != "" {
		p += `,"inputResponses":` + responses
	}
	if state != "" {
		p += `,"requestState":` + state
	}
	if more != "" {
		p += "," + more
	}
	return []byte(p + "}")
}
