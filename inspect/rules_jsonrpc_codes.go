package inspect

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const sourceCodes = "basic/index §Error Codes"

// codeRule is a rule about the code of every error: wrong says what would be right, "" when the code is fine.
func codeRule(id string, level Level, eras, source string, wrong func(p *Pass, code int64) string) *Rule {
	return &Rule{ID: id, Level: level, Eras: eras, Source: source, On: Errors(), Check: func(p *Pass) {
		code, ok := p.Code()
		if !ok {
			return
		}
		if want := wrong(p, code); want != "" {
			p.Report(p.At(p.Error().Get("code")), "", want)
		}
	}}
}

// codeRules are about what error codes mean.
func codeRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{
		codeRule("jsonrpc-code-reserved-undefined", Must, modern, sourceCodes, func(_ *Pass, code int64) string {
			if code < mcp.CodeServerMin || code >= mcp.CodeFrozenMin || mcp.CodeName(code) != "" {
				return ""
			}
			return "a code outside -32768…-32000: of -32020…-32099 only -32020, -32021 and -32022 mean anything"
		}),
		{
			ID: "jsonrpc-code-defined-misused", Level: Must, Eras: modern, On: Errors(), Check: checkCodeMisused,
			Source: sourceCodes + "; schema HeaderMismatchError, MissingRequiredClientCapabilityError, UnsupportedProtocolVersionError",
		},
		codeRule("jsonrpc-code-32002", Must, modern, sourceCodes+"; server/resources §Error Handling; SEP-2164", func(_ *Pass, code int64) string {
			if code != mcp.CodeResourceNotFound {
				return ""
			}
			return "-32602 with the address in data.uri; -32002 is retired"
		}),
		codeRule("jsonrpc-code-32042", Must, modern, sourceCodes, func(_ *Pass, code int64) string {
			if code != mcp.CodeURLElicitationRequired {
				return ""
			}
			return "an input_required result that asks to open the address; -32042 is retired"
		}),
		codeRule("jsonrpc-code-legacy-range", Should, modern, sourceCodes, func(_ *Pass, code int64) string {
			if !mcp.CodeFrozen(code) || code == mcp.CodeResourceNotFound {
				return ""
			}
			return "-32603, or a code outside -32768…-32000; nobody knows what those of -32000…-32019 mean"
		}),
		codeRule("jsonrpc-code-draft-number", Advice, modern, "changelog Minor 12; SEP-2243", func(p *Pass, code int64) string {
			final := draftCode(code, p.Error())
			if final == 0 {
				return ""
			}
			return fmt.Sprintf("%d, the final number of this error", final)
		}),
		codeRule("jsonrpc-code-other-reserved", Should, "all", sourceCodes+"; JSON-RPC 2.0 §5.1", func(_ *Pass, code int64) string {
			if code < mcp.CodeReservedMin || code >= mcp.CodeServerMin || mcp.CodeName(code) != "" {
				return ""
			}
			return "a code outside -32768…-32000, which JSON-RPC keeps for itself"
		}),
		codeRule("jsonrpc-code-zero", Advice, "all", sourceCodes+"; SEP-2164", func(_ *Pass, code int64) string {
			if code < -1 || code > 1 && code < 400 || code > 599 {
				return ""
			}
			return "a code with a meaning: -32602 for bad input, -32601 for no such method, -32603 for a fault of the server"
		}),
		{
			ID: "jsonrpc-method-not-found-code", Level: Must, Eras: "all", On: Exchanges(), Check: checkMethodNotFound,
			Source: "schema MethodNotFoundError; transports/streamable-http §Protocol Version Header", Probe: "unknown-method",
		},
		{
			ID: "jsonrpc-parse-error-code", Level: Advice, Eras: "all", On: Exchanges(), Check: checkParseError,
			Source: "schema ParseError, InvalidRequestError; JSON-RPC 2.0 §5.1",
		},
	}
}

// draftCode is the final number of an error that has the number of a draft of 2026-07-28 and looks like what that meant; else 0.
func draftCode(code int64, e jsondoc.Value) int64 {
	text, data := strings.ToLower(e.Get("message").Text()), e.Get("data")
	switch {
	case code == -32001 && strings.Contains(text, "header") && strings.Contains(text, "match"):
		return mcp.CodeHeaderMismatch
	case code == -32003 && data.Get("requiredCapabilities").Exists():
		return mcp.CodeMissingClientCapability
	case code == -32004 && data.Get("supported").Exists() && data.Get("requested").Exists():
		return mcp.CodeUnsupportedVersion
	}
	return 0
}

