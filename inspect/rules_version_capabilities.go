package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// clientCapabilityRules are about what the client declares it can do, and about servers that need more.
func clientCapabilityRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "version-capability-missing-code",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §_meta; schema MissingRequiredClientCapabilityError",
		On:     Errors(mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead),
		Check:  checkCapabilityCode,
	}, {
		ID:     "version-capability-missing-data",
		Level:  Must,
		Eras:   modern,
		Source: "schema MissingRequiredClientCapabilityError",
		On:     Errors(),
		Check: func(p *Pass) {
			if code, _ := p.Code(); code != mcp.CodeMissingClientCapability {
				return
			}
			const want = `data.requiredCapabilities: the capabilities that are needed, like {"elicitation":{}}`
			data := p.Error().Get("data")
			switch v := data.Get("requiredCapabilities"); {
			case !data.Exists():
				p.Report(p.At(p.Error()), "no data", want)
			case !v.Exists():
				p.Report(p.At(data), "", want)
			case !v.Is(jsondoc.Object) || v.Len() == 0:
				p.Report(p.At(v), "", `an object with at least one capability, like {"elicitation":{}}`)
			}
		},
	}, {
		ID:     "version-capability-http-status",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §_meta; schema MissingRequiredClientCapabilityError",
		On:     Errors(),
		Check:  func(p *Pass) { checkStatus400(p, mcp.CodeMissingClientCapability) },
	}, {
		ID:     "version-capability-remembered",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §Statelessness; schema RequestMetaObject",
		On:     Sent().Or(Results()),
		Check:  checkRemembered,
	}}
}

// checkCapabilityCode looks for errors that say themselves that the client lacks an ability, which this request did not declare.
func checkCapabilityCode(p *Pass) {
	code, ok := p.Code()
	if !ok || code == mcp.CodeMissingClientCapability || !p.ordinary() || !p.AskedModern() || p.otherFault(code) {
		return
	}
	text := strings.ToLower(p.Error().Get("message").Text())
	if !strings.Contains(text, "client") || !contains(text, "declare", "support", "capabilit", "advertise") {
		return
	}
	here := p.ClientCapabilities()
	for _, name := range []string{"elicitation", "sampling", "roots"} {
		if strings.Contains(text, name) && here.Is(jsondoc.Object) && !here.Get(name).Exists() {
			p.Report(p.At(p.Error().Get("code")), "", "-32021 with data.requiredCapabilities: the request does not declare "+name).
				Also(p.At(here)).Likely()
			return
		}
	}
}

// received is the message judged when the server sent it, else nil.
func (p *Pass) received() *wire.Message {
	if p.m != nil && p.m.Dir == wire.Received {
		return p.m
	}
	return nil
}

// declaredBefore is the memory of version-capability-remembered: where a capability of the client was first declared, and which
// the server used before any request had declared it. Who asks in any case remembers nothing (mrtr-capability-undeclared).
type declaredBefore struct {
	at     map[string]Place
	anyway map[string]bool
}

// checkRemembered looks for questions that only an earlier request allowed.
func checkRemembered(p *Pass) {
	k := Keep[declaredBefore](p)
	if p.m != nil && p.received() == nil {
		for name, v := range p.params.Get("_meta").Get(mcp.MetaClientCapabilities).Members() {
			if k.at == nil {
				k.at = map[string]Place{}
			}
			if _, known := k.at[name]; !known {
				k.at[name] = p.At(v)
			}
		}
		return
	}
	if !p.asksBack() {
		return
	}
	here := p.sent.Get("_meta").Get(mcp.MetaClientCapabilities)
	if !here.Is(jsondoc.Object) {
		return
	}
	for _, ask := range p.Result().Get("inputRequests").Members() {
		method := ask.Get("method")
		m, known := mcp.Lookup(method.Text())
		if !known || !m.Input || here.Get(m.Capability).Exists() {
			continue
		}
		before, declared := k.at[m.Capability]
		if !declared {
			if k.anyway == nil {
				k.anyway = map[string]bool{}
			}
			k.anyway[m.Capability] = true
		} else if !k.anyway[m.Capability] {
			p.Report(p.At(method), "", "only what this request declares; "+m.Capability+" was declared by an earlier one").Also(before, p.At(here))
		}
	}
}
