package inspect

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Class is the answer to "what happened", in one of a few words that scripts may depend on.
type Class string

// The classes.
const (
	Success          Class = "success"
	ToolError        Class = "tool-error"        // a result with isError true: the model sees it and can correct itself
	ProtocolError    Class = "protocol-error"    // a JSON-RPC error: the client sees it, the model does not
	InputRequired    Class = "input-required"    // the server asks back
	TaskCreated      Class = "task"              // the answer will come later
	Invalid          Class = "invalid"           // an answer that nobody can rely on
	TransportFailure Class = "transport-failure" // no answer
)

// Outcome is the class of an exchange with its kind, how sure that is, and why.
type Outcome struct {
	Class      Class
	Kind       string // a word of the contract, "" when the class says it all
	Confidence Confidence
	Evidence   []string // for people, most telling first

	// Published and SEP2145 say how the answer stands to the published 2026-07-28 text and to SEP-2145: "conforms",
	// "deviates", "open" (no rule there); "" where the two have nothing to say (other methods, legacy servers).
	Published, SEP2145 string
}

// Words for Outcome.Published and SEP2145.
const (
	conforms = "conforms"
	deviates = "deviates"
	open     = "open"
)

func (o Outcome) sure(c Confidence, evidence ...string) Outcome {
	o.Confidence = c
	for _, e := range evidence {
		if e != "" {
			o.Evidence = append(o.Evidence, display(e))
		}
	}
	return o
}

func (o Outcome) judged(published, sep string) Outcome {
	o.Published, o.SEP2145 = published, sep
	return o
}

// Outcome classifies the exchange: the first fitting row of a table. Rows are numbered in comments as in the
// project's notes; the order matters.
func (p *Pass) Outcome() Outcome {
	if p.outcome == nil {
		o := p.classify()
		if !p.modern {
			o.Published, o.SEP2145 = "", ""
		}
		p.outcome = &o
	}
	return *p.outcome
}

func (p *Pass) classify() Outcome {
	x := p.x
	if o, failed := p.transportFailure(); failed { // 1, 2, 3
		return o
	}
	root := x.Reply.Root()
	result, failure := root.Get("result"), root.Get("error")
	switch { // 4
	case result.Exists() && failure.Exists():
		return Outcome{Class: Invalid, Kind: "envelope"}.sure(Certain, "both result and error are there")
	case !result.Exists() && !failure.Exists():
		return Outcome{Class: Invalid, Kind: "envelope"}.sure(Certain, "neither result nor error is there")
	case failure.Exists() && !failure.Is(jsondoc.Object):
		return Outcome{Class: Invalid, Kind: "envelope"}.sure(Certain, "error is not an object")
	case failure.Exists():
		return p.errorOutcome(failure)
	case !result.Is(jsondoc.Object):
		return Outcome{Class: Invalid, Kind: "envelope"}.sure(Certain, "result is not an object")
	}
	return p.resultOutcome(result)
}

// cutOff tells that a message ends inside a value: what it lacks may have stood in the rest.
func cutOff(m *wire.Message) bool {
	for _, f := range m.Doc().Faults {
		if f.Kind == jsondoc.Unterminated {
			return true
		}
	}
	return false
}

