package inspect

import (
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const sourceLogLevel = "server/utilities/logging §Per-request log level"

// loggingRules are about notifications/message: lines of a log that the server sends to the client.
func loggingRules() []*Rule {
	return []*Rule{{
		ID:     "log-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema LoggingMessageNotificationParams",
		On:     Notifications(mcp.LogMessage),
		Check: func(p *Pass) {
			params := p.Params()
			if params.Exists() && !params.Is(jsondoc.Object) {
				return // jsonrpc-params-not-object
			}
			at := p.At(orElse(params, p.Root()))
			levels := "one of " + strings.Join(mcp.LogLevels(), ", ")
			level := params.Get("level")
			if _, known := mcp.LogRank(level.Text()); !level.Exists() {
				p.Report(at, "no level", levels)
			} else if !known {
				p.Report(p.At(level), "", levels)
			}
			if !params.Get("data").Exists() {
				p.Report(at, "no data", "data: what the message says, any JSON value")
			}
			if logger := params.Get("logger"); logger.Exists() && !logger.Is(jsondoc.String) {
				p.Report(p.At(logger), "", "a string")
			}
		},
	}, {
		ID:     "log-capability-undeclared",
		Level:  Must,
		Eras:   "all",
		Source: "server/utilities/logging §Capabilities",
		On:     Notifications(mcp.LogMessage),
		Check: func(p *Pass) {
			if declared, known := p.History().Declared("logging"); known && !declared && p.Once("") {
				p.Report(p.At(p.Root().Get("method")), "", "logging among the server's capabilities, or no log messages")
			}
		},
	}, {
		ID:     "log-without-level",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: sourceLogLevel,
		On:     Notifications(mcp.LogMessage).Or(Exchanges()),
		Check: func(p *Pass) {
			if asked, known := p.askedLevel(); known && asked == "" {
				p.Report(p.At(p.Root().Get("method")), "", "log messages only for a request whose _meta asks for them with a logLevel")
			}
		},
	}, {
		ID:     "log-below-level",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: sourceLogLevel,
		On:     Notifications(mcp.LogMessage).Or(Exchanges()),
		Check: func(p *Pass) {
			asked, known := p.askedLevel()
			least, isLevel := mcp.LogRank(asked)
			level := p.Params().Get("level")
			if rank, ok := mcp.LogRank(level.Text()); known && isLevel && ok && rank < least {
				p.Report(p.At(level), "", asked+" or more severe, as the request asks")
			}
		},
	}, {
		ID:     "log-wrong-stream",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: sourceLogLevel,
		On:     Notifications(mcp.LogMessage),
		Check: func(p *Pass) {
			switch {
			case !p.SSE():
			case p.Late() && p.x.End == wire.Replied:
				p.Report(p.Timing(), "a log message behind the answer", "log messages before the answer").Also(p.Frame(p.x.Reply.Seq))
			case p.x.Of != 0:
				p.Report(p.At(p.Root().Get("method")), "a log message on the stream of a subscription", "the stream of the request that it is about").Also(p.Frame(p.x.Of))
			}
		},
	}, {
		ID:     "log-invalid-level-accepted",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/logging §Error Handling",
		On:     Exchanges(),
		Check: func(p *Pass) {
			level := p.Request().Get("_meta").Get(mcp.MetaLogLevel)
			if _, known := mcp.LogRank(level.Text()); level.Exists() && !known && p.m != nil && p.m.Kind == wire.Result {
				p.Report(p.At(level), "", "the error -32602 for a level that does not exist").Also(p.At(p.Result()))
			}
		},
	}, {
		ID:     "log-secrets",
		Level:  Should,
		Eras:   "all",
		Source: "server/utilities/logging §Security",
		On:     Notifications(mcp.LogMessage),
		Check: func(p *Pass) {
			data := p.Params().Get("data")
			text := clip(string(data.Raw()))
			if what := credential(text); what != "" {
				p.Report(p.At(data), what, "no credentials in a log that others read")
			}
		},
	}}
}

// levelGrace is for how long after the answer a log message may still be meant for its request, where nothing ties the two
// together.
const levelGrace = time.Second

// askedLevel is the least severe level that a log message may have: what the request on whose stream it came asks for, "" when it
// asks for none. On pipes nothing says which request a message is for: there it is the least of all requests under way and just
// ended. known is false when there is nothing to judge by; the running rule calls it for ended exchanges too.
func (p *Pass) askedLevel() (level string, known bool) {
	type ended struct {
		level string
		at    time.Time
	}
	if p.m == nil || p.m.Kind != wire.Notification {
		if past := p.History().Past(p.x.Seq()); past != nil && past.LogLevel != "" {
			*Keep[ended](p) = ended{past.LogLevel, past.Ended}
		}
		return "", false
	}
	if p.m.Method != mcp.LogMessage {
		return "", false
	}
	if p.HTTP() {
		seq := p.x.Of
		if p.x.Request != nil {
			seq = p.x.Seq()
		}
		past := p.History().Past(seq)
		if past == nil {
			return "", false
		}
		return past.LogLevel, true
	}
	least := -1
	take := func(level string) {
		rank, ok := mcp.LogRank(level)
		if !ok {
			rank = 0 // whatever a server makes of a level that there is none of
		}
		if level != "" && (least < 0 || rank < least) {
			least = rank
		}
	}
	for past := range p.History().InFlight {
		take(past.LogLevel)
	}
	if last := Keep[ended](p); p.m.At.Sub(last.at) <= levelGrace {
		take(last.level)
	}
	if least < 0 {
		return "", true
	}
	return mcp.LogLevels()[least], true
}

// credential says what kind of credential a text holds, "" for none. Only forms that are hardly ever anything else count.
func credential(text string) string {
	switch from, _ := findAWSKey(text, ""); {
	case strings.Contains(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY-----"):
		return "a private key"
	case from >= 0:
		return "an access key"
	case looksLikeJWT(text):
		return "a token (JWT)"
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "Bearer ")
		if !found {
			return ""
		}
		rest = after
		token := strings.TrimLeft(after, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=")
		if len(after)-len(token) >= 20 {
			return "an access token"
		}
	}
}
