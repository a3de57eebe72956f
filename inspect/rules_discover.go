package inspect

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// discoverRules are about what a server says of itself, and whether it is true.
func discoverRules() []*Rule {
	const modern = ">=2026-07-28"
	return append([]*Rule{{
		ID:     "discover-not-implemented",
		Level:  Must,
		Eras:   "all", // the refusal comes before the era is known; what is judged is that the server turns out to be modern
		Source: "server/discover; versioning §Protocol Version Negotiation (2026-07-28)",
		On:     Replies(),
		Check:  checkDiscoverRefused,
	}, {
		ID:     "discover-versions-missing",
		Level:  Must,
		Eras:   modern,
		Source: "schema DiscoverResult.supportedVersions",
		On:     Complete(mcp.Discover),
		Check:  checkSupportedVersions,
	}, {
		ID:     "discover-version-not-listed",
		Level:  Advice,
		Eras:   modern,
		Source: "schema DiscoverResult.supportedVersions",
		On:     Complete(),
		Check: func(p *Pass) {
			asked, listed := p.asked(), p.History().Discover().Get("supportedVersions")
			if p.OnPurpose() || !asked.Is(jsondoc.String) || impossibleRevision(asked) || hasText(listed, asked) {
				return
			}
			if len(stringsIn(listed)) > 0 && p.Once(asked.Text()) {
				p.Reportf(p.At(listed), "", "%s among them: requests that name it are answered", string(asked.Raw())).Also(p.At(asked))
			}
		},
	}, {
		ID:     "discover-capabilities-missing",
		Level:  Must,
		Eras:   modern,
		Source: "schema DiscoverResult.capabilities",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			switch c := p.Result().Get("capabilities"); {
			case !p.Result().Is(jsondoc.Object):
			case !c.Exists():
				p.Report(p.At(p.Result()), "no capabilities", "an object capabilities, {} when there is nothing to declare")
			case !c.Is(jsondoc.Object):
				p.Report(p.At(c), "", "an object, {} when there is nothing to declare")
			}
		},
	}, {
		ID:     "discover-capability-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema ServerCapabilities",
		On:     Complete(mcp.Discover, mcp.Initialize),
		Check:  checkCapabilityShape,
	}, {
		ID:     "discover-capability-undeclared",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools, server/resources, server/prompts §Capabilities; architecture §Capability Negotiation",
		On: Complete(mcp.ToolsList, mcp.ToolsCall, mcp.PromptsList, mcp.PromptsGet, mcp.ResourcesList, mcp.TemplatesList,
			mcp.ResourcesRead, mcp.Complete),
		Probe: "undeclared-lists",
		Check: checkUndeclared,
	}, {
		ID:     "discover-capability-unserved",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools, server/resources, server/prompts §Capabilities",
		On:     Errors(mcp.ToolsList, mcp.PromptsList, mcp.ResourcesList),
		Check: func(p *Pass) {
			m, _ := mcp.Lookup(p.Method())
			declared, _ := p.History().Declared(m.Capability)
			code, _ := p.Code()
			if declared && code == mcp.CodeMethodNotFound && p.ordinary() && p.Once(m.Capability) {
				p.Report(p.At(p.Error().Get("code")), "", "a list, empty if need be: "+m.Capability+" is declared").
					Also(p.Key(p.History().Capabilities().Get(m.Capability)))
			}
		},
	}, {
		ID:     "discover-instructions-type",
		Level:  Must,
		Eras:   modern,
		Source: "schema DiscoverResult.instructions",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			if v := p.Result().Get("instructions"); v.Exists() && !v.Is(jsondoc.String) {
				p.Report(p.At(v), "", "a string, or no instructions")
			}
		},
	}, {
		ID:     "discover-initialize-shape",
		Level:  Advice,
		Eras:   modern,
		Source: "schema DiscoverResult; SEP-2575",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			if v := p.Result().Get("protocolVersion"); v.Exists() {
				p.Report(p.Key(v), "", "supportedVersions")
			}
			if v := p.Result().Get("serverInfo"); v.Exists() {
				p.Report(p.Key(v), "", mcp.MetaServerInfo+" in _meta")
			}
		},
	}, {
		ID:     "discover-deprecated-capability",
		Level:  Advice,
		Eras:   modern,
		Source: "deprecated; SEP-2577",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			if v := p.Result().Get("capabilities").Get("logging"); v.Exists() && p.Once("") {
				p.Report(p.Key(v), "", "log lines on stderr, or OpenTelemetry: logging may be removed from 2027-07-28 on")
			}
		},
	}}, extensionRules()...)
}

