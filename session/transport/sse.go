package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"mcploupe/session/transport/events"
	"mcploupe/session/wire"
)

// sse is the HTTP+SSE transport of 2024-11-05: one event stream for all that the server says, and an
// endpoint that it names for our POSTs.
type sse struct {
	*client
	over chan struct{} // closed when the stream is over

	mu       sync.Mutex
	endpoint *url.URL
}

// NewSSE opens the event stream and waits until the server names its endpoint. ctx bounds the opening
// only. The error is a *StatusError, a *EndpointError, a network error, or what NewHTTP says of the options.
func NewSSE(ctx context.Context, o HTTPOptions, t *Tap) (Conn, error) {
	c, err := newClient(o, t)
	if err != nil {
		return nil, err
	}
	s := &sse{client: c, over: make(chan struct{})}
	if err := s.connect(ctx); err != nil {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		_ = s.Close(gone)
		return nil, err
	}
	return s, nil
}

func (s *sse) Kind() string { return "sse" }

// Done implements Conn.
func (s *sse) Done() <-chan struct{} { return s.over }

// connect makes the GET and waits for the endpoint.
func (s *sse) connect(ctx context.Context) error {
	l, life, err := s.open()
	if err != nil {
		return err
	}
	var once sync.Once
	ready := make(chan error, 1)
	settle := func(err error) { once.Do(func() { ready <- err }) }
	go func() {
		defer close(s.over)
		defer s.leave(l)
		settle(s.listen(l, life, settle))
	}()
	select {
	case err := <-ready:
		return err
	case <-ctx.Done():
		s.CloseLane(l.id)
		return fmt.Errorf("waiting for the endpoint of %s: %w", s.Target(), context.Cause(ctx))
	}
}

// listen makes the GET and reads the stream to its end. settle is told when the endpoint is known; what
// listen returns counts only when it was not.
func (s *sse) listen(l *lane, life context.Context, settle func(error)) error {
	req, head, err := s.request(life, s.url, Outgoing{HTTPMethod: http.MethodGet})
	if err != nil {
		return err
	}
	l.offers = req.Header.Get("Accept-Encoding")
	s.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneOpen, HTTP: head, Text: "GET " + MaskURL(head.URL)})
	resp, err := s.roundTrip(l, req)
	if err != nil {
		return fmt.Errorf("opening the event stream of %s: %w", s.Target(), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body := decode(resp.Body, resp.Header.Values("Content-Encoding"), l.offers)
	if resp.StatusCode/100 != 2 || !isStream(resp, body) {
		text := s.whole(l, resp, body)
		return &StatusError{URL: s.Target(), Lane: l.id, Head: responseHead(resp), Body: text[:min(len(text), 64<<10)]}
	}
	s.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneHead, HTTP: responseHead(resp)})
	base := s.url
	if resp.Request != nil && resp.Request.URL != nil {
		base = resp.Request.URL
	}
	s.stream(l, body, func(e events.Event) {
		if e.Name == "endpoint" && e.HasData && !e.Cut {
			settle(s.named(base, string(e.Data)))
		}
	})
	return &EndpointError{URL: s.Target(), Text: "the stream ended before the server named its endpoint"}
}

// named takes the endpoint that the server names. It may only lie where the stream came from: we send
// credentials there.
func (s *sse) named(base *url.URL, data string) error {
	data = strings.TrimSpace(data)
	fail := func(text string) error {
		e := &EndpointError{URL: s.Target(), Endpoint: s.tap.Secrets.Text(MaskURL(data)), Text: text}
		s.tap.Note(wire.Note{From: "client", Level: "error", Text: e.Error()})
		return e
	}
	to, err := base.Parse(data)
	if err != nil || data == "" {
		return fail("it is no URL")
	}
	if !sameOrigin(base, to) {
		return fail("it lies on another origin than the stream, which is not to get our messages")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = to
	return nil
}

// Send implements Conn.
func (s *sse) Send(ctx context.Context, o Outgoing) (Sent, error) {
	if err := ctx.Err(); err != nil {
		return Sent{}, err
	}
	select {
	case <-s.over:
		return Sent{}, fmt.Errorf("the event stream is over: %w", ErrClosed)
	default:
	}
	s.mu.Lock()
	to := s.endpoint
	s.mu.Unlock()
	if to == nil {
		return Sent{}, errors.New("the server has named no endpoint")
	}
	return s.send(to, o)
}