// transportFailure is rows 1 to 3: no answer that could be read.
func (p *Pass) transportFailure() (Outcome, bool) {
	x := p.x
	fail := func(kind string, c Confidence, evidence ...string) (Outcome, bool) {
		return Outcome{Class: TransportFailure, Kind: kind}.sure(c, append(evidence, x.EndText)...), true
	}
	status := 0
	if head := p.Head(); head != nil {
		status = head.Status
		challenge := strings.ToLower(head.Get("WWW-Authenticate"))
		if status == 401 || status == 403 && strings.Contains(challenge, "bearer") {
			what := "login needed"
			if status == 403 {
				what = "another scope needed"
			}
			return fail("auth", Certain, fmt.Sprintf("HTTP %d: %s", status, what))
		}
	}
	readable := x.Reply != nil && (x.Reply.Kind == wire.Result || x.Reply.Kind == wire.Error || x.Reply.Kind == wire.Odd)
	if readable && !cutOff(x.Reply) {
		return Outcome{}, false
	}
	switch {
	case x.End == wire.Dropped && x.EndText == wire.BatchRefused:
		return Outcome{Class: ProtocolError, Kind: "invalid-request"}.sure(Certain, x.EndText), true
	case status >= 400:
		return fail("http-status", Certain, fmt.Sprintf("HTTP %d without a JSON-RPC message", status))
	case x.End == wire.TimedOut:
		return fail("timeout", Certain, "no answer came in time")
	case x.End == wire.Cancelled:
		return fail("cancelled", Certain, "we gave the request up")
	case status == 202 || status == 204:
		return fail("http-status", Certain, fmt.Sprintf("HTTP %d is no answer to a request", status))
	case x.Exit != nil:
		return fail("crash", Certain, exitText(x.Exit))
	case readable:
		return fail("truncated", Certain, "the answer ends in the middle")
	case x.Reply != nil:
		return fail("not-json", Certain, "the answer is no JSON")
	}
	if len(x.Foreign) > 0 {
		return fail("id-mismatch", Certain)
	}
	for i := range x.During {
		if x.During[i].Kind == wire.NotJSON {
			return fail("not-json", Certain, "the answer is no JSON")
		}
	}
	switch p.in.history.LaneEnd(x.Request.Lane) {
	case wire.LaneFailed:
		return fail("connect", Certain, "no connection")
	case wire.LaneExit:
		return fail("crash", Likely, "the server is gone")
	}
	if p.HTTP() && status == 0 && len(x.During) == 0 {
		return fail("connect", Likely, "nothing came back")
	}
	return fail("truncated", Certain, "the channel ended without an answer")
}

func exitText(e *wire.Exit) string {
	if e.Signal != "" {
		return "the server was ended by " + e.Signal
	}
	return fmt.Sprintf("the server exited with code %d", e.Code)
}

// errorOutcome is rows 5 to 15.
func (p *Pass) errorOutcome(failure jsondoc.Value) Outcome {
	code, ok := failure.Get("code").Int()
	message := failure.Get("message").Text()
	protocol := func(kind string, c Confidence, evidence ...string) Outcome {
		return Outcome{Class: ProtocolError, Kind: kind}.sure(c, evidence...)
	}
	if !ok {
		return protocol("application-code", Certain, "error.code is no integer")
	}
	said := "code " + fmt.Sprint(code)
	if name := mcp.CodeName(code); name != "" {
		said += " (" + name + ")"
	}
	call := p.Call()
	switch code {
	case mcp.CodeHeaderMismatch: // 5
		return protocol("header", Certain, said)
	case mcp.CodeMissingClientCapability:
		return protocol("capability", Certain, said)
	case mcp.CodeUnsupportedVersion:
		return protocol("version", Certain, said)
	case mcp.CodeParseError: // 6
		return protocol("parse", Certain, said)
	case mcp.CodeInvalidRequest:
		return protocol("invalid-request", Certain, said)
	case mcp.CodeMethodNotFound: // 7
		if call != nil && call.Listed == No && call.Formed && (saysUnknownTool(message) || strings.Contains(message, call.Name)) {
			return protocol("unknown-tool", Certain, call.absence(), quoted(message), said).judged(deviates, deviates)
		}
		return protocol("method-not-found", Certain, said)
	case mcp.CodeInvalidParams: // 8
		if missing := p.metaMissing(); missing != "" {
			return protocol("meta", Certain, "the request had no "+missing)
		}
	}
	if call != nil {
		return p.callError(call, code, message, said)
	}
	switch {
	case code == mcp.CodeInvalidParams || code == mcp.CodeResourceNotFound:
		if o, is := p.notFound(failure, code, message); is {
			return o
		}
		if code == mcp.CodeInvalidParams {
			return protocol("invalid-params", Certain, said)
		}
	case code == mcp.CodeInternalError:
		return protocol("internal", Certain, said)
	}
	return codeOutcome(code, said) // 15
}

