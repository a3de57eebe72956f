package inspect

import (
	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Verdict is what is said of one exchange: four parts for a response, and the findings.
type Verdict struct {
	Seq     wire.Seq
	Ended   bool   // the exchange is over, so that the four parts are valid; false while it is open and for lone frames
	Again   bool   // it had ended before this call: late frames came for it, or a better reason for its end
	Profile string // judged by this profile
	Era     string // EraModern, EraLegacy, "" when unknown
	Version string // judged by this revision, "" when unknown

	ResultType ResultType
	Outcome    Outcome
	Freshness  fresh.Hint // what the result says; what it is worth at a moment is fresh.Ledger's to say, or Hint.At's

	// Findings are those of this very call of See (or End). Earlier are those that earlier calls returned for the same
	// exchange, so that a line printed when it ends can show them all.
	Findings, Earlier []Finding

	// Broken names rules that failed to run: a fault of this program, never of the server.
	Broken []string
}

// All is what a line about the exchange shows: every finding so far when it ends, and only the new ones when it comes
// again after that.
func (v *Verdict) All() []Finding {
	if len(v.Earlier) == 0 || v.Again {
		return v.Findings
	}
	return append(append([]Finding(nil), v.Earlier...), v.Findings...)
}

// ResultType is what the result calls itself.
type ResultType struct {
	Value string // the string, or the raw token of anything else; "complete" when assumed; "" when there is no result
	From  From
	Known bool // the value is one that the request's revision and extensions define
}

// From says where a ResultType comes from.
type From uint8

// Wire: it stood there. Assumed: absent, as is right on a legacy server. Absent: missing on a modern one. None: an error,
// or nothing came.
const (
	FromNone From = iota
	FromWire
	FromAssumed
	FromMissing
)

// String is the word of the JSON output.
func (f From) String() string {
	return [...]string{"none", "wire", "assumed", "missing"}[min(f, FromMissing)]
}

func resultType(p *Pass) ResultType {
	result := resultOf(p.x)
	if !result.Exists() {
		return ResultType{}
	}
	v := result.Get("resultType")
	switch {
	case v.Is(jsondoc.String):
		return ResultType{Value: v.Text(), From: FromWire, Known: p.knownResultType(v.Text())}
	case v.Exists():
		return ResultType{Value: display(string(v.Raw())), From: FromWire}
	case p.modern:
		return ResultType{Value: mcp.ResultComplete, From: FromMissing, Known: true}
	}
	return ResultType{Value: mcp.ResultComplete, From: FromAssumed, Known: true}
}

// knownResultType tells whether the core or an extension that the request declared defines the value.
func (p *Pass) knownResultType(value string) bool {
	switch value {
	case mcp.ResultComplete, mcp.ResultInputRequired:
		return true
	case mcp.ResultTask:
		return p.Extension(mcp.ExtensionTasks)
	}
	return false
}
