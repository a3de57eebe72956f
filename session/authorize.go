package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"mcploupe/session/oauth"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Authorizer gets access tokens for a server that asks for them; *oauth.Client is one. Bearer must
// return at once. Authorize may take as long as a person needs to log in; it ends with ctx.
type Authorizer interface {
	// Bearer is the token to send to the server at this URL, "" for none.
	Bearer(server string) string
	// Authorize answers a challenge with a token that is worth another try, or says why there is none.
	Authorize(ctx context.Context, ch oauth.Challenge, h oauth.Help) (token string, err error)
}

// login is what a call needs to be sent again with a token.
type login struct {
	out      transport.Outgoing     // how it went out
	rebuild  func(id int64) message // the request anew; nil sends the same bytes
	token    string                 // the access token that went with it
	attempts int                    // how many authorizations it led to
	under    bool                   // one is under way
	refused  error                  // why the last one brought nothing
}

// sent notes the token that a frame went out with.
func (l *login) sent(h *wire.Head) {
	l.token = ""
	if h == nil {
		return
	}
	if scheme, token, ok := strings.Cut(h.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		l.token = token
	}
}

// bearer is what opened channels ask for the token; nil when nobody gets any, or the person sends their
// own credentials.
func (s *Session) bearer() func() string {
	if s.opt.Authorize == nil || s.target.URL == "" || names(s.target.Header, "Authorization") {
		return nil
	}
	if u, err := url.Parse(s.target.URL); err != nil || u.User != nil {
		return nil
	}
	return func() string { return s.opt.Authorize.Bearer(s.target.URL) }
}

