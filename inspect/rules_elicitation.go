package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

const sourceElicitation = "client/elicitation"

// elicitationRules are about questions to the person who uses the client: forms, and web pages to open.
func elicitationRules() []*Rule {
	return append(append(questionRules(), formRules()...), addressRules()...)
}

func questionRules() []*Rule {
	return []*Rule{{
		ID:     "elicitation-message-missing",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: sourceElicitation + " §Elicitation Requests",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.ElicitationCreate, func(q question) {
				const want = "a text that tells the person what is asked, and why"
				switch v := q.params.Get("message"); {
				case !v.Exists():
					p.Report(p.At(orElse(q.params, q.entry)), "no message", want)
				case !v.Is(jsondoc.String):
					p.Report(p.At(v), "", want)
				case strings.TrimSpace(v.Text()) == "":
					p.Report(p.At(v), "", want).Likely()
				}
			})
		},
	}, {
		ID:     "elicitation-mode-unknown",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: sourceElicitation + " §Elicitation Requests",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.ElicitationCreate, func(q question) {
				if v := q.params.Get("mode"); v.Exists() && v.Text() != "form" && v.Text() != "url" {
					p.Report(p.At(v), "", `"form" or "url"`)
				}
			})
		},
	}, {
		ID:     "elicitation-mode-undeclared",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: sourceElicitation + " §Capabilities",
		On:     whereAsked(),
		Check: func(p *Pass) {
			declared := p.ClientCapabilities().Get("elicitation")
			if !declared.Is(jsondoc.Object) {
				return // no question at all may be asked: mrtr-capability-undeclared
			}
			form, url := declared.Get("form").Exists(), declared.Get("url").Exists()
			p.eachQuestion(mcp.ElicitationCreate, func(q question) {
				switch mode := q.params.Get("mode"); {
				case mode.Text() == "url" && !url:
					p.Report(p.At(mode), "", "a form: the client does not declare elicitation.url").Also(p.At(declared))
				case url && !form && (!mode.Exists() || mode.Text() == "form"):
					p.Report(p.At(orElse(mode, q.params)), orText(mode, "a form"), "mode url: the client does not declare elicitation.form").Also(p.At(declared))
				}
			})
		},
	}, {
		ID:     "elicitation-id-leftover",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "changelog Minor 11",
		On:     whenAsked(),
		Check: func(p *Pass) {
			p.eachQuestion(mcp.ElicitationCreate, func(q question) {
				if v := q.params.Get("elicitationId"); v.Exists() {
					p.ReportSame("", p.Key(v), "", "no elicitationId: keep an id of your own in requestState")
				}
			})
		},
	}}
}

// orText is "" (the token at the place) when the value is there, else the text.
func orText(v jsondoc.Value, text string) string {
	if v.Exists() {
		return ""
	}
	return text
}

func formRules() []*Rule {
	return []*Rule{{
		ID:     "elicitation-schema-missing",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: sourceElicitation + " §Form Mode; schema ElicitRequestFormParams",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.forms(func(q question, schema jsondoc.Value) {
				const want = `an object with "type": "object" and properties`
				switch {
				case q.params.Exists() && !q.params.Is(jsondoc.Object): // nothing of it can be read
				case !schema.Exists():
					p.Report(p.At(orElse(q.params, q.entry)), "no requestedSchema", want)
				case !schema.Is(jsondoc.Object):
					p.Report(p.At(schema), "", want)
				case schema.Get("type").Text() != "object":
					p.Report(p.At(orElse(schema.Get("type"), schema)), orText(schema.Get("type"), "no type"), `"type": "object"`)
				case !schema.Get("properties").Is(jsondoc.Object):
					p.Report(p.At(orElse(schema.Get("properties"), schema)), orText(schema.Get("properties"), "no properties"), "an object properties")
				}
			})
		},
	}, {
		ID:     "elicitation-schema-nested",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: sourceElicitation + " §Requested Schema; schema PrimitiveSchemaDefinition",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.fields(func(q question, name string, field jsondoc.Value) {
				if why := p.unfillable(field); why != "" {
					p.Report(p.At(field), why, "a text, a number, yes or no, or a choice")
				}
			})
		},
	}, {
		ID:     "elicitation-string-format",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "schema StringSchema.format",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.fields(func(q question, name string, field jsondoc.Value) {
				v := field.Get("format")
				if !v.Exists() || field.Get("type").Text() != "string" {
					return
				}
				switch v.Text() {
				case "email", "uri", "date", "date-time":
				default:
					p.ReportSame(v.Text(), p.At(v), "", "email, uri, date or date-time")
				}
			})
		},
	}, {
		ID:     "elicitation-default-invalid",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "schema StringSchema, NumberSchema, BooleanSchema, EnumSchema",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.fields(func(q question, name string, field jsondoc.Value) {
				v := field.Get("default")
				if !v.Exists() || !p.AtLeast(mcp.R20251125) && field.Get("type").Text() != "boolean" {
					return // 2025-06-18 knows defaults of yes and no only
				}
				if want := defaultWanted(field, v); want != "" {
					p.Report(p.At(v), "", want)
				}
			})
		},
	}, {
		ID:     "elicitation-enum-legacy",
		Level:  Advice,
		Eras:   ">=2025-11-25",
		Source: "schema LegacyTitledEnumSchema",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.fields(func(q question, name string, field jsondoc.Value) {
				if v := field.Get("enumNames"); v.Exists() {
					p.ReportSame("", p.Key(v), "", "oneOf, with const and title for each choice")
				}
			})
		},
	}, {
		ID:     "elicitation-sensitive-form",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: sourceElicitation + " §User Interaction Model, §Form Mode Security",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.fields(func(q question, name string, field jsondoc.Value) {
				if field.Get("type").Text() != "string" || field.Get("enum").Exists() || field.Get("oneOf").Exists() {
					return // a choice, a number or yes and no is about a secret, but none
				}
				if secretName(name) {
					p.Report(p.Key(field), "", "no secrets in a form: send the person to a page of yours (mode url)")
				}
			})
		},
	}}
}

