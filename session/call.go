package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Answer is how a request ended: the whole exchange with its exact bytes.
type Answer struct {
	Exchange wire.Exchange
	Cached   bool          // nothing was sent: the result was fresh; Exchange is the one that brought it
	Age      time.Duration // Cached: how long ago its last byte came
}

// Seq is the request's number in the log; for a cached answer, that of the original request.
func (a Answer) Seq() wire.Seq { return a.Exchange.Seq() }

// Result is the result member of the reply; Missing when there is none.
func (a Answer) Result() jsondoc.Value {
	if a.Exchange.Reply == nil {
		return jsondoc.Value{}
	}
	return a.Exchange.Reply.Result()
}

// Err is the error member of the reply; Missing when there is none.
func (a Answer) Err() jsondoc.Value {
	if a.Exchange.Reply == nil {
		return jsondoc.Value{}
	}
	return a.Exchange.Reply.Err()
}

// OK tells that a result came, whatever it says.
func (a Answer) OK() bool { return a.Exchange.Reply != nil && a.Exchange.Reply.Kind == wire.Result }

// InputRequired tells that the server asks for more before it can complete (2026-07-28, multi round-trip requests).
func (a Answer) InputRequired() bool {
	return a.Result().Get("resultType").Text() == mcp.ResultInputRequired
}

// Call is a message under way. All methods are safe for several goroutines.
type Call struct {
	s       *Session
	seq     wire.Seq // 0 until its frame passed the tap
	id      string
	body    []byte // to recognise its frame
	method  string
	key     fresh.Key
	store   bool          // a result may be kept
	patient bool          // signs of life of a starting child prolong the wait
	silent  bool          // is not cancelled on the wire (initialize, the era probe)
	aside   bool          // of our own housekeeping: nobody waits for it
	sub     *Subscription // whose request it is

	over, ending bool // ending: our own verdict is on its way to the log
	open         int  // exchanges of this frame that have not ended (a batch has several)
	lane         uint32
	laneEnd      wire.LaneKind
	stop         context.CancelFunc // of the sending
	timer        *time.Timer
	timeout      time.Duration
	armed, limit time.Time
	due          time.Time // when the clock runs out as it is set now
	revived      bool      // a sign of life started the clock anew

	wondered int // questions that a legacy server put while this was the only call

	done   chan struct{}
	answer Answer

	login   login
	age     int  // the HTTP session that it was sent in (Session.age); 0: none, or one that is not ours
	renewed bool // it was refused because that had ended, and goes out again
}

// Seq is the number of the request's frame in the log.
func (c *Call) Seq() wire.Seq {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.seq
}

// ID is the raw token of the request's id; "" when it has none.
func (c *Call) ID() string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.id
}

// Done is closed when the call has ended.
func (c *Call) Done() <-chan struct{} { return c.done }

// Answer is how the call ended; before that, what is known so far.
func (c *Call) Answer() Answer {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.answer
}

// Wait waits for the end. When ctx ends first the call is cancelled, on the wire too. The error is
// *NoReply unless a JSON-RPC result or error came; an error answer of the server is no Go error.
func (c *Call) Wait(ctx context.Context) (Answer, error) {
	select {
	case <-c.done:
	case <-ctx.Done():
		c.s.end(c, wire.Cancelled, "cancelled: "+context.Cause(ctx).Error())
	}
	a := c.Answer()
	return a, c.err(a)
}

func (c *Call) err(a Answer) error {
	x := &a.Exchange
	if c.login.refused == nil && x.Reply != nil && !broken(x.Reply) && (x.Reply.Kind == wire.Result || x.Reply.Kind == wire.Error) {
		return nil
	}
	if c.id == "" && (x.End == wire.Alone || x.End == wire.Posted) {
		return nil // a notification has no answer
	}
	e := &NoReply{Seq: c.seqOf(x), Method: c.method, End: x.End, Text: c.s.secrets.Text(x.EndText), Exit: c.s.masked(x.Exit)}
	if x.Head != nil {
		e.Status = x.Head.Status
	}
	switch {
	case x.Reply != nil && broken(x.Reply):
		e.Text = "the answer was cut off: the connection ended inside it"
	case x.Reply != nil:
		e.Text = "the answer is no JSON-RPC message"
		if e.Status != 0 {
			e.Text = fmt.Sprintf("HTTP %d with a body that is no JSON-RPC message", e.Status)
		}
	case x.Exit != nil:
		e.Text = "the server process ended (" + exitWords(x.Exit) + ")"
	case e.Text == "":
		e.Text = "it ended without one"
	}
	if c.login.refused != nil {
		e.Text = c.s.secrets.Text(fmt.Sprintf("HTTP %d: %s", e.Status, c.login.refused))
	}
	return e
}

