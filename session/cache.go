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
	key := d.key(r)
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

// keep stores a result while it is the newest of its key and fresh. A newest result that is not fresh
// takes the place's content away; a failure leaves it, as it leaves what the ledger says.
func (s *Session) keep(key fresh.Key, x wire.Exchange) {
	hint, ok := s.ledger.HintOf(key)
	if !ok || hint.Ref != x.Ref() {
		return
	}
	if s.ledger.State(key, time.Now()).Name != fresh.Fresh {
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

// key is what the answer to a request would be found by: it takes everything from the request itself,
// as the ledger does when the exchange comes by.
func (d dialect) key(r Request) fresh.Key {
	d.http = false // headers do not count
	body := d.build(r, 0, jsondoc.Value{}).body
	return fresh.KeyOf(r.Method, jsondoc.Parse(body).Root().Get("params"), "", "", "")
}
