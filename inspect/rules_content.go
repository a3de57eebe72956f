package inspect

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// contentRules are the rules of the area content: what a tool returns, block by block.
func contentRules() []*Rule {
	return slices.Concat(blockRules(), structuredRules(), contentAdviceRules())
}

// blockRules are about the shape of content blocks.
func blockRules() []*Rule {
	return []*Rule{{
		ID:     "content-not-array",
		Level:  Must,
		Eras:   "all",
		Source: "schema CallToolResult.content",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			r := p.Result()
			if !r.Is(jsondoc.Object) || r.Get("task").Is(jsondoc.Object) && p.Request().Get("task").Exists() {
				return // a call that runs as a task of 2025-11-25 is answered by the task
			}
			p.wrongKind(r, "content", jsondoc.Array, "an array of content blocks, empty if there are none")
		},
	}, {
		ID:     "content-type-unknown",
		Level:  Must,
		Eras:   "all",
		Source: "schema ContentBlock",
		On:     Complete(mcp.ToolsCall),
		Check:  checkBlockTypes,
	}, {
		ID:     "content-text-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema TextContent",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet),
		Check: func(p *Pass) {
			for b := range p.blocks() {
				if says(b.Get("type"), mcp.ContentText) {
					p.wrongKind(b, "text", jsondoc.String, "a string text")
				}
			}
		},
	}, {
		ID:     "content-binary-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema ImageContent, AudioContent; server/prompts §Image Content",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet),
		Check:  checkBinary,
	}, {
		ID:     "content-binary-mime-mismatch",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet),
		Check: func(p *Pass) {
			for b := range p.blocks() {
				if !isBinary(b) {
					continue
				}
				mime := b.Get("mimeType")
				said, is := sameKind(mime.Text()), kindOfBytes(firstBytes(b.Get("data")))
				if said != "" && is != "" && said != is {
					p.ReportSame("", p.At(mime), "", is+", as the first bytes of data show")
				}
			}
		},
	}, {
		ID:     "content-resource-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema EmbeddedResource, ResourceLink",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet),
		Check:  checkResourceBlocks,
	}, {
		ID:     "content-annotations",
		Level:  Must,
		Eras:   "all",
		Source: "schema Annotations; server/resources §Annotations",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesList, mcp.TemplatesList),
		Check:  func(p *Pass) { eachAnnotations(p, checkAnnotations) },
	}, {
		ID:     "content-last-modified",
		Level:  Should,
		Eras:   ">=2025-06-18",
		Source: "schema Annotations.lastModified",
		On:     Complete(mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesList, mcp.TemplatesList),
		Check: func(p *Pass) {
			eachAnnotations(p, func(p *Pass, a jsondoc.Value) {
				if v := a.Get("lastModified"); given(v) && !isTimestamp(v.Text()) {
					p.ReportSame("", p.At(v), "", "a time like 2025-01-12T15:00:58Z")
				}
			})
		},
	}}
}

func checkBlockTypes(p *Pass) {
	if p.onlyTexts() {
		return
	}
	for _, b := range p.Result().Get("content").Elements() {
		t := b.Get("type")
		switch {
		case !b.Is(jsondoc.Object):
			p.ReportSame("object", p.At(b), "", "an object with a type")
		case !t.Exists():
			p.ReportSame("missing", p.At(b), "no type", "a type: text, image, audio, resource or resource_link")
		case says(t, mcp.ContentText):
		default:
			c, known := mcp.ContentType(t.Text())
			switch {
			case !t.Is(jsondoc.String) || !known || c.Sampling:
				p.ReportSame("unknown", p.At(t), "", "text, image, audio, resource or resource_link")
			case p.Version() != "" && !p.AtLeast(c.Since):
				p.ReportSame("newer", p.At(t), "", "a type that "+p.Version()+" knows: this one came with "+c.Since)
			}
		}
	}
}

func isBinary(b jsondoc.Value) bool {
	t := b.Get("type")
	return says(t, mcp.ContentImage) || says(t, mcp.ContentAudio)
}

