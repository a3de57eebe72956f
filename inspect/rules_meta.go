package inspect

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// metaRules are about _meta, the place for what is said about a message rather than in it.
func metaRules() []*Rule {
	const modern, grammar = ">=2026-07-28", "basic/index §_meta"
	return []*Rule{{
		ID:     "meta-not-object",
		Level:  Must,
		Eras:   "all",
		Source: "schema MetaObject",
		On:     Messages(),
		Check: func(p *Pass) {
			for meta := range p.metas {
				if !meta.Is(jsondoc.Object) && !meta.Is(jsondoc.Null) {
					p.ReportSame("", p.At(meta), "", "an object")
				}
			}
		},
	}, {
		ID:     "meta-key-format",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: grammar,
		On:     Messages(),
		Check: func(p *Pass) {
			p.metaKeys(func(key string, v jsondoc.Value) {
				if _, _, ok := splitMetaKey(key); !ok {
					p.ReportSame(key, p.Key(v), "", "a name of letters, digits, -, _ and ., with a domain backwards and a slash before it: com.example/key")
				}
			})
		},
	}, {
		ID:     "meta-key-reserved",
		Level:  Should,
		Eras:   ">=2025-06-18",
		Source: grammar,
		On:     Messages(),
		Check: func(p *Pass) {
			p.metaKeys(func(key string, v jsondoc.Value) {
				if labels, name, ok := splitMetaKey(key); ok && reservedIn(p.version, labels) && !slices.Contains(knownMetaNames(), name) {
					p.ReportSame(key, p.Key(v), "", "a prefix that you own: this one is the protocol's")
				}
			})
		},
	}, {
		ID:     "meta-key-not-reverse-dns",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: grammar,
		On:     Messages(),
		Check: func(p *Pass) {
			p.metaKeys(func(key string, v jsondoc.Value) {
				labels, name, ok := splitMetaKey(key)
				if ok && len(labels) > 1 && endsDomain(labels[len(labels)-1]) && !beginsPrefix(labels[0]) {
					slices.Reverse(labels)
					p.ReportSame(key, p.Key(v), "", strings.Join(labels, ".")+"/"+name+": the domain backwards")
				}
			})
		},
	}, {
		ID:     "meta-trace-context",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §OpenTelemetry trace context; SEP-414; W3C Trace Context",
		On:     Messages(),
		Check: func(p *Pass) {
			for _, name := range []string{"traceparent", "tracestate", "baggage"} {
				switch v := p.Meta().Get(name); {
				case !v.Exists():
				case !v.Is(jsondoc.String):
					p.Report(p.At(v), "", "a string")
				case name == "traceparent" && !isTraceparent(v.Text()):
					p.Report(p.At(v), "", "version, trace, span and flags in lower-case hex: 00-32 digits-16 digits-01")
				}
			}
		},
	}, {
		ID:     "meta-apps-resource-uri",
		Level:  Should,
		Eras:   modern + " +ui",
		Source: "SEP-1865; docs/extensions/apps/overview §How MCP Apps work",
		On:     Complete(mcp.ToolsList),
		Check: func(p *Pass) {
			for _, tool := range p.Result().Get("tools").Elements() {
				if v := tool.Get("_meta").Get("ui").Get("resourceUri"); v.Exists() && !strings.HasPrefix(v.Text(), "ui://") {
					p.ReportSame("", p.At(v), "", "the address of a page that this server serves, beginning with ui://")
				}
			}
		},
	}, {
		ID:     "meta-apps-no-fallback",
		Level:  Advice,
		Eras:   modern,
		Source: "docs/extensions/overview §Graceful Degradation; SEP-1865",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			content := p.Result().Get("content")
			if p.Extension(mcp.ExtensionUI) || !p.plainSuccess() || !content.Is(jsondoc.Array) || p.Result().Get("structuredContent").Exists() {
				return
			}
			for _, block := range content.Elements() {
				if text := block.Get("text"); block.Get("type").Text() != "text" || text.Text() != "" {
					return
				}
			}
			if page := p.pageOfTool(); page.Exists() {
				p.Report(p.At(content), "", "a text too: this client shows no pages").Also(p.At(page))
			}
		},
	}, {
		ID:     "meta-subscription-id-misplaced",
		Level:  Advice,
		Eras:   modern,
		Source: "schema NotificationMetaObject",
		On:     Results().Or(Notifications()),
		Check: func(p *Pass) {
			v := p.Meta().Get(mcp.MetaSubscriptionID)
			if !v.Exists() || p.x.Request == nil || p.x.Method() == mcp.Listen || !p.Result().Exists() && !p.HTTP() {
				return // on stdio a notification may belong to a subscription wherever it comes
			}
			p.Report(p.Key(v), "", "only on messages of a subscription")
		},
	}}
}

