package wire

import (
	"time"

	"mcploupe/session/jsondoc"
)

// Fetch is an HTTP exchange beside the protocol: no message of MCP is in it. It is a document that was asked for, or
// something that was sent, on the way to an access token; or a request without a body, by which a stream was opened or a
// session ended. It is immutable after Log.Append.
type Fetch struct {
	For      string // what it was for, one of the For… words
	Request  *Head  // what was asked; for ForRedirect by the browser that came back to us
	Sent     []byte // the body that went with it, masked; nil for none
	Response *Head  // nil: nothing came, for the reason in Text
	Body     []byte // the body that came, masked and perhaps cut
	Text     string // what was learned, in one sentence
	Failed   bool   // this way leads nowhere
}

// What a Fetch was for.
const (
	ForResource = "resource metadata" // protected resource metadata (RFC 9728)
	ForServer   = "server metadata"   // authorization server metadata (RFC 8414, OpenID Connect Discovery)
	ForRegister = "registration"      // dynamic client registration (RFC 7591)
	ForToken    = "token"
	ForRefresh  = "refresh"
	ForRedirect = "redirect" // where the browser came back to us
	ForStream   = "stream"   // a GET that asks for an event stream of the server
	ForSession  = "session"  // a DELETE that ends a session
)

// document is the message that stands for what came.
func (f *Fetch) document(seq Seq, at time.Time) *Message {
	frame := &Frame{Dir: Received, HTTP: f.Response, Body: f.Body}
	return &Message{Seq: seq, At: at, Frame: frame.Seal(), Kind: Document}
}

// fetched makes an exchange of its own of what was fetched.
func (f *Fold) fetched(e Entry, out *touched) {
	x := alone(e.Fetch.document(e.Seq, e.At), 0)
	x.Fetch = e.Fetch
	out.add(x)
}

// maxBare bounds how many requests without a body are remembered until their response comes.
const maxBare = 1 << 10

// opened notes a request without a body: its response is an exchange of its own.
func (f *Fold) opened(l *Lane) {
	if l.HTTP != nil && l.HTTP.Method != "" && l.ID != 0 && len(f.bare) < maxBare {
		f.bare[l.ID] = l.HTTP
	}
}

// answered is the head of the response to a request without a body; nil when the lane had none.
func (f *Fold) answered(lane uint32, head *Head) *Fetch {
	request := f.bare[lane]
	if request == nil {
		return nil
	}
	delete(f.bare, lane)
	what := ForStream
	if request.Method == "DELETE" {
		what = ForSession
	}
	return &Fetch{For: what, Request: request, Response: head}
}

func (f *Fetch) record(o *members64) {
	o.text("for", f.For)
	if f.Request != nil {
		o.object("request", func(o *members64) { o.head(f.Request); o.text("body", string(f.Sent)) })
	}
	if f.Response != nil {
		o.object("response", func(o *members64) { o.head(f.Response); o.text("body", string(f.Body)) })
	}
	o.text("text", f.Text)
	o.flag("failed", f.Failed)
}

func recordedFetch(v jsondoc.Value) *Fetch {
	request, response := v.Get("request"), v.Get("response")
	return &Fetch{For: text(v, "for"), Request: recordedHead(request), Sent: bytes64(request, "body"),
		Response: recordedHead(response), Body: bytes64(response, "body"), Text: text(v, "text"), Failed: yes(v, "failed")}
}
