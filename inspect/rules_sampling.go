package inspect

import (
	"iter"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// samplingRules are about questions to the client's language model.
func samplingRules() []*Rule {
	const since, source = ">=2025-11-25", "client/sampling"
	return []*Rule{{
		ID:     "sampling-deprecated",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "deprecated; SEP-2577",
		On:     whenAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				p.ReportSame("", p.At(q.entry.Get("method")), "", "a language model of your own: clients may cease to offer theirs")
			})
		},
	}, {
		ID:     "sampling-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema CreateMessageRequestParams",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.SamplingCreate, func(q question) { checkSampling(p, q) })
		},
	}, {
		ID:     "sampling-tools-undeclared",
		Level:  Must,
		Eras:   since,
		Source: source + " §Tools in Sampling",
		On:     whereAsked(),
		Check: func(p *Pass) {
			declared := p.ClientCapabilities().Get("sampling")
			if !declared.Is(jsondoc.Object) || declared.Get("tools").Exists() {
				return // where no question to the model may be asked at all: mrtr-capability-undeclared
			}
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				for _, name := range []string{"tools", "toolChoice"} {
					if v := q.params.Get(name); given(v) {
						p.ReportSame(q.key, p.At(v), "", "no tools: the client does not declare sampling.tools")
					}
				}
			})
		},
	}, {
		ID:     "sampling-tool-result-mixed",
		Level:  Must,
		Eras:   since,
		Source: source + " §Tool Result Messages",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				for _, m := range q.params.Get("messages").Elements() {
					results := len(idsOf(m, mcp.ContentToolResult, "toolUseId"))
					if content := m.Get("content"); m.Get("role").Text() == "user" && results > 0 && results < content.Len() && content.Is(jsondoc.Array) {
						p.Report(p.At(content), "results of tools beside other content", "results of tools and nothing else")
					}
				}
			})
		},
	}, {
		ID:     "sampling-tool-use-unbalanced",
		Level:  Must,
		Eras:   since,
		Source: source + " §Tool Use and Result Balance",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				messages := q.params.Get("messages")
				for i, m := range messages.Elements() {
					uses := idsOf(m, mcp.ContentToolUse, "id")
					if m.Get("role").Text() != "assistant" || len(uses) == 0 {
						continue
					}
					next := messages.Index(i + 1)
					if next.Get("role").Text() != "user" || !sameTexts(uses, idsOf(next, mcp.ContentToolResult, "toolUseId")) {
						p.Report(p.At(orElse(next, m)), "not the results of the tools used", "a message of the user with the result of each tool used before it").
							Also(p.At(m))
					}
				}
			})
		},
	}, {
		ID:     "sampling-include-context",
		Level:  Should,
		Eras:   since,
		Source: source + " §Capabilities; deprecated",
		On:     whereAsked(),
		Check: func(p *Pass) {
			declared := p.ClientCapabilities().Get("sampling")
			if !declared.Is(jsondoc.Object) || declared.Get("context").Exists() {
				return
			}
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				if v := q.params.Get("includeContext"); v.Text() == "thisServer" || v.Text() == "allServers" {
					p.Report(p.At(v), "", `"none", or nothing: the client does not declare sampling.context`)
				}
			})
		},
	}, {
		ID:     "sampling-preferences-range",
		Level:  Must,
		Eras:   "all",
		Source: "schema ModelPreferences, ToolChoice",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.SamplingCreate, func(q question) {
				for _, name := range []string{"costPriority", "speedPriority", "intelligencePriority"} {
					v := q.params.Get("modelPreferences").Get(name)
					if n, ok := v.Float(); given(v) && (!ok || n < 0 || n > 1) {
						p.Report(p.At(v), "", "a number from 0 to 1")
					}
				}
				switch mode := q.params.Get("toolChoice").Get("mode"); mode.Text() {
				case "auto", "required", "none":
				default:
					if given(mode) {
						p.Report(p.At(mode), "", "auto, required or none")
					}
				}
			})
		},
	}}
}

// checkSampling holds a question to the model against its schema.
func checkSampling(p *Pass, q question) {
	if q.params.Exists() && !q.params.Is(jsondoc.Object) {
		return // nothing of it can be read
	}
	at := orElse(q.params, q.entry)
	switch v := q.params.Get("messages"); {
	case !v.Exists():
		p.Report(p.At(at), "no messages", "an array of messages")
	case !v.Is(jsondoc.Array):
		p.Report(p.At(v), "", "an array of messages")
	}
	v := q.params.Get("maxTokens")
	switch n, _ := v.Float(); {
	case !v.Exists():
		p.Report(p.At(at), "no maxTokens", "a number maxTokens: how long the answer may become")
	case !v.Is(jsondoc.Number):
		p.Report(p.At(v), "", "a number")
	case n <= 0:
		p.Report(p.At(v), "", "a number above 0").Likely()
	}
	for _, m := range q.params.Get("messages").Elements() {
		if !m.Is(jsondoc.Object) {
			p.ReportSame("message", p.At(m), "", "a message: an object with role and content")
			continue
		}
		if role := m.Get("role"); role.Text() != "user" && role.Text() != "assistant" {
			p.ReportSame("role", p.At(orElse(role, m)), orText(role, "no role"), `"user" or "assistant"`)
		}
		content := m.Get("content")
		switch {
		case content.Is(jsondoc.Object):
		case content.Is(jsondoc.Array) && p.AtLeast(mcp.R20251125):
		default:
			p.ReportSame("content", p.At(orElse(content, m)), orText(content, "no content"), "a block of content")
			continue
		}
		for b := range blocksOf(m) {
			kind := b.Get("type")
			if c, ok := mcp.ContentType(kind.Text()); !ok || c.Since > p.Version() || c.Type == mcp.ContentResource || c.Type == mcp.ContentResourceLink {
				p.ReportSame("type", p.At(orElse(kind, b)), orText(kind, "no type"), "a kind of content that models take: text, image, audio, tool_use or tool_result")
			}
		}
	}
}

// blocksOf are the blocks of a message to the model: one, or an array of them.
func blocksOf(m jsondoc.Value) iter.Seq[jsondoc.Value] {
	return func(yield func(jsondoc.Value) bool) {
		content := m.Get("content")
		if content.Is(jsondoc.Object) {
			yield(content)
			return
		}
		for _, b := range content.Elements() {
			if !yield(b) {
				return
			}
		}
	}
}

// idsOf are the ids that the blocks of one kind carry, in order.
func idsOf(m jsondoc.Value, kind, member string) []string {
	var ids []string
	for b := range blocksOf(m) {
		if b.Get("type").Text() == kind {
			ids = append(ids, b.Get(member).Text())
		}
	}
	return ids
}

// sameTexts tells that two lists hold the same texts, in any order.
func sameTexts(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
