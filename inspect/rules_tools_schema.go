package inspect

import (
	"bytes"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/schema"
)

// toolSchemaRules are about the schemas that a tool must have, as far as the protocol itself asks. What is right inside a
// schema is the area schema.
func toolSchemaRules() []*Rule {
	return []*Rule{{
		ID:     "tools-input-schema-missing",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools §Tool; schema Tool.inputSchema",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				p.wrongKind(t, "inputSchema", jsondoc.Object, `an object inputSchema, {"type":"object"} for a tool without arguments`)
			}
		},
	}, {
		ID:     "tools-input-schema-root-type",
		Level:  Must,
		Eras:   "all",
		Source: "schema Tool.inputSchema; SEP-2106",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				rootTypeObject(p, t.Get("inputSchema"))
			}
		},
	}, {
		ID:     "tools-output-schema-type",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "schema Tool.outputSchema",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				s := t.Get("outputSchema")
				switch {
				case !given(s):
				case !s.Is(jsondoc.Object):
					p.ReportSame("kind", p.At(s), "", "an object")
				case !p.Modern(): // since 2026-07-28 structured output may be anything
					rootTypeObject(p, s)
				}
			}
		},
	}, {
		ID:     "tools-execution-task-support",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "changelog Major 6; SEP-2663",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				if e := t.Get("execution"); given(e) {
					p.ReportSame("", p.Key(e), "", "no execution: since 2026-07-28 the server decides call by call")
				}
			}
		},
	}}
}

// rootTypeObject reports a schema whose root is not of type "object".
func rootTypeObject(p *Pass, s jsondoc.Value) {
	if !s.Is(jsondoc.Object) {
		return
	}
	switch t := s.Get("type"); {
	case t.Text() == "object":
	case t.Exists():
		p.ReportSame("type", p.At(t), "", `"object"`)
	default:
		p.ReportSame("type", p.At(s), "no type", `"type":"object"`)
	}
}

// toolHeaderRules are about arguments that are mirrored into HTTP headers.
func toolHeaderRules() []*Rule {
	const source = "transports/streamable-http §Schema Extension"
	rule := func(id string, source string, fault schema.HeaderFault, want string) *Rule {
		return &Rule{ID: id, Level: Must, Eras: ">=2026-07-28", Source: source, On: Complete(mcp.ToolsList),
			Check: func(p *Pass) { reportHeaders(p, fault, want) }}
	}
	return []*Rule{
		rule("tools-xheader-empty", source+"; SEP-2243", schema.HeaderEmpty, "the rest of a header's name, like \"Region\""),
		rule("tools-xheader-token", source+"; RFC 9110 §5.6.2", schema.HeaderToken, "letters, digits and hyphens"),
		rule("tools-xheader-duplicate", source, schema.HeaderDuplicate, "a header name of its own for each argument"),
		rule("tools-xheader-type", source, schema.HeaderType, "an argument of type string, integer or boolean"),
		rule("tools-xheader-integer-range", source, schema.HeaderRange, "numbers within ±9007199254740991"),
		rule("tools-xheader-unreachable", source, schema.HeaderUnreachable, "a property that the root reaches through properties alone"),
		{
			ID:     "tools-xheader-sensitive",
			Level:  Should,
			Eras:   ">=2026-07-28",
			Source: "server/tools §x-mcp-header",
			On:     Complete(mcp.ToolsList),
			Check:  checkSensitiveHeaders,
		},
	}
}

// mirroringTools calls f for each inputSchema in which an annotation may stand.
func mirroringTools(p *Pass, f func(input jsondoc.Value)) {
	keyword := []byte(mcp.KeywordHeader)
	if !bytes.Contains(p.Result().Raw(), keyword) {
		return
	}
	for t := range p.tools() {
		if s := t.Get("inputSchema"); s.Is(jsondoc.Object) && bytes.Contains(s.Raw(), keyword) {
			f(s)
		}
	}
}

func reportHeaders(p *Pass, fault schema.HeaderFault, want string) {
	n := 0
	mirroringTools(p, func(s jsondoc.Value) {
		_, problems := schema.Headers(s)
		for _, problem := range problems {
			if problem.Fault != fault {
				continue
			}
			if n++; n > alsoMax {
				return
			}
			r := p.Report(p.At(within(s, problem.Pointer)), "", want)
			if fault == schema.HeaderDuplicate {
				r.Also(p.At(within(s, problem.Other)))
			}
		}
	})
}

// within is the value at a pointer that is relative to v.
func within(v jsondoc.Value, at jsondoc.Pointer) jsondoc.Value {
	return v.Document().At(v.Pointer() + at)
}

// checkSensitiveHeaders looks for secrets among the arguments that are mirrored: whatever stands in a header is read and
// logged on the way.
func checkSensitiveHeaders(p *Pass) {
	mirroringTools(p, func(s jsondoc.Value) {
		headers, _ := schema.Headers(s)
		for _, h := range headers {
			property := within(s, h.Schema)
			last := h.Path.Tokens()
			name := ""
			if len(last) > 0 {
				name = last[len(last)-1]
			}
			if property.Get("format").Text() == "password" || isSecretName(name) || isSecretName(h.Name) || isPersonal(name) {
				p.reportSame("", p.At(property.Get(mcp.KeywordHeader)), "", "no header for what is secret or personal: keep it in the body", Likely)
			}
		}
	})
}

// isPersonal tells whether an argument is personal by its name.
func isPersonal(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && words[len(words)-1] == "email" || len(words) > 1 && words[len(words)-1] == "address" && words[len(words)-2] == "email"
}
