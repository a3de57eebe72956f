// Package transport moves bytes between us and one server: over the pipes of a child process, over
// Streamable HTTP, or over the HTTP+SSE of 2024-11-05. It cuts what comes into messages, whatever the
// framing, and hands every message to the Tap exactly as it stood on the wire; nothing a server sends
// makes it fail, hides a neighbour, or goes unrecorded.
//
// It must never know: what a message means, which reply answers which request, eras, rules, screens.
package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mcploupe/session/secret"
	"mcploupe/session/wire"
)

// DefaultMaxMessage is the length in bytes up to which one message is kept whole. Of a longer one head
// and tail are kept (wire.ShapeCut, Frame.Dropped) and reading goes on behind it.
const DefaultMaxMessage = 64 << 20

// Outgoing is one message to send. Body goes out byte for byte (stdio adds a newline when it does not
// end with one).
type Outgoing struct {
	Body []byte
	// Header is sent in addition to the fields of the options and of the transport itself, or instead
	// of those of the same name (compared without regard to case; names go out spelled as here). HTTP only.
	Header []wire.Field
	// HTTPMethod is the HTTP method, "" for POST. Methods other than POST may have an empty Body.
	HTTPMethod string
	// Why is Frame.Why of the logged frame: "" or the reason why this was sent on purpose.
	Why string
	// RawHeaders sends Header alone: neither Content-Type, Accept, Accept-Encoding and User-Agent
	// nor the fields of the options are added.
	RawHeaders bool
	// Resumes is Lane.Resumes of a GET that goes on with an event stream; 0 for none. HTTP only, without Body.
	Resumes uint32
}

// Sent tells where a sent message went: the Seq of its frame in the log, and the lane that carries
// what comes back (0 where all messages share one stream: stdio, HTTP+SSE).
type Sent struct {
	Seq  wire.Seq
	Lane uint32
}

// Conn is an open channel to a server. Everything that happens on it is handed to its Tap; its methods
// may be called from several goroutines, but not from inside Tap.Sink.
type Conn interface {
	// Kind is "stdio", "http" or "sse".
	Kind() string
	// Target is the command line or URL, for people, with secrets masked.
	Target() string
	// Send writes one message. The frame is handed to the Tap before its first byte is written, so
	// a reply never precedes its request. ctx bounds the sending, not the exchange.
	//
	// stdio: returns when all bytes are written; messages go out one after another, whole. When ctx
	// ends before it was the message's turn, nothing was sent and Sent.Seq is 0; when it ends later,
	// Sent.Seq is set, and the rest is still written as soon as the child reads it.
	// http, sse: returns as soon as the request is on its way. What becomes of it is told by entries
	// on its lane; on sse, a POST that is refused ends its request with an Ending entry.
	//
	// The error is ErrClosed (wrapped) when the channel has ended; with Sent.Seq 0 nothing was sent.
	Send(ctx context.Context, o Outgoing) (Sent, error)
	// CloseLane aborts one HTTP exchange: what arrived is kept, a LaneClosed entry follows. It does
	// nothing for lane 0, an unknown or a finished lane.
	CloseLane(lane uint32)
	// Done is closed when the channel is gone for good, after the Tap was told: the child has ended,
	// the HTTP+SSE stream is over, or Close is through. Streamable HTTP ends by Close only.
	Done() <-chan struct{}
	// Close ends the channel. stdio: stdin is closed; a child that lives on after StdioOptions.Grace
	// gets SIGTERM, and after as long again SIGKILL, with its whole process group (windows: its job).
	// http, sse: running exchanges are aborted. ctx ending early skips to the harshest step. Close
	// returns when everything is down and told; calling it again waits for the first call.
	Close(ctx context.Context) error
}

// ErrClosed says that the channel has ended: the child is gone, the stream is over, or we closed it.
var ErrClosed = errors.New("the channel to the server is closed")

// StartError says why a command could not be started.
type StartError struct {
	Argv0    string   // the command as given
	Dir      string   // the working directory it was to have, "" for ours
	Searched []string // directories of the PATH that were searched, in order; nil for a command with a path
	Near     []string // names found there that look like the command, best first, at most five
	Hint     string   // what to try, one sentence without a full stop; may be ""
	Err      error    // the operating system's answer
}

func (e *StartError) Error() string {
	why := strings.TrimPrefix(e.Err.Error(), e.Argv0+": ") // it is named already
	return fmt.Sprintf("starting %s: %s", quoteArg(secret.MaskText(e.Argv0)), why)
}

// Unwrap is the operating system's answer.
func (e *StartError) Unwrap() error { return e.Err }

// StatusError says that the opening GET of HTTP+SSE was answered with something else than an event
// stream. The whole answer is in the log, on the lane it names.
type StatusError struct {
	URL  string // masked
	Lane uint32
	Head *wire.Head
	Body []byte // the answer's body, at most 64 KiB of it
}

func (e *StatusError) Error() string {
	if e.Head.Status/100 == 2 {
		return fmt.Sprintf("opening the event stream of %s: HTTP %d, but %s instead of an event stream", e.URL, e.Head.Status, contentName(e.Head))
	}
	return fmt.Sprintf("opening the event stream of %s: HTTP %d", e.URL, e.Head.Status)
}

// EndpointError says that an HTTP+SSE server named no endpoint that we may post to: none came before
// the stream ended, it is no URL, or it lies on another origin.
type EndpointError struct {
	URL      string // of the event stream, masked
	Endpoint string // what the server named, masked, "" when nothing
	Text     string // what is wrong with it
}

func (e *EndpointError) Error() string {
	if e.Endpoint == "" {
		return fmt.Sprintf("opening the event stream of %s: %s", e.URL, e.Text)
	}
	return fmt.Sprintf("opening the event stream of %s: endpoint %q: %s", e.URL, e.Endpoint, e.Text)
}

func contentName(h *wire.Head) string {
	if t := mediaType(h.Get("Content-Type")); t != "" {
		return t
	}
	return "no content type"
}

// CommandLine is argv as a shell would read it back, for people; stars stay without quotes, for they stand for a secret.
func CommandLine(argv []string) string {
	quoted := make([]string, len(argv))
	for i, a := range argv {
		quoted[i] = quoteArg(a)
	}
	return strings.Join(quoted, " ")
}

// quoteArg puts an argument into single quotes when a shell would split or change it.
func quoteArg(a string) string {
	plain := a != ""
	bare := strings.ReplaceAll(a, stars, "")
	for i := range len(bare) {
		c := bare[i]
		if c == '*' && len(bare) < len(a) {
			continue // the rest of a longer row
		}
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("%+,-./:=@_", c) >= 0 || c >= 0x80) {
			plain = false
		}
	}
	if plain {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}
