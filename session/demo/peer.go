package demo

import (
	"context"
	"net/http"
	"sync"

	"mcploupe/session/mcp"
)

// peer is one channel to a client: a pair of pipes, or one HTTP request.
type peer struct {
	s    *Server
	send func([]byte) // messages that belong to no request (legacy)

	closing chan struct{} // closed when the client is about to go: streams end with a result

	mu      sync.Mutex
	running map[string]context.CancelFunc // by raw id
	session *session                      // legacy, from initialize on
	broken  bool                          // a fault: a cancellation that meant nothing broke it
}

func newPeer(s *Server, send func([]byte)) *peer {
	return &peer{s: s, send: send, closing: make(chan struct{}), running: map[string]context.CancelFunc{}}
}

// receive reads one message. A request comes back as a call to run; for everything else, and for a request
// that is refused at the door, the reply (nil: none) and its HTTP status come back at once. header is nil
// on stdio. send carries notifications of this request.
func (p *peer) receive(ctx context.Context, body []byte, header http.Header, send func([]byte)) (*call, []byte, int) {
	m, f := readMessage(body)
	c := &call{s: p.s, peer: p, ctx: ctx, method: m.method, id: m.id, params: m.params, header: header, send: send, on: p.s.misbehaving()}
	if f != nil {
		f.noID = m.id == nil
		text, status := c.refuse(f)
		return nil, text, status
	}
	if m.answer {
		p.answered(m)
		return nil, nil, http.StatusAccepted
	}
	if m.id == nil {
		p.notified(m)
		return nil, nil, http.StatusAccepted
	}
	if p.isLegacy(c) {
		f = p.enterLegacy(c)
	} else if c.method == mcp.Initialize {
		f = fail(mcp.CodeMethodNotFound, "Method not found: initialize; this server speaks "+mcp.Latest).
			with(obj("supported", p.s.supported()))
	} else if f = c.readMeta(); f == nil {
		f = c.checkHeaders()
	}
	if f != nil {
		text, status := c.refuse(f)
		return nil, text, status
	}
	c.ctx, f = p.begin(c)
	if f != nil {
		text, status := c.refuse(f)
		return nil, text, status
	}
	return c, nil, 0
}

// begin notes the request as running, so that it can be cancelled by its id.
func (p *peer) begin(c *call) (context.Context, *failure) {
	ctx, cancel := context.WithCancel(c.ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, taken := p.running[string(c.id)]; taken {
		cancel()
		return c.ctx, fail(mcp.CodeInvalidRequest, "Invalid request: a request with this id is still running")
	}
	p.running[string(c.id)] = cancel
	if s := c.legacy; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running[string(c.id)] = cancel
	}
	return ctx, nil
}

// run answers a call. The reply is nil when the request was cancelled.
func (p *peer) run(c *call) ([]byte, int) {
	text, status := c.respond()
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.running[string(c.id)]; cancel != nil {
		cancel()
	}
	delete(p.running, string(c.id))
	if s := c.legacy; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, string(c.id))
	}
	return text, status
}

// notified takes a client's notification. Only a cancellation means anything here.
func (p *peer) notified(m message) {
	if m.method != mcp.Cancelled || p.s.misbehaving()["cancel-ignored"] {
		return
	}
	id := m.params.Get("requestId").Raw()
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.running[string(id)]; cancel != nil {
		cancel()
	} else {
		p.broken = p.s.misbehaving()["cancel-breaks"]
	}
	if s := p.session; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.running[string(id)]; cancel != nil {
			cancel()
		}
	}
}

// untilClosing is a context that ends with the channel.
func (p *peer) untilClosing() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		select {
		case <-p.closing:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
