package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
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

func hasHeader(h *wire.Head, name string) bool {
	for _, f := range h.Header {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// ownBody tells that what the server made of the POST is the response to it: on the HTTP+SSE transport of 2024-11-05 the answer
// comes on another stream, and what the POST is answered with says nothing.
func (p *Pass) ownBody() bool {
	return p.HTTP() && !p.in.history.sse && (p.x.Reply == nil || p.x.Request != nil && p.x.Reply.Lane == p.x.Request.Lane)
}

// readable tells that the text is one JSON value, but for faults that leave its structure beyond doubt.
func readable(d *jsondoc.Document) bool {
	for _, f := range d.Faults {
		switch f.Kind {
		case jsondoc.DuplicateKey, jsondoc.BadUTF8, jsondoc.ByteOrderMark, jsondoc.TooDeep, jsondoc.LoneSurrogate:
		default:
			return false
		}
	}
	return d.Root().Exists()
}
