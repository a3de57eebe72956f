package inspect

import (
	"errors"
	"fmt"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/schema"
)

// schemaRules are the rules of the area schema: what stands inside the schemas of tools.
func schemaRules() []*Rule {
	return slices.Concat([]*Rule{{
		ID:     "schema-invalid",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: "basic/index §Schema Validation",
		On:     Complete(mcp.ToolsList),
		Check:  checkSchemaValid,
	}, {
		ID:     "schema-dialect-unsupported",
		Level:  Advice,
		Eras:   ">=2025-11-25",
		Source: "basic/index §Schema Dialect",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			toolSchemas(p, func(s jsondoc.Value, _ bool) {
				d := s.Get("$schema")
				if !d.Is(jsondoc.String) {
					return
				}
				if i, known := schema.Dialect(s); !known {
					p.ReportSame("unknown", p.At(d), "", "no $schema, or \"https://json-schema.org/draft/2020-12/schema\": this one is unknown")
				} else if i > 0 {
					p.ReportSame("older", p.At(d), "", "no $schema, or \"https://json-schema.org/draft/2020-12/schema\"")
				}
			})
		},
	}, {
		ID:     "schema-dialect-keywords",
		Level:  Advice,
		Eras:   ">=2025-11-25",
		Source: "basic/index §Schema Dialect",
		On:     Complete(mcp.ToolsList),
		Check:  checkDialectKeywords,
	}, {
		ID:     "schema-pattern-invalid",
		Level:  Should,
		Eras:   "all",
		Source: "basic/index §Schema Validation; JSON Schema 2020-12 Validation §6.3.3",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			surveyed(p, func(s jsondoc.Value, f *schemaFacts) {
				for _, pattern := range f.survey.Patterns {
					var size *schema.ErrTooComplex
					if pattern.Err == nil || errors.As(pattern.Err, &size) {
						continue
					}
					at := p.At(within(s, pattern.At))
					if within(s, pattern.At).Name() == pattern.Text { // a name under patternProperties
						at.Part = Key
					}
					p.ReportSame("", at, "", "a regular expression as JavaScript (ECMA-262) reads it")
				}
			})
		},
	}}, schemaRefRules(), schemaAdviceRules())
}

// checkSchemaValid looks for schemas that are none. References, patterns and the root's type have rules of their own.
func checkSchemaValid(p *Pass) {
	toolSchemas(p, func(s jsondoc.Value, input bool) {
		f := p.schemaFacts(s)
		if f.plain || f.invalid == nil || input && f.invalid.Pointer == "/type" {
			return
		}
		for _, pattern := range f.survey.Patterns {
			if pattern.Err != nil {
				return
			}
		}
		p.ReportSame("", p.At(within(s, f.invalid.Pointer)), "", "a valid schema: "+f.invalid.Text)
	})
}

// checkDialectKeywords looks for keywords that meant something in older dialects, in schemas that name none of those.
func checkDialectKeywords(p *Pass) {
	toolSchemas(p, func(s jsondoc.Value, _ bool) {
		if i, known := schema.Dialect(s); i > 0 || !known {
			return
		}
		eachSubschema(s, false, func(sub jsondoc.Value, _ bool) {
			if !sub.Is(jsondoc.Object) {
				return
			}
			for name, v := range sub.Members() {
				instead := ""
				switch name {
				case "definitions":
					instead = "$defs"
				case "dependencies":
					instead = "dependentRequired or dependentSchemas"
				case "nullable":
					if v.Is(jsondoc.Bool) {
						instead = `"type":["string","null"]`
					}
				case "items":
					if v.Is(jsondoc.Array) {
						instead = "prefixItems"
					}
				case "exclusiveMinimum", "exclusiveMaximum":
					if v.Is(jsondoc.Bool) {
						instead = "the bound itself as a number"
					}
				case "id":
					if v.Is(jsondoc.String) {
						instead = "$id"
					}
				}
				if instead != "" {
					p.ReportSame(name, p.Key(v), "", instead+" in JSON Schema 2020-12")
				}
			}
		})
	})
}

// schemaRefRules are about where references lead.
func schemaRefRules() []*Rule {
	refs := func(class schema.RefClass, want string) func(*Pass) {
		return func(p *Pass) {
			surveyed(p, func(s jsondoc.Value, f *schemaFacts) {
				for _, r := range f.survey.Refs {
					if r.Class == class {
						p.ReportSame("", p.At(within(s, r.At).Get(r.Keyword)), "", want)
					}
				}
			})
		}
	}
	return []*Rule{{
		ID:     "schema-ref-network",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "basic/index §$ref Resolution; SEP-2106 §Security",
		On:     Complete(mcp.ToolsList),
		Check:  refs(schema.RefRemote, "a definition within the schema, under $defs: clients do not fetch others"),
	}, {
		ID:     "schema-ref-unresolved",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "basic/index §$ref Resolution",
		On:     Complete(mcp.ToolsList),
		Check:  refs(schema.RefUnresolved, "a reference to something that is there"),
	}, {
		ID:     "schema-ref-cycle",
		Level:  Should,
		Eras:   "all",
		Source: "basic/index §$ref Resolution",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			surveyed(p, func(s jsondoc.Value, f *schemaFacts) {
				for _, c := range f.survey.Cycles {
					if c.Pure {
						p.ReportSame("", p.At(within(s, c.Through[0]).Get("$ref")), "", "a definition with content of its own: this one only refers back to itself")
					}
				}
			})
		},
	}, {
		ID:     "schema-too-complex",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Composition-Keyword Resource Use",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			surveyed(p, func(s jsondoc.Value, f *schemaFacts) {
				if what := complexity(f); what != "" {
					p.ReportSame("", p.At(s), what, "a schema that every client can check without much work")
				}
			})
		},
	}}
}

// complexity says in which way a schema is too much, "" when it is not. The bounds are our own.
func complexity(f *schemaFacts) string {
	const maxBytes, maxDepth, maxSubschemas, maxMeeting = 64 << 10, 40, 1000, 5000
	s := f.survey
	switch {
	case f.bytes > maxBytes:
		return fmt.Sprintf("a schema of %d bytes", f.bytes)
	case s.Depth > maxDepth:
		return fmt.Sprintf("a schema with %d levels of nesting", s.Depth)
	case s.Subschemas > maxSubschemas:
		return fmt.Sprintf("a schema of %d subschemas", s.Subschemas)
	case s.Expansion > maxMeeting:
		return fmt.Sprintf("%d or more subschemas for one value", maxMeeting)
	case slices.ContainsFunc(s.Cycles, func(c schema.Cycle) bool { return !c.Pure }):
		return "a schema that refers back to itself for the same value"
	}
	return ""
}
