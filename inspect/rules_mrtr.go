package inspect

import (
	"encoding/base64"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// mrtrRules are about results that ask the client for something before the request can be answered (multi round-trip requests).
func mrtrRules() []*Rule {
	return slices.Concat(mrtrResultRules(), mrtrAnswerRules())
}

// mrtrResultRules are about the results that ask, and about the client's retry.
func mrtrResultRules() []*Rule {
	const modern, server = ">=2026-07-28", "basic/patterns/mrtr §Server Requirements"
	return []*Rule{{
		ID:     "mrtr-empty",
		Level:  Must,
		Eras:   modern,
		Source: server + " 6; schema InputRequiredResult",
		On:     whenAsked(),
		Check: func(p *Pass) {
			if p.asksBack() && !given(p.Result().Get("inputRequests")) && !given(p.Result().Get("requestState")) {
				p.Report(p.At(p.Result()), "neither inputRequests nor requestState", "at least one of the two")
			}
		},
	}, {
		ID:     "mrtr-input-requests-empty",
		Level:  Advice,
		Eras:   modern,
		Source: "basic/patterns/mrtr §InputRequiredResult",
		On:     whenAsked(),
		Check: func(p *Pass) {
			if v := p.Result().Get("inputRequests"); p.asksBack() && v.Is(jsondoc.Object) && v.Len() == 0 {
				p.Report(p.At(v), "", "at least one question, or no inputRequests at all")
			}
		},
	}, {
		ID:     "mrtr-input-requests-type",
		Level:  Must,
		Eras:   modern,
		Source: "schema InputRequests",
		On:     whenAsked(),
		Check: func(p *Pass) {
			v := p.Result().Get("inputRequests")
			if !p.asksBack() || !given(v) {
				return
			}
			if !v.Is(jsondoc.Object) {
				p.Report(p.At(v), "", "an object that gives each question a name")
				return
			}
			for _, entry := range v.Members() {
				if !entry.Is(jsondoc.Object) {
					p.ReportSame("", p.At(entry), "", "an object with a method")
				}
			}
		},
	}, {
		ID:     "mrtr-input-request-method",
		Level:  Must,
		Eras:   modern,
		Source: server + " 2; schema InputRequest",
		On:     whenAsked(),
		Check: func(p *Pass) {
			const want = "elicitation/create, sampling/createMessage or roots/list"
			for q := range p.questions {
				if method := q.entry.Get("method"); !method.Exists() {
					p.ReportSame("none", p.At(q.entry), "no method", want)
				} else if m, _ := mcp.Lookup(q.method); !m.Input {
					p.ReportSame("", p.At(method), "", want)
				}
			}
		},
	}, {
		ID:     "mrtr-input-request-envelope",
		Level:  Advice,
		Eras:   modern,
		Source: "schema ElicitRequest, CreateMessageRequest, ListRootsRequest",
		On:     whenAsked(),
		Check: func(p *Pass) {
			for q := range p.questions {
				for _, name := range []string{"jsonrpc", "id"} {
					if v := q.entry.Get(name); v.Exists() {
						p.ReportSame(q.key, p.At(v), "", "method and params only: the entry is no message of its own")
					}
				}
			}
		},
	}, {
		ID:     "mrtr-capability-undeclared",
		Level:  Must,
		Eras:   modern,
		Source: server + " 7",
		On:     whenAsked(),
		Check: func(p *Pass) {
			declared := p.ClientCapabilities()
			if !declared.Is(jsondoc.Object) || p.inTask != nil {
				return // what such a request is to be answered with is another rule's business; a task asks as its call declared
			}
			for q := range p.questions {
				m, _ := mcp.Lookup(q.method)
				if m.Input && !given(declared.Get(strings.Split(q.method, "/")[0])) {
					p.Report(p.At(q.entry.Get("method")), "", "the error -32021: the request does not declare "+strings.Split(q.method, "/")[0]).
						Also(p.At(declared))
				}
			}
		},
	}, {
		ID:     "mrtr-request-state-type",
		Level:  Must,
		Eras:   modern,
		Source: "schema InputRequiredResult.requestState",
		On:     whenAsked(),
		Check: func(p *Pass) {
			if v := p.Result().Get("requestState"); p.asksBack() && v.Exists() && !v.Is(jsondoc.String) {
				p.Report(p.At(v), "", "a string, or no requestState")
			}
		},
	}, {
		ID:     "mrtr-request-state-plain",
		Level:  Advice,
		Eras:   modern,
		Source: server + " 4",
		On:     whenAsked(),
		Check: func(p *Pass) {
			if v := p.Result().Get("requestState"); p.asksBack() && plainState(v.Text()) {
				p.Report(p.At(v), "", "a text that nobody can change unnoticed: signed or encrypted").Guess()
			}
		},
	}, {
		ID:     "mrtr-roots-deprecated",
		Level:  Advice,
		Eras:   modern,
		Source: "deprecated; SEP-2577",
		On:     whenAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.RootsList, func(q question) {
				p.ReportSame("", p.At(q.entry.Get("method")), "", "directories as arguments of the tool, or addresses of resources")
			})
		},
	}, {
		ID:     "mrtr-loop",
		Level:  Advice,
		Eras:   modern,
		Source: server + " 8",
		On:     whenAsked(),
		Check:  checkAskingAgain,
	}, {
		ID:     "mrtr-retry-id-reused",
		Level:  Must,
		Eras:   modern,
		Source: "basic/patterns/mrtr §Client Requirements 3",
		On:     Sent(),
		Check: func(p *Pass) {
			first := p.History().Past(p.x.Retries)
			if first != nil && p.m.ID != "" && p.m.ID == first.ID {
				p.Report(p.At(p.Root().Get("id")), "", "an id that was not used before").Also(p.Frame(first.Seq))
			}
		},
	}, {
		ID:     "mrtr-retry-state-altered",
		Level:  Must,
		Eras:   modern,
		Source: "basic/patterns/mrtr §Client Requirements 2",
		On:     Sent().Or(whenAsked()),
		Check:  checkStateEchoed,
	}}
}

