package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
)

// securityLabelRules are about what clients show as a label.
func securityLabelRules() []*Rule {
	return []*Rule{{
		ID:     "security-markup-in-label",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(lists()...),
		Check: func(p *Pass) {
			for _, name := range []string{"tools", "prompts", "resources", "resourceTemplates"} {
				for _, item := range p.Result().Get(name).Elements() {
					for _, label := range []jsondoc.Value{item.Get("name"), item.Get("title"), item.Get("annotations").Get("title")} {
						if hasMarkup(label) {
							p.ReportSame("", p.At(label), "", "plain text")
						}
					}
				}
			}
		},
	}}
}

// hasMarkup tells whether a label holds an HTML tag, a Markdown picture or a script address: what a careless client would draw
// rather than show. A "<" alone, as in "a<b", is none.
func hasMarkup(v jsondoc.Value) bool {
	text := strings.ToLower(string(v.Raw()))
	if strings.Contains(text, "javascript:") || strings.Contains(text, "![") && strings.Contains(text, "](") {
		return true
	}
	_, after, found := strings.Cut(text, "<")
	return found && after != "" && (after[0] >= 'a' && after[0] <= 'z' || after[0] == '/' || after[0] == '!') && strings.Contains(after, ">")
}
