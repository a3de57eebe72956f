package inspect

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// legacyRules are about revisions up to 2025-11-25: the handshake, sessions, event streams, and what is left of them in newer
// servers.
func legacyRules() []*Rule {
	return slices.Concat(handshakeRules(), legacySessionRules(), legacyStreamRules(), legacyMethodRules())
}

const upTo = "<=" + mcp.LatestLegacy

// handshakeRules are about initialize.
func handshakeRules() []*Rule {
	const source = "2025-11-25/basic/lifecycle"
	return []*Rule{{
		ID:     "legacy-init-shape",
		Level:  Must,
		Eras:   upTo,
		Source: source + " §Initialization; schema InitializeResult",
		On:     Results(mcp.Initialize),
		Check: func(p *Pass) {
			r := p.Result()
			for _, m := range []struct {
				holder jsondoc.Value
				name   string
				kind   jsondoc.Kind
				want   string
			}{
				{r, "protocolVersion", jsondoc.String, "the revision of this session, a string"},
				{r, "capabilities", jsondoc.Object, "an object, {} when there are none"},
				{r, "serverInfo", jsondoc.Object, `an object with name and version`},
				{r.Get("serverInfo"), "name", jsondoc.String, "a string"},
				{r.Get("serverInfo"), "version", jsondoc.String, "a string"},
			} {
				if v := m.holder.Get(m.name); m.holder.Is(jsondoc.Object) && !v.Is(m.kind) {
					p.Report(p.memberOr(v, m.holder), gotOr(v), m.name+": "+m.want)
				}
			}
		},
	}, {
		ID:     "legacy-version-negotiation",
		Level:  Must,
		Eras:   upTo,
		Source: source + " §Version Negotiation",
		On:     Results(mcp.Initialize),
		Probe:  ProbeOldVersions,
		Check:  checkNegotiation,
	}, {
		ID:     "legacy-request-before-initialized",
		Level:  Should,
		Eras:   upTo,
		Source: source + " §Initialization",
		On:     Results(mcp.Initialize).Or(Sent(mcp.Initialized)).Or(ServerRequests(mcp.SamplingCreate, mcp.RootsList, mcp.ElicitationCreate)),
		Check: func(p *Pass) {
			type state struct {
				opening wire.Seq // the answer to initialize, while we have not confirmed it; 0 otherwise
			}
			s := Keep[state](p)
			switch {
			case p.m.Kind == wire.Result && !p.OnPurpose():
				s.opening = p.m.Seq
			case p.m.Dir == wire.Sent:
				s.opening = 0
			case p.m.Kind == wire.Request && s.opening != 0:
				p.Report(p.At(p.root.Get("method")), "", "no request but ping before notifications/initialized").Also(Place{Frame: s.opening})
			}
		},
	}, {
		ID:     "legacy-capability-not-negotiated",
		Level:  Must,
		Eras:   "2025-06-18..2025-11-25",
		Source: source + " §Operation",
		On:     ServerRequests(mcp.SamplingCreate, mcp.RootsList, mcp.ElicitationCreate),
		Check: func(p *Pass) {
			name, _, _ := strings.Cut(p.m.Method, "/")
			if declared := p.in.history.clientCapabilities; declared.Is(jsondoc.Object) && !given(declared.Get(name)) {
				p.Report(p.At(p.root.Get("method")), "", "nothing that needs the capability "+name+": the client did not declare it").Also(p.At(declared))
			}
		},
	}, {
		ID:     "legacy-only-server",
		Level:  Advice,
		Eras:   upTo,
		Source: "versioning §Compatibility Matrix",
		On:     Complete(mcp.Initialize),
		Check: func(p *Pass) {
			for _, past := range p.in.history.order {
				if past.Method == mcp.Discover && !past.Open() && p.Once("") {
					p.Report(p.At(p.Result().Get("protocolVersion")), "", "2026-07-28 as well; until then only the rules of this revision are judged by").Also(Place{Frame: past.Seq})
				}
			}
		},
	}}
}

// negotiated is which revision was asked for, and which came.
type negotiated struct {
	asked, got string
	at         wire.Seq
}

// maxNegotiated bounds how many handshakes are remembered.
const maxNegotiated = 64

