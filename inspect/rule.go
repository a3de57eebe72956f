// Package inspect judges: exchanges go in, verdicts and findings come out.
//
// A verdict says what a response is (its resultType), which kind of error it is if it is one (Outcome), and how
// long it may be kept (Freshness). A finding says where an exchange departs from the specification or from good
// sense. Judging is a function of what was seen, in order: the same journal gives the same findings, live or
// from a file. So this package must never know: sockets, processes, sessions, screens, or what time it is.
//
// # Writing a rule
//
// A rule is one literal, one page, one test.
//
// The literal stands in the function of its area, in rules_<area>.go (add a new function to the list in
// catalogue.go):
//
//	func cacheRules() []*Rule {
//		return []*Rule{{
//			ID:     "cache-ttl-negative",
//			Level:  Must,
//			Eras:   ">=2026-07-28",
//			Source: "server/utilities/caching §TTL Field",
//			On:     Results(),
//			Check: func(p *Pass) {
//				ttl := p.Result().Get("ttlMs")
//				if n, ok := ttl.Float(); ok && n < 0 {
//					p.Report(p.At(ttl), "", "an integer of at least 0")
//				}
//			},
//		}}
//	}
//
// On says when Check is called and for what. Choose the narrowest one: rules that do not fit a message cost nothing.
// Messages, Results, Complete, Errors, Replies, Notifications and ServerRequests call Check for every such message
// of the server, as soon as it is seen (the exchange may still be open). Exchanges calls it once, when the exchange
// has ended in any way. Sent calls it for what we sent, Frames for everything received (noise included), Fetched for HTTP
// exchanges beside the protocol, AtEnd once when the session is over. Method names narrow further; a reply has the method of the request that it answers.
//
// Check gets a Pass: the message (Root, Result, Error, Params), its exchange, what is known from before
// (History, Call, Walk), and Report. Values are never nil: p.Result().Get("a").Get("b") is safe on any input.
// Report takes a Place from p.At(value), p.Key(value), p.Header(name), p.SentHeader(name), p.Status(), p.Timing()
// or p.Stream(); the text "got" (empty: the raw JSON token at the place) and "want" (a noun phrase: "a string").
// A missing value has no place: report at the object that should hold it. Confidence is Certain unless the
// report says .Likely() or .Guess(); more places are added by .Also(...). Check must be deterministic, must not keep
// anything between calls except through Keep, and must survive any JSON.
//
// A fault that repeats within one message (a wrong member in each of 2,000 tools) is reported by ReportSame, which makes one
// finding with further places; one that is said once a session asks Once. Lists: Walk is the walk that a page belongs to,
// History.Walk the last complete one. Tool calls: Call holds what we know ourselves. Requests that were made wrong on
// purpose (OnPurpose), that looked for the era (Detecting), or that we gave up ourselves (OurEnd) are answered oddly with good
// reason; rules about the answers to ordinary requests leave them alone.
//
// Eras is a filter on the revision an exchange is judged by: "all" (or "", also when no revision is known), ">=V",
// "<=V", "V1..V2", "V"; then, optionally, "+tasks" or "+ui" (only when the request declared that extension), "SEP-2145"
// (only when judging by it: the default profile, on a modern server) or "!SEP-2145" (not then). A rule never
// needs to ask for its own era. Rules of the area auth are judged by the revision that we asked for while none is known:
// a server that wants a token says nothing else before it has one.
//
// The page is pages/<rule-id>.txtar; see pages.go for its form. The tests in catalogue_test.go run every page.
package inspect

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/mcp"
)

// Level says whose word a rule rests on.
type Level uint8

// The levels, in rising order, so that comparing them works. The zero Level is none at all.
const (
	Advice Level = iota + 1 // our own opinion, or something the specification merely allows; never shown as the standard
	Should                  // the specification says SHOULD, RECOMMENDED, or describes without a keyword
	Must                    // the specification says MUST, or the official schema demands it
)

// String is the level as it stands in JSON output and on the command line: "must", "should", "advice", or "".
func (l Level) String() string {
	switch l {
	case Must:
		return "must"
	case Should:
		return "should"
	case Advice:
		return "advice"
	}
	return ""
}

// ParseLevel reads what String writes.
func ParseLevel(s string) (Level, bool) {
	for _, l := range []Level{Must, Should, Advice} {
		if s == l.String() {
			return l, true
		}
	}
	return 0, false
}

// Rule is one rule of the catalogue. It is immutable and shared by all inspectors.
type Rule struct {
	ID     string // like "cache-ttl-negative"; also the name of its page
	Area   string // "cache"; set by the catalogue
	Level  Level
	Eras   string // which exchanges it holds for; see the package comment
	Source string // section of the specification, or SEP
	On     On     // when Check is called
	Probe  string // name of the probe that makes sure there is something to judge; "" for passive rules
	Check  func(*Pass)

	eras eras // Eras, parsed by the catalogue
}

