// Package wire is what crossed between us and one server, and how it belongs together.
//
// A Frame is one message exactly as it crossed; a Message is a Frame read leniently (it cannot fail);
// an Exchange is a request with everything that belongs to it; the Log is the journal that everybody
// reads: screen, headless output, findings and file are readers of it. The package knows which reply
// answers which request. It must never know: sockets, processes, rules, verdicts, screens.
package wire

import (
	"time"
)

// Seq numbers the entries of one Log from 1. 0 means none.
type Seq uint64

// Dir is the direction of a frame.
type Dir uint8

// Directions, seen from us, the client.
const (
	Sent     Dir = iota + 1 // client to server
	Received                // server to client
)

// Field is one HTTP header field, name as it stood on the wire (HTTP/2 and Go may have canonicalised it).
type Field struct{ Name, Value string }

// Head is the head of an HTTP message: a request (Method, URL) or a response (Status).
type Head struct {
	Method, URL string
	Status      int
	Proto       string // "HTTP/1.1", "HTTP/2.0"
	Header      []Field
	// Of a response, as far as the transport knows: how long after its request was handed over the head began to come, and when a
	// connection was made for it, how long after that moment there was one. 0: not known; to the microsecond.
	Waited, Dialed time.Duration
}

// Get is the value of the named header field, case-insensitively; repeated fields are joined by ", ".
func (h *Head) Get(name string) string { return h.get(name) }

// Shape tells how a message was framed, beyond the plain "one JSON text per line" or "one JSON body".
type Shape uint16

// Framing facts. Several may hold at once.
const (
	ShapeCRLF         Shape = 1 << iota // the line ended with CR LF
	ShapeBlank                          // a line without anything but blanks (Body is what stood there)
	ShapePretty                         // one JSON text spread over several lines, joined here
	ShapeGlued                          // part of a line that held more than one JSON text, or other text after one
	ShapeLSP                            // the message came behind Content-Length headers
	ShapeNoise                          // a stdio line that is no JSON object
	ShapeUnterminated                   // the stream ended without the final newline / blank line
	ShapeCut                            // over the size cap: Body holds head and tail, Dropped bytes in between are gone
	ShapeTruncated                      // the body ended before its announced length, or the connection broke inside it
	ShapeEncoding                       // Content-Encoding could not be undone (unknown, unrequested, broken); Body is what could be had
)

// Event is what an SSE event carried beside its data. Raw is the whole event block as it stood on the
// wire when it was anything but plain "data: <body>\n\n" lines with optional event and id; else nil.
type Event struct {
	Name, ID string
	Retry    string   // raw value of a retry field
	Comments []string // comment lines, without the colon
	NoData   bool     // the block had no data field at all (Body is empty)
	Raw      []byte
}

// Frame is one message exactly as it crossed the wire. It is immutable after Log.Append.
type Frame struct {
	Dir     Dir
	Lane    uint32 // which HTTP exchange (request and its response share one); 0 on stdio
	HTTP    *Head  // the HTTP head that came with this very body: a POST, or a non-SSE response
	Event   *Event // set for a frame that was an SSE event
	Why     string // "" or the reason why we sent this: probe name, "raw", "retry", "retry: …"; see Aside
	Shape   Shape
	Before  []byte // framing bytes before Body on stdio (BOM, LSP headers); nil mostly
	Lines   int    // stdio: how many lines the message took (0 and 1: one)
	Dropped int64  // bytes left out of Body (ShapeCut)
	Masked  bool   // a secret in Body or headers was replaced in this copy
	Body    []byte // the message text, without its line end

	read *lazy // the parsed body, shared by all copies; nil until Seal
}

// Lane is something that happened to a channel: to the child's pipes, or to one HTTP exchange.
type Lane struct {
	ID   uint32
	Kind LaneKind
	HTTP *Head  // LaneHead: status and headers; LaneOpen: the request that opened a stream without a body (GET)
	Text string // for people: target, error text, reason
	Exit *Exit  // LaneExit
	// Resumes is set on the LaneOpen of a GET with Last-Event-ID: the lane whose event stream it goes on with, always
	// the one that the stream began on, however often it broke. 0 if none.
	Resumes uint32
}

