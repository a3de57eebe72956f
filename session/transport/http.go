package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcploupe/session/wire"
)

// acceptEncoding is what we offer; it is undone here and not by net/http, which would hide it.
const acceptEncoding = "gzip"

// userAgent is sent unless the options or the message name another.
const userAgent = "mcploupe"

// client makes HTTP exchanges, each on a lane of its own. Both HTTP transports are made of it.
type client struct {
	tap  *Tap
	opts HTTPOptions
	url  *url.URL // without user and fragment
	user *url.Userinfo
	rt   http.RoundTripper

	mu     sync.Mutex
	lanes  map[uint32]*lane
	closed bool
	wait   sync.WaitGroup // for the lanes
	done   chan struct{}
}

// lane is a running exchange.
type lane struct {
	id     uint32
	abort  context.CancelFunc
	ours   bool   // we aborted it; guarded by client.mu
	offers string // the Accept-Encoding that was sent
	began  time.Time
}

// NewHTTP is the Streamable HTTP transport to one endpoint: each message is a POST, and what is answered
// comes on its lane. Nothing is sent before the first Send. The error says what is wrong with the options.
func NewHTTP(o HTTPOptions, t *Tap) (Conn, error) {
	c, err := newClient(o, t)
	if err != nil {
		return nil, err
	}
	return &streamable{c}, nil
}

type streamable struct{ *client }

func (s *streamable) Kind() string { return "http" }

// Send implements Conn.
func (s *streamable) Send(ctx context.Context, o Outgoing) (Sent, error) {
	if err := ctx.Err(); err != nil {
		return Sent{}, err
	}
	return s.send(s.url, o)
}

func newClient(o HTTPOptions, t *Tap) (*client, error) {
	u, err := endpointURL(o.URL)
	if err != nil {
		return nil, err
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	c := &client{tap: t, opts: o, url: u, user: u.User, rt: o.RoundTripper, lanes: map[uint32]*lane{}, done: make(chan struct{})}
	u.User = nil
	if c.rt == nil {
		if c.rt, err = network(o); err != nil {
			return nil, err
		}
	}
	c.know(o.Header)
	if t.Secrets != nil {
		t.Secrets.AddURL(o.URL)
	}
	return c, nil
}

// know makes the secrets among header fields known, so that they are masked where a server repeats them.
func (c *client) know(fields []wire.Field) {
	if c.tap.Secrets == nil {
		return
	}
	for _, f := range fields {
		c.tap.Secrets.AddHeader(f.Name, f.Value)
	}
}

// endpointURL reads the URL of an endpoint.
func endpointURL(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The error of url.Parse repeats the URL, with its password.
		return nil, fmt.Errorf("reading the URL %s: %w", MaskURL(raw), errors.Unwrap(err))
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the URL %s does not begin with http:// or https://", MaskURL(raw))
	case u.Hostname() == "":
		return nil, fmt.Errorf("the URL %s has no host", MaskURL(raw))
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// Network is the real round tripper to the world that the options describe: their certificates, and the
// proxy of the environment. It follows no redirects.
func Network(o HTTPOptions) (http.RoundTripper, error) { return network(o) }

// network is the real round tripper.
func network(o HTTPOptions) (http.RoundTripper, error) {
	conf := &tls.Config{InsecureSkipVerify: o.Insecure} //nolint:gosec // asked for, and said loudly by the caller
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("reading the CA file: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("reading the CA file: %s holds no PEM certificate", o.CAFile)
		}
		conf.RootCAs = pool
	}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:       conf,
		TLSHandshakeTimeout:   15 * time.Second,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
	}, nil
}

// tripper is what a request goes out by: the usual connections, or, when it says "Connection: close", one of its own, as such a
// request would hardly show anything otherwise.
func (c *client) tripper(req *http.Request) http.RoundTripper {
	t, ok := c.rt.(*http.Transport)
	if !ok || !strings.EqualFold(req.Header.Get("Connection"), "close") {
		return c.rt
	}
	alone := t.Clone()
	alone.DisableKeepAlives = true
	return alone
}

// Target implements Conn.
func (c *client) Target() string { return c.tap.Secrets.Text(MaskURL(c.opts.URL)) }

// Done implements Conn.
func (c *client) Done() <-chan struct{} { return c.done }

// CloseLane implements Conn.
func (c *client) CloseLane(id uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lanes[id]; l != nil {
		l.ours = true
		l.abort()
	}
}

// Close implements Conn.
func (c *client) Close(ctx context.Context) error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	for _, l := range c.lanes {
		l.ours = true
		l.abort()
	}
	c.mu.Unlock()
	if first {
		go func() {
			c.wait.Wait()
			if t, ok := c.rt.(interface{ CloseIdleConnections() }); ok {
				t.CloseIdleConnections()
			}
			close(c.done)
		}()
	}
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("closing the connections to %s: %w", c.Target(), ctx.Err())
	}
}

