package session

import (
	"fmt"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// A server of 2025-11-25 may refuse a request until the person has been somewhere: error -32042, whose data lists
// elicitations in url mode (client/elicitation, URL Elicitation Required Error). To a person that is a round like any
// other; only nothing is answered: once he agreed, the request is sent again. notifications/elicitation/complete tells
// when he has been there.

// wantsAddress tells that an answer is such a refusal. Modern servers have no such code: that is a finding, no question.
func (s *Session) wantsAddress(a Answer) bool {
	code, ok := a.Err().Get("code").Int()
	if !ok || code != mcp.CodeURLElicitationRequired {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dialect.modern
}

// roundOfAddresses reads the error. Of an entry without an elicitationId the key is its place in the list.
func roundOfAddresses(x *wire.Exchange, n, most int) Round {
	r := Round{Of: x.Reply.Seq, Request: x.Request.Seq, N: n, Most: most, Method: x.Request.Method, Name: x.Name(), Legacy: true, Again: true}
	list := x.Reply.Err().Get("data").Get("elicitations")
	switch {
	case !list.Is(jsondoc.Array) || list.Len() == 0:
		r.Problem = "error -32042 names no address to go to (data.elicitations)"
		return r
	case list.Len() > MaxQuestions:
		r.Problem = fmt.Sprintf("error -32042 names %d addresses, and no more than %d are shown", list.Len(), MaxQuestions)
		return r
	}
	taken := map[string]bool{}
	for i, e := range list.Elements() {
		key := e.Get("elicitationId").Text()
		if key == "" || taken[key] {
			key = strconv.Itoa(i)
		}
		taken[key] = true
		q := Question{Key: key, Method: mcp.ElicitationCreate, Params: e}
		if q.Mode() != "url" && r.Problem == "" {
			r.Problem = "error -32042 asks for something other than an address (mode " + clip(jsondoc.Quote(q.Mode()), 30) + ")"
		}
		r.Questions = append(r.Questions, q)
	}
	return r
}

// agreed is nil when the person agreed to every address: only then the request is worth sending again.
func agreed(r Round, replies Replies) error {
	if len(replies.List) < len(r.Questions) {
		return fmt.Errorf("not every address was agreed to, so the request is not sent again")
	}
	for _, a := range replies.List {
		if action := jsondoc.Parse(a.Result).Root().Get("action").Text(); action != mcp.ActionAccept {
			return fmt.Errorf("going to the address was not agreed to, so the request is not sent again")
		}
	}
	return nil
}

// maxElicitations is how many addresses asked for are remembered, for the notification that says that one is done with.
const maxElicitations = 256

// remember notes which frame asked for an elicitation that has an id. It is called with the lock held.
func (s *Session) remember(questions []Question, of wire.Seq) {
	for _, q := range questions {
		id := q.Params.Get("elicitationId")
		if !id.Is(jsondoc.String) || id.Text() == "" {
			continue
		}
		if len(s.elicitations) >= maxElicitations {
			clear(s.elicitations)
		}
		s.elicitations[id.Text()] = of
	}
}

// completed tells what a notifications/elicitation/complete is about. It is called with the lock held.
func (s *Session) completed(m *wire.Message) {
	id := m.Params().Get("elicitationId").Text()
	of, known := s.elicitations[id]
	level, text := "info", fmt.Sprintf("the server says that elicitation %s, asked for in #%d, is complete", clip(jsondoc.Quote(id), 60), of)
	if !known {
		level, text = "warning", "the server says that elicitation "+clip(jsondoc.Quote(id), 60)+" is complete, which it never asked for"
	}
	s.laterLocked(func() { s.note(level, text) })
}
