package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// promptsRules are about prompts: texts that a server has ready for its users, with places to fill in.
func promptsRules() []*Rule {
	const errorSource = "server/prompts §Error Handling"
	return []*Rule{{
		ID:     "prompts-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema Prompt, PromptArgument",
		On:     Complete(mcp.PromptsList),
		Check:  checkPromptShape,
	}, {
		ID:     "prompts-name-duplicate",
		Level:  Advice,
		Eras:   "all",
		Source: "server/prompts §Data Types (name is the unique identifier)",
		On:     Complete(mcp.PromptsList),
		Check: func(p *Pass) {
			prompts := p.Result().Get("prompts")
			checkTwice(p, prompts, "name", "each name once")
			for _, prompt := range prompts.Elements() {
				checkTwice(p, prompt.Get("arguments"), "name", "each argument once")
			}
		},
	}, {
		ID:     "prompts-message-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema GetPromptResult, PromptMessage",
		On:     Complete(mcp.PromptsGet),
		Check:  checkPromptMessages,
	}, {
		ID:     "prompts-unknown-name-code",
		Level:  Should,
		Eras:   "all",
		Source: errorSource,
		On:     Replies(mcp.PromptsGet),
		Probe:  "missing-prompt",
		Check:  checkUnknownPrompt,
	}, {
		ID:     "prompts-missing-argument-code",
		Level:  Should,
		Eras:   "all",
		Source: errorSource,
		On:     Complete(mcp.PromptsGet).Or(Errors(mcp.PromptsGet)),
		Check:  checkMissingArgument,
	}, {
		ID:     "prompts-embedded-resource-mime",
		Level:  Must,
		Eras:   "all",
		Source: "server/prompts §Embedded Resources",
		On:     Complete(mcp.PromptsGet),
		Check: func(p *Pass) {
			for _, m := range p.Result().Get("messages").Elements() {
				content := m.Get("content")
				resource := content.Get("resource")
				if content.Get("type").Text() != mcp.ContentResource || !resource.Is(jsondoc.Object) {
					continue
				}
				switch t := resource.Get("mimeType"); {
				case !t.Exists():
					p.Report(p.At(resource), "no mimeType", "a mimeType, like text/plain")
				case !t.Is(jsondoc.String) || t.Text() == "":
					p.Report(p.At(t), "", "a type, like text/plain")
				}
			}
		},
	}, {
		ID:     "prompts-empty-messages",
		Level:  Advice,
		Eras:   "all",
		Source: "schema GetPromptResult.messages",
		On:     Complete(mcp.PromptsGet),
		Check: func(p *Pass) {
			if v := p.Result().Get("messages"); v.Is(jsondoc.Array) && v.Len() == 0 {
				p.Report(p.At(v), "", "at least one message, or an error")
			}
		},
	}}
}

func checkPromptShape(p *Pass) {
	for _, prompt := range p.Result().Get("prompts").Elements() {
		checkMembers(p, prompt, "a prompt", []string{"name"}, []string{"title", "description"})
		arguments := prompt.Get("arguments")
		if hasValue(arguments) && !arguments.Is(jsondoc.Array) {
			p.Report(p.At(arguments), "", `an array of arguments, like [{"name":"city","required":true}]`)
			continue
		}
		for _, a := range arguments.Elements() {
			checkMembers(p, a, "an argument", []string{"name"}, []string{"title", "description"})
			if r := a.Get("required"); hasValue(r) && !r.Is(jsondoc.Bool) {
				p.ReportSame("required", p.At(r), "", "true or false")
			}
		}
	}
}

func checkPromptMessages(p *Pass) {
	for _, m := range p.Result().Get("messages").Elements() {
		if !m.Is(jsondoc.Object) {
			p.Report(p.At(m), "", "an object with role and content")
			continue
		}
		const roles = `"user" or "assistant"`
		switch role := m.Get("role"); {
		case !role.Exists():
			p.Report(p.At(m), "no role", "the role "+roles)
		case role.Text() != mcp.RoleUser && role.Text() != mcp.RoleAssistant:
			p.Report(p.At(role), "", roles)
		}
		switch content := m.Get("content"); {
		case !content.Exists():
			p.Report(p.At(m), "no content", "one content block")
		case content.Is(jsondoc.Array):
			p.Report(p.At(content), "an array", "one content block; a message for each of several")
		case !content.Is(jsondoc.Object):
			p.Report(p.At(content), "", `one content block, like {"type":"text","text":"…"}`)
		}
	}
}

// otherFault tells that an error is about something that may be wrong with a request before its parameters are looked at, or
// that its status says why.
func (p *Pass) otherFault(code int64) bool {
	return p.refusal() || code <= mcp.CodeHeaderMismatch && code >= mcp.CodeUnsupportedVersion
}

func checkUnknownPrompt(p *Pass) {
	name := p.Request().Get("name")
	if !name.Is(jsondoc.String) || p.version == "" {
		return
	}
	const want = "the error -32602: there is no prompt of this name"
	invented := name.Text() == ProbePrompt
	absent, known := p.in.history.absent(mcp.PromptsList, p.x.Seq(), p.x.Request.At, func(w *Walk) bool { return w.named(name) })
	code, ok := p.Code()
	switch {
	case invented && p.Result().Exists():
		p.Report(p.At(p.Result()), "a result", want).Also(p.At(name))
	case !ok || code == mcp.CodeInvalidParams || p.otherFault(code):
	case invented || known && absent:
		p.Report(p.At(p.Error().Get("code")), "", want).Also(p.At(name))
	}
}

// named tells whether an item of this name is on the walk.
func (w *Walk) named(name jsondoc.Value) bool {
	for _, item := range w.Items {
		if n := item.Get("name"); n.Is(jsondoc.String) && n.Text() == name.Text() {
			return true
		}
	}
	return false
}

// checkMissingArgument judges prompts that were asked for without an argument that the list says is required.
func checkMissingArgument(p *Pass) {
	w := p.History().Walk(mcp.PromptsList, p.x.Seq())
	code, ok := p.Code()
	if w == nil || p.x.Request == nil || code == mcp.CodeInvalidParams || p.otherFault(code) {
		return
	}
	var missing jsondoc.Value
	var names []string
	for _, prompt := range w.Items {
		if !prompt.Get("name").Is(jsondoc.String) || prompt.Get("name").Text() != p.Request().Get("name").Text() {
			continue
		}
		for _, a := range prompt.Get("arguments").Elements() {
			if name := a.Get("name"); isTrue(a.Get("required")) && name.Is(jsondoc.String) && !p.Request().Get("arguments").Get(name.Text()).Exists() {
				missing, names = name, append(names, name.Text())
			}
		}
	}
	const want = "the error -32602: the request leaves out "
	switch {
	case len(names) == 0:
	case p.Result().Exists():
		p.Report(p.At(p.Result()), "a result", want+strings.Join(names, ", ")).Also(p.At(missing))
	case ok:
		p.Report(p.At(p.Error().Get("code")), "", want+strings.Join(names, ", ")).Also(p.At(missing)).Likely()
	}
}
