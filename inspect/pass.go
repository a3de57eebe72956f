package inspect

import (
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Pass is what a rule sees while it judges one message (or one ended exchange, or the end of the session). The rules
// of one occasion share a Pass, so facts that several need are worked out once.
type Pass struct {
	in      *Inspector
	rule    *Rule
	x       *wire.Exchange
	m       *wire.Message // the message judged; for Exchanges the reply, nil when there is none; nil at the end
	method  string
	version string
	modern  bool
	sep     bool
	late    bool

	root, result, failure, params, sent jsondoc.Value

	call     *Call
	outcome  *Outcome
	inner    *Pass // see within
	looked   bool
	at       jsondoc.Pointer // where inner's reply stands in ours
	mirrored *mirrored
	inTask   []question // see runAsked
	found    []Finding
	broken   []string
	same     []onceKey // keys of ReportSame, and beside them the findings they made
	sameAt   []int
}

// Exchange is the exchange that the message belongs to; for Exchanges, the ended one. At the end of the session it
// is an empty one. Never nil.
func (p *Pass) Exchange() *wire.Exchange { return p.x }

// Message is the message judged. For Exchanges it is the reply, nil when none came; nil at the end of the session.
func (p *Pass) Message() *wire.Message { return p.m }

// Method is the method of the request that a reply answers, or the message's own; "" when unknown.
func (p *Pass) Method() string { return p.method }

// Late tells that the message came for an exchange that had already ended.
func (p *Pass) Late() bool { return p.late }

// Root is the whole message judged.
func (p *Pass) Root() jsondoc.Value { return p.root }

// Result is its result member; Missing when there is none.
func (p *Pass) Result() jsondoc.Value { return p.result }

// Error is its error member; Missing when there is none.
func (p *Pass) Error() jsondoc.Value { return p.failure }

// Code is the error's code; ok only for an integer.
func (p *Pass) Code() (code int64, ok bool) { return p.failure.Get("code").Int() }

// Params is its params member; Missing when there is none. For a reply see Request.
func (p *Pass) Params() jsondoc.Value { return p.params }

// Request is the params member of the request that we sent in this exchange.
func (p *Pass) Request() jsondoc.Value { return p.sent }

// Meta is the _meta object of the message judged, of its result or of its params.
func (p *Pass) Meta() jsondoc.Value {
	if p.result.Exists() {
		return p.result.Get("_meta")
	}
	return p.params.Get("_meta")
}

// ClientCapabilities is what our request declared (modern), or what initialize declared (legacy).
func (p *Pass) ClientCapabilities() jsondoc.Value {
	if c := p.sent.Get("_meta").Get(mcp.MetaClientCapabilities); c.Exists() || p.modern {
		return c
	}
	return p.in.history.clientCapabilities
}

// Extension tells whether our request declared the extension with this id, like "io.modelcontextprotocol/tasks".
func (p *Pass) Extension(id string) bool {
	return p.ClientCapabilities().Get("extensions").Get(id).Exists()
}

// Version is the revision that the exchange is judged by; "" when none is known yet.
func (p *Pass) Version() string { return p.version }

// AtLeast tells whether the exchange is judged by this revision or a newer one.
func (p *Pass) AtLeast(revision string) bool { return p.version != "" && p.version >= revision }

// Modern tells whether the exchange is judged by a revision without sessions (2026-07-28 or newer).
func (p *Pass) Modern() bool { return p.modern }

// SEP2145 tells whether SEP-2145 is judged by here.
func (p *Pass) SEP2145() bool { return p.sep }

// AskedModern tells whether the request itself named a modern revision in its _meta. A request that did not (a probe, one
// written by hand) may be answered in the older form even by a modern server; what is wrong is then that it was answered.
func (p *Pass) AskedModern() bool { return mcp.Modern(requestedVersion(p.x)) }

// Detecting tells that the exchange is one of those by which the era was found out, or may be: its request is a
// modern one, and the server has not shown yet that it is.
func (p *Pass) Detecting() bool {
	return p.x.Request != nil && !p.modern && p.sent.Get("_meta").Get(mcp.MetaProtocolVersion).Exists() ||
		p.method == "initialize" && p.in.history.era == ""
}

// Why is the reason for which we sent the request: "" for an ordinary one, the name of a probe, "raw", "retry".
func (p *Pass) Why() string {
	if p.x.Request == nil {
		return ""
	}
	return p.x.Request.Why
}

// OnPurpose tells that the request was made wrong on purpose: a probe, or written by hand.
func (p *Pass) OnPurpose() bool { return p.x.Request != nil && p.x.Request.Aside() }

// OurEnd tells that we ended the exchange ourselves: cancelled, timed out, or the child's stdin was closed by us.
func (p *Pass) OurEnd() bool {
	x := p.x
	return x.End == wire.Cancelled || x.End == wire.TimedOut || x.Exit != nil && x.Exit.Ours
}

// HTTP tells that the message (or the exchange) went over HTTP.
func (p *Pass) HTTP() bool {
	return p.x.Head != nil ||
		p.x.Request != nil && (p.x.Request.HTTP != nil || p.x.Request.Lane != 0) ||
		p.m != nil && (p.m.HTTP != nil || p.m.Lane != 0)
}

// Head is the head of the HTTP response; nil when there is none.
func (p *Pass) Head() *wire.Head {
	if p.x.Head != nil {
		return p.x.Head
	}
	if p.m != nil && p.m.Dir == wire.Received {
		return p.m.HTTP
	}
	return nil
}

// SentHead is the head of our HTTP request; nil when there is none.
func (p *Pass) SentHead() *wire.Head {
	if p.x.Request != nil {
		return p.x.Request.HTTP
	}
	return nil
}

// Fetch is the HTTP exchange beside the protocol that is judged, nil elsewhere.
func (p *Pass) Fetch() *wire.Fetch { return p.x.Fetch }

// SSE tells that the message came as an event of an event stream.
func (p *Pass) SSE() bool { return p.m != nil && p.m.Event != nil }

// Time is when the message judged arrived, or when the exchange ended.
func (p *Pass) Time() time.Time {
	switch {
	case p.m != nil:
		return p.m.At
	case !p.x.Ended.IsZero():
		return p.x.Ended
	case p.x.Request != nil:
		return p.x.Request.At
	}
	return p.in.history.last
}

// History is what is known of the server up to and including the message judged.
func (p *Pass) History() *History { return &p.in.history }

// Walk is the list walk that this exchange's page belongs to, the page included. For a page that was refused it is the walk
// that could not go on (Walk.Failed is the exchange). nil for other exchanges.
func (p *Pass) Walk() *Walk { return p.in.history.walkOf(p.x.Seq()) }

// Profile is the profile that is judged by.
func (p *Pass) Profile() string { return p.in.opts.Profile }

// Keep is memory of the rule that is running: one T for each rule and inspector, zero at first.
func Keep[T any](p *Pass) *T {
	if kept, ok := p.in.kept[p.rule].(*T); ok {
		return kept
	}
	kept := new(T)
	p.in.kept[p.rule] = kept
	return kept
}

// Once is true the first time the running rule asks for this key, then never again: for faults that are said once a
// session.
func (p *Pass) Once(key string) bool {
	k := onceKey{p.rule, key}
	if p.in.once[k] {
		return false
	}
	p.in.once[k] = true
	return true
}

type onceKey struct {
	rule *Rule
	key  string
}
