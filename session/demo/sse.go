package demo

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// Paths of the HTTP+SSE transport of 2024-11-05.
const (
	SSEPath      = "/sse"
	messagesPath = "/messages"
)

// oldChannels are the open event streams of HTTP+SSE, by the id in their endpoint.
type oldChannels struct {
	mu   sync.Mutex
	byID map[string]*peer
}

// SSEHandler is the HTTP+SSE transport of 2024-11-05: GET opens the one stream for all that the server says and names the
// endpoint for messages, which are taken with 202. It is to be mounted so that it gets SSEPath and /messages.
func (s *Server) SSEHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+SSEPath, s.serveOldStream)
	mux.HandleFunc("POST "+messagesPath, s.serveOldMessage)
	return mux
}

func (s *Server) serveOldStream(w http.ResponseWriter, r *http.Request) {
	if !trustedOrigin(r) || !s.trustedHost(r) {
		http.Error(w, "Forbidden: this origin may not speak to the station", http.StatusForbidden)
		return
	}
	out := &stream{w: w, flush: http.NewResponseController(w).Flush, on: s.misbehaving(), sse: true}
	id := rand.Text()
	p := newPeer(s, out.send)
	s.old.mu.Lock()
	if len(s.old.byID) >= s.most {
		s.old.mu.Unlock()
		http.Error(w, "Too many streams are open", http.StatusServiceUnavailable)
		return
	}
	if s.old.byID == nil {
		s.old.byID = map[string]*peer{}
	}
	s.old.byID[id] = p
	s.old.mu.Unlock()
	out.open()
	out.endpoint(s.mount + messagesPath + "?sessionId=" + url.QueryEscape(id))
	stop := out.keepAlive()
	defer func() {
		stop()
		s.old.mu.Lock()
		delete(s.old.byID, id)
		s.old.mu.Unlock()
		close(p.closing)
		out.detach()
	}()
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

func (s *Server) serveOldMessage(w http.ResponseWriter, r *http.Request) {
	s.old.mu.Lock()
	p := s.old.byID[r.URL.Query().Get("sessionId")]
	s.old.mu.Unlock()
	if p == nil {
		http.Error(w, "Not found: there is no such stream", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		http.Error(w, "The message could not be read", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, "Accepted")
	ctx, cancel := p.untilClosing()
	c, reply, _ := p.receive(ctx, body, nil, p.send)
	if c == nil {
		cancel()
		if reply != nil {
			p.send(reply)
		}
		return
	}
	go func() {
		defer cancel()
		if reply, _ := p.run(c); reply != nil {
			p.send(reply)
		}
	}()
}
