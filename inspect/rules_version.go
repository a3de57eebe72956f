package inspect

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// versionRules are about the revision that a request names, and about what the server may take for known.
func versionRules() []*Rule {
	return slices.Concat(revisionRules(), requestMetaRules(), clientCapabilityRules(), connectionRules())
}

// revisionRules are about requests of a revision that the server does not speak.
func revisionRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "version-unsupported-accepted",
		Level:  Must,
		Eras:   modern,
		Source: "versioning §Protocol Version Negotiation",
		On:     Results(),
		Probe:  "unknown-version",
		Check: func(p *Pass) {
			asked := p.asked()
			if impossibleRevision(asked) && !slices.Contains(stringsIn(p.History().Discover().Get("supportedVersions")), asked.Text()) {
				p.Report(p.At(p.Result()), "a result", "the error -32022: no server can know the revision "+string(asked.Raw())).Also(p.At(asked))
			}
		},
	}, {
		ID:     "version-unsupported-code",
		Level:  Must,
		Eras:   modern,
		Source: "versioning §Protocol Version Negotiation; schema UnsupportedProtocolVersionError",
		On:     Exchanges(),
		Probe:  "unknown-version",
		Check:  checkUnsupportedCode,
	}, {
		ID:     "version-unsupported-data",
		Level:  Must,
		Eras:   modern,
		Source: "schema UnsupportedProtocolVersionError",
		On:     Errors(),
		Check:  checkUnsupportedData,
	}, {
		ID:     "version-supported-inconsistent",
		Level:  Advice,
		Eras:   modern,
		Source: "versioning; schema DiscoverResult, UnsupportedProtocolVersionError",
		On:     Errors().Or(Complete()),
		Check:  checkSupportedAgree,
	}, {
		ID:     "version-http-status",
		Level:  Must,
		Eras:   modern,
		Source: "transports/streamable-http §Protocol Version Header",
		On:     Errors(),
		Check:  func(p *Pass) { checkStatus400(p, mcp.CodeUnsupportedVersion) },
	}, {
		ID:     "version-initialize-error-names-versions",
		Level:  Should,
		Eras:   modern,
		Source: "versioning §Backward Compatibility",
		On:     Errors(mcp.Initialize),
		Check:  checkInitializeRefusal,
	}, {
		ID:     "version-era-mixed",
		Level:  Advice,
		Eras:   modern,
		Source: "versioning §Backward Compatibility",
		On:     Exchanges(),
		Check:  checkErasMixed,
	}}
}

// namesRevision tells that the request is complete but for its revision: nothing else is wrong with it that might be said
// first.
func (p *Pass) namesRevision() bool {
	return wellFormed(p.x.Request) && p.sent.Get("_meta").Get(mcp.MetaClientCapabilities).Is(jsondoc.Object)
}

func checkUnsupportedCode(p *Pass) {
	asked := p.asked()
	if !impossibleRevision(asked) || !p.namesRevision() || p.refusal() || p.OurEnd() {
		return
	}
	const want = "the error -32022 (unsupported protocol version)"
	code, ok := p.Code()
	switch {
	case p.m == nil && p.status()/100 == 4:
		p.Report(p.Status(), "", want+" in the body").Also(p.At(asked))
	case !ok || code == mcp.CodeUnsupportedVersion:
	case code == mcp.CodeHeaderMismatch && !p.mirrorsRight():
	case code == mcp.CodeMethodNotFound && !p.History().Discover().Exists():
		// It may not know server/discover at all; that is another rule's.
	default:
		p.Report(p.At(p.Error().Get("code")), "", want).Also(p.At(asked))
	}
}