// SEP2145 tells that the rule rests on SEP-2145 and not on the published text.
func (r *Rule) SEP2145() bool { return r.eras.sep > 0 }

// Holds tells whether the rule is for exchanges judged by this revision ("" when none is known).
func (r *Rule) Holds(version string, sep2145 bool) bool { return r.eras.hold(version, sep2145) }

// eras is a parsed Rule.Eras.
type eras struct {
	all       bool
	from, to  string // inclusive, "" is open
	extension string // "tasks", "ui"
	sep       int    // 1: only under SEP-2145; -1: only without it
}

func parseEras(text string) (eras, error) {
	e := eras{all: true}
	for i, word := range strings.Fields(text) {
		switch {
		case word == "SEP-2145":
			e.sep = 1
			continue
		case word == "!SEP-2145":
			e.sep = -1
			continue
		case strings.HasPrefix(word, "+"):
			e.extension = word[1:]
			continue
		case i > 0:
			return e, fmt.Errorf("eras %q: cannot read %q", text, word)
		case word == "all":
			continue
		}
		e.all = false
		low, high, ranged := strings.Cut(word, "..")
		switch {
		case ranged:
			e.from, e.to = low, high
		case strings.HasPrefix(word, ">="):
			e.from = word[2:]
		case strings.HasPrefix(word, "<="):
			e.to = word[2:]
		default:
			e.from, e.to = word, word
		}
		for _, v := range []string{e.from, e.to} {
			if v != "" && !mcp.Known(v) {
				return e, fmt.Errorf("eras %q: %q is no revision", text, v)
			}
		}
	}
	return e, nil
}

func (e eras) hold(version string, sep bool) bool {
	if e.sep > 0 && !sep || e.sep < 0 && sep {
		return false
	}
	if e.all {
		return true
	}
	// Revisions are dates, so their order is the order of their text.
	return version != "" && (e.from == "" || version >= e.from) && (e.to == "" || version <= e.to)
}

// what is a set of occasions on which a rule may be called.
type what uint16

const (
	onComplete     what = 1 << iota // a result that is final: resultType complete or absent
	onOtherResult                   // any other result
	onError                         // an error response
	onNotification                  // of the server
	onRequest                       // of the server
	onOdd                           // JSON that is no message
	onBatch                         // a JSON array
	onNotJSON                       // anything else received
	onSent                          // a frame of ours
	onExchange                      // an exchange has ended
	onPosted                        // the HTTP exchange of a notification or answer of ours has ended
	onEnd                           // the session has ended
	onFetch                         // an HTTP exchange beside the protocol
	allWhat        = 1<<iota - 1
)

// On says on which occasions a rule's Check is called.
type On struct {
	what    what
	methods []string
}

// Results is every result of the server, final or not, to these methods (none: to any, even when unknown).
func Results(methods ...string) On { return On{onComplete | onOtherResult, methods} }

// Complete is every final result: resultType "complete", or absent.
func Complete(methods ...string) On { return On{onComplete, methods} }

// Errors is every error response of the server.
func Errors(methods ...string) On { return On{onError, methods} }

// Replies is every result and every error response.
func Replies(methods ...string) On { return On{onComplete | onOtherResult | onError, methods} }

// Notifications is every notification of the server with one of these methods (none: all).
func Notifications(methods ...string) On { return On{onNotification, methods} }

// ServerRequests is every request that the server sent.
func ServerRequests(methods ...string) On { return On{onRequest, methods} }

// Messages is every JSON text of the server: results, errors, notifications, requests, oddities and batches.
func Messages(methods ...string) On {
	return On{onComplete | onOtherResult | onError | onNotification | onRequest | onOdd | onBatch, methods}
}

// Frames is everything received, also what is no JSON.
func Frames() On { return On{what: allWhat &^ (onSent | onExchange | onPosted | onEnd | onFetch)} }

// Sent is every frame of ours, requests and notifications; p.Root is what was sent.
func Sent(methods ...string) On { return On{onSent, methods} }

// Exchanges is every exchange of a request of ours, once, when it has ended: replied, cancelled, timed out or dropped.
func Exchanges(methods ...string) On { return On{onExchange, methods} }

// Posted is every HTTP exchange of something of ours that asks for no answer (a notification, an answer to the server), once
// it has ended: the response's status belongs to it.
func Posted(methods ...string) On { return On{onPosted, methods} }

// Fetched is every HTTP exchange beside the protocol (wire.Fetch): a document fetched on the way to a token, a stream that was
// asked for by GET. p.Fetch tells which, p.Root is the document that came, p.Head the head of the response.
func Fetched() On { return On{what: onFetch} }

// AtEnd is the end of the session: no more frames will come.
func AtEnd() On { return On{what: onEnd} }

// Or joins two occasions; the methods of either count for both, and no methods on one side means any on both.
func (o On) Or(other On) On {
	methods := slices.Clone(o.methods)
	for _, m := range other.methods {
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	if len(o.methods) == 0 || len(other.methods) == 0 {
		methods = nil
	}
	return On{o.what | other.what, methods}
}