// open begins an exchange on a new lane; the caller ends it with leave.
func (c *client) open() (*lane, context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, ErrClosed
	}
	ctx, abort := context.WithCancel(context.Background())
	l := &lane{id: c.tap.NextLane(), abort: abort, began: time.Now()}
	c.lanes[l.id] = l
	c.wait.Add(1)
	return l, ctx, nil
}

func (c *client) leave(l *lane) {
	l.abort()
	c.mu.Lock()
	delete(c.lanes, l.id)
	c.mu.Unlock()
	c.wait.Done()
}

// byUs says whether we aborted the lane.
func (c *client) byUs(l *lane) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.ours
}

// send makes a request to a URL and returns when it is on its way.
func (c *client) send(to *url.URL, o Outgoing) (Sent, error) {
	l, ctx, err := c.open()
	if err != nil {
		return Sent{}, err
	}
	req, head, err := c.request(ctx, to, o)
	if err != nil {
		c.leave(l)
		return Sent{}, err
	}
	l.offers = req.Header.Get("Accept-Encoding")
	c.know(o.Header)
	sent := Sent{Lane: l.id}
	if len(o.Body) == 0 {
		sent.Seq = c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneOpen, HTTP: head, Text: req.Method + " " + MaskURL(head.URL), Resumes: o.Resumes})
	} else {
		sent.Seq = c.tap.Frame(&wire.Frame{Dir: wire.Sent, Lane: l.id, HTTP: head, Why: o.Why, Body: bytes.Clone(o.Body)})
	}
	go func() {
		defer c.leave(l)
		if resp, err := c.roundTrip(l, req); err == nil {
			c.answer(l, resp)
		}
	}()
	return sent, nil
}

// request is a request and its head as it goes out.
func (c *client) request(ctx context.Context, to *url.URL, o Outgoing) (*http.Request, *wire.Head, error) {
	method := o.HTTPMethod
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(o.Body))
	if err != nil {
		return nil, nil, fmt.Errorf("making the request: %w", err)
	}
	fields := o.Header
	if !o.RawHeaders {
		fields = c.fields(method, o)
	}
	clear(req.Header)
	head := &wire.Head{Method: method, URL: to.String(), Proto: "HTTP/1.1"}
	for _, f := range fields {
		switch {
		case strings.EqualFold(f.Name, "Host"):
			req.Host = f.Value
			continue
		case strings.EqualFold(f.Name, "Content-Length"):
			continue // net/http counts by itself and refuses to lie
		case strings.EqualFold(f.Name, "User-Agent"):
			f.Name = "User-Agent" // else net/http adds its own
		}
		req.Header[f.Name] = append(req.Header[f.Name], f.Value)
		head.Header = append(head.Header, f)
	}
	if _, ok := req.Header["User-Agent"]; !ok {
		req.Header["User-Agent"] = nil // none, instead of Go's
	}
	framing := []wire.Field{{Name: "Host", Value: req.Host}}
	if n := len(o.Body); n > 0 || method == http.MethodPost {
		framing = append(framing, wire.Field{Name: "Content-Length", Value: strconv.Itoa(n)})
	}
	head.Header = append(framing, head.Header...)
	return req, head, nil
}

// fields are the header fields of a request: ours, the options', the message's. Of the same name, the
// later ones stand instead of the earlier.
func (c *client) fields(method string, o Outgoing) []wire.Field {
	list := []wire.Field{{Name: "User-Agent", Value: userAgent}, {Name: "Accept-Encoding", Value: acceptEncoding}}
	switch method {
	case http.MethodGet:
		list = append(list, wire.Field{Name: "Accept", Value: eventStream})
	case http.MethodPost:
		list = append(list, wire.Field{Name: "Accept", Value: "application/json, " + eventStream}, wire.Field{Name: "Content-Type", Value: "application/json"})
	}
	if c.user != nil {
		password, _ := c.user.Password()
		r := http.Request{Header: http.Header{}}
		r.SetBasicAuth(c.user.Username(), password)
		list = append(list, wire.Field{Name: "Authorization", Value: r.Header.Get("Authorization")})
	}
	if c.opts.Bearer != nil {
		if token := c.opts.Bearer(); token != "" {
			bearer := []wire.Field{{Name: "Authorization", Value: "Bearer " + token}}
			c.know(bearer)
			list = over(list, bearer)
		}
	}
	return over(over(list, c.opts.Header), o.Header)
}

func over(list, later []wire.Field) []wire.Field {
	var out []wire.Field
	for _, f := range list {
		replaced := false
		for _, g := range later {
			replaced = replaced || strings.EqualFold(f.Name, g.Name)
		}
		if !replaced {
			out = append(out, f)
		}
	}
	return append(out, later...)
}
