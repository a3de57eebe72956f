package inspect

import (
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// statusRules are about the HTTP status that goes with an answer.
func statusRules() []*Rule {
	return []*Rule{{
		ID:     "http-method-not-found-status",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "transports/streamable-http §Protocol Version Header",
		On:     Errors(),
		Probe:  "unknown-method",
		Check: func(p *Pass) {
			code, _ := p.Code()
			if code != mcp.CodeMethodNotFound || p.x.Request == nil || p.status() == 0 || p.status() == 404 {
				return
			}
			// Some say of a tool that does not exist that the method does not: another rule is about that.
			if p.Method() == mcp.ToolsCall && p.Outcome().Kind == kindUnknownTool {
				return
			}
			p.Report(p.Status(), "", "404 beside the error -32601")
		},
	}, {
		ID:     "http-404-without-body",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "transports/streamable-http §Protocol Version Header",
		On:     Exchanges(),
		Probe:  "unknown-method",
		Check: func(p *Pass) {
			if p.status() == 404 && (p.m == nil || p.m.Kind != wire.Error || p.alien()) && wellFormed(p.x.Request) {
				p.Report(p.Status(), "404 without a JSON-RPC error", "the error -32601 in the body, so that the client knows that this is the right place")
			}
		},
	}, {
		ID:     "http-meta-invalid-status",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §_meta",
		On:     Errors(),
		Probe:  "meta-without-capabilities",
		Check: func(p *Pass) {
			code, _ := p.Code()
			if code != mcp.CodeInvalidParams || p.status() == 0 || p.status() == 400 || !wellFormed(p.x.Request) || !p.lacksMeta() {
				return
			}
			r := p.Report(p.Status(), "", "400 beside the error about what is missing in _meta").Also(p.Frame(p.x.Seq()))
			if m, _ := mcp.Lookup(p.Method()); m.Name != mcp.Discover && m.List == "" {
				r.Likely() // other parameters may be what is wrong
			}
		},
	}, {
		ID:     "http-header-mismatch-status",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "transports/streamable-http §Server Validation",
		On:     Errors(),
		Check: func(p *Pass) {
			if code, _ := p.Code(); code == mcp.CodeHeaderMismatch && p.status() != 0 && p.status() != 400 {
				p.Report(p.Status(), "", "400 beside the error -32020")
			}
		},
	}, {
		ID:     "http-status-unexpected",
		Level:  Advice,
		Eras:   "all",
		Source: "transports/streamable-http §Sending Messages",
		On:     Replies(),
		Check: func(p *Pass) {
			if p.x.Request == nil || p.alien() {
				return
			}
			code, isCode := p.Code()
			switch s := p.status(); {
			case p.m.Kind == wire.Result && p.Result().Is(jsondoc.Object) && s >= 400:
				p.Report(p.Status(), fmt.Sprintf("HTTP %d beside a result", s), "200 beside a result")
			case p.m.Kind == wire.Error && s >= 500 && isCode && code != mcp.CodeInternalError:
				p.Report(p.Status(), fmt.Sprintf("HTTP %d beside the error %d", s, code), "200 for errors in the answer, or the 400 or 404 that the specification gives this one")
			}
		},
	}}
}
