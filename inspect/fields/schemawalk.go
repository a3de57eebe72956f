package fields

import (
	"strings"

	"mcploupe/session/jsondoc"
)

// schema is about a place inside a tool's JSON Schema. tokens lead from the schema to the place.
func (w *walk) schema(tokens []string) Found {
	whose := w.member // inputSchema or outputSchema
	v := w.v
	const (
		atSchema = iota // the next token is a keyword
		atNames         // the next token is a name of the tool's own
		atValue         // inside a value
	)
	state, keyword, name := atSchema, "", ""
	isName := false
	for _, t := range tokens {
		next := v.Step(t)
		if v.Is(jsondoc.Array) { // an element of oneOf, enum, required
			v = next
			continue
		}
		isName = false
		switch state {
		case atNames:
			name, isName, state = t, true, atSchema
		case atSchema:
			keyword = t
			switch t {
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				state = atNames
			case "items", "prefixItems", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "oneOf", "anyOf", "allOf",
				"unevaluatedProperties", "unevaluatedItems", "contentSchema":
			default:
				state = atValue
			}
		}
		v = next
	}
	f := Found{Name: tokens[len(tokens)-1], Place: "Tool." + whose}
	what := "an argument that the tool takes"
	if whose == "outputSchema" {
		what = "a member of the structured result that the tool promises"
	}
	switch {
	case isName && (keyword == "$defs" || keyword == "definitions"):
		f.Name, f.Note = name, "`"+name+"` is a schema that the tool's own schema gives a name, so that `$ref` can point to it."
		f.Entry = of(keyword, Schema)
	case isName:
		f.Name = name
		f.Note = "`" + name + "` is a JSON Schema member of the tool's own: " + what + ". MCP does not define it; the schema below it says what it may be."
		f.Entry = In("Tool", whose)
	default:
		f.Name = keyword
		f.Entry = of(keyword, Schema)
		if f.Entry == nil {
			f.Note = "`" + keyword + "` is a keyword of JSON Schema, or a note of the tool's author. MCP says nothing about it: whoever validates with this schema reads it by the dialect that `$schema` names, which is 2020-12 when it names none."
			f.Entry = In("Tool", whose)
		}
		if state == atValue && len(tokens) > 1 && tokens[len(tokens)-1] != keyword {
			f.Note = "This stands inside the value of `" + keyword + "`. " + f.Note
			f.Note = strings.TrimSpace(f.Note)
		}
	}
	return f
}
