package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// toolErrorRules are about how a failed tool call is told: as a result with isError, which the model sees and can learn
// from, or as a JSON-RPC error, which only the client sees. SEP-2145 and the published text differ here; rules come in
// pairs, of which the profile switches one off.
func toolErrorRules() []*Rule {
	rules := []*Rule{{
		ID:     "tool-error-unknown-tool-protocol",
		Level:  Must,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 2",
		On:     Exchanges(mcp.ToolsCall),
		Probe:  "unknown-tool",
		Check: func(p *Pass) {
			if o := p.Outcome(); o.Class == ProtocolError && o.Kind == kindUnknownTool {
				r := p.Report(p.At(p.Error()), "", "a result with isError true and a text like “Unknown tool: "+p.Call().Name+"” (the published text asks for the error -32602)").Sure(o.Confidence)
				if code, _ := p.Code(); code != mcp.CodeInvalidParams {
					r.Published(Should)
				}
			}
		},
	}, {
		ID:     "tool-error-unknown-tool-result",
		Level:  Should,
		Eras:   "all !SEP-2145",
		Source: "server/tools §Error Handling; schema CallToolResult.isError; schema InvalidParamsError",
		On:     Exchanges(mcp.ToolsCall),
		Probe:  "unknown-tool",
		Check: func(p *Pass) {
			if o := p.Outcome(); o.Class == ToolError && o.Kind == kindUnknownTool {
				p.Report(p.At(p.Result().Get("isError")), "", "a JSON-RPC error with code -32602 (SEP-2145 asks for exactly this result)").Sure(o.Confidence)
			}
		},
	}, {
		ID:     "tool-error-unknown-tool-code",
		Level:  Should,
		Eras:   "all !SEP-2145",
		Source: "server/tools §Error Handling; schema InvalidParamsError",
		On:     Exchanges(mcp.ToolsCall),
		Probe:  "unknown-tool",
		Check: func(p *Pass) {
			o := p.Outcome()
			if code, ok := p.Code(); ok && code != mcp.CodeInvalidParams && o.Class == ProtocolError && o.Kind == kindUnknownTool {
				p.Report(p.At(p.Error().Get("code")), "", "-32602 (invalid params)").Sure(o.Confidence)
			}
		},
	}, {
		ID:     "tool-error-unknown-tool-success",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools §Error Handling; SEP-2145 Normative 2",
		On:     Exchanges(mcp.ToolsCall),
		Probe:  "unknown-tool",
		Check: func(p *Pass) {
			if o := p.Outcome(); o.Class == Success && o.Kind == kindUnknownTool {
				p.Report(p.At(p.Result()), "a result without isError", "a failure: there is no tool "+jsondoc.Quote(p.Call().Name)).
					Also(p.At(p.Request().Get("name"))).Sure(o.Confidence)
			}
		},
	}, {
		ID:     "tool-error-not-callable-protocol",
		Level:  Must,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 2",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if o := p.Outcome(); o.Class == ProtocolError && o.Kind == kindNotCallable {
				p.Report(p.At(p.Error()), "", "a result with isError true and a text like “Tool unavailable: "+p.Call().Name+"”").Sure(o.Confidence)
			}
		},
	}, {
		ID:     "tool-error-input-protocol",
		Level:  Should,
		Eras:   ">=2025-11-25 !SEP-2145",
		Source: "server/tools §Error Handling; SEP-1303",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkInputProtocol,
	}, {
		ID:     "tool-error-input-protocol-sep2145",
		Level:  Must,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 1",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkInputProtocol,
	}, {
		ID:     "tool-error-input-accepted",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools §Security Considerations (validate inputs); SEP-2106 §Security",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			c := p.Call()
			if c == nil || c.Fits != No || replyKindOf(p) != onComplete || !p.Result().Is(jsondoc.Object) || isTrue(p.Result().Get("isError")) {
				return
			}
			fault := c.Unfit[0]
			at := p.At(p.Request())
			if c.Arguments.Exists() {
				at = p.At(p.Request().Document().At(c.Arguments.Pointer() + fault.Instance))
			}
			p.Report(p.At(p.Result()), "a result without isError", "a failure: "+fault.Text+" at arguments"+string(fault.Instance)).Also(at)
		},
	}, {
		ID:     "tool-error-malformed-as-result",
		Level:  Should,
		Eras:   "all",
		Source: "server/tools §Error Handling; SEP-2145 Normative 5",
		On:     Exchanges(mcp.ToolsCall),
		Probe:  "malformed-call",
		Check: func(p *Pass) {
			c := p.Call()
			if c == nil || c.Formed || replyKindOf(p) != onComplete {
				return
			}
			at := p.At(p.Request())
			if v := p.Request().Get("name"); v.Exists() {
				at = p.At(v)
				if v.Is(jsondoc.String) {
					at = p.At(c.Arguments)
				}
			}
			p.Report(p.At(p.Result()), "a tool result", "a JSON-RPC error: the call is malformed").Also(at)
		},
	}, {
		ID:     "tool-error-execution-protocol",
		Level:  Should,
		Eras:   "all !SEP-2145",
		Source: "schema CallToolResult.isError; server/tools §Error Handling",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkExecutionProtocol,
	}, {
		ID:     "tool-error-execution-protocol-sep2145",
		Level:  Must,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 3",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkExecutionProtocol,
	}, {
		ID:     "tool-error-style-mixed",
		Level:  Advice,
		Eras:   "all",
		Source: "SEP-2145 Rationale",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkStyleMixed,
	}, {
		ID:     "tool-error-enumerates-tools",
		Level:  Advice,
		Eras:   "SEP-2145",
		Source: "SEP-2145 §Security Implications",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkEnumeratesTools,
	}}
	return append(append(rules, toolOutputRules()...), toolTextRules()...)
}