// checkCodeMisused holds the three codes of 2026-07-28 against what the request really was.
func checkCodeMisused(p *Pass) {
	code, _ := p.Code()
	at := p.At(p.Error().Get("code"))
	data := p.Error().Get("data")
	if p.x.Request == nil {
		return
	}
	switch code {
	case mcp.CodeHeaderMismatch:
		switch {
		case !p.HTTP():
			p.Report(at, "", "another code: there are no headers on stdio")
		case p.mirrorsRight():
			if name, _ := p.oddSpelling(); name != "" || p.nullArgument() != "" {
				return // there is a rule for each of these ways
			}
			p.Report(at, "", "another code: every header was there and said what the body says").Also(p.Frame(p.x.Seq()))
		}
	case mcp.CodeMissingClientCapability:
		required := data.Get("requiredCapabilities")
		if required.Is(jsondoc.Object) && required.Len() > 0 && declares(p.ClientCapabilities(), required) {
			p.Report(at, "", "another code: the request declares every capability that it names").
				Also(p.At(required), p.At(p.ClientCapabilities()))
		}
	case mcp.CodeUnsupportedVersion:
		asked := p.Request().Get("_meta").Get(mcp.MetaProtocolVersion)
		for _, v := range data.Get("supported").Elements() {
			if asked.Is(jsondoc.String) && v.Is(jsondoc.String) && v.Text() == asked.Text() {
				p.Report(at, "", "another code: the revision asked for is among those supported").Also(p.At(v), p.At(asked))
				return
			}
		}
	}
}

// declares tells that all members of the required object, however deep, are in the declared one.
func declares(declared, required jsondoc.Value) bool {
	for name, r := range required.Members() {
		d := declared.Get(name)
		if !d.Exists() || r.Is(jsondoc.Object) && !declares(d, r) {
			return false
		}
	}
	return true
}

// checkMethodNotFound judges the answer to a method that no server has. Methods that somebody else made up may be there, so
// of those only an error that says itself that there is no such method is judged.
func checkMethodNotFound(p *Pass) {
	if _, known := mcp.Lookup(p.x.Method()); known || !wellFormed(p.x.Request) || p.Detecting() || p.version == "" {
		return
	}
	const want = "the error -32601 (method not found)"
	probed := p.x.Method() == ProbeMethod
	at := p.Frame(p.x.Seq())
	switch {
	case p.x.End == wire.TimedOut && probed:
		p.Report(p.Timing(), "no answer until we stopped waiting", want).Likely()
	case p.m == nil:
	case p.m.Kind == wire.Result && probed:
		p.Report(p.At(p.Result()), "a result", want).Also(at)
	case p.m.Kind == wire.Error && p.status() != 401 && p.status() != 403:
		code, ok := p.Code()
		// What is wrong with the headers, the version or the capabilities may be said first.
		if !ok || code == mcp.CodeMethodNotFound || code <= mcp.CodeHeaderMismatch && code >= mcp.CodeUnsupportedVersion {
			return
		}
		text := strings.ToLower(p.Error().Get("message").Text())
		says := strings.Contains(text, "method") && (strings.Contains(text, "unknown") || strings.Contains(text, "not found") ||
			strings.Contains(text, "no such") || strings.Contains(text, "unsupported") || strings.Contains(text, "not supported"))
		switch {
		case probed:
			p.Report(p.At(p.Error().Get("code")), "", want).Also(at)
		case says:
			p.Report(p.At(p.Error().Get("code")), "", want).Also(at).Likely()
		}
	}
}

// checkParseError judges, over HTTP, the answer to what cannot be read or is no request.
func checkParseError(p *Pass) {
	sent := p.x.Request
	if !p.HTTP() || p.status() == 0 || p.status() == 401 || p.status() == 403 || sent.Kind != wire.NotJSON && sent.Kind != wire.Odd {
		return
	}
	want, code := "HTTP 400 and the error -32700 (parse error)", int64(mcp.CodeParseError)
	if sent.Kind == wire.Odd {
		want, code = "HTTP 400 and the error -32600 (invalid request)", mcp.CodeInvalidRequest
	}
	got, isCode := p.Code()
	switch {
	case p.status()/100 != 4:
		p.Report(p.Status(), "", want)
	case isCode && got != code:
		p.Report(p.At(p.Error().Get("code")), "", want)
	}
}