// LaneKind is what happened.
type LaneKind uint8

// Lane events. A response to a POST is told in one of three ways: one Frame with its Head (a body that
// is no event stream; nothing more can come on that lane), LaneHead and then frames and LaneEOF (an
// event stream), or LaneHead and at once LaneEOF (no body at all: 202, 204, a bare 500).
const (
	LaneOpen   LaneKind = iota + 1 // child started (lane 0), or connection used
	LaneHead                       // response head of an event stream, or of a response without body
	LaneEOF                        // orderly end of the stream or body
	LaneCut                        // the stream broke: connection lost, event or body cut off
	LaneFailed                     // could not connect, TLS, write error: nothing came
	LaneClosed                     // we closed it (cancel, quit)
	LaneExit                       // the child process ended
)

// Exit is the end of a child process.
type Exit struct {
	Argv   []string // masked
	Dir    string
	Code   int    // -1 when ended by a signal
	Signal string // "" when it exited by itself
	Stderr []string
	Ours   bool // we had closed its stdin or signalled it before
	Late   bool // still running the grace period after stdin was closed; had to be signalled
}

// State is a step of the connection's life with its evidence.
type State struct {
	Phase    Phase
	Era      string // "", "modern", "legacy"
	Version  string // protocol version in use, when known
	Server   string // raw JSON of the server's Implementation object (serverInfo), when known
	Target   string // for people: the URL, or the command line (masked)
	Kind     string // transport: "stdio", "http", "sse"
	Text     string // one sentence: what was learned and from what
	Evidence Seq    // the frame that showed it, 0 if none

	// Of a connection that is brought back by itself: which try this belongs to (from 1, 0 for none), how many there are at most,
	// and how long it waits before.
	Try, Tries int
	Pause      time.Duration

	// Session is set when an HTTP session begins in place of one that the server ended: how many that makes since the program
	// began, from 1; 0 else.
	Session int
}

// Boundary tells that nothing which was said before can be counted on: the server is gone that said it, another one stands in
// its place, or the session is over in which it was said.
func (s *State) Boundary() bool { return s.Phase == Lost || s.Phase == Connecting || s.Session > 0 }

// Phase of a connection.
type Phase uint8

// The phases, in the usual order.
const (
	Connecting Phase = iota + 1
	Detecting
	Ready
	Lost   // ended by the other side; Text says how
	Failed // could not become ready
	Closed // ended by us
)

// Ask is a question of the server to the person (elicitation, sampling, roots), or its answer.
type Ask struct {
	Of     Seq    // the frame that asked
	Key    string // key in inputRequests, or ""
	Method string
	Params string // raw JSON
	Answer string // raw JSON once answered, else ""
}

// Note is text beside the protocol: a stderr line of the child, or a remark of ours.
type Note struct {
	From  string // "stderr", "client", "probe": what a probe saw that is no message
	Level string // "", "info", "warning", "error"
	Text  string
}

// Ending is our own verdict that a request is over without a reply.
type Ending struct {
	Of   Seq // the request's frame
	How  End
	Text string
}

// End tells how an exchange ended.
type End uint8

// Ends of an exchange. Replied holds exactly when Reply is set.
const (
	Open      End = iota // not ended yet
	Replied              // a result or error came, or (HTTP) a body that is neither
	Cancelled            // we cancelled it
	TimedOut
	Dropped // the channel ended (child exit, stream EOF, connection cut) before a reply
	Alone   // a frame that is no exchange of a request: notification of its own, noise, lost reply
	Posted  // HTTP: a notification or an answer of ours was posted, and the response (Head) had no body
)

// Entry is one line of the journal. Exactly one pointer is set.
type Entry struct {
	Seq    Seq
	At     time.Time
	Frame  *Frame
	Lane   *Lane
	State  *State
	Ask    *Ask
	Note   *Note
	Ending *Ending
	Fetch  *Fetch
}

// Kind of a message.
type Kind uint8

