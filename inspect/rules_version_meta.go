package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// requestMetaRules are about what every modern request says of itself in _meta, and about requests that do not.
func requestMetaRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "version-meta-missing-accepted",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §_meta, §Statelessness",
		On:     Results(),
		Probe:  "meta-without-capabilities",
		Check: func(p *Pass) {
			missing := p.missingMeta()
			if missing == "" || p.History().Initialize().Exists() {
				return
			}
			if missing == mcp.MetaProtocolVersion && !p.Result().Get("resultType").Exists() && p.speaksLegacy() {
				return // a server of both eras took it for a request of the older one
			}
			p.Report(p.At(p.Result()), "a result", "the error -32602: the request has no "+missing).Also(p.Frame(p.x.Seq()))
		},
	}, {
		ID:     "version-meta-missing-code",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §_meta",
		On:     Errors(append(lists(), mcp.Discover)...),
		Probe:  "meta-without-capabilities",
		Check:  checkMetaMissingCode,
	}, {
		ID:     "version-client-info-demanded",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §_meta (clientInfo is optional)",
		On:     Errors(),
		Probe:  "meta-without-client-info",
		Check:  checkClientInfoDemanded,
	}, {
		ID:     "version-extension-undeclared",
		Level:  Must,
		Eras:   modern,
		Source: "versioning §Extension Negotiation; SEP-2133",
		On:     Sent().Or(Notifications()),
		Check:  checkExtensionNotice,
	}}
}

// missingMeta is the first key that every modern request must have in _meta and this one has not; "" when all is there, and for
// what is no request of a method that the revision has.
func (p *Pass) missingMeta() string {
	meta, missing := p.sent.Get("_meta"), mcp.MetaProtocolVersion
	if meta.Get(mcp.MetaProtocolVersion).Exists() {
		if missing = mcp.MetaClientCapabilities; meta.Get(missing).Exists() {
			return ""
		}
	}
	if !wellFormed(p.x.Request) {
		return ""
	}
	if m, known := mcp.Lookup(p.x.Request.Method); !known || !m.In(p.version) || m.Notification {
		return ""
	}
	return missing
}

// speaksLegacy tells that the server lists a revision from before 2026-07-28 as well.
func (p *Pass) speaksLegacy() bool {
	for _, v := range stringsIn(p.History().Discover().Get("supportedVersions")) {
		if !mcp.Modern(v) {
			return true
		}
	}
	return false
}

func checkMetaMissingCode(p *Pass) {
	missing := p.missingMeta()
	code, ok := p.Code()
	if missing == "" || !ok || code == mcp.CodeInvalidParams || p.refusal() || p.History().Initialize().Exists() {
		return
	}
	m, _ := mcp.Lookup(p.Method())
	declared, _ := p.History().Declared(m.Capability)
	switch {
	case code == mcp.CodeHeaderMismatch && p.HTTP() && (missing == mcp.MetaProtocolVersion || !p.mirrorsRight()):
		return // the header has nothing in the body to agree with: true as well
	case code == mcp.CodeMethodNotFound && !declared:
		return
	case missing == mcp.MetaProtocolVersion && p.speaksLegacy():
		return // refused as a request of an older revision
	}
	p.Report(p.At(p.Error().Get("code")), "", "-32602: the request has no "+missing).Also(p.Frame(p.x.Seq()))
}

// checkClientInfoDemanded looks for refusals of requests that leave out nothing but who sends them. Errors have many causes, so
// the message has to say so, or the probe has to be refused where the same request with a name was answered.
func checkClientInfoDemanded(p *Pass) {
	meta := p.sent.Get("_meta")
	code, _ := p.Code()
	if p.x.Request == nil || p.missingMeta() != "" || !meta.Is(jsondoc.Object) || meta.Get(mcp.MetaClientInfo).Exists() || p.refusal() {
		return
	}
	const want = "an answer: a request need not say who sends it"
	text := strings.ToLower(p.Error().Get("message").Text())
	said := contains(text, "clientinfo", "client info")
	switch {
	case said:
		p.Report(p.At(p.Error()), "", want)
	case p.Why() == "meta-without-client-info" && p.History().Walk(p.Method(), p.x.Seq()) != nil &&
		(code == mcp.CodeInvalidParams || code == mcp.CodeInvalidRequest):
		p.Report(p.At(p.Error()), "", want).Likely()
	}
}

// extensionsSent is the memory of version-extension-undeclared: the extensions that any request of ours has declared.
type extensionsSent struct{ declared map[string]bool }

func checkExtensionNotice(p *Pass) {
	k := Keep[extensionsSent](p)
	if p.m == nil {
		return
	}
	extensions := p.params.Get("_meta").Get(mcp.MetaClientCapabilities).Get("extensions")
	if p.Method() == mcp.Initialize {
		extensions = p.params.Get("capabilities").Get("extensions")
	}
	for id := range extensions.Members() {
		if k.declared == nil {
			k.declared = map[string]bool{}
		}
		k.declared[id] = true
	}
	m, known := mcp.Lookup(p.Method())
	if known && m.Extension != "" && m.Notification && m.InExtension(p.version) && p.received() != nil && !k.declared[m.Extension] {
		p.Report(p.At(p.Root().Get("method")), "", "nothing of "+m.Extension+": no request declared it")
	}
}
