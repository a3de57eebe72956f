package inspect

import (
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// completionRules are about suggestions for what a user is typing.
func completionRules() []*Rule {
	return []*Rule{{
		ID:     "completion-values-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema CompleteResult",
		On:     Complete(mcp.Complete),
		Check: func(p *Pass) {
			completion := p.Result().Get("completion")
			values := completion.Get("values")
			if values.Exists() && !values.Is(jsondoc.Array) {
				p.Report(p.At(values), "", "an array of strings")
			}
			for _, v := range values.Elements() {
				if values.Is(jsondoc.Array) && !v.Is(jsondoc.String) {
					p.ReportSame("value", p.At(v), "", "a string")
				}
			}
			if v := completion.Get("total"); hasValue(v) && !v.IsInteger() {
				p.Report(p.At(v), "", "a whole number")
			}
			if v := completion.Get("hasMore"); hasValue(v) && !v.Is(jsondoc.Bool) {
				p.Report(p.At(v), "", "true or false")
			}
		},
	}, {
		ID:     "completion-too-many",
		Level:  Must,
		Eras:   "all",
		Source: "server/utilities/completion §Completion Results; schema maxItems 100",
		On:     Complete(mcp.Complete),
		Check: func(p *Pass) {
			if v := p.Result().Get("completion").Get("values"); v.Is(jsondoc.Array) && v.Len() > 100 {
				p.Report(p.At(v), strconv.Itoa(v.Len())+" values", "at most 100 values, and hasMore true")
			}
		},
	}, {
		ID:     "completion-count-inconsistent",
		Level:  Advice,
		Eras:   "all",
		Source: "schema CompleteResult",
		On:     Complete(mcp.Complete),
		Check: func(p *Pass) {
			completion := p.Result().Get("completion")
			n := int64(completion.Get("values").Len())
			total, ok := completion.Get("total").Int()
			more, isBool := completion.Get("hasMore").Bool()
			switch {
			case !ok || !completion.Get("values").Is(jsondoc.Array):
			case total < n:
				p.Reportf(p.At(completion.Get("total")), "", "at least %d: as many values came", n)
			case isBool && !more && total > n:
				p.Reportf(p.At(completion.Get("hasMore")), "", "true: %d of %d came", n, total).Also(p.At(completion.Get("total")))
			}
		},
	}, {
		ID:     "completion-invalid-ref-code",
		Level:  Should,
		Eras:   "all",
		Source: "server/utilities/completion §Error Handling",
		On:     Errors(mcp.Complete),
		Check:  checkUnknownReference,
	}}
}

// checkUnknownReference judges the error for a prompt that is not on the complete list.
func checkUnknownReference(p *Pass) {
	ref := p.Request().Get("ref")
	name := ref.Get("name")
	code, ok := p.Code()
	if ref.Get("type").Text() != "ref/prompt" || !name.Is(jsondoc.String) || !ok || code == mcp.CodeInvalidParams || p.otherFault(code) {
		return
	}
	absent, known := p.in.history.absent(mcp.PromptsList, p.x.Seq(), p.x.Request.At, func(w *Walk) bool { return w.named(name) })
	declared, _ := p.History().Declared("completions")
	if known && absent && declared {
		p.Report(p.At(p.Error().Get("code")), "", "-32602: there is no prompt of this name").Also(p.At(name))
	}
}
