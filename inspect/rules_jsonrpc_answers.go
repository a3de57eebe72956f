package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const sourceResponses = "basic/index §Responses"

// answerRules are about which answer belongs to which request.
func answerRules() []*Rule {
	return []*Rule{{
		ID:     "jsonrpc-id-null",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Requests, §Responses; schema RequestId",
		On:     Results().Or(ServerRequests()),
		Check: func(p *Pass) {
			if id := p.Root().Get("id"); id.Is(jsondoc.Null) && !mcp.IsNotification(p.Method()) && !p.posted() {
				p.Report(p.At(id), "", "the id of the request; null is never an id")
			}
		},
	}, {
		ID:     "jsonrpc-id-fractional",
		Level:  Must,
		Eras:   "<=2025-11-25",
		Source: "basic/index §Requests; schema RequestId",
		On:     ServerRequests(),
		Check: func(p *Pass) {
			id := p.Root().Get("id")
			if !id.Is(jsondoc.String) && !id.IsInteger() && !id.Is(jsondoc.Null) && !mcp.IsNotification(p.Method()) {
				p.Report(p.At(id), "", "a string or an integer")
			}
		},
	}, {
		ID:     "jsonrpc-error-id-null",
		Level:  Advice,
		Eras:   "all",
		Source: "schema JSONRPCErrorResponse; JSON-RPC 2.0 §5",
		On:     Errors(),
		Check: func(p *Pass) {
			id := p.Root().Get("id")
			if id.Is(jsondoc.Null) && !p.OnPurpose() && !p.Detecting() && !p.errorOwesID() {
				p.Report(p.At(id), "", "no id at all (JSON-RPC 2.0 asks for null here, the schema of MCP does not know it)")
			}
		},
	}, {
		ID:     "jsonrpc-error-id-missing",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Error Responses; 2024-11-05 schema JSONRPCError",
		On:     Errors(),
		Check: func(p *Pass) {
			if !p.noID() || !p.errorOwesID() || p.alien() {
				return
			}
			id := p.Root().Get("id")
			got := ""
			if !id.Exists() {
				got = "no id"
			}
			r := p.Report(p.At(orElse(id, p.Root())), got, "the request's id, "+p.x.Request.ID).Also(p.At(p.x.Request.Root().Get("id")))
			if !p.HTTP() { // nothing but the order says that it answers this request
				r.Likely()
			}
		},
	}, {
		ID:     "jsonrpc-id-mismatch",
		Level:  Must,
		Eras:   "all",
		Source: sourceResponses,
		On:     Replies(),
		Check: func(p *Pass) {
			if p.x.Request != nil || p.noID() || p.alien() || p.disguised() != nil || p.foreignAnswer() {
				return
			}
			want := "the id of a request that we sent"
			if of := p.History().Past(p.x.Of); of != nil {
				want = "the id of the request that it answers, " + of.ID
			} else if open := p.History().inFlight(func(*Past) bool { return true }); open != nil {
				want += ", like " + open.ID
			}
			p.Report(p.At(p.Root().Get("id")), "", want)
		},
	}, {
		ID:     "jsonrpc-id-type-changed",
		Level:  Must,
		Eras:   "all",
		Source: sourceResponses,
		On:     Replies(),
		Check: func(p *Pass) {
			if p.x.Request != nil || p.noID() {
				return
			}
			if past := p.disguised(); past != nil {
				p.Report(p.At(p.Root().Get("id")), "", "exactly the id of the request, "+past.ID).Also(p.Frame(past.Seq))
			}
		},
	}, {
		ID:     "jsonrpc-duplicate-response",
		Level:  Must,
		Eras:   "all",
		Source: "basic/patterns/index §Request and Response",
		On:     Replies(),
		Check: func(p *Pass) {
			if !p.Late() || p.x.Request == nil || p.x.Request.Kind != wire.Request || p.x.Reply == nil || p.noID() {
				return
			}
			if !p.Root().Get("id").Same(p.x.Request.Root().Get("id")) {
				return
			}
			p.Report(p.At(p.Root().Get("id")), "a second answer to request "+p.x.Request.ID, "one answer to each request").
				Also(p.At(p.x.Reply.Root().Get("id")))
		},
	}, {
		ID:     "jsonrpc-request-id-reused",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Requests",
		On:     Sent(),
		Check: func(p *Pass) {
			m := p.Message()
			if m.Kind != wire.Request || p.OnPurpose() {
				return
			}
			other := p.History().inFlight(func(o *Past) bool { return o.ID == m.ID && o.Seq != m.Seq })
			if other != nil {
				p.Report(p.At(p.Root().Get("id")), "", "an id that no unanswered request has").Also(p.Frame(other.Seq))
			}
		},
	}, {
		ID:     "jsonrpc-response-to-notification",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Notifications",
		On:     Sent().Or(Replies()),
		Check:  checkResponseToNotification,
	}, {
		ID:     "jsonrpc-no-response",
		Level:  Should,
		Eras:   "all",
		Source: "basic/patterns/index; basic/patterns/cancellation §Timeouts",
		On:     Exchanges(),
		Check: func(p *Pass) {
			// A foreign answer on its stream is reported as what it is.
			if p.x.End == wire.TimedOut && p.ordinary() && p.Method() != mcp.Listen && len(p.x.Foreign) == 0 {
				p.Report(p.Timing(), "no answer until we stopped waiting", "a result or an error for every request")
			}
		},
	}}
}