// replyKindOf is the occasion that the exchange's reply was, 0 when there is none.
func replyKindOf(p *Pass) what {
	if p.m == nil {
		return 0
	}
	return replyKind(p.m)
}

func checkInputProtocol(p *Pass) {
	o := p.Outcome()
	if o.Class != ProtocolError || o.Kind != kindInput || p.answersWrongly() {
		return
	}
	r := p.Report(p.At(p.Error()), "", "a result with isError true and a text like “Invalid input: "+p.Call().Name+"” that names the field").Sure(o.Confidence)
	if c := p.Call(); c.Fits == No && c.Arguments.Exists() {
		r.Also(p.At(p.Request().Document().At(c.Arguments.Pointer() + c.Unfit[0].Instance)))
	}
	if p.SEP2145() {
		r.Published(Should)
	}
}

// checkExecutionProtocol reports an error for a call in which nothing was wrong: a tool on the list, arguments that fit.
// The codes by which a server refuses the request itself are left alone, and those that have rules of their own.
func checkExecutionProtocol(p *Pass) {
	o, c := p.Outcome(), p.Call()
	if o.Class != ProtocolError || o.Kind != "execution" && o.Kind != "internal" || c.Listed != Yes || c.Fits != Yes || p.answersWrongly() {
		return
	}
	r := p.Report(p.At(p.Error()), "", "a result with isError true that says what went wrong, so that the model sees it").Sure(o.Confidence)
	if p.SEP2145() {
		r.Published(Should)
	}
}

// styles are, for each kind of failed call, the first answers of each class.
type styles struct {
	first map[string]map[Class]wire.Seq
	said  map[string]bool
}

func checkStyleMixed(p *Pass) {
	o := p.Outcome()
	if o.Class != ToolError && o.Class != ProtocolError || o.Confidence == Guess || p.m == nil || !p.Call().Formed {
		return
	}
	switch o.Kind {
	case kindUnknownTool, kindNotCallable, kindInput, kindOutput, "execution":
	default:
		return
	}
	s := Keep[styles](p)
	if s.first == nil {
		s.first, s.said = map[string]map[Class]wire.Seq{}, map[string]bool{}
	}
	if s.first[o.Kind] == nil {
		s.first[o.Kind] = map[Class]wire.Seq{}
	}
	other := ToolError
	if o.Class == ToolError {
		other = ProtocolError
	}
	if earlier, mixed := s.first[o.Kind][other]; mixed && !s.said[o.Kind] {
		s.said[o.Kind] = true
		at := p.At(p.Error())
		if o.Class == ToolError {
			at = p.At(p.Result().Get("isError"))
		}
		p.Report(at, string(o.Class), "one way for every failure of this kind ("+o.Kind+")").Also(p.Frame(earlier)).Sure(o.Confidence)
	}
	if s.first[o.Kind][o.Class] == 0 {
		s.first[o.Kind][o.Class] = p.m.Seq
	}
}

func checkEnumeratesTools(p *Pass) {
	o := p.Outcome()
	if o.Class != ToolError && o.Class != ProtocolError || o.Kind != kindUnknownTool {
		return
	}
	text := p.Error().Get("message")
	if o.Class == ToolError {
		text = firstText(p.Result())
	}
	named := 0
	if w := p.History().Walk(mcp.ToolsList, p.x.Seq()); w != nil {
		for name := range w.tools {
			if name != p.Call().Name && len(name) > 2 && holdsWord(text.Text(), name) {
				named++
			}
		}
	}
	if named >= 3 || contains(lower(text.Text()), "available tools:", "available:", "known tools:") {
		p.Report(p.At(text), "", "a pointer to tools/list rather than the names of other tools")
	}
}
