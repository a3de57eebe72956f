package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcploupe/session/wire"
)

// A connection that the other side ended can be brought back by itself (Options.Restarts): the process is started again, or the
// session opened anew, after a pause that grows from try to try. A connection that lasted is a fresh beginning; one that ends
// at once again and again, and a start that fails again and again, is given up. The first start is never repeated: whoever
// asked for it is there to see why it failed.

const (
	reviveFirst = 500 * time.Millisecond // the first pause; each later one is twice as long
	reviveMost  = 30 * time.Second       // the longest pause
	reviveRest  = 30 * time.Second       // a connection that stood so long has lasted
)

// revival counts tries in a row. It is pure.
type revival struct{ tries int }

// next is the pause before the next try, its number, or false when there was one too many. stood is how long the connection
// stood before it was lost, 0 for one that was not even made.
func (r *revival) next(stood time.Duration, most int) (pause time.Duration, try int, ok bool) {
	if stood >= reviveRest {
		r.tries = 0
	}
	if r.tries >= most {
		return 0, r.tries, false
	}
	r.tries++
	pause = reviveMost
	if n := r.tries - 1; n < 8 {
		pause = min(reviveMost, reviveFirst<<n)
	}
	return pause, r.tries, true
}

// bringBack brings back the connection of an epoch that was lost, unless somebody else does.
func (s *Session) bringBack(epoch int, text string) {
	defer s.gaveUp()
	stood := time.Duration(0)
	s.mu.Lock()
	if !s.readySince.IsZero() {
		stood = time.Since(s.readySince)
	}
	s.mu.Unlock()
	for {
		pause, again := s.announce(epoch, text, stood)
		if !again || sleep(s.life, pause) != nil {
			return
		}
		err, ran := s.reconnect(epoch)
		if err == nil || !ran {
			return
		}
		if e, ok := errors.AsType[*ConnectError](err); ok && e.Auth {
			return // the same words would only be refused again
		}
		s.mu.Lock()
		epoch = s.epoch
		s.mu.Unlock()
		text, stood = err.Error(), 0
	}
}

// announce says when the next try is, or that there is none. false: there is nothing to wait for.
func (s *Session) announce(epoch int, text string, stood time.Duration) (time.Duration, bool) {
	if s.begin(s.life) != nil {
		return 0, false
	}
	defer s.endTurn()
	s.mu.Lock()
	if s.epoch != epoch || s.leaving || s.info.Phase == wire.Ready {
		s.mu.Unlock()
		return 0, false
	}
	most := s.opt.Restarts
	pause, try, ok := s.revival.next(stood, most)
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.trying = attempt{}
		s.mu.Unlock()
		s.state(wire.Lost, fmt.Sprintf("%s; it did not last %d times in a row: not started again", text, try), 0)
		return 0, false
	}
	s.mu.Lock()
	s.trying = attempt{try, most, pause}
	s.mu.Unlock()
	s.state(wire.Lost, fmt.Sprintf("%s; connecting again in %s (try %d of %d)", text, pause, try, most), 0)
	s.mu.Lock()
	s.trying.pause = 0
	s.mu.Unlock()
	return pause, true
}

// attempt is a try to bring a connection back, as State entries tell it.
type attempt struct {
	try, of int
	pause   time.Duration
}

// reconnect connects anew, unless the connection is another one by now. ran tells that it was tried.
func (s *Session) reconnect(epoch int) (err error, ran bool) {
	ctx, cancel := context.WithCancel(s.life)
	defer cancel()
	if err := s.begin(ctx); err != nil {
		return err, false
	}
	defer s.endTurn()
	s.mu.Lock()
	stale := s.epoch != epoch || s.leaving || s.info.Phase == wire.Ready
	s.mu.Unlock()
	if stale {
		return nil, false
	}
	return s.restart(ctx), true
}

// gaveUp notes that nobody brings the connection back any more; it may be back.
func (s *Session) gaveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reviving--
	if s.reviving == 0 && s.info.Phase != wire.Ready {
		s.trying = attempt{}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// Await waits until the session is ready, as long as it is being brought back (Options.Restarts). It returns nil when it is ready,
// *NotConnected when nobody brings it back, else the error of ctx.
func (s *Session) Await(ctx context.Context) error {
	for {
		s.mu.Lock()
		info, reviving, changed := s.info, s.reviving > 0, s.changed
		s.mu.Unlock()
		switch {
		case info.Phase == wire.Ready:
			return nil
		case !reviving:
			return &NotConnected{Phase: info.Phase, Text: info.Text, Exit: info.Exit}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
