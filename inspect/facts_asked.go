package inspect

import (
	"maps"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Asked is a result that asked back (input_required), in short.
type Asked struct {
	Request, Reply wire.Seq
	Method, Name   string
	State          string            // raw requestState, "" for none
	Questions      map[string]string // the method of each question by its key
}

// Asked is what the exchange of this request was answered with when that asked back; nil otherwise.
func (h *History) Asked(request wire.Seq) *Asked { return h.asked[request] }

// AskedWith is the latest result that asked back and gave out this requestState, nil when none did.
func (h *History) AskedWith(state jsondoc.Value) *Asked {
	var latest *Asked
	for _, a := range h.asked {
		if a.State != "" && sameID(state, a.State) && (latest == nil || a.Reply > latest.Reply) {
			latest = a
		}
	}
	return latest
}

// learnAsked remembers a result that asks back. When there are many, all are forgotten.
func (h *History) learnAsked(x *wire.Exchange) {
	r := x.Reply.Result()
	if x.Request == nil || string(r.Get("resultType").Raw()) != `"`+mcp.ResultInputRequired+`"` {
		return
	}
	a := &Asked{Request: x.Seq(), Reply: x.Reply.Seq, Method: x.Method(), Name: nameIn(x.Method(), x.Request.Params()), Questions: map[string]string{}}
	if state := r.Get("requestState"); state.Is(jsondoc.String) {
		a.State = string(state.Raw())
	}
	if requests := r.Get("inputRequests"); requests.Is(jsondoc.Object) {
		for key, q := range requests.Members() {
			a.Questions[key] = q.Get("method").Text()
		}
	}
	if h.asked == nil || len(h.asked) >= maxAskings {
		h.asked = map[wire.Seq]*Asked{}
	}
	h.asked[x.Seq()] = a
}

// statesGiven tells whether the server gave out a requestState for this tool, prompt or resource.
func (h *History) statesGiven(method, name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(h.asked)), func(a *Asked) bool {
		return a.Method == method && a.Name == name && a.State != ""
	})
}
