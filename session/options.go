package session

import (
	"context"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Target says which server to talk to: a URL, or a command to start. Exactly one of URL and Argv is set.
type Target struct {
	URL      string       // http or https endpoint
	Argv     []string     // command and arguments, as the operating system gets them
	Env      []string     // K=V for the child, over the inherited environment; values are secrets
	CleanEnv bool         // start the child with Env alone
	Dir      string       // directory of the child, "" for ours
	Header   []wire.Field // sent with every HTTP request; values of Authorization, cookies and keys are secrets
	CAFile   string       // certificates to trust for https, beside the system's
	Insecure bool         // do not verify https certificates
}

// Options say how to speak. The zero Options is the default of the command line.
type Options struct {
	// Log is the journal to write to; nil means a new one (Session.Log).
	Log *wire.Log
	// Timeout is the longest wait for one answer (0: 30 s). Progress starts it anew, never beyond MaxTimeout (0: 5 min).
	Timeout, MaxTimeout time.Duration
	// ProbeTimeout is the longest wait for the answer to the era probe (0: 10 s, at most Timeout).
	ProbeTimeout time.Duration
	// Era "auto" (or "") detects; "modern" and "legacy" skip detection, without fallback.
	Era string
	// Protocol is a version to send without falling back to another; "" negotiates.
	Protocol string
	// Transport for URLs: "auto" (or ""), "http" (Streamable HTTP), "sse" (HTTP+SSE of 2024-11-05).
	Transport string
	// ClientVersion is the version of mcploupe in clientInfo.
	ClientVersion string
	// Capabilities is the raw JSON object of client capabilities to declare; nil means DefaultCapabilities.
	Capabilities []byte
	// Exactly says that Capabilities are a person's own words: nothing is added, not even roots.
	Exactly bool
	// Roots is the list that roots/list is answered from. When there are any, the capability is declared.
	Roots []Root
	// LogLevel asks for log messages from this level on; "" asks for none.
	LogLevel string
	// Tasks declares the tasks extension with every call of a tool, so that the server may answer with a task
	// (SEP-2663); see Session.DeclareTasks. On 2025-11-25 such a call asks for one where the server has tasks.
	Tasks bool
	// Secrets are values to mask in everything that is logged, beside those of the target.
	Secrets []string
	// Authorize gets access tokens for servers over HTTP that ask for them; nil asks nobody.
	Authorize Authorizer
	// Ask answers what the server asks: in results that ask back (see Finish), and by requests of legacy servers. nil: nobody
	// is there to ask, an elicitation of a legacy server is declined, and its other requests are refused.
	Ask Asker
	// NoStream leaves out the stream that legacy servers over Streamable HTTP may offer for what belongs to no request.
	NoStream bool
	// NoResume leaves a request of a legacy server alone when its event stream ended before the answer, although the
	// server gave an event id to go on behind.
	NoResume bool
	// Rounds is how many times one request is sent again with answers (0: MaxRounds).
	Rounds int
	// Memory remembers the era of the target; nil detects it each time.
	Memory Memory
	// Restarts is how many times in a row a connection that the other side ended is brought back by itself (0: never). The pauses
	// between grow; a connection that stood for half a minute begins a new row.
	Restarts int
	// Open replaces the opening of real transports; tests give their own.
	Open func(ctx context.Context, how Opening) (transport.Conn, error)
}

// Opening is what Options.Open is asked for: a channel of one kind ("stdio", "http", "sse") that reports to Tap.
type Opening struct {
	Kind   string
	Target Target
	Tap    *transport.Tap
	Bearer func() string // the access token to send with each HTTP request, "" for none; nil for never
}

// DefaultCapabilities are the client capabilities that are declared when Options name none: form
// elicitation is shown to the person (and declined when nobody answers).
const DefaultCapabilities = `{"elicitation":{"form":{}}}`

// Eras of the protocol, as State entries and Info name them.
const (
	Modern = "modern" // 2026-07-28 and later: stateless, per-request _meta
	Legacy = "legacy" // 2025-11-25 and earlier: initialize
)

// Defaults of Options.
const (
	DefaultTimeout      = 30 * time.Second
	DefaultMaxTimeout   = 5 * time.Minute
	DefaultProbeTimeout = 10 * time.Second
)

// ClientName is our name in clientInfo.
const ClientName = "mcploupe"

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = wire.NewLog(wire.LogOptions{})
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxTimeout <= 0 {
		o.MaxTimeout = max(DefaultMaxTimeout, o.Timeout)
	}
	if o.ProbeTimeout <= 0 {
		o.ProbeTimeout = min(o.Timeout, DefaultProbeTimeout)
	}
	if o.Era == "auto" {
		o.Era = ""
	}
	if o.Era == "" && o.Protocol != "" {
		o.Era = Legacy
		if mcp.Modern(o.Protocol) {
			o.Era = Modern
		}
	}
	if o.Transport == "auto" {
		o.Transport = ""
	}
	if len(o.Capabilities) == 0 {
		o.Capabilities = []byte(DefaultCapabilities)
	}
	if o.Rounds <= 0 {
		o.Rounds = MaxRounds
	}
	if o.ClientVersion == "" {
		o.ClientVersion = "devel"
	}
	return o
}