// broken tells that a message was cut off so that it is no JSON any more.
func broken(m *wire.Message) bool {
	return m.Shape&(wire.ShapeTruncated|wire.ShapeUnterminated) != 0 && !m.Doc().Valid()
}

func (c *Call) seqOf(x *wire.Exchange) wire.Seq {
	if n := x.Seq(); n != 0 {
		return n
	}
	return c.Seq()
}

// Cancel ends the call and tells the server, in the way of the transport: stdio, and HTTP before
// 2026-07-28, by notifications/cancelled; HTTP by closing the response stream.
func (c *Call) Cancel(reason string) { c.s.end(c, wire.Cancelled, reason) }

// Start sends a request and returns once it is on its way. An error means that nothing is on its way:
// *NotConnected, or why the transport could not take it.
func (s *Session) Start(ctx context.Context, r Request) (*Call, error) {
	return s.start(ctx, r, jsondoc.Value{}, startOptions{})
}

// Do sends a request and waits for its end, past the cache. See Call.Wait for the error.
func (s *Session) Do(ctx context.Context, r Request) (Answer, error) {
	c, err := s.Start(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return c.Wait(ctx)
}

// StartRaw sends a body exactly as it is. See Raw.
func (s *Session) StartRaw(ctx context.Context, r Raw) (*Call, error) {
	if r.Why == "" {
		r.Why = "raw"
	}
	d, _, err := s.ready()
	if err != nil {
		return nil, err
	}
	head := wire.Read(0, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: r.Body})
	c := s.newCall(head.Method, r.Body, s.patience(r.Timeout, false))
	if head.Kind == wire.Request || head.Kind == wire.Odd {
		c.id = head.ID
	}
	if n, err := strconv.ParseInt(c.id, 10, 64); err == nil {
		s.reserve(n)
	}
	return c, s.send(ctx, c, transport.Outgoing{Body: r.Body, Header: d.rawHeaders(r), Why: r.Why})
}

