package demo

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"mcploupe/session/mcp"
)

// stream is the body of one HTTP response. It becomes an event stream with the first notification; a
// request that has none is answered with a single JSON object.
type stream struct {
	w         http.ResponseWriter
	flush     func() error
	on        faultSet
	json, sse bool // what the client accepts

	mu     sync.Mutex
	opened bool
	gone   bool // the response is over: what comes is only kept
	events int
	track  *track // keeps what is sent for a client that comes back; nil: nobody can
	prime  bool   // the stream begins with an event without data, to give it an id (2025-11-25)
}

// breath is how often a quiet stream shows that it is alive, so that nothing on the way cuts it.
const breath = 15 * time.Second

// open begins an event stream.
func (s *stream) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openLocked()
}

func (s *stream) openLocked() {
	if s.opened {
		return
	}
	s.opened = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	if !s.on["sse-buffering"] {
		h.Set("X-Accel-Buffering", "no") // a proxy that collects the stream would defeat it
	}
	s.common()
	s.w.WriteHeader(http.StatusOK)
	if s.track != nil && s.prime {
		s.eventLocked(s.track.add(nil), nil)
	}
	_ = s.flush()
}

// event writes an event with an id. nil has no data.
func (s *stream) event(id string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone {
		s.eventLocked(id, text)
		_ = s.flush()
	}
}

func (s *stream) eventLocked(id string, text []byte) {
	data := "data: " + string(text)
	if text == nil {
		data = "data:"
	}
	s.write("id: " + id + "\n" + data + "\n\n")
}

// endpoint is the first event of HTTP+SSE.
func (s *stream) endpoint(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write("event: endpoint\ndata: " + path + "\n\n")
	_ = s.flush()
}

// leave tells a client to come back, after so many milliseconds.
func (s *stream) leave(retry int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return
	}
	s.openLocked()
	s.write("id: " + s.track.add(nil) + "\nretry: " + strconv.Itoa(retry) + "\ndata:\n\n")
	_ = s.flush()
}

// detach ends the writing: the handler is about to return.
func (s *stream) detach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
}

func (s *stream) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

func (s *stream) isGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

func (s *stream) common() {
	if s.on["session-minted"] {
		s.w.Header().Set(mcp.HeaderSessionID, "keeper-1")
	}
}

// send writes a message as an event. A client that takes no event streams goes without notifications.
func (s *stream) send(text []byte) {
	if !s.sse {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		if s.track != nil {
			s.track.add(text)
		}
		return
	}
	s.openLocked()
	s.events++
	if s.track != nil {
		s.eventLocked(s.track.add(text), text)
		_ = s.flush()
		return
	}
	if s.on["sse-event-id"] {
		s.write("id: " + strconv.Itoa(s.events) + "\n")
	}
	s.write("data: " + string(text) + "\n\n")
	_ = s.flush()
}

// write ignores errors: a client that went away ends the request's context, which ends the call.
func (s *stream) write(text string) { _, _ = s.w.Write([]byte(text)) }

func (s *stream) comment(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened && !s.gone {
		s.write(": " + text + "\n\n")
		_ = s.flush()
	}
}

// reply writes the response: as the last event of a stream that is open, else as a JSON body.
func (s *stream) reply(text []byte, status int) {
	if s.isOpen() || s.isGone() || !s.json && status == http.StatusOK {
		s.send(text)
		return
	}
	h := s.w.Header()
	h.Set("Content-Type", "application/json")
	s.common()
	s.spoilBody(h, &text, &status)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	s.w.WriteHeader(status)
	_, _ = s.w.Write(text)
}

// keepAlive lets the stream breathe until stop is called.
func (s *stream) keepAlive() (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(breath)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.comment("the light is on")
			}
		}
	})
	return func() { close(done); wait.Wait() }
}
