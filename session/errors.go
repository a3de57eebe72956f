package session

import (
	"fmt"
	"strings"

	"mcploupe/session/wire"
)

// NoReply says that a request ended without a JSON-RPC answer. The exchange in the Answer beside it
// holds whatever did come.
type NoReply struct {
	Seq    wire.Seq   // the request
	Method string     // "" when the message had none
	End    wire.End   // how it ended: Cancelled, TimedOut, Dropped, or Replied by something that is no JSON-RPC
	Text   string     // why, for people
	Status int        // HTTP status, 0 when none came
	Exit   *wire.Exit // the end of the child process, if that was it
}

func (e *NoReply) Error() string {
	what := e.Method
	if what == "" {
		what = "the message"
	}
	return what + " got no answer: " + e.Text
}

// NotConnected says that there is no channel to send on: not yet, or not any more.
type NotConnected struct {
	Phase wire.Phase
	Text  string // the last thing that is known about the connection
	Exit  *wire.Exit
}

func (e *NotConnected) Error() string {
	if e.Text == "" {
		return "not connected"
	}
	return "not connected: " + e.Text
}

// ConnectError says why a server could not be reached or understood. Whatever crossed before is in the log.
type ConnectError struct {
	Target string     // for people, masked
	Text   string     // what happened
	Hint   string     // what to try; "" when there is nothing better than the text
	Exit   *wire.Exit // the child ended: argv, code, last stderr lines
	Stderr []string   // last lines of the child's stderr, also when it goes on running
	Auth   bool       // authorization is needed
	Status int        // HTTP status, 0 when none came
	Err    error      // the cause, if it was an error of the operating system or the caller's context
}

func (e *ConnectError) Error() string {
	s := "connecting to " + e.Target + ": " + e.Text
	if e.Err != nil && !strings.Contains(e.Text, e.Err.Error()) {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *ConnectError) Unwrap() error { return e.Err }

// ListError says why the walk over the pages of a list ended early. The Listing holds what did arrive.
type ListError struct {
	Kind ListKind
	Page int // the page that could not be had, from 1
	Text string
	Err  error // *NoReply when no answer came; nil when the answer was an error or unusable
}

func (e *ListError) Error() string {
	return fmt.Sprintf("listing %s, page %d: %s", e.Kind, e.Page, e.Text)
}

func (e *ListError) Unwrap() error { return e.Err }

// Unsupported says that the negotiated revision has no such thing.
type Unsupported struct{ What, Version string }

func (e *Unsupported) Error() string {
	return fmt.Sprintf("%s does not exist in protocol version %s", e.What, e.Version)
}