// metas are the places where a message of the protocol has a _meta: its params or result, and the items and blocks in that. Data of
// tools and schemas may have members of that name which mean nothing.
func (p *Pass) metas(yield func(jsondoc.Value) bool) {
	of := func(v jsondoc.Value) bool {
		meta := v.Get("_meta")
		return !meta.Exists() || yield(meta)
	}
	if !of(p.params) || !of(p.result) {
		return
	}
	for name, v := range p.result.Members() {
		switch name {
		case "tools", "resources", "resourceTemplates", "prompts", "content", "contents":
			for _, item := range v.Elements() {
				if !of(item) || !of(item.Get("resource")) {
					return
				}
			}
		case "messages":
			for _, m := range v.Elements() {
				if !of(m.Get("content")) {
					return
				}
			}
		}
	}
}

// metaKeys calls f for every key of every _meta of the message, but for those that the protocol defines.
func (p *Pass) metaKeys(f func(key string, v jsondoc.Value)) {
	for meta := range p.metas {
		for key, v := range meta.Members() {
			if name, official := strings.CutPrefix(key, mcp.MetaPrefix); !official || !slices.Contains(knownMetaNames(), name) {
				f(key, v)
			}
		}
	}
}

// knownMetaNames are the names that the protocol and its official extensions define under reserved prefixes.
func knownMetaNames() []string {
	return []string{"protocolVersion", "clientInfo", "clientCapabilities", "logLevel", "serverInfo", "subscriptionId",
		"related-task", "model-immediate-response", "tasks", "ui"}
}

// reservedIn tells that a prefix is the protocol's own. 2025-06-18 reserved the word as any label but the last, later revisions as
// the second.
func reservedIn(version string, labels []string) bool {
	if version != mcp.R20250618 {
		return reservedPrefix(labels)
	}
	for i, l := range labels {
		if i < len(labels)-1 && (l == "modelcontextprotocol" || l == "mcp") {
			return true
		}
	}
	return false
}

// endsDomain tells that a label is one in which a domain written forwards usually ends.
func endsDomain(label string) bool {
	return slices.Contains([]string{"com", "org", "net", "io", "edu", "gov"}, strings.ToLower(label))
}

// beginsPrefix tells that a label may be the top-level domain with which a prefix begins: one of the common ones, or any of two
// letters, which are countries.
func beginsPrefix(label string) bool {
	return endsDomain(label) || len(label) == 2 || slices.Contains([]string{"dev", "app", "info", "biz", "cloud", "tech", "xyz", "name",
		"online", "site", "store", "software", "systems", "tools", "studio", "agency", "solutions", "works", "run", "page"}, strings.ToLower(label))
}

var traceparent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}`)
})

// isTraceparent tells whether a text is a traceparent of W3C Trace Context: neither id is all zero, and version ff is none.
func isTraceparent(s string) bool {
	if !traceparent().MatchString(s) || strings.HasPrefix(s, "ff") || strings.HasPrefix(s, "00") && len(s) != 55 {
		return false
	}
	return strings.Trim(s[3:35], "0") != "" && strings.Trim(s[36:52], "0") != ""
}

// pageOfTool is the address of the page that the called tool has for clients with the extension for pages; Missing for others.
func (p *Pass) pageOfTool() jsondoc.Value {
	call := p.Call()
	if !p.modern || call == nil || call.Tool == nil {
		return jsondoc.Value{}
	}
	if page := call.Tool.Value.Get("_meta").Get("ui").Get("resourceUri"); page.Is(jsondoc.String) {
		return page
	}
	return jsondoc.Value{}
}
