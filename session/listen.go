package session

import (
	"context"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

// Filter says what a subscription is to bring.
type Filter = subs.Filter

// Subscription is a subscriptions/listen held open. What it brings stands in the log (and has its effect
// on the cache); this is only the handle to it. All methods are safe for several goroutines.
type Subscription struct {
	call *Call
	ack  chan struct{}
	last subs.Sub // how it stands; once it ended, how it ended; guarded by the session's lock
}

// Seq is the number of the request's frame.
func (s *Subscription) Seq() wire.Seq { return s.call.Seq() }

// Acknowledged is closed when the server acknowledged the subscription.
func (s *Subscription) Acknowledged() <-chan struct{} { return s.ack }

// Done is closed when the subscription ended, by us or by the server.
func (s *Subscription) Done() <-chan struct{} { return s.call.Done() }

// Answer is how it ended.
func (s *Subscription) Answer() Answer { return s.call.Answer() }

// State is how it stands: what was asked for and granted, what came, how it ended.
func (s *Subscription) State() subs.Sub {
	s.call.s.mu.Lock()
	defer s.call.s.mu.Unlock()
	if now := s.call.s.subs.Sub(s.call.seq); now != nil {
		return *now // also what was learned after the end: that the process died
	}
	return s.last
}

// Close ends the subscription in the transport's way.
func (s *Subscription) Close(reason string) { s.call.Cancel(reason) }

// see keeps the handle up to date. It runs with the session's lock held.
func (s *Subscription) see(now *subs.Sub) {
	first := s.last.Acks == 0 && now.Acks > 0
	s.last = *now
	if first {
		close(s.ack)
	}
}

// Listen opens subscriptions/listen and holds it open without a timeout; several may be open at once. It exists
// from 2026-07-28 on; *Unsupported otherwise.
func (s *Session) Listen(ctx context.Context, f Filter, why string) (*Subscription, error) {
	d, _, err := s.ready()
	if err != nil {
		return nil, err
	}
	if !d.modern {
		return nil, &Unsupported{What: mcp.Listen, Version: d.version}
	}
	sub := &Subscription{ack: make(chan struct{})}
	params := appendObject(nil, []Member{{"notifications", f.JSON()}})
	sub.call, err = s.start(ctx, Request{Method: mcp.Listen, Params: params, Why: why, NoTimeout: true, Tasks: len(f.Tasks) > 0}, jsondoc.Value{}, startOptions{sub: sub})
	if err != nil {
		return nil, err
	}
	return sub, nil
}

// Subscriptions are those of this session, the oldest first; of ended ones the last subs.MaxEnded.
func (s *Session) Subscriptions() []subs.Sub {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]subs.Sub, len(s.subs.All))
	for i, sub := range s.subs.All {
		out[i] = *sub
	}
	return out
}

// subscribed brings the list of subscriptions, and the handle of the one that an exchange changed, up to date. The end of one is
// told to the log in words: whoever reads the journal later need not work out what the end of a stream meant.
func (s *Session) subscribed(x *wire.Exchange) {
	before := s.subs.Sub(x.Seq())
	over := before != nil && !before.Running() // it comes again: with something late, or a better reason
	sub := s.subs.Add(x)
	if sub == nil {
		return
	}
	if c := s.calls[sub.Ref.Seq]; c != nil && c.sub != nil {
		c.sub.see(sub)
	}
	if sub.Ref.Seq != x.Seq() || sub.Running() || over {
		return
	}
	level := "info"
	if sub.How.Abrupt() || sub.How == subs.Refused || sub.How == subs.Failed {
		level = "warning"
	}
	text := "subscription " + sub.ID + " " + sub.Words()
	s.laterLocked(func() { s.note(level, s.secrets.Text(text)) })
}
