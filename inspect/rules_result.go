package inspect

import (
	"strings"
	"sync"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// resultRules are about what every result has, whatever it is the result of.
func resultRules() []*Rule {
	return []*Rule{{
		ID:     "result-type-missing",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Result Responses, §ResultType; schema Result.resultType",
		On:     Results(),
		Check: func(p *Pass) {
			if p.Result().Is(jsondoc.Object) && !p.Result().Get("resultType").Exists() && p.AskedModern() {
				p.Report(p.At(p.Result()), "no resultType", `"resultType": "complete"`)
			}
		},
	}, {
		ID:     "result-type-not-string",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "schema ResultType",
		On:     Results(),
		Check: func(p *Pass) {
			if rt := p.Result().Get("resultType"); rt.Exists() && (!rt.Is(jsondoc.String) || rt.Text() == "") {
				p.Report(p.At(rt), "", "a string that is not empty")
			}
		},
	}, {
		ID:     "result-type-unknown",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §ResultType",
		On:     Results(),
		Check: func(p *Pass) {
			rt := p.Result().Get("resultType")
			if !rt.Is(jsondoc.String) || rt.Text() == "" || p.x.Request == nil || p.knownResultType(rt.Text()) || p.startsTask() {
				return // there are rules of their own for tasks
			}
			p.Report(p.At(rt), "", `"complete" or "input_required"`)
		},
	}, {
		ID:     "result-type-legacy-present",
		Level:  Advice,
		Eras:   "<=2025-11-25",
		Source: "basic/index §ResultType; versioning §Backward Compatibility",
		On:     Results(),
		Check: func(p *Pass) {
			if rt := p.Result().Get("resultType"); rt.Exists() {
				p.Report(p.Key(rt), "", "no resultType before 2026-07-28")
			}
		},
	}, {
		ID:     "result-input-required-wrong-method",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/patterns/mrtr §Supported Requests",
		On:     Results(),
		Check: func(p *Pass) {
			switch p.Method() {
			case mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead, "":
				return
			}
			if rt := p.Result().Get("resultType"); rt.Text() == mcp.ResultInputRequired {
				p.Report(p.At(rt), "", "input_required only for tools/call, prompts/get and resources/read")
			}
		},
	}, {
		ID:     "result-complete-with-input-requests",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "basic/patterns/mrtr §InputRequiredResult",
		On:     Complete(),
		Check: func(p *Pass) {
			if p.Method() == mcp.TasksGet {
				return // a task that waits for input has them beside its status
			}
			for _, name := range []string{"inputRequests", "requestState"} {
				if v := p.Result().Get(name); v.Exists() {
					p.Report(p.Key(v), "", "only on a result whose resultType is input_required")
				}
			}
		},
	}, {
		ID:     "result-shape-wrong-method",
		Level:  Must,
		Eras:   "all",
		Source: "schema *Result types",
		On:     Complete(),
		Check:  checkResultShape,
	}, {
		ID:     "result-server-info-missing",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Per-response protocol fields; schema ResultMetaObject",
		On:     Complete(),
		Check: func(p *Pass) {
			if p.Result().Is(jsondoc.Object) && !p.Meta().Get(mcp.MetaServerInfo).Exists() && p.AskedModern() && p.Once("") {
				p.Report(p.At(p.Result()), "no "+mcp.MetaServerInfo+" in _meta", "the server's name and version in _meta of each result")
			}
		},
	}, {
		ID:     "result-server-info-invalid",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "schema Implementation",
		On:     Results(),
		Check:  checkServerInfo,
	}, {
		ID:     "result-null-optional",
		Level:  Advice,
		Eras:   "all",
		Source: "schema (optional members)",
		On:     Results(),
		Check:  checkNullOptional,
	}}
}

// checkResultShape holds a final result against the members that its method requires. The content of tools/call and the
// versions of server/discover have rules of their own.
func checkResultShape(p *Pass) {
	m, ok := mcp.Lookup(p.Method())
	if !ok || p.x.Request == nil || !p.Result().Is(jsondoc.Object) || p.version != "" && m.Sender(p.version)&mcp.Client == 0 {
		return
	}
	if m.Name == mcp.ToolsCall || m.Name == mcp.Discover || m.Name == mcp.Initialize && p.version != "" || m.Extension != "" {
		return // rules of their own: content-not-array, discover-…, legacy-init-shape, tasks-…
	}
	member, v := missingMember(m, p.Result())
	switch {
	case member.Name == "" && m.Name == mcp.Complete:
		if v := p.Result().Get("completion"); !v.Get("values").Exists() { // of another kind: completion-values-shape
			p.Report(p.At(v), "", "an object with an array values")
		}
	case member.Name == "":
	case v.Exists():
		p.Report(p.At(v), "", article(member.Kind))
	default:
		p.Report(p.At(p.Result()), "no "+member.Name, article(member.Kind)+" "+member.Name)
	}
}

func checkServerInfo(p *Pass) {
	info := p.Meta().Get(mcp.MetaServerInfo)
	if !info.Exists() {
		return
	}
	if !info.Is(jsondoc.Object) {
		p.Report(p.At(info), "", "an object with name and version")
		return
	}
	for _, name := range []string{"name", "version"} {
		switch v := info.Get(name); {
		case !v.Exists():
			p.Report(p.At(info), "no "+name, "a string "+name)
		case !v.Is(jsondoc.String):
			p.Report(p.At(v), "", "a string")
		}
	}
	if u := info.Get("websiteUrl"); u.Exists() && !isAbsoluteURI(u) {
		p.Report(p.At(u), "", "an absolute URI")
	}
}

// isAbsoluteURI tells whether a value is a string that begins with a scheme and holds no blanks (RFC 3986 §3.1).
func isAbsoluteURI(v jsondoc.Value) bool {
	if !v.Is(jsondoc.String) {
		return false
	}
	s := v.Text()
	for i := range len(s) {
		switch c := s[i]; {
		case c == ':':
			return i > 0 && i+1 < len(s) && !contains(s, " ", "\t", "\n")
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// optionalPaths are the members that may be left out but must not be null: a path in the result, "*" for any array index,
// then the names of members. Read off the official schemas.
const optionalPaths = `
. _meta nextCursor isError instructions description inputRequests requestState
completion total hasMore
tools/* title description outputSchema annotations icons execution _meta
tools/*/annotations title readOnlyHint destructiveHint idempotentHint openWorldHint
resources/* title description mimeType size annotations icons _meta
resourceTemplates/* title description mimeType annotations icons _meta
prompts/* title description arguments icons _meta
prompts/*/arguments/* title description required
contents/* mimeType _meta
content/* annotations _meta title description mimeType size icons
content/*/resource mimeType _meta
messages/*/content annotations _meta title description mimeType size icons
messages/*/content/resource mimeType _meta
capabilities tools prompts resources logging completions experimental extensions
capabilities/tools listChanged
capabilities/prompts listChanged
capabilities/resources listChanged subscribe
annotations audience priority lastModified
icons/* mimeType sizes theme
serverInfo title description websiteUrl icons
`

// optionalAt holds "path member" for every pair in optionalPaths. Annotations and icons stand in many places, so their
// paths are looked up by their end.
var optionalAt = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(optionalPaths) {
		words := strings.Fields(line)
		for i := 1; i < len(words); i++ {
			all[words[0]+" "+words[i]] = true
		}
	}
	return all
})

func checkNullOptional(p *Pass) {
	doc := p.Result().Document()
	if doc == nil {
		return
	}
	for i := range doc.Nodes {
		if doc.Nodes[i].Kind != jsondoc.Null {
			continue
		}
		v := doc.Value(int32(i))
		if name := v.Name(); name != "" && p.isOptional(v, name) {
			p.ReportSame(name, p.At(v), "null", "leave "+name+" out when there is nothing to say")
		}
	}
}

func (p *Pass) isOptional(v jsondoc.Value, name string) bool {
	tokens := v.Pointer().Tokens()
	if len(tokens) < 2 || tokens[0] != "result" {
		return false
	}
	path := tokens[1 : len(tokens)-1]
	if len(path) > 5 {
		return false
	}
	if len(path) == 0 {
		switch name {
		case "content":
			return p.Result().Get("resultType").Text() == mcp.ResultInputRequired
		case "structuredContent":
			return p.version != "" && !p.modern // from 2026-07-28 on null is a value like any other
		}
		return optionalAt()[". "+name]
	}
	for i, t := range path {
		if digits(t) {
			path[i] = "*"
		}
	}
	if optionalAt()[strings.Join(path, "/")+" "+name] {
		return true
	}
	last := path[len(path)-1]
	if last == "*" && len(path) > 1 {
		last = path[len(path)-2] + "/*"
	}
	if last == mcp.MetaServerInfo {
		last = "serverInfo"
	}
	switch last {
	case "annotations", "icons/*", "serverInfo":
		return optionalAt()[last+" "+name]
	}
	return false
}