func names(fields []wire.Field, name string) bool {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// authorize begins an authorization when the end of a call asks for one, with the lock held; the call is
// then not over, but goes out again. Requests that carry credentials of their own are left alone.
func (s *Session) authorize(c *Call, x wire.Exchange) bool {
	if c.ending || c.aside || c.login.refused != nil || s.bearer() == nil || s.conn == nil || s.conn.Kind() != "http" ||
		names(c.login.out.Header, "Authorization") || c.login.out.RawHeaders {
		return false
	}
	ch, ok := s.challenge(x.Head)
	if !ok {
		return false
	}
	ch.Token, ch.Attempt, ch.Operation = c.login.token, c.login.attempts, operation(&x)
	ctx, stop := context.WithCancel(s.life)
	conn := s.conn
	c.login.under = true
	if !s.laterLocked(func() { defer stop(); s.sendAgain(ctx, c, x, conn, ch) }) {
		c.login.under = false
		stop()
		return false
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.stop != nil {
		c.stop()
	}
	c.stop = stop
	c.answer = Answer{Exchange: x}
	return true
}

// challenge is what a response asks for: every 401, and a 403 with a Bearer challenge.
func (s *Session) challenge(h *wire.Head) (oauth.Challenge, bool) {
	if h == nil || h.Status != http.StatusUnauthorized && h.Status != http.StatusForbidden {
		return oauth.Challenge{}, false
	}
	ch := oauth.Challenge{Server: s.target.URL, Status: h.Status}
	for _, f := range h.Header {
		if strings.EqualFold(f.Name, "WWW-Authenticate") {
			ch.Fields = append(ch.Fields, f.Value)
		}
	}
	return ch, h.Status == http.StatusUnauthorized || oauth.ReadChallenge(ch.Fields).Bearer
}

func operation(x *wire.Exchange) string { return strings.TrimSpace(x.Method() + " " + x.Name()) }

// sendAgain gets a token and puts the call on the wire once more.
func (s *Session) sendAgain(ctx context.Context, c *Call, x wire.Exchange, conn transport.Conn, ch oauth.Challenge) {
	if _, err := s.getToken(ctx, ch); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		c.login.under, c.login.refused = false, err
		if !c.ending {
			s.conclusion(c, x)
		}
		return
	}
	s.mu.Lock()
	if c.over || c.ending {
		s.mu.Unlock()
		return
	}
	c.login.attempts++
	out := s.anew(c)
	s.mu.Unlock()
	_ = s.sendOn(s.life, conn, c, out) // what becomes of it is told by the call
}

// anew makes a call ready to go out once more, a request with a new id; it is called with the lock held.
func (s *Session) anew(c *Call) transport.Outgoing {
	delete(s.calls, c.seq)
	c.seq, c.lane, c.open, c.laneEnd, c.timer = 0, 0, 0, 0, nil
	c.login.under = false
	out := c.login.out
	if c.login.rebuild != nil {
		s.lastID++
		m := c.login.rebuild(s.lastID)
		c.id, out.Body, out.Header = strconv.FormatInt(s.lastID, 10), m.body, m.header
	}
	out.Header = s.present(c, out.Header)
	c.body = out.Body
	c.answer = Answer{}
	return out
}

// getToken runs an authorization; each of its steps becomes a note in the log.
func (s *Session) getToken(ctx context.Context, ch oauth.Challenge) (string, error) {
	network, err := transport.Network(transport.HTTPOptions{CAFile: s.target.CAFile, Insecure: s.target.Insecure})
	if err != nil {
		return "", err
	}
	if idle, ok := network.(interface{ CloseIdleConnections() }); ok {
		defer idle.CloseIdleConnections()
	}
	token, err := s.opt.Authorize.Authorize(ctx, ch, oauth.Help{Network: network, Hide: s.secrets.Add, Tell: s.tellStep})
	if err != nil {
		s.mu.Lock()
		s.refused = err
		s.mu.Unlock()
		if info := s.Info(); info.Phase == wire.Ready && strings.HasPrefix(info.Text, "authorization: ") {
			s.state(wire.Ready, "the login brought nothing", 0)
		}
		return "", err
	}
	s.secrets.Add(token)
	if info := s.Info(); info.Phase == wire.Ready && strings.HasPrefix(info.Text, "authorization: ") {
		s.state(wire.Ready, "logged in again", 0)
	}
	return token, nil
}

// tellStep writes a step down. What the person has to do is also the session's state.
func (s *Session) tellStep(step oauth.Step) {
	level := "info"
	if step.Failed {
		level = "warning"
	}
	if step.Name == oauth.StepRefused {
		level = "error"
	}
	s.note(level, stepText(step))
	if f := fetchOf(step); f != nil {
		s.append(wire.Entry{Fetch: f})
	}
	if step.Name != oauth.StepAuthorize {
		return
	}
	if phase := s.Info().Phase; phase == wire.Connecting || phase == wire.Detecting || phase == wire.Ready {
		s.state(phase, "authorization: "+step.Text, 0)
	}
}

// stepText is a step in one line, for the log.
func stepText(step oauth.Step) string {
	text := fmt.Sprintf("authorization, %s: %s", step.Name, step.Text)
	if step.Rule != "" {
		text += " (" + step.Rule + ")"
	}
	return text
}

// fetchOf is the HTTP exchange of a step, nil when it had none.
func fetchOf(step oauth.Step) *wire.Fetch {
	if step.Request == nil {
		return nil
	}
	head := func(h *oauth.Head) *wire.Head {
		out := &wire.Head{Method: h.Method, URL: h.URL, Status: h.Status}
		for _, f := range h.Header {
			out.Header = append(out.Header, wire.Field{Name: f.Name, Value: f.Value})
		}
		return out
	}
	f := &wire.Fetch{For: step.Name, Request: head(step.Request), Sent: []byte(step.Request.Body), Text: step.Text, Failed: step.Failed}
	if r := step.Response; r != nil {
		f.Response, f.Body = head(r), []byte(r.Body)
	}
	return f
}

// openWithLogin opens a channel whose very opening may ask for a token (the GET of HTTP+SSE).
func (s *Session) openWithLogin(ctx context.Context, kind string) error {
	for attempt := 0; ; attempt++ {
		bearer, token := s.bearer(), ""
		if bearer != nil {
			token = bearer()
		}
		err := s.open(kind)
		s.askedOpening(err)
		status, ok := errors.AsType[*transport.StatusError](err)
		if !ok || bearer == nil {
			return err
		}
		ch, ok := s.challenge(status.Head)
		if !ok {
			return err
		}
		ch.Token, ch.Attempt, ch.Operation = token, attempt, "open the event stream"
		if _, refused := s.getToken(ctx, ch); refused != nil {
			return fmt.Errorf("%w; %w", err, refused)
		}
	}
}

// whyNoLogin adds to an error of connecting why the authorization brought no token.
func (s *Session) whyNoLogin(e *ConnectError) {
	s.mu.Lock()
	refused := s.refused
	s.mu.Unlock()
	if refused == nil || !e.Auth {
		return
	}
	e.Text, e.Hint = fmt.Sprintf("authorization is needed (HTTP %d) and failed: %s", e.Status, refused), ""
	if r, ok := errors.AsType[*oauth.Refusal](refused); ok {
		e.Hint = r.Hint
	}
}
