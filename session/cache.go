package session

import (
	"context"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// The result cache. What may be kept, for how long, for whom, and what makes it out of date is fresh's
// business; here is only the store. Session and screen each have a Ledger fed by the same entries, so
// what is served is what the screen calls fresh.

// keptMost bounds the store: results beyond it are asked for again.
const keptMost = 2048

// cached answers from the store when what is there is fresh and past is false, else it asks the server.
func (s *Session) cached(ctx context.Context, r Request, past bool) (Answer, error) {
	d, _, err := s.ready()
	if err != nil {
		return Answer{}, err
	}
	m, _ := mcp.Lookup(r.Method)
	if !m.Cacheable {
		return s.Do(ctx, r)
	}
	key := s.key(d, r)
	if !past {
		if a, ok := s.fromStore(key); ok {
			return a, nil
		}
	}
	c, err := s.start(ctx, r, jsondoc.Value{}, startOptions{key: key, store: true})
	if err != nil {
		return Answer{}, err
	}
	return c.Wait(ctx)
}

// fromStore is the kept answer while it is fresh.
func (s *Session) fromStore(key fresh.Key) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.kept[key]
	if !ok {
		return Answer{}, false
	}
	now := time.Now()
	st := s.ledger.State(key, now)
	if st.Name != fresh.Fresh {
		delete(s.kept, key)
		return Answer{}, false
	}
	return Answer{Exchange: x, Cached: true, Age: st.Age}, true
}

// keep stores a result that is fresh now; anything else takes the place's content away, because a newer
// answer that may not be kept makes the older one no better.
func (s *Session) keep(key fresh.Key, x wire.Exchange) {
	if x.Reply == nil || x.Reply.Kind != wire.Result || s.ledger.State(key, time.Now()).Name != fresh.Fresh {
		delete(s.kept, key)
		return
	}
	if len(s.kept) >= keptMost {
		s.sweep()
	}
	s.kept[key] = x
}

// sweep drops what is not fresh any more, and everything when that is not enough.
func (s *Session) sweep() {
	now := time.Now()
	for key := range s.kept {
		if s.ledger.State(key, now).Name != fresh.Fresh {
			delete(s.kept, key)
		}
	}
	if len(s.kept) >= keptMost {
		clear(s.kept)
	}
}

// drop forgets every kept page of a method.
func (s *Session) drop(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, x := range s.kept {
		if x.Method() == method {
			delete(s.kept, key)
		}
	}
}
