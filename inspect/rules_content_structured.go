package inspect

import (
	"fmt"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// structuredRules are about structuredContent and the text beside it. Whether it satisfies the tool's outputSchema is the area
// tool-errors.
func structuredRules() []*Rule {
	return []*Rule{{
		ID:     "content-structured-no-text",
		Level:  Should,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Structured Content; SEP-2106 §Backward Compatibility",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			s := p.structured()
			if !s.Exists() || isTrue(p.Result().Get("isError")) || unreadable(p.Result()) {
				return
			}
			t := p.twin()
			if t.same || t.readers && !s.Is(jsondoc.Object) {
				return // the specification's own example of an array has text for people beside it
			}
			p.Report(p.At(p.Result().Get("content")), contentCount(p.Result()), "a text block that holds the same JSON as structuredContent").Also(p.At(s))
		},
	}, {
		ID:     "content-structured-text-differs",
		Level:  Advice,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Structured Content",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			if s := p.structured(); s.Exists() {
				if t := p.twin(); !t.same && t.other.Exists() {
					p.Report(p.At(t.other), "", "the same JSON as structuredContent").Also(p.At(s))
				}
			}
		},
	}, {
		ID:     "content-structured-undeclared",
		Level:  Advice,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Output Schema",
		On:     Exchanges(mcp.ToolsCall),
		Check: func(p *Pass) {
			if c := p.Call(); c != nil && c.Tool != nil && !c.Tool.Value.Get("outputSchema").Exists() &&
				p.plainSuccess() && given(c.Structured) {
				p.Report(p.Key(c.Structured), "", "an outputSchema of the tool that describes it").Also(p.At(c.Tool.Value))
			}
		},
	}, {
		ID:     "content-number-unsafe",
		Level:  Advice,
		Eras:   "all",
		Source: "RFC 8259 §6",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			s := p.Result().Get("structuredContent")
			if !s.Exists() {
				return
			}
			doc := s.Document()
			for i := s.Node(); i < doc.Nodes[s.Node()].Next; i++ {
				n := &doc.Nodes[i]
				// A double holds every number of 15 digits.
				if n.Kind == jsondoc.Number && n.Value.To-n.Value.From > 15 {
					if v := doc.Value(i); !doubleHolds(v) {
						p.ReportSame("", p.At(v), "", "a number that a double holds without change, or a string")
					}
				}
			}
		},
	}}
}

// structured is the result's structuredContent; Missing also for null, which result-null-optional and the outputSchema judge.
func (p *Pass) structured() jsondoc.Value {
	if s := p.Result().Get("structuredContent"); given(s) {
		return s
	}
	return jsondoc.Value{}
}

// unreadable tells that a result's content is no array, or holds a text that is no string: what is in it cannot be told, and that is
// the fault to name (content-not-array, content-text-shape), not that something is missing.
func unreadable(result jsondoc.Value) bool {
	c := result.Get("content")
	if c.Exists() && !c.Is(jsondoc.Array) {
		return true
	}
	for _, b := range c.Elements() {
		if t := b.Get("text"); t.Exists() && !t.Is(jsondoc.String) && says(b.Get("type"), mcp.ContentText) {
			return true
		}
	}
	return false
}

func contentCount(result jsondoc.Value) string {
	c := result.Get("content")
	if !c.Is(jsondoc.Array) {
		return ""
	}
	return fmt.Sprintf("an array of %d", c.Len())
}

// doubleHolds tells whether a number keeps its value in an IEEE 754 double, as JavaScript and many others hold it: a whole
// number within ±(2^53-1), or one whose shortest double form is the same number.
func doubleHolds(v jsondoc.Value) bool {
	raw := string(v.Raw())
	if plainInteger(v.Raw()) {
		n, err := strconv.ParseInt(raw, 10, 64)
		return err == nil && n <= mcp.MaxSafeInteger && n >= mcp.MinSafeInteger
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return false
	}
	return jsondoc.Parse(strconv.AppendFloat(nil, f, 'g', -1, 64)).Root().Same(v)
}

// contentAdviceRules are our own opinions about results as a whole.
func contentAdviceRules() []*Rule {
	return []*Rule{{
		ID:     "content-empty-success",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			c := p.Result().Get("content")
			if c.Is(jsondoc.Array) && c.Len() == 0 && p.plainSuccess() && !p.Result().Get("structuredContent").Exists() && !p.pageOfTool().Exists() {
				p.Report(p.At(c), "", "a word about what was done")
			}
		},
	}, {
		ID:     "content-oversized",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			const maxText, maxMessage = 100_000, 1_000_000
			for _, b := range p.Result().Get("content").Elements() {
				if t := b.Get("text"); len(t.Raw()) > maxText {
					p.ReportSame("", p.At(t), fmt.Sprintf("a text of %d bytes", len(t.Raw())), "at most 100000 bytes in one text")
					return
				}
			}
			if n := len(p.Result().Raw()); n > maxMessage {
				p.Report(p.At(p.Result()), fmt.Sprintf("a result of %d bytes", n), "at most 1000000 bytes")
			}
		},
	}}
}
