package inspect

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// toolsRules are the rules of the area tools.
func toolsRules() []*Rule {
	return slices.Concat(toolNameRules(), toolSchemaRules(), toolHeaderRules(), toolListRules())
}

// toolNameRules are about what a tool is called and what it says of itself.
func toolNameRules() []*Rule {
	return []*Rule{{
		ID:     "tools-entry-not-object",
		Level:  Must,
		Eras:   "all",
		Source: "schema ListToolsResult",
		On:     Complete(lists()...),
		Check: func(p *Pass) {
			m, _ := mcp.Lookup(p.Method())
			for _, item := range p.Result().Get(m.List).Elements() {
				if !item.Is(jsondoc.Object) {
					p.ReportSame("", p.At(item), "", "an object")
				}
			}
		},
	}, {
		ID:     "tools-name-missing",
		Level:  Must,
		Eras:   "all",
		Source: "schema Tool (BaseMetadata.name)",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				p.wrongKind(t, "name", jsondoc.String, "a string name")
			}
		},
	}, {
		ID:     "tools-name-length",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: "server/tools §Tool Names",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				name := t.Get("name")
				if !name.Is(jsondoc.String) {
					continue
				}
				if n := utf8.RuneCountInString(name.Text()); n == 0 || n > 128 {
					p.ReportSame("", p.At(name), fmt.Sprintf("%d characters", n), "1 to 128 characters")
				}
			}
		},
	}, {
		ID:     "tools-name-charset",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: "server/tools §Tool Names; SEP-986",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				if name := t.Get("name"); !plainToolName(name.Text()) {
					p.ReportSame("", p.At(name), "", "letters A to Z, digits, underscore, hyphen and dot only")
				}
			}
		},
	}, {
		ID:     "tools-name-duplicate",
		Level:  Should,
		Eras:   "all",
		Source: "server/tools §Tool Names",
		On:     Exchanges(mcp.ToolsList),
		Check:  checkDuplicateTools,
	}, {
		ID:     "tools-title-or-description-missing",
		Level:  Advice,
		Eras:   "all",
		Source: "schema Tool.description (optional)",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for t := range p.tools() {
				switch d := t.Get("description"); {
				case !given(d):
					p.ReportSame("", p.At(t), "no description", "a sentence or two that say what the tool is for")
				case blank(d.Raw()):
					p.ReportSame("", p.At(d), "", "a sentence or two that say what the tool is for")
				}
			}
		},
	}, {
		ID:     "tools-annotations-type",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: "schema ToolAnnotations",
		On:     Complete(mcp.ToolsList),
		Check:  checkToolAnnotations,
	}, {
		ID:     "tools-annotations-contradict",
		Level:  Advice,
		Eras:   ">=2025-03-26",
		Source: "schema ToolAnnotations",
		On:     Complete(mcp.ToolsList),
		Check:  checkContradiction,
	}}
}

// plainToolName tells whether a name holds the characters of the specification only. The slash is left alone too: SEP-986
// allows it and the published text does not.
func plainToolName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.', c == '/':
		default:
			return false
		}
	}
	return true
}

// blank tells whether a raw token is a string that holds nothing but blanks.
func blank(raw []byte) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	for _, c := range raw[1 : len(raw)-1] {
		if c != ' ' {
			return false
		}
	}
	return true
}

// namesSeen are the names on the walk under way and where each stood first.
type namesSeen struct {
	walk  *Walk
	names map[string]jsondoc.Value
}

// checkDuplicateTools looks at one page and at those before it on the same walk.
func checkDuplicateTools(p *Pass) {
	p.repeatedNames(func(name string) string { return name }, func(name, first jsondoc.Value) bool {
		p.Report(p.At(name), "", "a name that no other tool of the server has").Also(p.At(first))
		return true
	})
}

// repeatedNames calls told for tool names which, by key, an earlier tool of the same walk over the list has too, until alsoMax of a
// page were told: beyond that the list is simply listed twice. told says whether there was anything to tell.
func (p *Pass) repeatedNames(key func(name string) string, told func(name, first jsondoc.Value) bool) {
	seen := Keep[namesSeen](p)
	if w := p.Walk(); w == nil || w != seen.walk {
		seen.walk, seen.names = w, map[string]jsondoc.Value{}
	}
	n := 0
	for t := range p.tools() {
		name := t.Get("name")
		if !name.Is(jsondoc.String) {
			continue
		}
		k := key(name.Text())
		first, twice := seen.names[k]
		if !twice {
			seen.names[k] = name
			continue
		}
		if n < alsoMax && told(name, first) {
			n++
		}
	}
}

func checkToolAnnotations(p *Pass) {
	for t := range p.tools() {
		a := t.Get("annotations")
		if !given(a) {
			continue
		}
		if !a.Is(jsondoc.Object) {
			p.ReportSame("", p.At(a), "", "an object")
			continue
		}
		for name, v := range a.Members() {
			switch name {
			case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
				if given(v) && !v.Is(jsondoc.Bool) {
					p.ReportSame(name, p.At(v), "", "true or false")
				}
			case "title":
				if given(v) && !v.Is(jsondoc.String) {
					p.ReportSame(name, p.At(v), "", "a string")
				}
			}
		}
	}
}

// checkContradiction looks at tools that say they change nothing. idempotentHint and destructiveHint false beside
// readOnlyHint true are harmless and common; only what cannot both be true is named.
func checkContradiction(p *Pass) {
	for t := range p.tools() {
		a := t.Get("annotations")
		if !isTrue(a.Get("readOnlyHint")) {
			continue
		}
		if d := a.Get("destructiveHint"); isTrue(d) {
			p.ReportSame("both", p.At(d), "destructiveHint true beside readOnlyHint true", "one of the two: a tool that changes nothing destroys nothing")
			continue
		}
		if words := wordsOf(t.Get("name").Text()); len(words) > 1 && slices.Contains(changingVerbs(), words[0]) {
			p.reportSame("name", p.At(a.Get("readOnlyHint")), "readOnlyHint true on "+string(t.Get("name").Raw()),
				"readOnlyHint false, if the tool does what its name says", Guess)
		}
	}
}

// changingVerbs begin the names of tools that surely change something.
func changingVerbs() []string {
	return []string{"delete", "remove", "erase", "destroy", "purge", "drop", "write", "overwrite", "send"}
}
