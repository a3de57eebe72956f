package session

import (
	"context"
	"errors"
	"time"

	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

// HoldOptions say how a subscription is kept open.
type HoldOptions struct {
	Why     string
	Backoff subs.Backoff // the zero Backoff: subs.Patience
	Restart bool         // connect anew when the connection is gone
	// Outlast waits, when the connection is gone and nobody brings it back, until somebody does (Session.Restart), and asks again
	// also after a Restart that ended the subscription. Only Session.Close ends that.
	Outlast bool
	// Opened is told each subscription once its request is on its way; nil for nobody.
	Opened func(*Subscription)
	// Waiting is told before another try: why it is needed, and how long we wait. nil for nobody.
	Waiting func(why string, wait time.Duration)
}

// Hold listens, and asks anew whenever the subscription ends, until we end it (Subscription.Close, Cancel or ctx), the server
// refuses it, or it came to nothing too often in a row. It returns the last subscription, nil when there was none; the
// error says why no further one could be had. Each has an id of its own.
func (s *Session) Hold(ctx context.Context, f Filter, o HoldOptions) (*Subscription, error) {
	if o.Backoff.Tries == 0 {
		o.Backoff = subs.Patience()
	}
	var sub *Subscription
	for {
		next, err := s.Listen(ctx, f, o.Why)
		var why string
		var wait time.Duration
		var again bool
		switch {
		case err == nil:
			sub = next
			if o.Opened != nil {
				o.Opened(sub)
			}
			select {
			case <-sub.Done():
			case <-ctx.Done():
				sub.Close(reason(ctx))
				<-sub.Done()
			}
			state := sub.State()
			why = state.Words()
			wait, again = o.Backoff.After(&state)
			if o.Outlast && state.Fell() {
				if err = s.stands(ctx); err != nil {
					return sub, gone(ctx, err)
				}
				continue
			}
		case errors.As(err, new(*Unsupported)) || ctx.Err() != nil:
			return sub, err
		case o.Outlast && errors.As(err, new(*NotConnected)):
			if err = s.stands(ctx); err != nil {
				return sub, gone(ctx, err)
			}
			continue
		default:
			why = err.Error()
			wait, again = o.Backoff.Failed()
		}
		for again && ctx.Err() == nil {
			if o.Waiting != nil {
				o.Waiting(why, wait)
			}
			if err = sleep(ctx, wait); err != nil {
				return sub, nil // ended by us, between two tries
			}
			if err = s.revive(ctx, o.Restart); err == nil {
				break
			}
			why = err.Error()
			if o.Outlast && errors.As(err, new(*NotConnected)) {
				if err = s.stands(ctx); err != nil {
					return sub, gone(ctx, err)
				}
				break
			}
			if errors.As(err, new(*NotConnected)) {
				return sub, err // gone, and not to be restarted
			}
			wait, again = o.Backoff.Failed()
		}
		if !again || ctx.Err() != nil {
			return sub, err
		}
	}
}

// gone is what Hold returns when there is no connection any more: nothing to speak of when it was ended by us.
func gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// stands waits until the session is ready, whoever makes it so; *NotConnected once it is closed, else the error of ctx.
func (s *Session) stands(ctx context.Context) error {
	if err := s.begin(ctx); err != nil { // a Restart may be under way
		return err
	}
	s.endTurn()
	for {
		s.mu.Lock()
		info, changed := s.info, s.changed
		s.mu.Unlock()
		switch info.Phase {
		case wire.Ready:
			return nil
		case wire.Closed:
			return &NotConnected{Phase: info.Phase, Text: info.Text, Exit: info.Exit}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reason is why ctx ended, as the server is told: its cause, when somebody gave one.
func reason(ctx context.Context) string {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err.Error()
	}
	return "seen enough"
}

// revive connects anew when the other side ended the connection. Of several that ask for it one does it.
func (s *Session) revive(ctx context.Context, restart bool) error {
	if s.Info().Phase == wire.Ready {
		return nil
	}
	if !restart {
		return s.Await(ctx) // it may be brought back by itself
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	if s.Info().Phase == wire.Ready {
		return nil
	}
	return s.restart(ctx)
}
