// Package fresh is how long a result may be kept: what its hints say, and what they are worth at a given
// moment, after notifications and over the pages of a list. It is the one place for that; the session's
// cache and the screen each keep a Ledger fed by the same log, so that they cannot disagree.
//
// It is pure: time is passed in. It must never know: the wall clock, sockets, rules, screens.
package fresh

import (
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Names of states.
const (
	Fresh        = "fresh"
	Stale        = "stale"
	StaleAtOnce  = "stale-at-once" // ttl 0: good for what it was asked for, and no longer
	NoHint       = "no-hint"       // a legacy server, which knows no hints: as stale at once, but for its notifications
	NotCacheable = "not-cacheable"
	Invalidated  = "invalidated"
)

// Reasons why a result is not cacheable.
const (
	BecauseMethod        = "method"         // only six methods have cacheable results
	BecauseRetry         = "retry"          // the request carried inputResponses or requestState
	BecauseError         = "error"          // no result: an error, nothing, or a result of no known type
	BecauseInputRequired = "input-required" // no final result yet
	BecauseRestart       = "restart"        // invalidated: the server is gone that said it, or another one stands in its place
	BecauseSession       = "session"        // invalidated: the server ended the session in which it was said, and a new one has begun
)

// MaxTTL is the longest ttl that is reckoned with; what the server said stays in Hint.Raw.
const MaxTTL = 100 * 365 * 24 * time.Hour

// Fault is a set of ways in which the hints of a modern server's cacheable result are wrong.
type Fault uint8

// Faults of hints.
const (
	TTLMissing Fault = 1 << iota
	TTLNegative
	TTLNotInteger // a fraction, a string, null …
	ScopeMissing
	ScopeInvalid
)

// Hint is what an ended exchange says about how long its result may be kept. The zero Hint is that of
// an exchange which has not ended: nothing is known.
type Hint struct {
	Key       Key
	Ref       wire.Ref // the exchange
	Cacheable bool
	Because   string // why not cacheable, else ""
	Legacy    bool

	HasTTL bool          // ttlMs is there, right or wrong
	Raw    string        // ttlMs as it stands in the result, "" when absent
	TTL    time.Duration // in force: 0 when missing or wrong, at most MaxTTL
	Scope  string        // in force: public or private; "" when not cacheable, or not hinted by a legacy server
	Faults Fault

	Sent, Received time.Time // request written; last byte of the reply

	page page
	uri  string // resources/read: the resource
}

// State is what a hint is worth at a moment.
type State struct {
	Name    string        // one of the constants; "" when nothing is known
	Left    time.Duration // Fresh: until it goes stale
	Age     time.Duration // Stale: since it went stale; else since the result was received
	Because string        // NotCacheable: why. Invalidated by a rejected cursor: "cursor"; BecauseRestart; BecauseSession
	By      wire.Seq      // Invalidated: the message that did it. NoHint: a notification since, 0 for none
	Partial bool          // of a list: not all of its pages are known
}

// Modern says whether a request was sent under a stateless revision, by its own _meta or header. Who
// knows the era of the whole conversation knows better.
func Modern(x *wire.Exchange) bool {
	if x.Request == nil {
		return false
	}
	if mcp.Modern(x.Request.Params().Get("_meta").Get(mcp.MetaProtocolVersion).Text()) {
		return true
	}
	h := x.Request.HTTP
	return h != nil && mcp.Modern(h.Get(mcp.HeaderProtocolVersion))
}

// HintOf reads the hint of an exchange. modern is the era that the exchange is judged by. An exchange
// that has not ended, and a lone frame, give the zero Hint.
func HintOf(x *wire.Exchange, modern bool) Hint {
	if x.Request == nil || x.End == wire.Open || x.End == wire.Alone || x.Request.Kind != wire.Request {
		return Hint{}
	}
	m, known := mcp.Lookup(x.Request.Method)
	h := Hint{Ref: x.Ref(), Legacy: !modern, Sent: x.Request.At, Received: x.Ended}
	if x.Reply != nil {
		h.Received = x.Reply.At
	}
	if !known || !m.Cacheable {
		h.Because = BecauseMethod
		return h
	}
	params := x.Request.Params()
	h.Key = KeyOf(x.Request.Method, params, "", "", "")
	h.page = pageOf(m, x)
	h.uri = params.Get("uri").Text()
	switch {
	case params.Get("inputResponses").Exists() || params.Get("requestState").Exists():
		h.Because = BecauseRetry
		return h
	case x.Reply == nil || x.Reply.Kind != wire.Result || x.Reply.Err().Exists() || !x.Reply.Result().Is(jsondoc.Object):
		h.Because = BecauseError
		return h
	}
	result := x.Reply.Result()
	if t := result.Get("resultType"); t.Exists() {
		switch t.Text() {
		case mcp.ResultComplete:
		case mcp.ResultInputRequired:
			h.Because = BecauseInputRequired
			return h
		default:
			h.Because = BecauseError
			return h
		}
	}
	h.Cacheable = true
	h.ttl(result.Get("ttlMs"))
	h.scope(result.Get("cacheScope"))
	return h
}

func (h *Hint) ttl(v jsondoc.Value) {
	h.HasTTL, h.Raw = v.Exists(), string(v.Raw())
	switch {
	case !v.Exists():
		h.fault(TTLMissing)
	case !v.IsInteger():
		h.fault(TTLNotInteger)
	default:
		n, fits := v.Int()
		switch {
		case fits && n < 0, !fits && strings.HasPrefix(h.Raw, "-"):
			h.fault(TTLNegative)
		case !fits || n > int64(MaxTTL/time.Millisecond):
			h.TTL = MaxTTL
		default:
			h.TTL = time.Duration(n) * time.Millisecond
		}
	}
}

func (h *Hint) scope(v jsondoc.Value) {
	switch s := v.Text(); {
	case s == mcp.ScopePublic || s == mcp.ScopePrivate:
		h.Scope = s
	case !v.Exists():
		h.fault(ScopeMissing)
		if !h.Legacy {
			h.Scope = mcp.ScopePrivate
		}
	default:
		h.fault(ScopeInvalid)
		h.Scope = mcp.ScopePrivate
	}
}

// fault notes a fault; legacy servers owe no hints.
func (h *Hint) fault(f Fault) {
	if !h.Legacy {
		h.Faults |= f
	}
}

// At is what the hint is worth at now, notifications and pages aside. The comparison is strict: a result
// with 5 s to live is fresh at 4.999 s and stale at 5 s.
func (h Hint) At(now time.Time) State {
	age := Elapsed(h.Received, now)
	switch {
	case h.Because != "":
		return State{Name: NotCacheable, Because: h.Because, Age: age}
	case !h.Cacheable:
		return State{}
	case h.Legacy && !h.HasTTL:
		return State{Name: NoHint, Age: age}
	case h.TTL == 0:
		return State{Name: StaleAtOnce, Age: age}
	case age < h.TTL:
		return State{Name: Fresh, Left: h.TTL - age, Age: age}
	}
	return State{Name: Stale, Age: age - h.TTL}
}

// Elapsed is the time from then to now: the larger of what the monotonic and the wall clock say, because
// the first stands still while the machine sleeps and the second can be set back. Never below zero.
func Elapsed(then, now time.Time) time.Duration {
	monotonic := now.Sub(then)
	wall := now.Round(0).Sub(then.Round(0))
	return max(monotonic, wall, 0)
}
