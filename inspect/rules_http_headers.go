package inspect

import (
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	sourceValidation = "transports/streamable-http §Server Validation; SEP-2243"
	sourceParams     = "transports/streamable-http §Server Behavior for Custom Headers"
)

// refusal is what is due when a header and the body disagree.
const refusal = "a refusal with 400 and the error -32020"

// accepted is a rule about a request that was processed although one of its headers stood to the body as given.
func accepted(id, source, probe string, fits func(mirror) bool) *Rule {
	return &Rule{ID: id, Level: Must, Eras: ">=2026-07-28", Source: source, Probe: probe, On: Exchanges(), Check: func(p *Pass) {
		if p.m == nil || p.m.Kind != wire.Result {
			return
		}
		list, _ := p.mirrors()
		for _, m := range list {
			if !fits(m) {
				continue
			}
			r := p.Report(p.SentHeader(m.Header), "", refusal)
			if m.Body.Exists() {
				r.Also(p.At(m.Body))
			}
			if m.Header == mcp.HeaderProtocolVersion && m.Like == mirrorMissing {
				r.Guess() // a server that speaks to old clients too may take it for one of theirs
			}
		}
	}}
}

// mirrorRules are about the headers that repeat what the body says.
func mirrorRules() []*Rule {
	return []*Rule{
		accepted("http-header-mismatch-accepted", sourceValidation, "header-method-mismatch",
			func(m mirror) bool { return m.Like == mirrorWrong && !m.Param }),
		accepted("http-header-missing-accepted", "transports/streamable-http §Standard Request Headers, §Server Validation", "header-method-missing",
			func(m mirror) bool { return m.Like == mirrorMissing && !m.Param }),
		accepted("http-param-header-missing-accepted", sourceParams, "", func(m mirror) bool { return m.Like == mirrorMissing && m.Param }),
		accepted("http-param-header-mismatch-accepted", sourceParams, "", func(m mirror) bool { return m.Like == mirrorWrong && m.Param }),
		accepted("http-base64-invalid-accepted", sourceParams+"; SEP-2243", "", func(m mirror) bool { return m.Like == mirrorBroken }),
		{
			ID: "http-header-mismatch-code", Level: Must, Eras: ">=2026-07-28", Source: sourceValidation,
			On: Exchanges(), Probe: "header-method-mismatch", Check: checkMirrorCode,
		},
		refused("http-param-header-null-demanded", Must, sourceParams, func(p *Pass) (Place, string, bool) {
			name := p.nullArgument()
			return p.SentHeader(name), "an answer: the header is due only when the argument has a value", name != ""
		}),
		odd("http-base64-not-decoded", Must, "transports/streamable-http §Value Encoding", "encoded",
			"an answer: the value is Base64 of what the body says and has to be decoded first"),
		odd("http-header-case-sensitive", Must, "transports/streamable-http §Case Sensitivity", "case",
			"an answer: names of headers are the same in upper and lower case"),
		odd("http-header-whitespace", Advice, "SEP-2243 §Conformance Test Cases; RFC 9110 §5.5", "blanks",
			"an answer: blanks around a header's value do not belong to it"),
	}
}

// refused is a rule about a request that was refused with -32020 although its headers were right.
func refused(id string, level Level, source string, why func(*Pass) (at Place, want string, found bool)) *Rule {
	return &Rule{ID: id, Level: level, Eras: ">=2026-07-28", Source: source, On: Errors(), Check: func(p *Pass) {
		if code, _ := p.Code(); code != mcp.CodeHeaderMismatch || p.x.Request == nil || !p.mirrorsRight() {
			return
		}
		if at, want, found := why(p); found {
			p.Report(p.At(p.Error().Get("code")), "", want).Also(at)
		}
	}}
}

// odd is a rule about a header in an unusual spelling that was not understood.
func odd(id string, level Level, source, way, want string) *Rule {
	r := refused(id, level, source, func(p *Pass) (Place, string, bool) {
		name, spelled := p.oddSpelling()
		return p.SentHeader(name), want, spelled == way
	})
	if way == "encoded" {
		r.Probe = "header-name-encoded"
	}
	return r
}

// checkMirrorCode judges how a request was refused whose headers were wrong.
func checkMirrorCode(p *Pass) {
	if p.m != nil && p.m.Kind != wire.Error && p.m.Kind != wire.NotJSON && !p.alien() || !wellFormed(p.x.Request) || p.x.End != wire.Replied && p.x.End != wire.Dropped {
		return
	}
	switch s := p.status(); {
	case s == 0 || s == 401 || s == 403 || s == 429 || s >= 500 && (p.m == nil || p.m.Kind != wire.Error):
		return // refused, or failed, for another reason
	}
	list, _ := p.mirrors()
	for _, m := range list {
		if m.Like == mirrorRight || m.Like == mirrorUnknown {
			continue
		}
		code, isCode := p.Code()
		switch {
		case isCode && code == mcp.CodeHeaderMismatch:
		case isCode && code == mcp.CodeUnsupportedVersion && m.Header == mcp.HeaderProtocolVersion:
			// It went by the header alone, which names a revision that it does not speak.
			p.Report(p.At(p.Error().Get("code")), "", refusal).Also(p.SentHeader(m.Header)).Likely()
		case isCode:
			p.Report(p.At(p.Error().Get("code")), "", refusal).Also(p.SentHeader(m.Header))
		case p.status() >= 400 && len(p.x.Foreign) == 0: // else there is an error, which names another request: jsonrpc-id-mismatch
			p.Report(p.Status(), strings.TrimSpace(p.token(p.Status())+" without a JSON-RPC error"), refusal).Also(p.SentHeader(m.Header))
		}
		return
	}
}
