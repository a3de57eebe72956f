package wire

import (
	"bytes"
	"slices"
	"time"

	"mcploupe/session/mcp"
)

// Fold turns entries into exchanges. It is a function of the entries alone: the same entries give the same
// exchanges, live or from a file. It is not safe for several goroutines; what it returns is.
type Fold struct {
	all     map[Ref]*Exchange // open ones, and ended ones that something late may still come for
	open    []*Exchange       // in the order of their requests
	pending Pending
	lanes   map[uint32][]*Exchange // what was posted on an HTTP lane
	bare    map[uint32]*Head       // requests without a body whose response is still to come
	asked   []*Exchange            // ended with input_required: a retry may follow; oldest first
	cut     []*Exchange            // ended by the end of the child's output: its exit is still to come
	ended   []*Exchange            // oldest first
	ids     map[uint32]bool        // lanes of posts whose event stream gave an event id; true: it has ended
	resumes bool                   // the revision can go on with a stream (Last-Event-ID)
	slim    int                    // how many of ended have lost their bodies
	weight  int64                  // bytes of the bodies in ended
}

// keepBodies bounds the bodies of ended exchanges that a Fold keeps for late frames; beyond it the
// oldest ended exchanges lose theirs (frames that say so take their place).
const keepBodies = 64 << 20

// NewFold is an empty Fold.
func NewFold() *Fold {
	return &Fold{all: map[Ref]*Exchange{}, lanes: map[uint32][]*Exchange{}, ids: map[uint32]bool{}, bare: map[uint32]*Head{}}
}

// Add takes the next entry and returns every exchange that it opened, changed or ended, each as a value
// of its own. An entry that is about no exchange returns nil.
//
// What belongs to a subscriptions/listen does not wait for its end, which may be hours away: all but the first
// acknowledgment and a cancellation are exchanges of their own, End Alone, with Of naming the listen request.
// A frame for an exchange that has ended is put into its Late (those beyond MaxLate are exchanges of their own). Every frame is in exactly one exchange;
// only a batch is one (Alone) beside those that its elements are in.
//
// Where the revision has resumable streams (mcp.Resumable), a request whose event stream gave an event id stays open
// when that stream ends before the answer: a GET may go on with it. It ends with the answer, with an Ending, or at the
// latest with the connection.
func (f *Fold) Add(e Entry) []Exchange {
	var out touched
	switch {
	case e.Frame != nil:
		f.frame(e, &out)
	case e.Lane != nil:
		f.lane(e, &out)
	case e.Ending != nil:
		f.ending(e, &out)
	case e.Fetch != nil:
		f.fetched(e, &out)
	case e.State != nil && e.State.Kind != "":
		f.pending.SSE = e.State.Kind == "sse"
		f.resumes = e.State.Kind == "http" && mcp.Resumable(e.State.Version)
		if p := e.State.Phase; p != Ready && p != Detecting {
			f.release(e, &out)
		}
	}
	return out.values()
}

// Pending are the exchanges that have not ended, in the order of their requests.
func (f *Fold) Pending() []Exchange {
	var out touched
	for _, x := range f.open {
		out.add(x)
	}
	return out.values()
}

// touched collects exchanges, each once, in the order of the first touch.
type touched []*Exchange

func (t *touched) add(x *Exchange) {
	if !slices.Contains(*t, x) {
		*t = append(*t, x)
	}
}

func (t touched) values() []Exchange {
	if len(t) == 0 {
		return nil
	}
	out := make([]Exchange, len(t))
	for i, x := range t {
		out[i] = *x
		// A reader that appends to its slice must not write where the Fold appends next.
		out[i].During, out[i].Late, out[i].Foreign = slices.Clip(x.During), slices.Clip(x.Late), slices.Clip(x.Foreign)
	}
	return out
}

func (f *Fold) frame(e Entry, out *touched) {
	m := Read(e.Seq, e.At, e.Frame)
	if v := e.Frame.Event; v != nil && v.ID != "" && len(f.lanes[e.Frame.Lane]) > 0 {
		f.ids[e.Frame.Lane] = false
	}
	if parts := m.parts(); len(parts) > 0 {
		out.add(alone(&m, 0))
		for i := range parts {
			f.message(&parts[i], out)
		}
	} else {
		f.message(&m, out)
	}
	if whole(e.Frame) {
		f.endLane(e.Frame.Lane, e, "", out)
	}
}

func alone(m *Message, of Seq) *Exchange {
	x := &Exchange{Lone: m, End: Alone, Ended: m.At, Of: of}
	if m.Dir == Received {
		x.Head = m.HTTP
	}
	return x
}

func (f *Fold) message(m *Message, out *touched) {
	if m.Dir == Sent {
		f.sent(m, out)
		return
	}
	if m.HTTP != nil && m.HTTP.Status != 0 {
		for _, x := range f.lanes[m.Lane] {
			x.Head = m.HTTP
			out.add(x)
		}
	}
	if m.Kind == Request {
		f.pending.Open(m)
	}
	var fetch *Fetch
	if whole(m.Frame) {
		fetch = f.answered(m.Lane, m.HTTP)
	}
	bond, x := f.pair(m)
	switch {
	case x == nil:
		x := alone(m, 0)
		x.Fetch = fetch
		out.add(x)
	case bond == Foreign:
		x.Foreign = append(x.Foreign, m.Seq)
		out.add(x)
		out.add(alone(m, x.Request.Seq))
	case x.End != Open:
		f.late(x, m, out)
	case bond == Answers:
		x.Reply = m
		f.end(x, Replied, "", m.At, out)
		f.refused(x, m, out)
	default:
		f.during(x, m, out)
	}
}

