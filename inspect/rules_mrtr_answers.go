package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// mrtrAnswerRules are about how a server takes the answers to what it asked. They judge every retry, whoever sent it; the probes
// send those that no faithful client would.
func mrtrAnswerRules() []*Rule {
	const modern, handling = ">=2026-07-28", "basic/patterns/mrtr §Error Handling"
	const server = "basic/patterns/mrtr §Server Requirements"
	mayAsk := []string{mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead}
	return []*Rule{{
		ID:     "mrtr-malformed-response",
		Level:  Should,
		Eras:   modern,
		Source: handling,
		On:     Complete(mayAsk...),
		Probe:  ProbeAnswerMalformed,
		Check: func(p *Pass) {
			if responses := p.Request().Get("inputResponses"); responses.Exists() && p.succeeded() {
				if v, want := p.malformedAnswer(responses); v.Exists() {
					p.Report(p.At(p.Result()), "a final result", "an error, or the question again: "+want).Also(p.At(v))
				}
			}
		},
	}, {
		ID:     "mrtr-missing-responses",
		Level:  Should,
		Eras:   modern,
		Source: handling,
		On:     Errors(mayAsk...),
		Probe:  ProbeAnswerMissing,
		Check: func(p *Pass) {
			asked, responses := p.answered()
			if asked == nil || len(asked.Questions) == 0 || responses.Exists() && !responses.Is(jsondoc.Object) {
				return
			}
			for key := range responses.Members() {
				if _, ok := asked.Questions[key]; !ok {
					return // mrtr-unexpected-response-rejected
				}
			}
			if responses.Len() < len(asked.Questions) {
				p.Report(p.At(orElse(p.Error().Get("code"), p.Error())), "", "input_required again, with the questions that are left").Also(p.Frame(asked.Reply)).
					Sure(p.sureWhen(ProbeAnswerMissing))
			}
		},
	}, {
		ID:     "mrtr-unexpected-response-rejected",
		Level:  Should,
		Eras:   modern,
		Source: handling,
		On:     Errors(mayAsk...),
		Probe:  ProbeAnswerExtra,
		Check: func(p *Pass) {
			asked, responses := p.answered()
			if asked == nil || !responses.Is(jsondoc.Object) {
				return
			}
			for key := range asked.Questions {
				if !responses.Get(key).Exists() {
					return
				}
			}
			code, _ := p.Code()
			for key, v := range responses.Members() {
				if _, ok := asked.Questions[key]; !ok && (code == mcp.CodeInvalidParams || strings.Contains(p.Error().Get("message").Text(), key)) {
					p.Report(p.At(p.Error().Get("code")), "", "the same as without the answer that nobody asked for").Also(p.Key(v)).Likely()
					return
				}
			}
		},
	}, {
		ID:     "mrtr-request-state-tamper",
		Level:  Advice,
		Eras:   modern,
		Source: server + " 4",
		On:     Complete(mayAsk...),
		Probe:  ProbeStateTampered,
		Check: func(p *Pass) {
			sent := p.Request().Get("requestState")
			asked := p.History().Asked(p.x.Retries)
			if asked == nil || asked.State == "" || !sent.Is(jsondoc.String) || !p.succeeded() || p.History().AskedWith(sent) != nil {
				return
			}
			p.Report(p.At(p.Result()), "a final result", "an error: the requestState is not the one that was given out").
				Also(p.At(sent), p.Frame(asked.Reply)).Guess()
		},
	}, {
		ID:     "mrtr-request-state-replay",
		Level:  Should,
		Eras:   modern,
		Source: server + " 5",
		On:     Complete(mayAsk...),
		Probe:  ProbeStateReplayed,
		Check: func(p *Pass) {
			sent := p.Request().Get("requestState")
			if !sent.Is(jsondoc.String) || !p.succeeded() {
				return
			}
			asked := p.History().AskedWith(sent)
			if asked == nil {
				return
			}
			name := nameIn(p.Method(), p.Request())
			if (asked.Method != p.Method() || asked.Name != name) && p.History().statesGiven(p.Method(), name) {
				p.Report(p.At(p.Result()), "a final result", "an error: the requestState was given out for "+jsondoc.Quote(asked.Name)).
					Also(p.At(sent), p.Frame(asked.Reply)).Likely()
			}
		},
	}}
}

// succeeded tells that the message is a final result that reports no failure.
func (p *Pass) succeeded() bool {
	failed, _ := p.Result().Get("isError").Bool()
	return p.m != nil && p.m.Kind == wire.Result && !failed
}

// answered is what the request of a refused retry answers, nil when it is no retry with an unaltered state, or was refused for
// another reason; and its inputResponses.
func (p *Pass) answered() (*Asked, jsondoc.Value) {
	asked := p.History().Asked(p.x.Retries)
	code, _ := p.Code()
	if asked == nil || p.otherFault(code) || asked.Name != nameIn(p.Method(), p.Request()) {
		return nil, jsondoc.Value{}
	}
	if state := p.Request().Get("requestState"); asked.State == "" && state.Exists() || asked.State != "" && !sameID(state, asked.State) {
		return nil, jsondoc.Value{}
	}
	return asked, p.Request().Get("inputResponses")
}

// malformedAnswer is the part of inputResponses that is no answer to what was asked, and what is due there; Missing when all of
// it is well formed.
func (p *Pass) malformedAnswer(responses jsondoc.Value) (jsondoc.Value, string) {
	if !responses.Is(jsondoc.Object) {
		return responses, "inputResponses is no object"
	}
	asked := p.History().Asked(p.x.Retries)
	if asked == nil {
		return jsondoc.Value{}, ""
	}
	for key, v := range responses.Members() {
		switch method, ok := asked.Questions[key]; {
		case !ok:
		case !v.Is(jsondoc.Object):
			return v, "the answer is no object"
		case method == mcp.ElicitationCreate:
			switch action := v.Get("action"); action.Text() {
			case mcp.ActionAccept, mcp.ActionDecline, mcp.ActionCancel:
			default:
				return orElse(action, v), "an answer's action is accept, decline or cancel"
			}
		}
	}
	return jsondoc.Value{}, ""
}

// sureWhen is Certain for requests of this probe, which changes nothing else, and Likely for others.
func (p *Pass) sureWhen(probe string) Confidence {
	if p.Why() == probe {
		return Certain
	}
	return Likely
}

// answersWrongly tells that the call answered a question as no faithful client would, on purpose. What the server makes of that has
// rules of its own; the tool and its arguments are not at fault.
func (p *Pass) answersWrongly() bool {
	switch p.Why() {
	case ProbeAnswerMalformed, ProbeAnswerMissing, ProbeAnswerExtra, ProbeStateTampered, ProbeStateReplayed:
		return p.Request().Get("inputResponses").Exists() || p.Request().Get("requestState").Exists()
	}
	return false
}
