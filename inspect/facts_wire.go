package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Facts that the rules of the envelope and of the transports share.

// alien tells that the message is the body of an HTTP error that does not claim to be JSON-RPC, like OAuth's
// {"error":"invalid_token"} or a gateway's own JSON: nothing that the rules about messages are for.
func (p *Pass) alien() bool {
	h := p.Head()
	if h == nil || h.Status < 300 || p.SSE() || p.root.Get("jsonrpc").Exists() {
		return false
	}
	return !p.failure.Get("code").Exists() && !p.result.Exists()
}

// wellFormed tells that what we sent is a request as it should be: an object with jsonrpc, a string or integer id, a method.
func wellFormed(m *wire.Message) bool {
	if m == nil || m.Kind != wire.Request || !m.Doc().Valid() {
		return false
	}
	root := m.Root()
	id := root.Get("id")
	return root.Get("jsonrpc").Text() == "2.0" && (id.Is(jsondoc.String) || id.IsInteger()) && root.Get("method").Is(jsondoc.String)
}

// ordinary tells that the exchange is one of a well-formed request that was sent for no odd reason and after the era was
// known: the kind that may be held against a server that does not answer it well.
func (p *Pass) ordinary() bool {
	return wellFormed(p.x.Request) && !p.OnPurpose() && !p.Detecting()
}

// inFlight is the earliest of our requests that had not ended and that the test holds for, nil when there is none.
func (h *History) inFlight(test func(*Past) bool) *Past {
	var first *Past
	for p := range h.InFlight {
		if test(p) && (first == nil || p.Seq < first.Seq) {
			first = p
		}
	}
	return first
}

// status is the HTTP status of the response, 0 when there is none.
func (p *Pass) status() int {
	if h := p.Head(); h != nil {
		return h.Status
	}
	return 0
}

// mediaType is the type of a Content-Type without parameters, in lower case.
func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// eventStream tells that the response is an event stream.
func (p *Pass) eventStream() bool {
	h := p.Head()
	return h != nil && mediaType(h.Get("Content-Type")) == "text/event-stream"
}

// mirror says how one of the headers that repeat the body stands to it.
type mirror uint8

const (
	mirrorRight mirror = iota
	mirrorMissing
	mirrorWrong   // it contradicts the body
	mirrorBroken  // it looks encoded but cannot be decoded
	mirrorUnknown // nothing in the body to compare with
)

// mirrored compares a header of our request with the member of the body that it repeats. No header at all is not the same as
// an empty one.
func mirrored(h *wire.Head, header string, body jsondoc.Value) mirror {
	if !body.Is(jsondoc.String) {
		return mirrorUnknown
	}
	if !hasHeader(h, header) {
		return mirrorMissing
	}
	text, ok := mcp.DecodeHeader(strings.TrimSpace(h.Get(header)))
	switch {
	case !ok:
		return mirrorBroken
	case text != body.Text():
		return mirrorWrong
	}
	return mirrorRight
}

func hasHeader(h *wire.Head, name string) bool {
	for _, f := range h.Header {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// mirrors are the headers that our modern request owes, and how each stands to the body. ok is false for requests that owe
// none, or whose head is not known.
func (p *Pass) mirrors() (all map[string]mirror, ok bool) {
	h := p.SentHead()
	if h == nil || p.x.Request.Kind != wire.Request || !p.modern {
		return nil, false
	}
	all = map[string]mirror{
		mcp.HeaderProtocolVersion: mirrored(h, mcp.HeaderProtocolVersion, p.sent.Get("_meta").Get(mcp.MetaProtocolVersion)),
		mcp.HeaderMethod:          mirrored(h, mcp.HeaderMethod, p.x.Request.Root().Get("method")),
	}
	if m, known := mcp.Lookup(p.x.Request.Method); known && m.NameParam != "" {
		all[mcp.HeaderName] = mirrored(h, mcp.HeaderName, p.sent.Get(m.NameParam))
	}
	return all, true
}

// mirrorsRight tells that every header that repeats the body surely does so: those that the method requires are there and
// match, and the tool called mirrors no argument (or is not known to).
func (p *Pass) mirrorsRight() bool {
	all, ok := p.mirrors()
	for _, m := range all {
		ok = ok && m == mirrorRight
	}
	if !ok || p.x.Request.Method != mcp.ToolsCall {
		return ok
	}
	c := p.Call()
	return c.Listed == No || c.Tool != nil && !strings.Contains(string(c.Tool.Value.Raw()), mcp.KeywordHeader)
}

// encodedHeader is the name of a header of our request whose value is in the Base64 form, "" when there is none.
func (p *Pass) encodedHeader() string {
	if h := p.SentHead(); h != nil {
		for _, f := range h.Header {
			if name := strings.ToLower(f.Name); strings.HasPrefix(name, "mcp-") && strings.HasPrefix(f.Value, "=?base64?") {
				return f.Name
			}
		}
	}
	return ""
}