// BatchRefused is the EndText of the requests of a batch that was refused as a whole.
const BatchRefused = "the batch was refused as a whole, by an error without id"

// refused ends the other requests of a batch when an error without id answers it: that is about the batch as a whole
// (JSON-RPC 2.0 §6), and nothing more follows.
func (f *Fold) refused(x *Exchange, m *Message, out *touched) {
	if x.Request.Part == 0 || m.Part > 0 || m.Kind != Error || key(m.ID) != "" {
		return
	}
	for _, o := range slices.Clone(f.open) {
		if o.Request.Seq == x.Request.Seq && o.Request.Kind == Request {
			f.end(o, Dropped, BatchRefused, m.At, out)
		}
	}
}

// during puts a message to the open exchange that it belongs to.
func (f *Fold) during(x *Exchange, m *Message, out *touched) {
	listen := x.Request.Method == mcp.Listen
	if listen && m.Method != mcp.Cancelled && (m.Method != mcp.Acknowledged || len(x.During) > 0) {
		out.add(alone(m, x.Request.Seq))
		return
	}
	x.During = append(x.During, *m)
	out.add(x)
	if listen && m.Method == mcp.Cancelled && m.Lane == 0 {
		// On stdio this is one of the two graceful ends of a subscription.
		f.end(x, Dropped, "the server cancelled the subscription", m.At, out)
	}
}

// MaxLate is how many frames that came after its end an exchange holds: a server that never stops must not fill memory.
const MaxLate = 1000

func (f *Fold) late(x *Exchange, m *Message, out *touched) {
	if len(x.Late) >= MaxLate {
		out.add(alone(m, x.Request.Seq))
		return
	}
	x.Late = append(x.Late, *m)
	f.weigh(m)
	out.add(x)
}

func (f *Fold) sent(m *Message, out *touched) {
	var of Seq
	if p := Pair(&f.pending, m); p.Of != nil { // our answer to a request of the server
		of = p.Of.Seq
		f.pending.End(p.Of.Ref())
	}
	if m.Lane != 0 || !postedOnly(m) {
		f.start(m, of, out)
	} else {
		out.add(alone(m, of))
	}
}

func (f *Fold) pair(m *Message) (Bond, *Exchange) {
	p := Pair(&f.pending, m)
	if p.Of == nil {
		return Unbound, nil
	}
	return p.Bond, f.all[p.Of.Ref()]
}

// postedOnly tells that a message asks for no answer.
func postedOnly(m *Message) bool {
	return m.Kind == Notification || m.Kind == Result || m.Kind == Error
}

// start opens the exchange of what was sent.
func (f *Fold) start(m *Message, of Seq, out *touched) {
	if f.all[m.Ref()] != nil { // a number that was used before: no journal of ours
		out.add(alone(m, of))
		return
	}
	x := &Exchange{Request: m, Of: of, Retries: f.retried(m)}
	f.all[m.Ref()] = x
	f.open = append(f.open, x)
	f.pending.Open(m)
	if m.Lane != 0 {
		f.lanes[m.Lane] = append(f.lanes[m.Lane], x)
	}
	out.add(x)
}

func (f *Fold) end(x *Exchange, how End, text string, at time.Time, out *touched) {
	x.End, x.EndText, x.Ended = how, text, at
	f.open = slices.DeleteFunc(f.open, func(o *Exchange) bool { return o == x })
	f.pending.End(x.Request.Ref())
	f.ended = append(f.ended, x)
	f.weigh(x.Request)
	if x.Reply != nil {
		f.weigh(x.Reply)
		f.asking(x)
	}
	for i := range x.During {
		f.weigh(&x.During[i])
	}
	f.trim()
	out.add(x)
}

func (f *Fold) ending(e Entry, out *touched) {
	switch e.Ending.How {
	case Cancelled, TimedOut, Dropped:
	default: // not ours to say
		return
	}
	for _, x := range slices.Clone(f.open) {
		if x.Request.Seq == e.Ending.Of {
			f.end(x, e.Ending.How, e.Ending.Text, e.At, out)
		}
	}
	// That we closed the lane may have been told before the reason why we closed it.
	if x := f.all[Ref{Seq: e.Ending.Of}]; x != nil && x.End == Cancelled {
		x.End, x.EndText = e.Ending.How, e.Ending.Text
		out.add(x)
	}
}

// asking notes an exchange whose reply asks for input: requests that answer may retry it.
func (f *Fold) asking(x *Exchange) {
	if bytes.Contains(x.Reply.Body, []byte(mcp.ResultInputRequired)) &&
		unquote(token(x.Reply.Body, "result", "resultType")) == mcp.ResultInputRequired {
		f.asked = append(f.asked, x)
	}
}

// retried finds the exchange that the request retries (multi round-trip requests, 2026-07-28): one that
// ended with input_required, with the same requestState, else the last one of the same method and name.
func (f *Fold) retried(m *Message) Seq {
	if m.Kind != Request || len(f.asked) == 0 {
		return 0
	}
	state := token(m.Body, "params", "requestState")
	if state == "" && token(m.Body, "params", "inputResponses") == "" {
		return 0
	}
	for _, x := range slices.Backward(f.asked) {
		if state != "" && x.Reply != nil && key(token(x.Reply.Body, "result", "requestState")) == key(state) {
			return x.Request.Seq
		}
	}
	for _, x := range slices.Backward(f.asked) {
		if x.Request.Method == m.Method && x.Request.name() == m.name() {
			return x.Request.Seq
		}
	}
	return 0
}
