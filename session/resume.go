package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Bounds on going on with the stream of a request. The request's own timeout bounds it as well.
const (
	resumeTries = 5           // in a row that brought no new event id
	resumeMost  = 100         // in all: a server that sends one id after the other and no answer is left
	resumeGrace = time.Second // for what follows the answer, before we close the stream
)

// resumePlan counts the tries to go on with one stream. It is a value.
type resumePlan struct {
	id    string
	retry string
	tries int // in a row that brought no new id
	all   int
}

// next is the plan after a lane of the stream ended, and how long to wait; why is what speaks against another try.
func (p resumePlan) next(f *flow, first bool) (next resumePlan, wait time.Duration, why string) {
	if f.retry != "" {
		p.retry = f.retry
	}
	if f.lastID != "" && f.lastID != p.id {
		p.id, p.tries = f.lastID, 0
	}
	p.all++
	p.tries++
	switch {
	case len(p.id) > eventIDMost:
		return p, 0, fmt.Sprintf("its event id is longer than %d bytes", eventIDMost)
	case !first && !f.isStream() && !f.later():
		return p, 0, "the server refused to go on with it: " + f.refusal()
	case p.tries > resumeTries:
		return p, 0, fmt.Sprintf("%d tries in a row brought nothing", resumeTries)
	case p.all > resumeMost:
		return p, 0, fmt.Sprintf("%d tries brought no answer", resumeMost)
	}
	return p, pause(p.retry, p.tries-1), ""
}

// brokenOff deals with the end of a lane whose requests the fold keeps open, because a GET may go on with its stream.
// It is called with the lock held.
func (s *Session) brokenOff(lane uint32, f *flow) {
	var calls []*Call
	for _, ref := range s.fold.Held(lane) {
		if c := s.calls[ref.Seq]; c != nil && !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	conn, d := s.conn, s.dialect
	switch {
	case len(calls) == 0 || conn == nil:
	case f == nil:
		s.laterLocked(func() { s.giveUp(calls, "the stream ended without an answer") })
	default:
		s.laterLocked(func() { s.resume(conn, d, f, calls) })
	}
}

// resume goes on with the stream of requests until they are answered or otherwise over.
func (s *Session) resume(conn transport.Conn, d dialect, f *flow, calls []*Call) {
	began := f.lane
	var plan resumePlan
	for first := true; ; first = false {
		next, wait, why := plan.next(f, first)
		plan = next
		if s.opt.NoResume {
			why = "going on with it is switched off"
		}
		open := waiting(calls)
		if open == nil {
			return
		}
		if why != "" {
			s.giveUp(calls, fmt.Sprintf("the stream %s without an answer: %s", f.ending(), why))
			return
		}
		s.note("info", fmt.Sprintf("the stream of #%d %s before its answer: going on with it in %s%s (try %d of %d)",
			open.Seq(), f.ending(), wait, sinceWords(plan.id), plan.tries, resumeTries))
		if !s.idle(wait, calls) {
			return
		}
		g, err := s.get(s.life, conn, d, plan.id, began)
		if err != nil {
			s.giveUp(calls, "the stream ended without an answer: "+err.Error())
			return
		}
		if settled(calls, g.over) {
			// What is told twice or late is still to be seen; then nobody needs the stream any more.
			if sleepOr(s.life, resumeGrace, g.over) {
				conn.CloseLane(g.lane)
			}
			return
		}
		f = g
	}
}

// giveUp ends requests whose stream nobody goes on with.
func (s *Session) giveUp(calls []*Call, text string) {
	s.note("warning", s.secrets.Text(text))
	for _, c := range calls {
		s.conclude(c, wire.Dropped, text)
	}
}

// waiting is one of the calls that is not over; nil when all are.
func waiting(calls []*Call) *Call {
	for _, c := range calls {
		select {
		case <-c.done:
		default:
			return c
		}
	}
	return nil
}

// settled waits until all calls are over, or the stream is. It tells which.
func settled(calls []*Call, over <-chan struct{}) bool {
	for _, c := range calls {
		select {
		case <-c.done:
		case <-over:
			return waiting(calls) == nil
		}
	}
	return true
}

// idle waits. false: nobody needs what was waited for any more.
func (s *Session) idle(wait time.Duration, calls []*Call) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	for c := waiting(calls); c != nil; c = waiting(calls) {
		select {
		case <-c.done:
		case <-s.life.Done():
			return false
		case <-t.C:
			return true
		}
	}
	return false
}

// sleepOr waits until the time is over. false: ctx or over came first.
func sleepOr(ctx context.Context, wait time.Duration, over <-chan struct{}) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-over:
	case <-ctx.Done():
	}
	return false
}
