package inspect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// jsonrpcRules are about the envelope: what makes a text a JSON-RPC message, which answer belongs to which request, and what
// error codes mean.
func jsonrpcRules() []*Rule {
	return slices.Concat(envelopeRules(), noticeRules(), answerRules(), errorRules(), codeRules(), textRules())
}

const sourceMessages = "basic/index §Messages"

func envelopeRules() []*Rule {
	return []*Rule{{
		ID:     "jsonrpc-version-missing",
		Level:  Must,
		Eras:   "all",
		Source: sourceMessages,
		On:     Messages(),
		Check: func(p *Pass) {
			if v := p.Root().Get("jsonrpc"); p.Root().Is(jsondoc.Object) && v.Text() != "2.0" && !p.alien() {
				got := ""
				if !v.Exists() {
					got = "no jsonrpc"
				}
				p.Report(p.At(orElse(v, p.Root())), got, `"jsonrpc": "2.0"`)
			}
		},
	}, {
		ID:     "jsonrpc-not-object",
		Level:  Must,
		Eras:   "all",
		Source: sourceMessages + "; schema JSONRPCMessage",
		On:     On{what: onOdd},
		Check: func(p *Pass) {
			if !p.Root().Is(jsondoc.Object) && !p.alien() {
				p.Report(p.At(p.Root()), "", "a JSON object with jsonrpc, and method, result or error")
			}
		},
	}, {
		ID:     "jsonrpc-batch",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "transports/streamable-http §Sending Messages; 2025-06-18 changelog",
		On:     On{what: onBatch},
		Check: func(p *Pass) {
			if !p.alien() {
				p.Report(p.At(p.Root()), "", "each message by itself: batches left the protocol with 2025-06-18")
			}
		},
	}, {
		ID:     "jsonrpc-result-and-error",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Responses",
		On:     Results(),
		Check: func(p *Pass) {
			if p.Error().Exists() {
				p.Report(p.Key(p.Error()), "result and error", "either of them, not both").Also(p.Key(p.Result()))
			}
		},
	}, {
		ID:     "jsonrpc-no-result-no-error",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Responses",
		On:     On{what: onOdd},
		Check: func(p *Pass) {
			if p.Root().Is(jsondoc.Object) && p.Root().Get("id").Exists() && !p.alien() {
				p.Report(p.At(p.Root()), "an id, but neither result nor error", "a result or an error")
			}
		},
	}, {
		ID:     "jsonrpc-result-not-object",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Result Responses; schema Result",
		On:     Results(),
		Check: func(p *Pass) {
			if !p.Result().Is(jsondoc.Object) && !p.Error().Exists() {
				p.Report(p.At(p.Result()), "", "an object")
			}
		},
	}}
}

func orElse(v, other jsondoc.Value) jsondoc.Value {
	if v.Exists() {
		return v
	}
	return other
}

func noticeRules() []*Rule {
	return []*Rule{{
		ID:     "jsonrpc-notification-with-id",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Notifications",
		On:     ServerRequests(),
		Check: func(p *Pass) {
			if mcp.IsNotification(p.Method()) {
				p.Report(p.Key(p.Root().Get("id")), "", "no id: nobody answers a notification")
			}
		},
	}, {
		ID:     "jsonrpc-params-not-object",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Notifications; schema Notification.params",
		On:     Notifications().Or(ServerRequests()),
		Check: func(p *Pass) {
			if p.Params().Exists() && !p.Params().Is(jsondoc.Object) {
				p.Report(p.At(p.Params()), "", "an object with named members, or no params at all")
			}
		},
	}, {
		ID:     "jsonrpc-server-request",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/patterns/index; transports/stdio §Receiving Messages; transports/streamable-http §Receiving Messages",
		On:     ServerRequests().Or(Notifications()),
		Check: func(p *Pass) {
			if p.Message().Kind != wire.Request || mcp.IsNotification(p.Method()) {
				return
			}
			want := "no requests of the server; a question to the client goes into an input_required result"
			if m, ok := mcp.Lookup(p.Method()); ok && m.Instead != "" && !m.Input {
				want = "no requests of the server (" + m.Name + ": " + m.Instead + ")"
			}
			p.Report(p.At(p.Root().Get("method")), "", want)
		},
	}, {
		ID:     "jsonrpc-unknown-notification",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "schema ServerNotification",
		On:     Notifications(),
		Check: func(p *Pass) {
			// Whoever declares an extension may send what that defines; we do not know them all.
			if _, known := mcp.Lookup(p.Method()); known || p.strangeExtension() {
				return
			}
			p.Report(p.At(orElse(p.Root().Get("method"), p.Root())), "", "a notification of the revision or of a declared extension")
		},
	}, {
		ID:     "jsonrpc-removed-notification",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "changelog Major 5, Minor 11; SEP-2663",
		On:     Notifications(),
		Check: func(p *Pass) {
			if p.Method() != mcp.ElicitationComplete && p.Method() != mcp.TaskStatus {
				return
			}
			want := "no such notification since 2026-07-28"
			if m, ok := mcp.Lookup(p.Method()); ok && m.Instead != "" {
				want += "; " + m.Instead
			}
			p.Report(p.At(p.Root().Get("method")), "", want)
		},
	}}
}