// plainState tells that a requestState can be read: JSON, or JSON in Base64 with nothing behind it that could be a signature.
func plainState(s string) bool {
	isObject := func(text []byte) bool {
		d := jsondoc.Parse(text)
		return d.Valid() && d.Root().Is(jsondoc.Object) && !signed(d.Root())
	}
	if len(s) > 1<<16 {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(s), "{") {
		return isObject([]byte(s))
	}
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	text, err := base64.RawStdEncoding.DecodeString(plain)
	return err == nil && isObject(text)
}

// signed tells that an object has a member that by its name vouches for the others.
func signed(v jsondoc.Value) bool {
	for name := range v.Members() {
		switch strings.ToLower(name) {
		case "sig", "signature", "mac", "hmac", "tag", "digest", "hash", "ciphertext", "iv", "nonce", "enc", "s", "h":
			return true
		}
	}
	return false
}

// asking is what a rule remembers of a result that asked back.
type asking struct {
	reply    wire.Seq
	requests jsondoc.Value
	state    jsondoc.Value
	times    int // how often the same was asked although it had been answered
}

// askings is a rule's memory of the results that asked back, by the request. When there are many, all are forgotten.
type askings struct{ of map[wire.Seq]asking }

const maxAskings = 1024

func (a *askings) put(seq wire.Seq, what asking) {
	if a.of == nil || len(a.of) >= maxAskings {
		a.of = map[wire.Seq]asking{}
	}
	a.of[seq] = what
}

// checkAskingAgain counts how often the same is asked although each time it was answered with accept.
func checkAskingAgain(p *Pass) {
	if !p.asksBack() {
		return
	}
	memory, now := Keep[askings](p), asking{requests: p.Result().Get("inputRequests"), times: 1}
	if now.requests.Len() == 0 {
		return // nothing is asked: the client is to come again, as often as it takes
	}
	if old, ok := memory.of[p.x.Retries]; ok && old.requests.Same(now.requests) && p.accepted(now.requests) {
		now.times += old.times
	}
	memory.put(p.x.Seq(), now)
	if now.times == 3 {
		p.Report(p.At(now.requests), "the same questions for the third time", "a message that says why the answers are not good enough").Also(p.Frame(p.x.Retries))
	}
}

// accepted tells that the request of this exchange answers all these questions, each with accept.
func (p *Pass) accepted(requests jsondoc.Value) bool {
	answers := p.Request().Get("inputResponses")
	for key := range requests.Members() {
		if answers.Get(key).Get("action").Text() != mcp.ActionAccept {
			return false
		}
	}
	return true
}

// checkStateEchoed compares the requestState of a retry with the one that was given out.
func checkStateEchoed(p *Pass) {
	if p.m.Dir == wire.Received {
		if p.asksBack() {
			Keep[askings](p).put(p.x.Seq(), asking{reply: p.m.Seq, state: p.Result().Get("requestState")})
		}
		return
	}
	if p.x.Retries == 0 {
		return
	}
	first, ok := Keep[askings](p).of[p.x.Retries]
	if !ok || p.OnPurpose() || p.m.Kind != wire.Request || !given(first.state) && p.isRetry() && !given(p.Params().Get("requestState")) {
		return
	}
	sent := p.Params().Get("requestState")
	switch {
	case sent.Same(first.state):
	case !given(first.state):
		p.Report(p.At(sent), "", "no requestState: none was given out").Also(p.Frame(first.reply)).Likely()
	case !sent.Exists():
		p.Report(p.At(p.Params()), "no requestState", "the requestState that was given out").Also(p.Frame(first.reply)).Likely()
	default:
		p.Report(p.At(sent), "", "the requestState that was given out, unchanged").Also(p.Frame(first.reply))
	}
}
