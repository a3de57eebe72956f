package inspect

import (
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// schemaAdviceRules are our own opinions about schemas that are valid.
func schemaAdviceRules() []*Rule {
	return []*Rule{{
		ID:     "schema-required-undefined",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			toolSchemas(p, func(s jsondoc.Value, _ bool) {
				eachSubschema(s, false, func(sub jsondoc.Value, branch bool) {
					if !branch {
						checkRequired(p, sub)
					}
				})
			})
		},
	}, {
		ID:     "schema-default-invalid",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			toolSchemas(p, func(s jsondoc.Value, _ bool) {
				eachSubschema(s, false, func(sub jsondoc.Value, _ bool) { checkOwnValues(p, sub) })
			})
		},
	}, {
		ID:     "schema-no-description",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsList),
		Check:  checkDescribed,
	}, {
		ID:     "schema-changed-mid-session",
		Level:  Advice,
		Eras:   "all",
		Source: "transports/streamable-http §Client Behavior; own advice",
		On:     Exchanges(mcp.ToolsList),
		Check: func(p *Pass) {
			changedTools(p, func(old, now jsondoc.Value) {
				for _, name := range []string{"inputSchema", "outputSchema"} {
					a, b := old.Get(name), now.Get(name)
					switch {
					case a.Exists() == b.Exists() && (!a.Exists() || a.Same(b)):
					case b.Exists():
						p.Report(p.At(b), "", "the schema as it was, or a "+mcp.ToolsChanged+" when it changes").Also(p.At(cmpValue(a, old)))
					default:
						p.Report(p.At(now), "no "+name, "the schema as it was, or a "+mcp.ToolsChanged+" when it changes").Also(p.At(a))
					}
				}
			})
		},
	}}
}

func cmpValue(a, b jsondoc.Value) jsondoc.Value {
	if a.Exists() {
		return a
	}
	return b
}

// checkRequired compares required with properties, in schemas that say all about their object themselves.
func checkRequired(p *Pass, s jsondoc.Value) {
	required, properties := s.Get("required"), s.Get("properties")
	if !required.Is(jsondoc.Array) || !properties.Is(jsondoc.Object) ||
		hasAny(s, "patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "dependentSchemas", "dependencies") ||
		s.Get("additionalProperties").Is(jsondoc.Object) {
		return
	}
	for _, name := range required.Elements() {
		if name.Is(jsondoc.String) && !properties.Get(name.Text()).Exists() {
			p.ReportSame("", p.At(name), "", "the name of one of the properties")
		}
	}
}

// checkOwnValues holds a schema's default, examples and choices against the schema itself.
func checkOwnValues(p *Pass, s jsondoc.Value) {
	if !s.Is(jsondoc.Object) || !hasAny(s, "default", "examples", "enum") || refersOut(s) {
		return
	}
	c := &compiled{source: s}
	check := func(v jsondoc.Value) {
		if bad, known := c.validate(v); known && len(bad) > 0 {
			p.ReportSame("", p.At(v), "", bad[0].Want)
		}
	}
	if d := s.Get("default"); d.Exists() {
		check(d)
	}
	for _, name := range []string{"examples", "enum"} {
		const enough = 50 // of a list of hundreds the first ones show it
		for i, v := range s.Get(name).Elements() {
			if i == enough {
				break
			}
			check(v)
		}
	}
}

// checkDescribed counts the arguments of each tool that nobody describes. An argument that offers its values, or refers to a
// definition, explains itself.
func checkDescribed(p *Pass) {
	for t := range p.tools() {
		properties := t.Get("inputSchema").Get("properties")
		all, bare := 0, 0
		for _, v := range properties.Members() {
			all++
			if v.Is(jsondoc.Object) && !hasAny(v, "description", "title", "enum", "const", "$ref", "anyOf", "oneOf", "allOf") {
				bare++
			}
		}
		if bare > 2 && bare*2 > all {
			p.ReportSame("", p.At(properties), fmt.Sprintf("%d of %d arguments without description", bare, all),
				"a description for each: its unit, its form, an example")
		}
	}
}

// changedTools calls f for every tool that stands on the list just walked and on the one before it, when the server did not
// say in between that the list has changed.
func changedTools(p *Pass, f func(old, now jsondoc.Value)) {
	before, now := p.finishedPair()
	if now == nil {
		return
	}
	for _, c := range p.History().Changes(mcp.ToolsList) {
		if c.Seq > before.Pages[0].Request {
			return
		}
	}
	for _, item := range now.Items {
		name := item.Get("name")
		if !name.Is(jsondoc.String) || now.Tool(name.Text()).Value.Node() != item.Node() {
			continue // without a name, or named twice
		}
		if old := before.Tool(name.Text()); old != nil && string(old.Value.Raw()) != string(item.Raw()) {
			f(old.Value, item)
		}
	}
}
