package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// toolOutputRules are about structuredContent and the outputSchema that announces it.
func toolOutputRules() []*Rule {
	return []*Rule{{
		ID:     "tool-error-output-missing",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Output Schema",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if p.outputMissing() {
				p.Report(p.At(p.Result()), "no structuredContent", "structuredContent as the tool's outputSchema describes it").
					Also(p.At(p.Call().Tool.Value.Get("outputSchema")))
			}
		},
	}, {
		ID:     "tool-error-output-invalid",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Output Schema",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if p.outputInvalid() {
				reportOutput(p)
			}
		},
	}, {
		ID:     "tool-error-output-silent",
		Level:  Should,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 4",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if p.outputMissing() || p.outputInvalid() {
				p.Report(p.At(p.Result()), "a result without isError",
					"isError true and a text like “Tool produced invalid structured output for "+p.Call().Name+"”")
			}
		},
	}, {
		ID:     "tool-error-output-protocol",
		Level:  Should,
		Eras:   "SEP-2145",
		Source: "SEP-2145 Normative 4",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if o := p.Outcome(); o.Class == ProtocolError && o.Kind == kindOutput {
				p.Report(p.At(p.Error().Get("message")), "", "a result with isError true").Sure(o.Confidence)
			}
		},
	}, {
		ID:     "tool-error-output-non-object",
		Level:  Must,
		Eras:   "2025-06-18..2025-11-25",
		Source: "schema 2025-11-25 CallToolResult; SEP-2145 Normative 4 (outdated clause)",
		On:     Results(mcp.ToolsCall),
		Check: func(p *Pass) {
			v := p.Result().Get("structuredContent")
			if v.Exists() && !v.Is(jsondoc.Object) && !v.Is(jsondoc.Null) { // null: see result-null-optional
				p.Report(p.At(v), "", "an object")
			}
		},
	}, {
		ID:     "tool-error-structured-on-error",
		Level:  Advice,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Output Schema",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if c := p.Call(); c != nil && c.Output == No && isTrue(p.Result().Get("isError")) {
				reportOutput(p)
			}
		},
	}}
}

// plainSuccess tells whether the reply is a final result that claims no failure.
func (p *Pass) plainSuccess() bool {
	return replyKindOf(p) == onComplete && p.Result().Is(jsondoc.Object) && !isTrue(p.Result().Get("isError")) && !p.taskMade(p.Result())
}

func (p *Pass) outputMissing() bool {
	c := p.Call()
	return c != nil && p.plainSuccess() && c.Tool != nil && c.Tool.HasOutput() && !p.Result().Get("structuredContent").Exists()
}

func (p *Pass) outputInvalid() bool {
	c := p.Call()
	return c != nil && p.plainSuccess() && c.Output == No
}

// maxProblems is how many places of one invalid value are named.
const maxProblems = 8

// reportOutput reports structuredContent that does not satisfy the outputSchema: the first place, with what asks for it.
func reportOutput(p *Pass) {
	c := p.Call()
	root := c.Structured.Pointer()
	place := func(i int) Place { return p.At(c.Structured.Document().At(root + c.OutputBad[i].Instance)) }
	r := p.Report(place(0), "", c.OutputBad[0].Want)
	for i := 1; i < min(len(c.OutputBad), maxProblems); i++ {
		r.Again(place(i))
	}
	schema := c.Tool.Value.Get("outputSchema")
	r.Also(p.At(schema.Document().At(schema.Pointer() + c.OutputBad[0].Schema)))
}