// unfillable says why a client cannot make an input field of a schema, "" when it can.
func (p *Pass) unfillable(field jsondoc.Value) string {
	if !field.Is(jsondoc.Object) {
		return "no schema"
	}
	choices := p.AtLeast(mcp.R20251125)
	for _, word := range []string{"$ref", "allOf", "anyOf", "not", "if", "properties"} {
		if field.Get(word).Exists() {
			return "a field with " + word
		}
	}
	if field.Get("oneOf").Exists() && !(choices && field.Get("type").Text() == "string" && titled(field.Get("oneOf"))) {
		return "a field with oneOf"
	}
	switch kind := field.Get("type"); kind.Text() {
	case "string", "number", "integer", "boolean":
		return ""
	case "array":
		items := field.Get("items")
		if !choices {
			return "an array"
		}
		if items.Get("type").Text() == "string" && items.Get("enum").Is(jsondoc.Array) || titled(items.Get("anyOf")) || titled(items.Get("oneOf")) {
			return ""
		}
		return "an array of other things than choices"
	case "object":
		return "an object"
	default:
		if !kind.Exists() {
			return "no type"
		}
		return "the type " + string(kind.Raw())
	}
}

// titled tells that these are choices, each with its value.
func titled(options jsondoc.Value) bool {
	for _, o := range options.Elements() {
		if !o.Get("const").Is(jsondoc.String) {
			return false
		}
	}
	return options.Is(jsondoc.Array)
}

// choicesOf are the values that a field, or the items of one, may take; nil when it is free.
func choicesOf(field jsondoc.Value) []string {
	all := stringsIn(field.Get("enum"))
	for _, name := range []string{"oneOf", "anyOf"} {
		for _, o := range field.Get(name).Elements() {
			all = append(all, o.Get("const").Text())
		}
	}
	return all
}

// defaultWanted is what a default of a field should be; "" when it is right.
func defaultWanted(field, v jsondoc.Value) string {
	among := func(v jsondoc.Value, of jsondoc.Value) bool {
		all := choicesOf(of)
		for _, c := range all {
			if c == v.Text() {
				return true
			}
		}
		return len(all) == 0
	}
	switch field.Get("type").Text() {
	case "string":
		switch {
		case !v.Is(jsondoc.String):
			return "a string"
		case !among(v, field):
			return "one of the choices"
		}
	case "number":
		if !v.Is(jsondoc.Number) {
			return "a number"
		}
	case "integer":
		if !v.IsInteger() {
			return "an integer"
		}
	case "boolean":
		if _, ok := v.Bool(); !ok {
			return "true or false"
		}
	case "array":
		if !v.Is(jsondoc.Array) {
			return "an array of choices"
		}
		for _, e := range v.Elements() {
			if !e.Is(jsondoc.String) || !among(e, field.Get("items")) {
				return "an array of the choices"
			}
		}
	}
	return ""
}

// secretName tells that a name is one of a secret: its last words say so. "passwordPolicy" and "tokenCount" are none.
func secretName(name string) bool {
	words := wordsOf(strings.TrimRight(name, "0123456789"))
	for len(words) > 1 && repeats(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "password", "passwd", "passwort", "passphrase", "passcode", "secret", "cvv", "cvc", "apikey", "privatekey", "accesstoken", "cardnumber":
		return true
	case "key":
		return before == "api" || before == "private" || before == "secret"
	case "token":
		return before == "access" || before == "refresh" || before == "bearer"
	case "number":
		return before == "card"
	}
	return false
}

// repeats tells that a word says that a field is to hold the same as another.
func repeats(word string) bool {
	switch word {
	case "again", "confirm", "confirmation", "repeat", "repeated":
		return true
	}
	return false
}
