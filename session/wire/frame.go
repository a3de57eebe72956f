package wire

import (
	"strconv"
	"strings"
	"sync"
	"weak"

	"mcploupe/session/jsondoc"
)

// lazy is the parsed body of a frame. It holds the document weakly: whoever shows or judges a message
// holds it firmly for that long, and a session of many hours does not keep a node table beside every
// body. Parsing again gives an equal document.
type lazy struct {
	mu   sync.Mutex
	last weak.Pointer[jsondoc.Document]
}

// doc is the document of body. A frame that was copied and given another body shares the lazy of the
// first one; then the text decides.
func (l *lazy) doc(body []byte) *jsondoc.Document {
	if l == nil {
		return jsondoc.Parse(body)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.last.Value(); d != nil && sameBytes(d.Text, body) {
		return d
	}
	d := jsondoc.Parse(body)
	l.last = weak.Make(d)
	return d
}

// sameBytes tells that a and b are the same memory, not only equal.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Seal prepares the frame for being read by several goroutines, and returns it. From then on it is
// immutable. Log.Append, journals and scripts seal their frames; a frame that never goes there may be
// sealed by its owner, so that Doc parses once and not at every call.
func (f *Frame) Seal() *Frame {
	if f.read == nil {
		f.read = new(lazy)
	}
	return f
}

// Doc is the parsed body. A sealed frame is parsed on first use, and all holders of it and of its copies
// share the document while anybody holds it.
func (f *Frame) Doc() *jsondoc.Document { return f.read.doc(f.Body) }

// without is a copy of the frame that lost its body: what remains says so.
func (f *Frame) without() *Frame {
	g := *f
	g.Dropped += int64(len(f.Body))
	g.Shape |= ShapeCut
	g.Body, g.read = nil, nil
	if f.Event != nil && f.Event.Raw != nil {
		e := *f.Event
		e.Raw, g.Event = nil, &e
	}
	return g.Seal()
}

// weight is what the frame's text takes in memory, in bytes.
func (f *Frame) weight() int64 {
	n := len(f.Body) + len(f.Before)
	if f.Event != nil {
		n += len(f.Event.Raw)
	}
	return int64(n)
}

func (h *Head) get(name string) string {
	if h == nil {
		return ""
	}
	value, found := "", false
	for _, f := range h.Header {
		if !strings.EqualFold(f.Name, name) {
			continue
		}
		if found {
			value += ", " + f.Value
		} else {
			value, found = f.Value, true
		}
	}
	return value
}

// Aside says that a frame of ours was sent on purpose as it is (a probe, by hand), beside the ordinary conversation. What is sent
// again for a good reason ("retry", "retry: …") is part of the conversation.
func (f *Frame) Aside() bool {
	if _, edited := f.EditedFrom(); edited {
		return false
	}
	return f.Why != "" && f.Why != Retry && !strings.HasPrefix(f.Why, Retry+": ")
}

// edited is the reason of a request that a person made from an earlier one; the number of that one follows.
const edited = "edited from #"

// Edited is the reason (Frame.Why) of a request that a person made by editing the one with this number. It is an ordinary request,
// part of the conversation.
func Edited(from Seq) string { return edited + strconv.FormatUint(uint64(from), 10) }

// EditedFrom is the number of the request that a frame of ours was made from by a person; ok is false when it was made from
// none.
func (f *Frame) EditedFrom() (from Seq, ok bool) {
	digits, ok := strings.CutPrefix(f.Why, edited)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return Seq(n), err == nil && n > 0
}

// Retry is the reason (Frame.Why) of requests that are sent again as the protocol wants it; more of it may follow behind ": ".
const Retry = "retry"
