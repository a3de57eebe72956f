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
	events int
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
	_ = s.flush()
}

func (s *stream) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
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
	s.openLocked()
	s.events++
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
	if s.opened {
		s.write(": " + text + "\n\n")
		_ = s.flush()
	}
}

// reply writes the response: as the last event of a stream that is open, else as a JSON body.
func (s *stream) reply(text []byte, status int) {
	if s.isOpen() || !s.json && status == http.StatusOK {
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