// Kinds of messages. Odd is JSON that is none of the others (no method, result or error); Batch is a
// JSON array; NotJSON is anything else, blank lines included. Document is no message at all, but what a
// Fetch brought.
const (
	Odd Kind = iota
	Request
	Notification
	Result // has a result; may also have an error (then still Result, and a rule says so)
	Error
	Batch
	NotJSON
	Document
)

// Message is a frame read as JSON-RPC. Reading cannot fail: what is missing is "".
// ID is the raw JSON token of the id member ("" when absent, "null" for null): 1 is not "1".
//
// An element of a batch is a message of its own: Part counts it from 1, Frame is a copy whose Body is
// the element's text alone, Seq stays the batch's. Part is 0 for everything else.
type Message struct {
	Seq  Seq
	Part int
	At   time.Time
	*Frame
	Kind       Kind
	ID, Method string
}

// Exchange is a request with all that belongs to it, or (End Alone) a single frame that belongs to nothing.
// It is a value: readers keep theirs while the Fold goes on; slices are never changed in place.
//
// Request is what we sent: a request; over HTTP also a notification or an answer of ours, because the
// response's status belongs to it; also text that is no message, sent wrong on purpose. A request of the
// server is in During of the request on whose stream it came, else Alone; Of of our answer names it.
type Exchange struct {
	Request *Message  // nil for Alone
	During  []Message // notifications and server requests that belong to it, before the reply
	Reply   *Message  // for Alone: nil
	Lone    *Message  // Alone: the frame
	Late    []Message // what came for it after its end: second reply, late notification
	Head    *Head     // HTTP response head, from the reply's frame or its lane
	End     End
	EndText string    // reason for Cancelled, TimedOut, Dropped
	Ended   time.Time // zero while Open
	Exit    *Exit     // the child's exit that ended it, if that was it
	Retries Seq       // the exchange (request Seq) that this one retries (MRTR), 0 if none
	Of      Seq       // what a lone frame is about: the subscriptions/listen (its Seq) that it came for, the request on whose stream an answer with a foreign id came, the server's request that we answer, an ended exchange with too much in its Late already; 0 if none
	Fetch   *Fetch    // Alone: Lone is what this brought (a Document), or the body of the answer to a request without one (ForStream, ForSession)
	Foreign []Seq     // answers with another id that came on its HTTP lane; each is an Alone of its own
}

// Method is the request's method, or the lone frame's.
func (x *Exchange) Method() string {
	switch {
	case x.Request != nil:
		return x.Request.Method
	case x.Lone != nil:
		return x.Lone.Method
	}
	return ""
}

// Seq is the request's number, or the lone frame's.
func (x *Exchange) Seq() Seq {
	switch {
	case x.Request != nil:
		return x.Request.Seq
	case x.Lone != nil:
		return x.Lone.Seq
	}
	return 0
}

// Message is the message of the exchange that came or went as this frame; nil when it holds none.
func (x *Exchange) Message(frame Seq) *Message {
	for _, m := range [...]*Message{x.Request, x.Reply, x.Lone} {
		if m != nil && m.Seq == frame {
			return m
		}
	}
	for _, list := range [...][]Message{x.During, x.Late} {
		for i := range list {
			if list[i].Seq == frame {
				return &list[i]
			}
		}
	}
	return nil
}

// Answered is the head of the HTTP response; nil when there is none.
func (x *Exchange) Answered() *Head {
	for _, m := range [...]*Message{x.Reply, x.Lone} {
		if x.Head == nil && m != nil && m.HTTP != nil {
			return m.HTTP
		}
	}
	return x.Head
}

// Ref names a message or an exchange: frames are numbered, elements of a batch are counted.
type Ref struct {
	Seq  Seq
	Part int
}

// Ref names the exchange: the Ref of its request, or of the lone frame. No two exchanges of a Fold share one.
func (x *Exchange) Ref() Ref {
	switch {
	case x.Request != nil:
		return x.Request.Ref()
	case x.Lone != nil:
		return x.Lone.Ref()
	}
	return Ref{}
}