// callError is rows 9 to 15 for tools/call.
func (p *Pass) callError(call *Call, code int64, message, said string) Outcome {
	protocol := func(kind string, c Confidence, evidence ...string) Outcome {
		return Outcome{Class: ProtocolError, Kind: kind}.sure(c, evidence...)
	}
	invalid := code == mcp.CodeInvalidParams
	if !call.Formed { // 9; another code than -32602 may mean the same, and nothing else is left to be told apart
		return protocol("malformed-call", agree(true, invalid), "the call had no string name, or arguments that are no object", said).judged(conforms, conforms)
	}
	if says := saysUnknownTool(message); call.Listed == No || says && call.Listed != Yes { // 10
		published := deviates
		if invalid {
			published = conforms
		}
		return protocol("unknown-tool", agree(call.Listed == No, says), call.absence(), quotedIf(says, message), said).
			judged(published, deviates)
	}
	if says := saysNotCallable(message); says && call.Listed == Yes { // 11
		return protocol("not-callable", Certain, "the tool is on the list", quoted(message)).judged(open, deviates)
	}
	if saysOutput(message) { // 12
		hasOutput := call.Tool != nil && call.Tool.HasOutput()
		return protocol("output-validation", agree(hasOutput, true), quoted(message)).judged(open, deviates)
	}
	if invalid && saysRetry(message) && p.isRetry() {
		return protocol("invalid-params", Likely, quoted(message))
	}
	if says := saysInput(message); invalid && (call.Fits == No || says) { // 13
		return protocol("input-validation", agree(call.Fits == No, says), call.unfitText(), quotedIf(says, message), said).
			judged(deviates, deviates)
	}
	if invalid {
		return protocol("invalid-params", Guess, said, "nothing else tells what is wrong with the arguments")
	}
	if mcp.CodeRetired(code) == "" { // 14
		known := call.Listed == Yes && call.Fits != No
		verdict := open
		if known {
			verdict = deviates
		}
		switch {
		case code == mcp.CodeInternalError:
			return protocol("internal", Guess, said,
				"a failure of the tool and a fault of the server look the same here").judged(verdict, verdict)
		case known:
			return protocol("execution", Guess, said, "the tool is on the list").judged(verdict, verdict)
		}
	}
	return codeOutcome(code, said)
}

// codeOutcome is row 15: nothing but the code is known.
func codeOutcome(code int64, said string) Outcome {
	o := Outcome{Class: ProtocolError, Kind: "application-code"}
	switch {
	case mcp.CodeRetired(code) != "":
		o.Kind = "retired-code"
	case mcp.CodeFrozen(code):
		o.Kind = "legacy-code"
	case code == mcp.CodeInternalError:
		o.Kind = "internal"
	}
	return o.sure(Certain, said)
}

// notFound is the row of the other methods that name something.
func (p *Pass) notFound(failure jsondoc.Value, code int64, message string) (Outcome, bool) {
	o := Outcome{Class: ProtocolError, Kind: "not-found"}
	text := strings.ToLower(message)
	switch p.x.Method() {
	case mcp.ResourcesRead:
		uri := p.x.Request.Params().Get("uri")
		named := uri.Exists() && failure.Get("data").Get("uri").Same(uri)
		says := contains(text, "not found", "unknown resource", "no such")
		if named || says || code == mcp.CodeResourceNotFound {
			return o.sure(agree(named, says), quotedIf(says, message), namedIf(named, "error.data.uri is the one asked for")), true
		}
	case mcp.PromptsGet, mcp.Complete:
		if code == mcp.CodeInvalidParams && contains(text, "unknown", "not found") {
			return o.sure(Likely, quoted(message)), true
		}
	}
	return o, false
}

// metaMissing names the _meta key that a modern request must have and ours had not; "" when all are there.
func (p *Pass) metaMissing() string {
	if !p.modern || p.x.Request == nil {
		return ""
	}
	meta := p.x.Request.Params().Get("_meta")
	for _, key := range []string{mcp.MetaProtocolVersion, mcp.MetaClientCapabilities} {
		if !meta.Get(key).Exists() {
			return key
		}
	}
	return ""
}

// isRetry tells whether the request answered earlier questions of the server.
func (p *Pass) isRetry() bool {
	return p.sent.Get("inputResponses").Exists() || p.sent.Get("requestState").Exists()
}
