package transport

import (
	"sync"
	"sync/atomic"
	"time"

	"mcploupe/session/wire"
)

// Tap is where a Conn reports everything that crosses the wire. It stamps each entry, appends it to
// Log with the secrets masked, and then hands it with its exact bytes to Sink. One Tap may serve
// several Conns, one after another or at once: lanes are numbered through.
//
// The fields are set before the first use and not changed afterwards.
type Tap struct {
	// Log gets the masked copy of everything.
	Log *wire.Log
	// Secrets are masked in what Log gets; nil masks only what is secret by the name of its header.
	Secrets *Secrets
	// Sink gets every entry after it was logged, with its Seq and its exact bytes, one at a time and
	// in the order of the log; nil drops them. It must return soon (the wire waits for it) and must
	// not call Frame, Lane, Note, Put or any method of a Conn; Record is allowed.
	Sink func(e wire.Entry)

	mu    sync.Mutex // orders stamping, logging and Sink
	lanes atomic.Uint32
}

// NextLane is a lane number that nobody had before, from 1.
func (t *Tap) NextLane() uint32 { return t.lanes.Add(1) }

// Frame reports a message. It returns after Log and Sink have it.
func (t *Tap) Frame(f *wire.Frame) wire.Seq { return t.Put(wire.Entry{Frame: f}) }

// Lane reports something that happened to a channel.
func (t *Tap) Lane(l wire.Lane) wire.Seq { return t.Put(wire.Entry{Lane: &l}) }

// Note reports text beside the protocol.
func (t *Tap) Note(n wire.Note) wire.Seq { return t.Put(wire.Entry{Note: &n}) }

// Put reports any entry. A zero At becomes now; Seq is the log's.
func (t *Tap) Put(e wire.Entry) wire.Seq {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e.Seq = t.Log.Append(t.Secrets.mask(e))
	if t.Sink != nil {
		t.Sink(e)
	}
	return e.Seq
}

// Record appends an entry to the log, masked like any other, without telling Sink. It is for entries
// of the session itself (State, Ask, Ending, Note) and may be called from inside Sink.
func (t *Tap) Record(e wire.Entry) wire.Seq { return t.Log.Append(t.Secrets.mask(e)) }
