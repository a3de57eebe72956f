package inspect

import (
	"bytes"
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// securityRules are the rules of the area security. All are advice: nothing here breaks the protocol.
func securityRules() []*Rule {
	return append(append(securityLabelRules(), securityNameRules()...), []*Rule{{
		ID:     "security-hidden-unicode",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice; server/tools §Warning (untrusted annotations)",
		On:     Messages(),
		Check: func(p *Pass) {
			for _, o := range p.odd() {
				if signs := o.hidden(p.returned()); signs != "" {
					p.ReportSame("", o.place(p), signs, "no invisible characters")
				}
			}
		},
	}, {
		ID:     "security-ansi-escape",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Messages(),
		Check: func(p *Pass) {
			for _, o := range p.odd() {
				if signs := o.controls(); signs != "" {
					p.ReportSame("", o.place(p), signs+" in "+quoted(o.text), "text without control characters")
				}
			}
		},
	}, {
		ID:     "security-instruction-in-description",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(lists()...),
		Check:  checkOrders,
	}, {
		ID:     "security-description-oversized",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			const most = 2000
			for t := range p.tools() {
				if d := t.Get("description"); d.Is(jsondoc.String) && len(d.Raw()) > most {
					p.ReportSame("", p.At(d), fmt.Sprintf("a description of %d bytes", len(d.Raw())), "at most 2000 bytes")
				}
			}
		},
	}, {
		ID:     "security-sensitive-parameter",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				for name, v := range t.Get("inputSchema").Get("properties").Members() {
					if isSecretName(name) || contains(name, "system_prompt", "systemPrompt", "conversation_history", "chat_history") {
						p.reportSame("", p.Key(v), "", "secrets configured outside the model, and no copy of the conversation", Guess)
					}
				}
			}
		},
	}, {
		ID:     "security-secret-in-payload",
		Level:  Advice,
		Eras:   "all",
		Source: "server/tools §Security (sanitize outputs)",
		On:     Complete(append(lists(), mcp.ToolsCall)...),
		Check:  checkSecrets,
	}, {
		ID:     "security-definition-changed",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Exchanges(mcp.ToolsList),
		Check: func(p *Pass) {
			changedTools(p, func(old, now jsondoc.Value) { // the schemas are schema-changed-mid-session's
				for _, name := range []string{"description", "annotations"} {
					a, b := old.Get(name), now.Get(name)
					if a.Exists() && b.Exists() && !a.Same(b) {
						p.ReportSame("", p.At(b), "", "the tool as it was when it was first seen")
					}
				}
			})
		},
	}}...)
}

// orders are phrases by which a description speaks to the model over the head of the person. In lower case.
func orders() []string {
	return []string{
		"<important>", "<system>", "ignore previous", "ignore all previous", "ignore the above", "disregard previous", "disregard all",
		"do not tell the user", "don't tell the user", "do not inform the user", "without telling the user", "do not mention this",
		"hide this from the user", "id_rsa", "~/.ssh",
	}
}

// ordered is where the first of these phrases begins in a text in lower case, -1 when there is none.
func ordered(low []byte) int {
	for _, phrase := range orders() {
		if i := bytes.Index(low, []byte(phrase)); i >= 0 {
			return i
		}
	}
	return -1
}

// checkOrders looks at every description of a list, those within schemas included. Servers may address the model in their
// instructions; in descriptions they have no reason to.
func checkOrders(p *Pass) {
	if ordered(p.definitions()) < 0 {
		return
	}
	doc, at := p.Result().Document(), p.Result().Node()
	for i := at; i < doc.Nodes[at].Next; i++ {
		v := doc.Value(i)
		if !v.Is(jsondoc.String) || v.Name() != "description" && v.Name() != "title" {
			continue
		}
		low := bytes.ToLower([]byte(v.Text()))
		if j := ordered(low); j >= 0 {
			p.reportSame("", p.At(v), quoted(string(low[j:min(len(low), j+80)])), "a description of what it does, without orders to the model", Guess)
		}
	}
}

// checkSecrets looks for credentials in descriptions, defaults and texts. What the call's own arguments contain is no secret.
func checkSecrets(p *Pass) {
	r := p.Result()
	raw := r.Raw()
	if !bytes.Contains(raw, []byte("AKIA")) && !bytes.Contains(raw, []byte("-----BEGIN ")) && !bytes.Contains(raw, []byte("Bearer ")) {
		return
	}
	doc := r.Document()
	for i := r.Node(); i < doc.Nodes[r.Node()].Next; i++ {
		v := doc.Value(i)
		if !v.Is(jsondoc.String) || v.Name() != "description" && v.Name() != "default" && v.Name() != "text" {
			continue
		}
		if what := credential(v.Text()); what != "" && !bytes.Contains(p.Request().Get("arguments").Raw(), inside(v)) {
			p.reportSame("", p.At(v), what, "no credentials in what models and people read", Guess)
		}
	}
}