// extensionRules are about capabilities.extensions.
func extensionRules() []*Rule {
	const modern = ">=2026-07-28"
	extensions := func(p *Pass) jsondoc.Value { return p.Result().Get("capabilities").Get("extensions") }
	return []*Rule{{
		ID:     "discover-extension-id",
		Level:  Must,
		Eras:   modern,
		Source: "versioning §Extension Negotiation; basic/index §_meta; SEP-2133",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			for id, v := range extensions(p).Members() {
				if labels, _, ok := splitMetaKey(id); !ok || len(labels) == 0 {
					p.Report(p.Key(v), "", "a domain of yours backwards, a slash and a name, like com.example/feature")
				}
			}
		},
	}, {
		ID:     "discover-extension-reserved",
		Level:  Advice,
		Eras:   modern,
		Source: "basic/index §_meta; SEP-2133",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			for id, v := range extensions(p).Members() {
				if labels, name, _ := splitMetaKey(id); reservedPrefix(labels) && !officialExtension(labels, name) {
					p.Report(p.Key(v), "", "a prefix that you own: this one is the protocol's").Guess()
				}
			}
		},
	}, {
		ID:     "discover-extension-settings",
		Level:  Must,
		Eras:   modern,
		Source: "schema ServerCapabilities.extensions",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			for _, v := range extensions(p).Members() {
				if !v.Is(jsondoc.Object) {
					p.Report(p.At(v), "", "an object, {} when there is nothing to set")
				}
			}
		},
	}, {
		ID:     "discover-legacy-tasks-capability",
		Level:  Must,
		Eras:   modern, // whoever asks: an answer of this revision has no such member
		Source: "SEP-2663 §Backward Compatibility",
		On:     Complete(mcp.Discover),
		Check: func(p *Pass) {
			if v := p.Result().Get("capabilities").Get("tasks"); v.Exists() {
				p.Report(p.Key(v), "", mcp.ExtensionTasks+" in capabilities.extensions")
			}
		},
	}}
}

// reservedPrefix tells that the second label of a prefix is one that the protocol keeps for itself (since 2025-11-25).
func reservedPrefix(labels []string) bool {
	return len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
}

func officialExtension(labels []string, name string) bool {
	return strings.Join(labels, ".")+"/" == mcp.MetaPrefix &&
		slices.Contains([]string{"tasks", "ui", "oauth-client-credentials", "enterprise-managed-authorization"}, name)
}

// refusedDiscover is the memory of discover-not-implemented.
type refusedDiscover struct {
	refused, served     Place
	isRefused, isServed bool
}

// checkDiscoverRefused brings two replies together, whichever comes first: discover was refused, and the server is modern.
func checkDiscoverRefused(p *Pass) {
	k := Keep[refusedDiscover](p)
	if k.isServed && p.Method() != mcp.Discover || p.OnPurpose() || !p.AskedModern() {
		return
	}
	if code, _ := p.Code(); p.Method() == mcp.Discover && code == mcp.CodeMethodNotFound && !p.refusal() {
		k.refused, k.isRefused = p.At(p.Error().Get("code")), true
	}
	if rt := p.Result().Get("resultType"); p.Modern() && p.Method() != mcp.Discover && rt.Exists() {
		k.served, k.isServed = p.At(rt), true
	}
	if k.isRefused && k.isServed && p.Once("") {
		p.Report(k.refused, "-32601", "a result of server/discover: the server answers other requests as 2026-07-28 has it").Also(k.served)
	}
}

func checkSupportedVersions(p *Pass) {
	v := p.Result().Get("supportedVersions")
	switch {
	case !p.Result().Is(jsondoc.Object):
	case !v.Exists():
		p.Report(p.At(p.Result()), "no supportedVersions", "an array supportedVersions")
	case !v.Is(jsondoc.Array):
		p.Report(p.At(v), "", "an array of revisions, like [\"2026-07-28\"]")
	case v.Len() == 0:
		p.Report(p.At(v), "", "at least the revision in which this was answered")
	}
	for _, item := range v.Elements() {
		if v.Is(jsondoc.Array) && !item.Is(jsondoc.String) {
			p.Report(p.At(item), "", "a revision as a string")
		}
	}
}

func checkCapabilityShape(p *Pass) {
	all := p.Result().Get("capabilities")
	for _, name := range []string{"tools", "prompts", "resources", "logging", "completions", "extensions", "experimental"} {
		c := all.Get(name)
		if c.Exists() && !c.Is(jsondoc.Object) {
			p.Report(p.At(c), "", "an object, {} when there is nothing to add; or no "+name)
			continue
		}
		for _, flag := range []string{"listChanged", "subscribe"} {
			if f := c.Get(flag); f.Exists() && !f.Is(jsondoc.Bool) && (name == "resources" || flag == "listChanged" && (name == "tools" || name == "prompts")) {
				p.Report(p.At(f), "", "true or false")
			}
		}
	}
}

// checkUndeclared reports what is served though not declared. An empty list is no service: SDKs answer so for everything.
func checkUndeclared(p *Pass) {
	m, _ := mcp.Lookup(p.Method())
	capability, _, _ := strings.Cut(m.Capability, ".")
	all := p.History().Capabilities()
	if declared, _ := p.History().Declared(capability); declared || !all.Is(jsondoc.Object) || !hasCapability(p.version, capability) {
		return
	}
	var served jsondoc.Value
	switch p.Method() {
	case mcp.ToolsCall:
		if !isTrue(p.Result().Get("isError")) {
			served = p.Result().Get("content")
		}
	case mcp.Complete:
		served = p.Result().Get("completion").Get("values")
	case mcp.PromptsGet:
		served = p.Result().Get("messages")
	case mcp.ResourcesRead:
		served = p.Result().Get("contents")
	default:
		served = p.Result().Get(m.List)
	}
	if served.Is(jsondoc.Array) && served.Len() > 0 && p.Once(capability) {
		p.Report(p.At(served), capability+" that are not declared", capability+" among the capabilities").Also(p.At(all))
	}
}