// strangeExtension tells that server or client declared an extension that we do not know the messages of.
func (p *Pass) strangeExtension() bool {
	for _, caps := range []jsondoc.Value{p.History().Capabilities(), p.ClientCapabilities()} {
		for name := range caps.Get("extensions").Members() {
			if name != mcp.ExtensionTasks && name != mcp.ExtensionUI {
				return true
			}
		}
	}
	return false
}

// textRules are about the text below the messages.
func textRules() []*Rule {
	return []*Rule{{
		ID:     "jsonrpc-invalid-utf8",
		Level:  Must,
		Eras:   "all",
		Source: "transports/index §Messages",
		On:     Messages(),
		Check: func(p *Pass) {
			if strings.HasPrefix(string(p.Message().Before), "\xef\xbb\xbf") {
				p.Report(p.Stream(), "a byte order mark (EF BB BF) before the message", "UTF-8 without a byte order mark")
				return
			}
			doc := p.Message().Doc()
			for _, f := range doc.Faults {
				switch f.Kind {
				case jsondoc.ByteOrderMark:
					p.Report(p.Stream(), "a byte order mark (EF BB BF) before the message", "UTF-8 without a byte order mark")
					return
				case jsondoc.BadUTF8:
					at := p.Stream()
					if f.Node > 0 {
						at = p.At(doc.Value(f.Node))
					}
					p.Report(at, "bytes that are not UTF-8", "UTF-8")
					return // one such value shows the fault; its neighbours come from the same encoder
				}
			}
		},
	}, {
		ID:     "jsonrpc-duplicate-keys",
		Level:  Advice,
		Eras:   "all",
		Source: "RFC 8259 §4",
		On:     Messages(),
		Check: func(p *Pass) {
			doc := p.Message().Doc()
			for _, f := range doc.Faults {
				if f.Kind == jsondoc.DuplicateKey && f.Node >= 0 && !p.alien() {
					v := doc.Value(f.Node)
					p.ReportSame(v.Name(), p.Key(v), "", "each member name once in an object (here the last one is taken)")
				}
			}
		},
	}}
}

// longMessage is how many characters a sentence for people may well have.
const longMessage = 300

func errorRules() []*Rule {
	return []*Rule{{
		ID:     "jsonrpc-error-code-not-integer",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Error Responses",
		On:     Errors(),
		Check: func(p *Pass) {
			code := p.Error().Get("code")
			switch {
			case code.IsInteger() || p.alien():
			case code.Exists():
				p.Report(p.At(code), "", "an integer")
			case p.Error().Is(jsondoc.Object):
				p.Report(p.At(p.Error()), "no code", "an integer code and a message")
			default:
				p.Report(p.At(p.Error()), "", "an object with an integer code and a message")
			}
		},
	}, {
		ID:     "jsonrpc-error-message-missing",
		Level:  Must,
		Eras:   "all",
		Source: "basic/index §Error Responses; schema Error",
		On:     Errors(),
		Check: func(p *Pass) {
			message := p.Error().Get("message")
			switch {
			case message.Is(jsondoc.String) || !p.Error().Is(jsondoc.Object) || p.alien():
			case message.Exists():
				p.Report(p.At(message), "", "a string")
			default:
				p.Report(p.At(p.Error()), "no message", "a message of one sentence")
			}
		},
	}, {
		ID:     "jsonrpc-error-message-long",
		Level:  Should,
		Eras:   "all",
		Source: "schema Error.message",
		On:     Errors(),
		Check: func(p *Pass) {
			message := p.Error().Get("message")
			text := strings.TrimSpace(message.Text())
			if strings.Contains(text, "\n") || utf8.RuneCountInString(text) > longMessage {
				p.Report(p.At(message), "", "one short sentence; more goes into data")
			}
		},
	}}
}

// noID tells that the message judged has no id, or null for one.
func (p *Pass) noID() bool {
	id := p.Root().Get("id")
	return !id.Exists() || id.Is(jsondoc.Null)
}

// posted tells that the exchange is the HTTP exchange of a notification of ours.
func (p *Pass) posted() bool { return p.x.Request != nil && p.x.Request.Kind == wire.Notification }
