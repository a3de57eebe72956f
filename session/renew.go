package session

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Servers over Streamable HTTP forget sessions: after idle time, after a restart. By 2025-03-26 to 2025-11-25
// (basic/transports, Session Management) a request with the id of a session that has ended gets 404, and the client
// must begin a new one with initialize, without the id. So one 404 leads to one new session and one repetition of what
// was refused. Anything else that speaks of a session (400, 200 with an error) is said and left to the person.

// whyRenewed is Frame.Why of what is sent again in a new session.
const whyRenewed = wire.Retry + ": in a new session, the server had ended the one before"

// Bounds on new sessions: a server that forgets each at once must not make us open one after the other.
const (
	renewMost   = 5
	renewWithin = time.Minute
)

// renewal is the opening of a new session after the old one was lost, and what waits for it.
type renewal struct {
	begun bool // the new session is there
	waits []repeat
}

// repeat is a call that was refused with 404, and the exchange that it ends with when there is no new session.
type repeat struct {
	call *Call
	x    wire.Exchange
}

// renew begins a new session when the end of a call says that the one it was sent in is over, with the lock held; the
// call is then not over, but goes out again, once.
func (s *Session) renew(c *Call, x wire.Exchange) bool {
	if c.ending || c.aside || c.renewed || s.conn == nil || s.conn.Kind() != "http" || s.dialect.modern ||
		x.Head == nil || x.Head.Status != http.StatusNotFound || s.info.Phase != wire.Ready || unknownMethod(&x) {
		return false
	}
	conn := s.conn
	switch {
	case c.age == 0: // the id is not ours: sent on purpose
		return false
	case c.age < s.age: // it was on its way when another one got the news
		if !s.laterLocked(func() { s.repeat(conn, []repeat{{c, x}}) }) {
			return false
		}
	case s.renewal != nil && !s.renewal.begun:
		s.renewal.waits = append(s.renewal.waits, repeat{c, x})
	case s.renewal == nil && s.mayRenew(x.Seq()):
		s.renewal = &renewal{waits: []repeat{{c, x}}}
		if !s.laterLocked(func() { s.openAnew(conn, x.Seq()) }) {
			s.renewal = nil
			return false
		}
	default:
		return false
	}
	c.renewed, c.login.under = true, true
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.stop != nil {
		c.stop()
	}
	c.answer = Answer{Exchange: x}
	return true
}

// ageOf is the age of the session with an id; 0 for none of ours. It is called with the lock held.
func (s *Session) ageOf(id string) int {
	switch {
	case id == "" || s.dialect.modern:
		return 0
	case id == s.dialect.session:
		return s.age
	case id == s.past:
		return s.age - 1
	}
	return 0
}

// sessionIn is the id of the HTTP session that the headers name, "" for none.
func sessionIn(header []wire.Field) string {
	for _, f := range header {
		if strings.EqualFold(f.Name, mcp.HeaderSessionID) {
			return f.Value
		}
	}
	return ""
}

// unknownMethod tells that the 404 is about the method and not about the session, as 2026-07-28 wants it.
func unknownMethod(x *wire.Exchange) bool {
	if x.Reply == nil || x.Reply.Kind != wire.Error || x.Request == nil || x.Reply.ID != x.Request.ID {
		return false
	}
	code, ok := x.Reply.Err().Get("code").Int()
	return ok && code == mcp.CodeMethodNotFound
}

// mayRenew keeps count of new sessions. It is called with the lock held.
func (s *Session) mayRenew(evidence wire.Seq) bool {
	now := time.Now()
	s.renewals = slices.DeleteFunc(s.renewals, func(at time.Time) bool { return now.Sub(at) > renewWithin })
	if len(s.renewals) >= renewMost {
		epoch := s.epoch
		s.laterLocked(func() {
			s.lost(epoch, fmt.Sprintf("the server ended %d sessions within %s: no further one is opened; a restart does", renewMost+1, renewWithin), evidence)
		})
		return false
	}
	s.renewals = append(s.renewals, now)
	return true
}

// openAnew opens a new HTTP session and repeats what waits for it.
func (s *Session) openAnew(conn transport.Conn, evidence wire.Seq) {
	ctx, stop := context.WithTimeout(s.life, s.opt.MaxTimeout)
	defer stop()
	s.mu.Lock()
	old, version, epoch := s.dialect.session, s.info.Version, s.epoch
	s.stopStream()
	s.mu.Unlock()
	s.state(wire.Ready, fmt.Sprintf("the server ended the session %s (HTTP 404 to #%d): opening a new one", transport.MaskSession(old), evidence), evidence)
	d, text, evidence := s.initializeAnew(ctx, version)
	s.mu.Lock()
	if text == "" {
		s.age++
		s.past = old
		s.renewal.begun = true
		s.dialect = d
		s.ledger, s.kept, s.listings = fresh.NewLedger(), map[fresh.Key]wire.Exchange{}, map[ListKind]*Listing{}
	}
	gone := s.conn != conn
	if text == "" && !gone {
		s.renewed++
	}
	nth := s.renewed
	s.mu.Unlock()
	if text == "" && !gone {
		s.stateOf(wire.State{Phase: wire.Ready, Session: nth, Evidence: evidence, Text: "a new session " + transport.MaskSession(d.session) + " has begun: what was read in the old one is forgotten"})
		s.openStream(conn, d)
		s.begun(ctx) // a 404 to this opens no further session
	}
	s.mu.Lock()
	r := s.renewal
	s.renewal = nil
	s.mu.Unlock()
	if text != "" || gone {
		s.mu.Lock()
		for _, w := range r.waits {
			w.call.login.under = false
			if !w.call.ending {
				s.conclusion(w.call, w.x)
			}
		}
		s.mu.Unlock()
		if !gone {
			s.lost(epoch, "the server ended the session, and no new one could be opened: "+text, evidence)
		}
		return
	}
	s.repeat(conn, r.waits)
}

