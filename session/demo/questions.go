package demo

import (
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// question is one thing that a request needs to know of the client.
type question struct {
	key, method string
	params      *object // nil: none
	needs       []string
}

// wonder asks. A modern client gets an input_required result and comes again with the answers and the state
// (basic/patterns/mrtr); a legacy client is sent one request after the other. answers is an object by the questions' keys
// once all are there; else r or f is what the call ends with. A client that lacks a capability is refused with -32021, a
// legacy one gives answers without that key.
func (c *call) wonder(questions ...question) (answers jsondoc.Value, r *object, f *failure) {
	if !c.modern() {
		given := obj()
		for _, q := range questions {
			if !c.declares(q.needs[0], q.needs[1:]...) && !(q.needs[0] == "elicitation" && len(q.needs) > 1 && q.needs[1] == "form" && c.declares("elicitation")) {
				continue
			}
			answer, f := c.askLegacy(q.method, q.params)
			if f != nil {
				return answers, nil, f
			}
			if answer.Exists() {
				given.set(q.key, raw(answer.Raw()))
			}
		}
		return jsondoc.Parse(appendJSON(nil, given)).Root(), nil, nil
	}
	responses, state := c.params.Get("inputResponses"), c.params.Get("requestState")
	if responses.Exists() && !responses.Is(jsondoc.Object) {
		return answers, nil, invalidParams("Invalid params: inputResponses must be an object")
	}
	if state.Exists() && !c.s.ours(state.Text(), c) {
		return answers, nil, invalidParams("Invalid params: requestState was not issued for this request")
	}
	all := state.Exists()
	for _, q := range questions {
		all = all && responses.Get(q.key).Is(jsondoc.Object)
	}
	if all {
		return responses, nil, nil
	}
	r, f = c.asking(questions...)
	return answers, r, f
}

// asking is the result that asks, or the refusal of a client that cannot be asked.
func (c *call) asking(questions ...question) (*object, *failure) {
	requests := obj()
	for _, q := range questions {
		if !c.able(q.needs) {
			needed := obj()
			for i := len(q.needs) - 1; i >= 0; i-- {
				needed = obj(q.needs[i], needed)
			}
			return nil, fail(mcp.CodeMissingClientCapability, "This asks the user: the client must declare "+q.needs[0]).with(obj("requiredCapabilities", needed))
		}
		entry := obj("method", q.method)
		if q.params != nil {
			entry.set("params", q.params)
		}
		requests.set(q.key, entry)
	}
	r := obj("resultType", mcp.ResultInputRequired)
	if len(questions) > 0 {
		r.set("inputRequests", requests)
	}
	return r.set("requestState", c.s.stateFor(c)), nil
}

// able tells that the client declared what a question needs. An elicitation without modes means forms.
func (c *call) able(needs []string) bool {
	if slices.Equal(needs, []string{"elicitation", "form"}) {
		e := c.caps.Get("elicitation")
		return e.Exists() && (e.Len() == 0 || e.Get("form").Exists())
	}
	return c.declares(needs[0], needs[1:]...)
}

// accepted is the content of an elicitation that was answered with yes; Missing for any other answer.
func accepted(answer jsondoc.Value) jsondoc.Value {
	if answer.Get("action").Text() != mcp.ActionAccept {
		return jsondoc.Value{}
	}
	return answer.Get("content")
}

// openSafe asks before it shows what is in the safe.
func (c *call) openSafe() (text string, r *object, f *failure) {
	const shut = "The safe stays shut."
	q := question{"open", mcp.ElicitationCreate, obj(
		"mode", "form",
		"message", "The keeper's safe is locked. Open it?",
		"requestedSchema", obj("type", "object", "properties", obj(
			"open", obj("type", "boolean", "title", "Open the safe", "default", false),
		), "required", []string{"open"}),
	), []string{"elicitation", "form"}}
	if !c.able(q.needs) {
		return shut + " This client cannot ask anybody.\n", nil, nil
	}
	answers, r, f := c.wonder(q)
	if open, _ := accepted(answers.Get("open")).Get("open").Bool(); open {
		return "In the safe: a brass key, two letters, and the cat's collar.\n", r, f
	}
	return shut + "\n", r, f
}

// signGuestBook asks who is there before it makes the messages of a prompt.
func (c *call) signGuestBook() (who string, r *object, f *failure) {
	q := question{"guest", mcp.ElicitationCreate, obj(
		"mode", "form",
		"message", "Who is signing the guest book?",
		"requestedSchema", obj("type", "object", "properties", obj(
			"name", obj("type", "string", "title", "Name", "minLength", 1, "maxLength", 60),
			"from", obj("type", "string", "title", "Where from"),
		), "required", []string{"name"}),
	), []string{"elicitation", "form"}}
	if !c.able(q.needs) {
		return "a guest", nil, nil
	}
	answers, r, f := c.wonder(q)
	guest := accepted(answers.Get("guest"))
	if who = guest.Get("name").Text(); who == "" {
		who = "a guest"
	}
	if from := guest.Get("from").Text(); from != "" {
		who += " from " + from
	}
	return who, r, f
}
