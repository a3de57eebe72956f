package inspect

import (
	"fmt"
	"time"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/visible"
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

	call    *Call
	outcome *Outcome
	found   []Finding
	broken  []string
	same    []onceKey // keys of ReportSame, and beside them the findings they made
	sameAt  []int
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
func (p *Pass) OnPurpose() bool { w := p.Why(); return w != "" && w != "retry" }

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

// frame is the number of the frame that a value stands in.
func (p *Pass) frame(v jsondoc.Value) wire.Seq {
	doc := v.Document()
	if doc == nil {
		return p.seq()
	}
	// Documents may be parsed more than once; the bytes they were parsed from are the same memory.
	text := textOf(doc.Text)
	for _, m := range []*wire.Message{p.m, p.x.Reply, p.x.Request, p.x.Lone} {
		if m != nil && textOf(m.Body) == text {
			return m.Seq
		}
	}
	for _, list := range [][]wire.Message{p.x.During, p.x.Late} {
		for i := range list {
			if textOf(list[i].Body) == text {
				return list[i].Seq
			}
		}
	}
	if seq, ok := p.in.history.docs[text]; ok {
		return seq
	}
	return p.seq()
}

// textOf identifies a text by where it is in memory.
func textOf(body []byte) *byte {
	if len(body) == 0 {
		return nil
	}
	return &body[0]
}

func (p *Pass) seq() wire.Seq {
	switch {
	case p.m != nil:
		return p.m.Seq
	case p.x.Seq() != 0:
		return p.x.Seq()
	}
	return p.in.history.lastSeq
}

// At is the place of a value, in whatever frame it stands. A missing value stands for the whole message.
func (p *Pass) At(v jsondoc.Value) Place {
	if !v.Exists() {
		return Place{Frame: p.seq()}
	}
	return Place{Frame: p.frame(v), Path: v.Pointer()}
}

// Key is the place of the name of this member.
func (p *Pass) Key(member jsondoc.Value) Place {
	at := p.At(member)
	at.Part = Key
	return at
}

// Header is the place of a header of the response.
func (p *Pass) Header(name string) Place {
	return Place{Frame: p.seq(), Part: Header, Path: jsondoc.Pointer(name)}
}

// SentHeader is the place of a header of our request.
func (p *Pass) SentHeader(name string) Place {
	return Place{Frame: p.x.Seq(), Part: Header, Path: jsondoc.Pointer(name)}
}

// Status is the place of the response's HTTP status.
func (p *Pass) Status() Place { return Place{Frame: p.seq(), Part: Status} }

// Timing is the place of the moment at which the message came, or did not come.
func (p *Pass) Timing() Place { return Place{Frame: p.seq(), Part: Timing} }

// Stream is the place of the message's framing.
func (p *Pass) Stream() Place { return Place{Frame: p.seq(), Part: Stream} }

// Frame is the place of a whole other frame, for Also.
func (p *Pass) Frame(seq wire.Seq) Place { return Place{Frame: seq} }

// Report adds a finding of the running rule. Empty got: the raw token at the place (Body), the header, the status, or
// the beginning of the frame (Stream). Want says in a few words what would have been right.
func (p *Pass) Report(at Place, got, want string) Report {
	if got == "" {
		got = p.token(at)
	}
	f := Finding{Rule: p.rule, At: at, Got: display(got), Want: display(want)}
	if p.rule.SEP2145() {
		f.Profile = ProfileSEP2145
	}
	p.found = append(p.found, f)
	return Report{p, len(p.found) - 1}
}

// Reportf is Report with a formatted want.
func (p *Pass) Reportf(at Place, got, want string, args ...any) Report {
	return p.Report(at, got, fmt.Sprintf(want, args...))
}

// alsoMax is how many places ReportSame adds to one finding; a list of thousands of tools shows a fault well enough with these.
const alsoMax = 32

// ReportSame is Report for a fault that repeats within a message, like a wrong member in every tool: the first place with
// this key makes the finding, further ones (at most 32) are added to it as Also.
func (p *Pass) ReportSame(key string, at Place, got, want string) {
	for i, k := range p.same {
		if k.rule == p.rule && k.key == key {
			if f := &p.found[p.sameAt[i]]; len(f.Also) < alsoMax {
				f.Also = append(f.Also, at)
			}
			return
		}
	}
	p.same = append(p.same, onceKey{p.rule, key})
	p.sameAt = append(p.sameAt, len(p.found))
	p.Report(at, got, want)
}

// Report is a finding just reported, to be refined.
type Report struct {
	p *Pass
	i int
}

func (r Report) finding() *Finding { return &r.p.found[r.i] }

// Also adds other places that belong to the finding.
func (r Report) Also(places ...Place) Report {
	r.finding().Also = append(r.finding().Also, places...)
	return r
}

// Likely says that one of two signs decided.
func (r Report) Likely() Report { return r.Sure(Likely) }

// Guess says that the pattern may be innocent.
func (r Report) Guess() Report { return r.Sure(Guess) }

// Sure sets the confidence.
func (r Report) Sure(c Confidence) Report { r.finding().Confidence = c; return r }

// Published says what the published text makes of the same answer (for rules that rest on SEP-2145).
func (r Report) Published(l Level) Report { r.finding().Published = l; return r }

func (p *Pass) token(at Place) string {
	m := p.message(at.Frame)
	switch at.Part {
	case Body, Key:
		if m == nil {
			return ""
		}
		v := m.Doc().At(at.Path)
		if at.Part == Key {
			return jsondoc.Quote(v.Name())
		}
		if !v.Exists() {
			return "nothing"
		}
		raw := v.Raw()
		if len(raw) > 4*displayMax {
			raw = raw[:4*displayMax]
		}
		return string(jsondoc.Compact(nil, raw))
	case Header:
		head := p.Head()
		if m != nil && m.Dir == wire.Sent {
			head = p.SentHead()
		}
		if head == nil || head.Get(string(at.Path)) == "" {
			return "no such header"
		}
		return head.Get(string(at.Path))
	case Status:
		if head := p.Head(); head != nil {
			return fmt.Sprintf("HTTP %d", head.Status)
		}
	case Stream:
		if m != nil {
			return string(m.Body[:min(len(m.Body), displayMax)])
		}
	}
	return ""
}

// message is the frame with this number, where this pass can see it.
func (p *Pass) message(seq wire.Seq) *wire.Message {
	for _, m := range []*wire.Message{p.m, p.x.Reply, p.x.Request, p.x.Lone} {
		if m != nil && m.Seq == seq {
			return m
		}
	}
	for _, list := range [][]wire.Message{p.x.During, p.x.Late} {
		for i := range list {
			if list[i].Seq == seq {
				return &list[i]
			}
		}
	}
	return p.in.history.message(seq)
}

// displayMax is the longest got or want, in characters.
const displayMax = 200

// display makes text fit for one line of any screen.
func display(s string) string {
	if len(s) > 8*displayMax {
		s = s[:8*displayMax]
	}
	s = visible.Escape(s)
	if utf8.RuneCountInString(s) <= displayMax {
		return s
	}
	n := 0
	for i := range s {
		if n == displayMax-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// displayAll is display without a limit.
func displayAll(s string) string { return visible.Escape(s) }
