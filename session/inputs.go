package session

import (
	"bytes"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Question is one thing that the server asks of the person: an entry of inputRequests in a result that asks back
// (basic/patterns/mrtr, 2026-07-28), or a request of a legacy server (client/elicitation, client/sampling, client/roots).
type Question struct {
	Key    string        // of the entry in inputRequests, "" for a request
	Method string        // elicitation/create, sampling/createMessage or roots/list
	Params jsondoc.Value // Missing when absent
}

// Mode is how an elicitation wants to be answered: "form", which is also what no mode means, or "url"; "" for other
// methods, and whatever else the server wrote as it stands.
func (q Question) Mode() string {
	if q.Method != mcp.ElicitationCreate {
		return ""
	}
	if mode := q.Params.Get("mode"); mode.Exists() && !mode.Is(jsondoc.Null) {
		return mode.Text()
	}
	return "form"
}

// Round is what is asked at once. A round without questions is a retry with nothing but the requestState.
type Round struct {
	Of        wire.Seq // the frame that asked
	Request   wire.Seq // the request that it was asked for; of a legacy server's request 0 when that is not known
	N, Most   int      // which round of a request this is, from 1, and how many there may be; 0 for a legacy server's request
	Method    string   // of the request that cannot be answered yet: tools/call and the like; "" when not known
	Name      string   // of the tool or prompt, or the URI
	Questions []Question
	State     jsondoc.Value // requestState, opaque; Missing when there is none
	Task      string        // id of the task that asks, "" for none: the answers go out by tasks/update
	Legacy    bool          // asked by a legacy server
	Again     bool          // nothing is answered: once the person agreed, the same request is sent again (-32042, 2025-11-25)
	Problem   string        // why no faithful client can answer it; such a round is only asked by Reopen
}

// Reply answers one question: a raw JSON result, or (legacy) an error in its place. Without either the question is left
// out of the retry, which a server may ask again; a legacy one is refused.
type Reply struct {
	Key    string
	Result []byte // raw JSON
	Error  []byte // raw JSON of a JSON-RPC error object; legacy servers only
}

// Replies answer a round.
type Replies struct {
	List []Reply
	// Stop leaves the request unanswered: nothing is sent (legacy: it is answered with an error).
	Stop string
	// State is a requestState to send instead of the one given out, as raw JSON: wrong on purpose. nil echoes it byte for byte.
	State []byte
	// Whole is what answers instead of List and State: a raw JSON object whose members are put into params as they are,
	// inputResponses and requestState among them or not. What of it a faithful client would not send is marked.
	Whole []byte
}

// Accept answers an elicitation with what a person filled in: a raw JSON object, nil where there is none (url mode).
func Accept(content []byte) []byte {
	members := []Member{{"action", quoted(mcp.ActionAccept)}}
	if len(content) > 0 {
		members = append(members, Member{"content", content})
	}
	return appendObject(nil, members)
}

// Decline answers an elicitation with an explicit no.
func Decline() []byte { return appendObject(nil, []Member{{"action", quoted(mcp.ActionDecline)}}) }

// Dismiss answers an elicitation that was closed without a choice.
func Dismiss() []byte { return appendObject(nil, []Member{{"action", quoted(mcp.ActionCancel)}}) }

// Defaults is what a form is answered with when a person changes nothing: an object of the defaults that its schema gives.
func Defaults(requestedSchema jsondoc.Value) []byte {
	var members []Member
	for name, field := range requestedSchema.Get("properties").Members() {
		if v := field.Get("default"); v.Exists() {
			members = setMember(members, Member{name, v.Raw()})
		}
	}
	return appendObject(nil, members)
}

// mayAsk tells whether a result of this method may ask back (2026-07-28).
func mayAsk(method string) bool {
	return method == mcp.ToolsCall || method == mcp.PromptsGet || method == mcp.ResourcesRead
}

// MaxQuestions is how many questions of one result are put to a person; a result with more is left unanswered.
const MaxQuestions = 100

// roundOf reads a result that asks back. Its Problem says why it cannot be answered: it is against the specification in
// a way that leaves no answer to give, or beyond what anybody answers.
func roundOf(x *wire.Exchange, n, most int) Round {
	result := x.Reply.Result()
	r := Round{Of: x.Reply.Seq, Request: x.Request.Seq, N: n, Most: most, Method: x.Request.Method, Name: x.Name()}
	if state := result.Get("requestState"); state.Exists() && !state.Is(jsondoc.Null) {
		r.State = state
	}
	requests := result.Get("inputRequests")
	switch {
	case !requests.Exists() || requests.Is(jsondoc.Null):
		if !r.State.Exists() {
			r.Problem = "the server asks back without a question and without a requestState, so there is nothing to answer"
		}
	case !requests.Is(jsondoc.Object):
		r.Problem = "inputRequests is no object, so its questions have no names to answer to"
	case requests.Len() > MaxQuestions:
		r.Problem = fmt.Sprintf("it asks %d questions at once, and no more than %d are answered", requests.Len(), MaxQuestions)
	default:
		r.ask(requests)
	}
	if !mayAsk(r.Method) {
		r.Problem = "a result of " + clip(r.Method, 60) + " must not ask back, so it is not answered"
	}
	return r
}

// ask takes the entries of inputRequests. Of a duplicate key the last one counts.
func (r *Round) ask(requests jsondoc.Value) {
	at := map[string]int{}
	for key, entry := range requests.Members() {
		q := Question{Key: key, Method: entry.Get("method").Text(), Params: entry.Get("params")}
		if i, twice := at[key]; twice {
			r.Questions[i] = q
			continue
		}
		at[key] = len(r.Questions)
		r.Questions = append(r.Questions, q)
	}
	for _, q := range r.Questions {
		if m, _ := mcp.Lookup(q.Method); !m.Input && r.Problem == "" {
			r.Problem = "question " + clip(jsondoc.Quote(q.Key), 60) + " asks for " + clip(jsondoc.Quote(q.Method), 60) + ", which no client can answer"
		}
	}
}

// Marks that follow "retry" in what a request was sent as, when it answers in a way that a faithful client would not.
const (
	markAlteredState     = "altered-state"
	markNoState          = "without-state"
	markMadeUpState      = "made-up-state"
	markMissingResponse  = "missing-response"
	markNoResponses      = "without-responses"
	markAlteredResponses = "altered-responses"
)

// retry builds the request that answers a round: the same params byte for byte, inputResponses under the keys asked, and
// the requestState byte for byte. What of _meta was made for the first request alone (its progress token) is made anew,
// and so are the id and the headers. Why says "retry", and what was done otherwise on purpose.
func retry(first *wire.Message, round Round, replies Replies) Request {
	params := first.Params()
	r := Request{Method: first.Method, Why: wire.Retry}
	body := []byte{'{'}
	add := func(key, raw []byte) {
		if len(body) > 1 {
			body = append(body, ',')
		}
		body = append(append(append(body, key...), ':'), raw...)
	}
	for name, v := range params.Members() {
		key := keyOf(v)
		switch name {
		case "inputResponses", "requestState":
			continue // of the round before
		case "_meta":
			if v.Is(jsondoc.Object) {
				v, r.OmitMeta = metaOf(v, first.ID, r.OmitMeta)
			}
		}
		if v.Exists() {
			add(key, v.Raw())
		}
	}
	if !params.Get("_meta").Is(jsondoc.Object) {
		r.OmitMeta = []string{"*"}
	}
	var marks []string
	if whole := jsondoc.Parse(replies.Whole).Root(); whole.Is(jsondoc.Object) {
		for _, v := range whole.Members() {
			add(keyOf(v), v.Raw())
		}
		marks = round.marks(whole)
	} else {
		answers, missing := round.responses(replies.List)
		if len(round.Questions) > 0 && !round.Again {
			add(quoted("inputResponses"), answers)
			if missing {
				marks = append(marks, markMissingResponse)
			}
		}
		switch {
		case len(replies.State) > 0:
			add(quoted("requestState"), replies.State)
			marks = append(marks, markAlteredState)
		case round.State.Exists():
			add(quoted("requestState"), round.State.Raw())
		}
	}
	if len(marks) > 0 {
		r.Why += "-" + strings.Join(marks, "+")
	}
	r.Params = append(body, '}')
	return r
}

// responses is inputResponses as it goes out; missing tells that a question is left out.
func (r *Round) responses(list []Reply) (raw []byte, missing bool) {
	var answers []Member
	given := map[string]bool{}
	for _, a := range list {
		if len(a.Result) > 0 {
			answers = append(answers, Member{a.Key, a.Result})
			given[a.Key] = true
		}
	}
	for _, q := range r.Questions {
		missing = missing || !given[q.Key]
	}
	return appendObject(nil, answers), missing
}

// marks is what a faithful client would not send of a whole answer written by hand.
func (r *Round) marks(whole jsondoc.Value) []string {
	var marks []string
	state, answers := whole.Get("requestState"), whole.Get("inputResponses")
	switch {
	case r.State.Exists() && !state.Exists():
		marks = append(marks, markNoState)
	case !r.State.Exists() && state.Exists():
		marks = append(marks, markMadeUpState)
	case r.State.Exists() && !bytes.Equal(r.State.Raw(), state.Raw()):
		marks = append(marks, markAlteredState)
	}
	asked := map[string]bool{}
	missing, extra := false, false
	for _, q := range r.Questions {
		asked[q.Key] = true
		missing = missing || !answers.Get(q.Key).Exists()
	}
	for name := range answers.Members() {
		extra = extra || !asked[name]
	}
	switch {
	case !answers.Exists() && len(r.Questions) > 0:
		marks = append(marks, markNoResponses)
	case answers.Exists() && (!answers.Is(jsondoc.Object) || extra || len(r.Questions) == 0):
		marks = append(marks, markAlteredResponses)
	case missing:
		marks = append(marks, markMissingResponse)
	}
	return marks
}

// metaOf is the _meta to send again: all of it but a progress token of ours. What of ours was left out the first time
// stays out.
func metaOf(meta jsondoc.Value, id string, omit []string) (jsondoc.Value, []string) {
	var members []Member
	for name, v := range meta.Members() {
		if name == mcp.MetaProgressToken && v.Text() == id && v.Is(jsondoc.String) {
			continue
		}
		members = append(members, Member{name, v.Raw()})
	}
	for _, name := range []string{mcp.MetaProtocolVersion, mcp.MetaClientInfo, mcp.MetaClientCapabilities, mcp.MetaLogLevel, mcp.MetaProgressToken} {
		if !meta.Get(name).Exists() {
			omit = append(omit, name)
		}
	}
	if len(members) == 0 {
		return jsondoc.Value{}, omit
	}
	return jsondoc.Parse(appendObject(nil, members)).Root(), omit
}
