package inspect

import (
	"errors"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
)

// schemaFacts is what the rules about schemas know of one schema text. Pointers in it are relative to the schema, so that the
// same text in another tool, or in the next list, shares it.
type schemaFacts struct {
	plain   bool               // nothing but everyday keywords, used rightly: the rest is empty, and there is nothing to find
	survey  *schema.Survey     // never nil
	invalid *schema.ErrInvalid // it is not valid in its dialect
	bytes   int
}

// keepSchemas bounds how many schemas are remembered; more than any list that people use has.
const keepSchemas = 4096

// schemaMemory is where the rules of the area keep what they share: a rule by its address only. It is never changed.
var schemaMemory = new(Rule)

type schemaBook struct{ known map[string]*schemaFacts }

// schemaFacts is what is known of a schema, worked out once for each text.
func (p *Pass) schemaFacts(s jsondoc.Value) *schemaFacts {
	if everyday(s, 0) {
		return everydayFacts
	}
	book, ok := p.in.kept[schemaMemory].(*schemaBook)
	if !ok || len(book.known) >= keepSchemas {
		book = &schemaBook{known: map[string]*schemaFacts{}}
		p.in.kept[schemaMemory] = book
	}
	f := book.known[string(s.Raw())]
	if f == nil {
		f = &schemaFacts{survey: schema.Look(s), bytes: len(s.Raw())}
		_, err := schema.Compile(s)
		if !errors.As(err, &f.invalid) {
			f.invalid = nil
		}
		book.known[string(s.Raw())] = f
	}
	return f
}

// everydayFacts are those of a schema in which there is nothing to find. They are never changed.
var everydayFacts = &schemaFacts{plain: true, survey: new(schema.Survey)}

// everydayDepth and everydayBytes bound what counts as an everyday schema; beyond them it is surveyed.
const (
	everydayDepth = 12
	everydayBytes = 16 << 10
)

// everyday tells whether a schema surely is valid and simple: it holds only keywords that nearly all tools use, each with a
// value that it may have. Nearly every schema of a long list is so, and looking costs a hundredth of compiling.
func everyday(s jsondoc.Value, depth int) bool {
	if s.Is(jsondoc.Bool) {
		return depth > 0
	}
	if !s.Is(jsondoc.Object) || depth > everydayDepth || depth == 0 && len(s.Raw()) > everydayBytes {
		return false
	}
	for name, v := range s.Members() {
		if !everydayKeyword(name, v, depth) {
			return false
		}
	}
	return true
}

func everydayKeyword(name string, v jsondoc.Value, depth int) bool {
	switch name {
	case "type":
		_, ok := kindsOf(v)
		return ok && (v.Is(jsondoc.String) || v.Is(jsondoc.Array) && uniqueTexts(v))
	case "properties":
		for _, sub := range v.Members() {
			if !everyday(sub, depth+1) {
				return false
			}
		}
		return v.Is(jsondoc.Object)
	case "required":
		return v.Is(jsondoc.Array) && uniqueTexts(v)
	case "items", "additionalProperties":
		return everyday(v, depth+1)
	case "anyOf", "oneOf", "allOf":
		for _, sub := range v.Elements() {
			if !everyday(sub, depth+1) {
				return false
			}
		}
		return v.Is(jsondoc.Array) && v.Len() > 0
	case "enum":
		return v.Is(jsondoc.Array) && v.Len() > 0
	case "examples":
		return v.Is(jsondoc.Array)
	case "default", "const", "x-mcp-header", "nullable":
		return true
	case "title", "description", "$comment", "format":
		return v.Is(jsondoc.String)
	case "deprecated", "readOnly", "writeOnly", "uniqueItems":
		return v.Is(jsondoc.Bool)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.Is(jsondoc.Number)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return v.IsInteger() && !isNegative(v)
	case "$schema":
		return depth == 0 && contains(v.Text(), "/draft/2020-12/schema", "/draft/2019-09/schema", "/draft-07/schema", "/draft-06/schema")
	}
	return false
}

// uniqueTexts tells whether an array holds strings only, none of them twice.
func uniqueTexts(v jsondoc.Value) bool {
	if v.Len() > 64 {
		return false // let the library look
	}
	var seen [64]string
	n := 0
	for _, word := range v.Elements() {
		if !word.Is(jsondoc.String) {
			return false
		}
		t := word.Text()
		for _, s := range seen[:n] {
			if s == t {
				return false
			}
		}
		seen[n] = t
		n++
	}
	return true
}

// toolSchemas calls f for the inputSchema and the outputSchema of every tool of a tools/list result, where they are objects.
func toolSchemas(p *Pass, f func(s jsondoc.Value, input bool)) {
	for t := range p.tools() {
		if s := t.Get("inputSchema"); s.Is(jsondoc.Object) {
			f(s, true)
		}
		if s := t.Get("outputSchema"); s.Is(jsondoc.Object) {
			f(s, false)
		}
	}
}

// surveyed calls f for the schemas that hold anything beyond everyday keywords.
func surveyed(p *Pass, f func(s jsondoc.Value, facts *schemaFacts)) {
	toolSchemas(p, func(s jsondoc.Value, _ bool) {
		if facts := p.schemaFacts(s); !facts.plain {
			f(s, facts)
		}
	})
}

// eachSubschema calls f for a schema and every subschema under it, with whether it applies to the same value as another one
// (a branch of allOf, oneOf, if …). Data (const, enum, default, examples) is not entered.
func eachSubschema(s jsondoc.Value, branch bool, f func(s jsondoc.Value, branch bool)) {
	f(s, branch)
	if !s.Is(jsondoc.Object) {
		return
	}
	for name, v := range s.Members() {
		switch name {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			for _, sub := range v.Members() {
				eachSubschema(sub, name == "dependentSchemas" || name == "$defs" || name == "definitions", f)
			}
		case "items", "additionalProperties", "unevaluatedProperties", "propertyNames", "contains", "unevaluatedItems", "additionalItems":
			if v.Is(jsondoc.Object) {
				eachSubschema(v, false, f)
			}
			for _, sub := range v.Elements() {
				eachSubschema(sub, false, f)
			}
		case "prefixItems":
			for _, sub := range v.Elements() {
				eachSubschema(sub, false, f)
			}
		case "allOf", "anyOf", "oneOf":
			for _, sub := range v.Elements() {
				eachSubschema(sub, true, f)
			}
		case "not", "if", "then", "else":
			eachSubschema(v, true, f)
		}
	}
}

// hasAny tells whether an object holds any of these members.
func hasAny(v jsondoc.Value, names ...string) bool {
	for _, n := range names {
		if v.Get(n).Exists() {
			return true
		}
	}
	return false
}

// refersOut tells whether a schema's text holds a reference: it cannot be taken out of the whole then.
func refersOut(s jsondoc.Value) bool {
	return strings.Contains(string(s.Raw()), `"$ref"`) || strings.Contains(string(s.Raw()), `"$dynamicRef"`)
}