func checkUnsupportedData(p *Pass) {
	if code, _ := p.Code(); code != mcp.CodeUnsupportedVersion {
		return
	}
	data := p.Error().Get("data")
	if !data.Is(jsondoc.Object) {
		at := p.At(p.Error())
		if data.Exists() {
			at = p.At(data)
		}
		p.Report(at, namedIf(!data.Exists(), "no data"), "data with supported, an array of revisions, and requested")
		return
	}
	switch v := data.Get("supported"); {
	case !v.Exists():
		p.Report(p.At(data), "no supported", "supported: the revisions that the server speaks")
	case !v.Is(jsondoc.Array) || v.Len() == 0 || len(stringsIn(v)) != v.Len():
		p.Report(p.At(v), "", "an array of revisions as strings, not empty")
	}
	asked := p.asked()
	if p.Method() == mcp.Initialize && !asked.Exists() {
		asked = p.Request().Get("protocolVersion")
	}
	switch v := data.Get("requested"); {
	case !v.Exists():
		p.Report(p.At(data), "no requested", "requested: the revision that the request named")
	case !v.Is(jsondoc.String):
		p.Report(p.At(v), "", "the revision that the request named, a string")
	case asked.Is(jsondoc.String) && v.Text() != asked.Text() && (p.SentHead() == nil || p.SentHead().Get(mcp.HeaderProtocolVersion) != v.Text()):
		p.Report(p.At(v), "", string(asked.Raw())+", which the request named").Also(p.At(asked))
	}
}

// supportedSaid is the memory of version-supported-inconsistent: the revisions in the latest -32022.
type supportedSaid struct {
	at   Place
	list []string
}

// checkSupportedAgree compares the list in an error with that of server/discover, whichever comes first.
func checkSupportedAgree(p *Pass) {
	if !p.Error().Exists() && p.Method() != mcp.Discover {
		return
	}
	k := Keep[supportedSaid](p)
	if v := p.Error().Get("data").Get("supported"); v.Exists() {
		if code, _ := p.Code(); code == mcp.CodeUnsupportedVersion {
			*k = supportedSaid{p.At(v), sorted(stringsIn(v))}
		}
	} else if p.Method() != mcp.Discover {
		return
	}
	listed := p.History().Discover().Get("supportedVersions")
	said := sorted(stringsIn(listed))
	if len(said) > 0 && len(k.list) > 0 && !slices.Equal(said, k.list) && p.Once("") {
		p.Report(k.at, strings.Join(k.list, ", "), "the list of server/discover: "+strings.Join(said, ", ")).Also(p.At(listed))
	}
}

func sorted(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// checkStatus400 holds the HTTP status of an error with this code against the one that goes with it.
func checkStatus400(p *Pass, want int64) {
	if code, _ := p.Code(); code == want && p.status() != 0 && p.status() != 400 {
		p.Reportf(p.Status(), "", "HTTP 400 with the error %d", want)
	}
}

func checkInitializeRefusal(p *Pass) {
	supported := stringsIn(p.History().Discover().Get("supportedVersions"))
	if p.refusal() || p.asked().Exists() || slices.ContainsFunc(supported, func(v string) bool { return !mcp.Modern(v) }) {
		return // a server of both eras refuses for another reason
	}
	text := string(p.Error().Raw())
	for _, v := range append(supported, mcp.Latest) {
		if strings.Contains(text, v) {
			return
		}
	}
	p.Report(p.At(p.Error()), "", "the revisions that the server does speak, in the message or in data.supported")
}

// checkErasMixed counts what of an older era is in the answer to a modern request: one thing has a rule of its own, several
// together show that old and new code are mixed.
func checkErasMixed(p *Pass) {
	if !p.AskedModern() || p.m == nil {
		return
	}
	var marks []Place
	var got []string
	if h := p.Head(); h != nil && hasHeader(h, mcp.HeaderSessionID) {
		marks, got = append(marks, p.Header(mcp.HeaderSessionID)), append(got, "a session id")
	}
	for i := range p.x.During {
		if m := &p.x.During[i]; m.Kind == wire.Request && m.Dir == wire.Received {
			marks, got = append(marks, p.Frame(m.Seq)), append(got, "a request of the server")
			break
		}
	}
	if code, _ := p.Code(); code == mcp.CodeResourceNotFound {
		marks, got = append(marks, p.At(p.Error().Get("code"))), append(got, "-32002")
	}
	if len(marks) > 1 {
		p.Report(marks[0], strings.Join(got, ", "), "nothing of the older revisions in the answer to a request of 2026-07-28").Also(marks[1:]...)
	}
}
