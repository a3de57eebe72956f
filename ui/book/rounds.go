package book

import (
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// chain notes where a row stands among the rounds of its request.
func (t *Timeline) chain(row *Row) {
	if row.Round == 0 && row.X.Retries != 0 {
		if before := t.byRef[wire.Ref{Seq: row.X.Retries}]; before != nil {
			if before.Round == 0 {
				t.begin(before)
			}
			row.Round, row.First = before.Round+1, before.First
			t.enter(row)
		}
	}
	if row.Round == 0 && row.AsksBack() {
		t.begin(row)
	}
}

func (t *Timeline) begin(row *Row) {
	row.Round, row.First = 1, row.Ref
	t.enter(row)
}

func (t *Timeline) enter(row *Row) {
	if t.chains == nil {
		t.chains = map[wire.Ref][]*Row{}
	}
	t.chains[row.First] = append(t.chains[row.First], row)
}

// leave takes a row that had to go out of its chain.
func (t *Timeline) leave(row *Row) {
	if row.Round == 0 {
		return
	}
	if row.Ref == row.First {
		delete(t.chains, row.First) // rows of later rounds keep their numbers
	}
}

// Rounds are the requests that belong to the same chain as this one, in the order in which they were sent; nil for none.
// Two of them may be the same round: a question can be answered more than once.
func (t *Timeline) Rounds(row *Row) []*Row {
	if row.Round == 0 {
		return nil
	}
	return t.chains[row.First]
}

// AsksBack tells that the answer asks the person something before the request can be done: input_required, or the -32042
// of 2025-11-25.
func (r *Row) AsksBack() bool {
	if r.X.Request == nil || r.X.Reply == nil {
		return false
	}
	if r.V.ResultType.Value == mcp.ResultInputRequired {
		return true
	}
	code, ok := r.X.Reply.Err().Get("code").Int()
	return ok && code == mcp.CodeURLElicitationRequired && r.V.Era == inspect.EraLegacy
}

// Asks tells that the person is asked something in this exchange, or was: see AsksBack, or a request of a legacy server.
func (r *Row) Asks() bool {
	if r.AsksBack() {
		return true
	}
	if r.X.Lone != nil {
		return asking(r.X.Lone)
	}
	for i := range r.X.During {
		if r.Running() && asking(&r.X.During[i]) {
			return true
		}
	}
	return false
}

func asking(m *wire.Message) bool {
	what, _ := mcp.Lookup(m.Method)
	return m.Kind == wire.Request && m.Dir == wire.Received && what.Input
}

// Altered tells that the request answers otherwise than a faithful client would, on purpose.
func (r *Row) Altered() bool {
	return r.X.Request != nil && strings.HasPrefix(r.X.Request.Why, wire.Retry+"-")
}