func checkBinary(p *Pass) {
	for b := range p.blocks() {
		if !isBinary(b) {
			continue
		}
		kind := b.Get("type").Text()
		if data := b.Get("data"); !p.wrongKind(b, "data", jsondoc.String, "a string data: the bytes in Base64") {
			if fault := base64Fault(data); fault != "" {
				p.ReportSame("base64", p.At(data), "", fault)
			}
		}
		if mime := b.Get("mimeType"); !p.wrongKind(b, "mimeType", jsondoc.String, "a string mimeType") {
			if !strings.HasPrefix(mediaType(mime.Text()), kind+"/") {
				p.ReportSame("prefix", p.At(mime), "", "a type that begins with "+kind+"/")
			}
		}
	}
}

// checkResourceBlocks looks at links, and at embedded resources of tools; those of prompts are prompts-embedded-resource-mime's.
func checkResourceBlocks(p *Pass) {
	for b := range p.blocks() {
		switch t := b.Get("type"); {
		case says(t, mcp.ContentResourceLink):
			p.wrongKind(b, "uri", jsondoc.String, "a string uri")
			p.wrongKind(b, "name", jsondoc.String, "a string name")
		case says(t, mcp.ContentResource):
			if p.Method() == mcp.PromptsGet || p.wrongKind(b, "resource", jsondoc.Object, "an object resource") {
				continue
			}
			r := b.Get("resource")
			p.wrongKind(r, "uri", jsondoc.String, "a string uri")
			if !r.Get("text").Is(jsondoc.String) && !r.Get("blob").Is(jsondoc.String) {
				p.ReportSame("text", p.At(r), "neither text nor blob", "a string text, or a string blob of Base64")
			}
		}
	}
}

// eachAnnotations calls f for the annotations of every content block, or of every resource of a list, where there are any.
func eachAnnotations(p *Pass, f func(*Pass, jsondoc.Value)) {
	each := func(holder jsondoc.Value) {
		if a := holder.Get("annotations"); given(a) {
			f(p, a)
		}
	}
	if m, _ := mcp.Lookup(p.Method()); m.List != "" {
		for _, item := range p.Result().Get(m.List).Elements() {
			each(item)
		}
		return
	}
	for b := range p.blocks() {
		each(b)
	}
}

func checkAnnotations(p *Pass, a jsondoc.Value) {
	if !a.Is(jsondoc.Object) {
		p.ReportSame("object", p.At(a), "", "an object")
		return
	}
	switch audience := a.Get("audience"); {
	case !given(audience):
	case !audience.Is(jsondoc.Array):
		p.ReportSame("audience", p.At(audience), "", `an array of "user" and "assistant"`)
	default:
		for _, who := range audience.Elements() {
			if t := who.Text(); t != mcp.RoleUser && t != mcp.RoleAssistant {
				p.ReportSame("role", p.At(who), "", `"user" or "assistant"`)
			}
		}
	}
	if v := a.Get("priority"); given(v) {
		if n, ok := v.Float(); !v.Is(jsondoc.Number) || !ok || n < 0 || n > 1 {
			p.ReportSame("priority", p.At(v), "", "a number from 0 to 1")
		}
	}
	if v := a.Get("lastModified"); given(v) && !v.Is(jsondoc.String) && !p.AtLeast(mcp.R20250618) {
		p.ReportSame("lastModified", p.At(v), "", "a string")
	}
}

// isTimestamp tells whether a text is a time of ISO 8601 in its extended form: a date, alone or with a time of day, which may
// have a fraction and an offset.
func isTimestamp(s string) bool {
	const date = "0000-00-00"
	if !shaped(s, date) {
		return false
	}
	s = s[len(date):]
	if s == "" {
		return true
	}
	if s[0] != 'T' && s[0] != 't' || !shaped(s[1:], "00:00") {
		return false
	}
	s = s[6:]
	if shaped(s, ":00") {
		s = s[3:]
		if rest, ok := strings.CutPrefix(strings.Replace(s, ",", ".", 1), "."); ok {
			if s = strings.TrimLeft(rest, "0123456789"); s == rest {
				return false
			}
		}
	}
	switch {
	case s == "", s == "Z", s == "z":
		return true
	case s[0] == '+' || s[0] == '-':
		offset := strings.ReplaceAll(s[1:], ":", "")
		return digits(offset) && (len(offset) == 2 || len(offset) == 4)
	}
	return false
}

// shaped tells whether s begins like the pattern, in which 0 stands for any digit.
func shaped(s, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] == '0' && (s[i] < '0' || s[i] > '9') || pattern[i] != '0' && s[i] != pattern[i] {
			return false
		}
	}
	return true
}