// errorOwesID tells that the error answers a request whose id the server could read, so that it has to repeat it. Errors
// about the connection (not authorised, wrong HTTP method, foreign origin) and about unreadable text need not.
func (p *Pass) errorOwesID() bool {
	switch p.status() {
	case 401, 403, 405:
		return false
	}
	code, _ := p.Code()
	return p.ordinary() && code != mcp.CodeParseError && !p.lostSession()
}

// disguised is the request whose id the message's id is in another form, like "1" for 1 or a large number that was rounded;
// nil when there is none.
func (p *Pass) disguised() *Past {
	id := p.Root().Get("id")
	like := func(o *Past) bool {
		other := jsondoc.Parse([]byte(o.ID)).Root()
		if other.Same(id) {
			return false
		}
		a, aNumber := id.Float()
		b, bNumber := other.Float()
		if aNumber && bNumber {
			return a == b
		}
		return aNumber != bNumber && strings.Trim(o.ID, `"`) == strings.Trim(string(id.Raw()), `"`)
	}
	if p.x.Of != 0 {
		if of := p.History().Past(p.x.Of); of != nil && like(of) {
			return of
		}
		return nil
	}
	return p.History().inFlight(like)
}

// foreignAnswer tells that an answer came on the event stream of one request that another request of ours waits for: then the
// id is right and the stream is wrong.
func (p *Pass) foreignAnswer() bool {
	if p.x.Request != nil || !p.SSE() || p.x.Of == 0 || !p.modern {
		return false
	}
	past := p.History().Request(string(p.Root().Get("id").Raw()))
	return past != nil && past.Seq != p.x.Of
}

// checkResponseToNotification remembers, on stdio, whether the last thing that we sent was a notification: an answer without an
// id that comes then, while nothing waits for an answer, was meant for it.
func checkResponseToNotification(p *Pass) {
	type last struct{ seq wire.Seq }
	note := Keep[last](p)
	const want = "no answer to a notification"
	switch {
	case p.m.Dir == wire.Sent:
		note.seq = 0
		if p.m.Kind == wire.Notification && !p.HTTP() {
			note.seq = p.m.Seq
		}
	case p.posted():
		// The body of an HTTP error may be a JSON-RPC error without an id; its status is what counts.
		if p.m.Kind == wire.Error && p.noID() && p.status() >= 400 || p.alien() {
			return
		}
		p.Report(p.At(p.Root()), "", want).Also(p.Frame(p.x.Seq()))
	case p.x.Request == nil && note.seq != 0 && p.noID() && !p.HTTP():
		code, _ := p.Code()
		if code == mcp.CodeParseError || code == mcp.CodeInvalidRequest {
			return // about something that it could not read
		}
		if p.History().inFlight(func(*Past) bool { return true }) == nil {
			p.Report(p.At(p.Root()), "", want).Also(p.Frame(note.seq)).Likely()
			note.seq = 0
		}
	}
}