// checkNegotiation: what a server supports, it has to give back when it is asked for. That it does support a revision shows when
// it gave that one another time.
func checkNegotiation(p *Pass) {
	type state struct{ all []negotiated }
	s := Keep[state](p)
	v := p.Result().Get("protocolVersion")
	now := negotiated{p.Request().Get("protocolVersion").Text(), v.Text(), p.seq()}
	if now.got == "" || now.asked == "" || len(s.all) == maxNegotiated {
		return // legacy-init-shape
	}
	// A revision that is newer than all we know may well exist.
	if !mcp.Known(now.got) && !(len(now.got) == len(mcp.Latest) && now.got > mcp.Latest) && p.Once("unknown "+now.got) {
		p.Report(p.At(v), "", "a revision that exists and that the server supports").Also(p.At(p.Request().Get("protocolVersion")))
	}
	for _, before := range s.all {
		for _, pair := range [2][2]negotiated{{before, now}, {now, before}} {
			broken, proof := pair[0], pair[1]
			if broken.got != broken.asked && proof.got == broken.asked && mcp.Known(broken.asked) && p.Once(broken.asked) {
				p.Report(Place{Frame: broken.at, Path: "/result/protocolVersion"}, broken.got, broken.asked+" as it was asked for: the server supports it").
					Also(Place{Frame: proof.at, Path: "/result/protocolVersion"})
			}
		}
	}
	s.all = append(s.all, now)
}

// legacyMethodRules are about methods that only older revisions have, or answer otherwise.
func legacyMethodRules() []*Rule {
	return []*Rule{{
		ID:     "legacy-ping",
		Level:  Must,
		Eras:   upTo,
		Source: "2025-11-25/basic/utilities/ping",
		On:     Exchanges(mcp.Ping),
		Probe:  "ping",
		Check: func(p *Pass) {
			if p.Why() != "" && p.Why() != "ping" {
				return // it was made wrong in another way
			}
			const want = "an empty result: {}"
			switch {
			case p.m != nil && p.m.Kind == wire.Error:
				p.Report(p.At(p.Error()), "", want)
			case p.x.End == wire.TimedOut:
				p.Report(p.Timing(), "no answer in time", want)
			case p.m != nil && p.m.Kind == wire.Result && !p.Result().Is(jsondoc.Object):
				p.Report(p.At(p.Result()), "", want)
			case p.m != nil && p.m.Kind == wire.Result:
				for name, v := range p.Result().Members() {
					if name != "_meta" {
						p.ReportSame("", p.Key(v), "", want)
					}
				}
			}
		},
	}, {
		ID:     "legacy-not-found-code",
		Level:  Should,
		Eras:   upTo,
		Source: "2025-11-25/server/resources §Error Handling",
		On:     Errors(mcp.ResourcesRead),
		Probe:  "missing-resource",
		Check: func(p *Pass) {
			missing, sure := p.missingResource()
			code, ok := p.Code()
			// -32602 is what 2026-07-28 asks for: a server may be ahead of its session.
			if missing && ok && code != mcp.CodeResourceNotFound && code != mcp.CodeInvalidParams && !p.refusal() {
				p.Report(p.At(p.Error().Get("code")), "", "-32002: there is no such resource").Also(p.At(p.Request().Get("uri"))).Sure(sure)
			}
		},
	}, {
		ID:     "legacy-url-elicitation-error",
		Level:  Must,
		Eras:   "2025-11-25",
		Source: "2025-11-25/client/elicitation §URL Elicitation Required Error",
		On:     Errors(),
		Check: func(p *Pass) {
			code, _ := p.Code()
			if code != mcp.CodeURLElicitationRequired {
				return
			}
			const want = `elicitations: an array of {"mode":"url","elicitationId":"…","url":"…","message":"…"}`
			list := p.Error().Get("data").Get("elicitations")
			if !list.Is(jsondoc.Array) || list.Len() == 0 {
				holder := p.Error()
				if data := holder.Get("data"); data.Exists() {
					holder = data
				}
				p.Report(p.memberOr(list, holder), gotOr(list), want)
				return
			}
			for _, e := range list.Elements() {
				if e.Get("mode").Text() != "url" {
					p.ReportSame("mode", p.memberOr(e.Get("mode"), e), gotOr(e.Get("mode")), `mode: "url"`)
				}
				for _, name := range []string{"elicitationId", "url", "message"} {
					if v := e.Get(name); !v.Is(jsondoc.String) {
						p.ReportSame(name, p.memberOr(v, e), gotOr(v), name+": a string")
					}
				}
			}
		},
	}, {
		ID:     "legacy-method-still-served",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "transports/streamable-http §Protocol Version Header; changelog Major changes",
		On:     Replies(mcp.Ping, mcp.SetLevel, mcp.ResourcesSubscribe, mcp.ResourcesUnsubscribe),
		Probe:  "removed-methods",
		Check: func(p *Pass) {
			if p.Result().Exists() && p.AskedModern() && p.Once(p.method) {
				p.Report(p.At(p.Result()), "", "the error -32601: "+p.method+" does not exist in this revision").Also(p.At(p.x.Request.Root().Get("method")))
			}
		},
	}}
}