// initializeAnew makes the handshake of a new session. text says why there is none.
func (s *Session) initializeAnew(ctx context.Context, version string) (d dialect, text string, evidence wire.Seq) {
	open := s.legacyDialect("", "")
	a, err := s.doIn(ctx, open, Request{Method: mcp.Initialize, Params: s.initializeParams(version), Why: whyRenewed})
	if err != nil {
		return d, err.Error(), 0
	}
	if a.Exchange.Reply != nil {
		evidence = a.Exchange.Reply.Seq
	}
	r := a.Result()
	if !r.Is(jsondoc.Object) {
		return d, "initialize got an error: " + clip(a.Err().Get("message").Text(), 200), evidence
	}
	if v := r.Get("protocolVersion").Text(); v != "" {
		version = v
	}
	id := ""
	if a.Exchange.Head != nil {
		id = a.Exchange.Head.Get(mcp.HeaderSessionID)
	}
	d = s.legacyDialect(version, id)
	s.mu.Lock()
	s.info.Version, s.info.Opened = version, a.Seq()
	s.info.Server, s.info.Capabilities, s.info.Instructions = r.Get("serverInfo"), r.Get("capabilities"), r.Get("instructions")
	s.mu.Unlock()
	if _, err := s.notify(ctx, d, mcp.Initialized, nil, ""); err != nil {
		s.note("warning", "notifications/initialized: "+err.Error())
	}
	return d, "", evidence
}

// doIn is Do in another dialect than the negotiated one.
func (s *Session) doIn(ctx context.Context, d dialect, r Request) (Answer, error) {
	c, err := s.start(ctx, r, jsondoc.Value{}, startOptions{dialect: &d, silent: true})
	if err != nil {
		return Answer{}, err
	}
	return c.Wait(ctx)
}

// repeat sends what an ended session refused once more.
func (s *Session) repeat(conn transport.Conn, waits []repeat) {
	for _, w := range waits {
		c := w.call
		s.mu.Lock()
		if c.over || c.ending {
			s.mu.Unlock()
			continue
		}
		out := s.anew(c)
		out.Why = whyRenewed
		s.mu.Unlock()
		_ = s.sendOn(s.life, conn, c, out) // what becomes of it is told by the call
	}
}

// present are the headers of something that was built in an earlier session, for the one that is now. Headers that the
// person chose stay. It is called with the lock held.
func (s *Session) present(c *Call, header []wire.Field) []wire.Field {
	if c.age == 0 || c.age == s.age || s.dialect.modern {
		return header
	}
	now := s.dialect.legacyHeaders()
	var out []wire.Field
	for _, f := range header {
		if !strings.EqualFold(f.Name, mcp.HeaderSessionID) && !strings.EqualFold(f.Name, mcp.HeaderProtocolVersion) {
			out = append(out, f)
			continue
		}
		for _, g := range now {
			if strings.EqualFold(f.Name, g.Name) {
				out = append(out, g)
			}
		}
	}
	return out
}

// SeemsLost begins the State that says that a server seems to have lost the session without saying so.
const SeemsLost = "the server seems to have lost the session"

// doubt says that a server seems to have lost the session without saying so as it should: once a session, and only said.
// It is called with the lock held.
func (s *Session) doubt(c *Call, x wire.Exchange) {
	if c.age == 0 || c.age != s.age || s.doubted == c.age || x.Reply == nil || x.Reply.Kind != wire.Error ||
		x.Head == nil || x.Head.Status == http.StatusNotFound || s.info.Phase != wire.Ready || c.aside {
		return
	}
	said := x.Reply.Err().Get("message").Text()
	if low := strings.ToLower(said); !strings.Contains(low, "session") && !strings.Contains(low, "not initialized") {
		return
	}
	s.doubted = c.age
	text := fmt.Sprintf(SeemsLost+": HTTP %d with “%s” to #%d; only 404 says so, and nothing is sent again by itself: a restart opens a new session",
		x.Head.Status, clip(said, 120), x.Seq())
	s.laterLocked(func() { s.state(wire.Ready, text, x.Seq()); s.note("warning", text) })
}