// Raw sends a body exactly as it is and waits for what comes of it: the answer of a request, the HTTP
// response of anything else. On stdio nothing answers a message without an id; then it returns at once.
func (s *Session) Raw(ctx context.Context, r Raw) (Answer, error) {
	c, err := s.StartRaw(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return c.Wait(ctx)
}

// Notify sends a notification. Over HTTP the Answer holds the response (202 when all is well).
func (s *Session) Notify(ctx context.Context, method string, params []byte, why string) (Answer, error) {
	d, _, err := s.ready()
	if err != nil {
		return Answer{}, err
	}
	return s.notify(ctx, d, method, params, why)
}

func (s *Session) notify(ctx context.Context, d dialect, method string, params []byte, why string) (Answer, error) {
	m := d.notification(method, params, nil)
	c := s.newCall(method, m.body, s.patience(0, false))
	if err := s.send(ctx, c, transport.Outgoing{Body: m.body, Header: m.header, Why: why}); err != nil {
		return Answer{}, err
	}
	return c.Wait(ctx)
}

// Cancel ends the pending call whose request has this number. It tells whether there was one.
func (s *Session) Cancel(seq wire.Seq, reason string) bool {
	s.mu.Lock()
	c := s.calls[seq]
	s.mu.Unlock()
	if c == nil {
		return false
	}
	c.Cancel(reason)
	return true
}

// Pending are the numbers of the requests that have not ended, rising.
func (s *Session) Pending() []wire.Seq {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pending []wire.Seq
	for _, seq := range sortedKeys(s.calls) {
		if !s.calls[seq].aside {
			pending = append(pending, seq)
		}
	}
	return pending
}

// startOptions are what only the package itself asks for.
type startOptions struct {
	dialect *dialect // instead of the negotiated one; also lifts the need to be ready
	patient bool
	silent  bool
	key     fresh.Key
	store   bool
	sub     *Subscription
	sending func(*Call) // before the frame goes out
}

func (s *Session) start(ctx context.Context, r Request, listed jsondoc.Value, o startOptions) (*Call, error) {
	var d dialect
	if o.dialect != nil {
		d = *o.dialect
	} else {
		ready, _, err := s.ready()
		if err != nil {
			return nil, err
		}
		d = ready
	}
	if !d.modern {
		s.heard(ctx, r.Method)
	}
	id := s.nextID()
	m := d.build(r, id, listed)
	c := s.newCall(r.Method, m.body, s.patience(r.Timeout, r.NoTimeout))
	c.id = strconv.FormatInt(id, 10)
	c.patient, c.silent, c.sub = o.patient, o.silent, o.sub
	c.key, c.store = o.key, o.store
	c.login.rebuild = func(id int64) message { return d.build(r, id, listed) }
	if o.sending != nil {
		o.sending(c)
	}
	return c, s.send(ctx, c, transport.Outgoing{Body: m.body, Header: m.header, Why: r.Why})
}

func (s *Session) patience(timeout time.Duration, none bool) time.Duration {
	switch {
	case none:
		return 0
	case timeout > 0:
		return timeout
	}
	return s.opt.Timeout
}

func (s *Session) newCall(method string, body []byte, timeout time.Duration) *Call {
	return &Call{s: s, method: method, body: body, timeout: timeout, done: make(chan struct{})}
}

// send puts the call's message on the wire.
func (s *Session) send(ctx context.Context, c *Call, o transport.Outgoing) error {
	s.mu.Lock()
	conn := s.conn
	if conn == nil {
		err := &NotConnected{Phase: s.info.Phase, Text: s.info.Text, Exit: s.info.Exit}
		s.mu.Unlock()
		return err
	}
	s.mu.Unlock()
	return s.sendOn(ctx, conn, c, o)
}

// sendOn is send on a given channel. The error is that of a message that never left; what became of one
// that did is told by the call. Sending ends with the call, and within its timeout: a server that reads
// nothing must not hold anybody up.
func (s *Session) sendOn(ctx context.Context, conn transport.Conn, c *Call, o transport.Outgoing) error {
	most := c.timeout
	if most <= 0 {
		most = s.opt.MaxTimeout
	}
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	s.mu.Lock()
	c.stop = stop
	c.login.out = o
	c.age = s.ageOf(sessionIn(o.Header))
	s.unbound = append(s.unbound, c)
	s.mu.Unlock()
	_, err := conn.Send(ctx, o)
	s.mu.Lock()
	bound := c.seq != 0
	if err == nil && !bound { // a POST without a body has no frame, and no exchange
		s.unbound = slices.DeleteFunc(s.unbound, func(u *Call) bool { return u == c })
		s.conclusion(c, wire.Exchange{End: wire.Posted})
	}
	s.mu.Unlock()
	if err == nil {
		return nil
	}
	how := wire.Dropped
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		how = wire.TimedOut
	case errors.Is(err, context.Canceled):
		how = wire.Cancelled
	case conn.Kind() == "stdio":
		err = s.brokenPipe(conn, err)
	}
	s.conclude(c, how, err.Error())
	if bound {
		return nil
	}
	return err
}

// brokenPipe prefers the child's exit to the error of writing to it.
func (s *Session) brokenPipe(conn transport.Conn, err error) error {
	t := time.NewTimer(exitWait)
	defer t.Stop()
	select {
	case <-conn.Done():
	case <-t.C:
		return err
	}
	info := s.Info()
	if info.Exit == nil {
		return err
	}
	return &NotConnected{Phase: wire.Lost, Text: "the server process ended (" + exitWords(info.Exit) + ")", Exit: info.Exit}
}
