package session

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Event streams of the revisions 2025-03-26 to 2025-11-25 may end before all was said: the client asks by GET for what
// follows the last event id (basic/transports, Resumability and Redelivery). Two kinds of streams are gone on with: the
// one that a GET opened for what belongs to no request (stream.go), and that of a POST whose answer is still to come
// (resume.go). Here is what both share.

// flow is one lane of an event stream.
type flow struct {
	lane   uint32
	opened time.Time
	head   *wire.Head // of the response, nil until it came
	lastID string     // of the newest event that had an id
	retry  string     // of the newest event that had one
	came   int        // messages, without the empty events that only carry an id
	how    wire.LaneKind
	text   string // about the end
	get    bool   // of a GET that nobody has taken yet
	known  chan struct{}
	over   chan struct{}
}

// Bounds on going on with streams. Whoever sends retry is obeyed within them.
const (
	retryDefault = time.Second            // to wait where the server says nothing; doubles with each failure
	retryLeast   = 100 * time.Millisecond // whatever retry says: a server must not make us loop
	retryMost    = time.Minute
	eventIDMost  = 8 << 10 // bytes of an event id that is sent back
)

// flowLocked notes what the entry says about an event stream, and returns the one that it ended. It is called with the
// lock held.
func (s *Session) flowLocked(e wire.Entry) (ended *flow) {
	switch {
	case e.Frame != nil && e.Frame.Dir == wire.Received && e.Frame.Lane != 0:
		f := s.flows[e.Frame.Lane]
		if v := e.Frame.Event; v != nil {
			if f == nil && v.ID != "" && s.streaming() {
				f = s.newFlow(e.Frame.Lane, e.At)
			}
			if f != nil {
				f.event(e.Frame)
			}
		} else if f != nil {
			f.heard(e.Frame.HTTP)
		}
	case e.Lane != nil && e.Lane.Kind == wire.LaneOpen:
		if h := e.Lane.HTTP; h != nil && h.Method == http.MethodGet && s.streaming() {
			s.newFlow(e.Lane.ID, e.At).get = true
		}
	case e.Lane != nil && s.flows[e.Lane.ID] != nil:
		f := s.flows[e.Lane.ID]
		switch e.Lane.Kind {
		case wire.LaneHead:
			f.heard(e.Lane.HTTP)
		case wire.LaneEOF, wire.LaneCut, wire.LaneFailed, wire.LaneClosed:
			if !f.get {
				delete(s.flows, f.lane)
			}
			f.how, f.text = e.Lane.Kind, e.Lane.Text
			f.tell()
			close(f.over)
			return f
		}
	}
	return nil
}

// streaming tells that the conversation has streams that can be gone on with.
func (s *Session) streaming() bool {
	return s.conn != nil && s.conn.Kind() == "http" && !s.dialect.modern && mcp.Resumable(s.dialect.version)
}

func (s *Session) newFlow(lane uint32, at time.Time) *flow {
	f := &flow{lane: lane, opened: at, known: make(chan struct{}), over: make(chan struct{})}
	s.flows[lane] = f
	return f
}

// heard takes the head of the response; that of a redirect is followed by another.
func (f *flow) heard(h *wire.Head) {
	if h != nil && h.Status != 0 {
		f.head = h
		if h.Status/100 != 3 {
			f.tell()
		}
	}
}

// tell says that head (or the end) is known.
func (f *flow) tell() {
	select {
	case <-f.known:
	default:
		close(f.known)
	}
}

func (f *flow) event(m *wire.Frame) {
	if m.Event.ID != "" {
		f.lastID = m.Event.ID
	}
	if m.Event.Retry != "" {
		f.retry = m.Event.Retry
	}
	if len(m.Body) > 0 {
		f.came++
	}
}

// isStream tells that what came is an event stream.
func (f *flow) isStream() bool {
	if f.head == nil || f.head.Status/100 != 2 {
		return false
	}
	t, _, _ := mime.ParseMediaType(f.head.Get("Content-Type"))
	return t == "text/event-stream"
}

// later tells that the refusal is about the moment: another try may do.
func (f *flow) later() bool {
	if f.head == nil {
		return f.how != wire.LaneClosed
	}
	switch f.head.Status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// refusal is why there is no stream, in words.
func (f *flow) refusal() string {
	switch {
	case f.head == nil && f.text != "":
		return f.text
	case f.head == nil:
		return "nothing came"
	case f.head.Status/100 == 2:
		t, _, _ := mime.ParseMediaType(f.head.Get("Content-Type"))
		if t == "" {
			t = "no content type"
		}
		return fmt.Sprintf("HTTP %d with %s", f.head.Status, t)
	}
	return fmt.Sprintf("HTTP %d", f.head.Status)
}

// ending is how the stream ended, in words.
func (f *flow) ending() string {
	if f.how == wire.LaneCut {
		return "broke"
	}
	return "ended"
}

// pause is how long to wait before the next GET after failures in a row: what the server's retry says, else a second,
// doubled with each failure.
func pause(retry string, failures int) time.Duration {
	wait := retryDefault
	if ms, err := strconv.ParseUint(strings.TrimSpace(retry), 10, 31); err == nil && retry != "" {
		wait = min(max(time.Duration(ms)*time.Millisecond, retryLeast), retryMost)
	}
	for range min(failures, 10) {
		wait *= 2
	}
	return min(wait, retryMost)
}

// get sends a GET for an event stream: a new one (began 0), or what follows an event id of the stream that began on a
// lane. The error says that it could not be sent; that it was refused is told by the flow.
func (s *Session) get(ctx context.Context, conn transport.Conn, d dialect, id string, began uint32) (*flow, error) {
	header := d.legacyHeaders()
	if id != "" {
		header = append(header, wire.Field{Name: mcp.HeaderLastEventID, Value: id})
	}
	sent, err := conn.Send(ctx, transport.Outgoing{HTTPMethod: http.MethodGet, Header: header, Resumes: began})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flows[sent.Lane]
	if f == nil {
		return nil, transport.ErrClosed // nobody would tell its end
	}
	f.get = false // taken
	if f.how != 0 {
		delete(s.flows, f.lane)
	}
	return f, nil
}
