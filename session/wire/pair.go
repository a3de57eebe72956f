package wire

import (
	"maps"

	"mcploupe/session/mcp"
)

// Bond tells how a message hangs together with a request.
type Bond uint8

// Bonds.
const (
	Unbound Bond = iota // with no request that we know of
	Answers             // it is the reply, or a further one
	Belongs             // it came for the request, or on its stream
	Foreign             // it answers another id, but came on this request's HTTP exchange
)

// Pairing is what Pair found.
type Pairing struct {
	Bond Bond
	Of   *Message // the request; nil when Unbound
	Late bool     // the request had ended before
}

// Pending knows the requests that wait, and the last few thousand that ended, so that what comes late is
// still told apart from what never belonged anywhere. Requests of the server (Dir Received) are kept as
// well, for our answers to them. The zero Pending is empty and ready. It is not safe for several goroutines.
type Pending struct {
	// SSE tells that answers come on the one event stream of the 2024-11-05 HTTP+SSE transport: what a
	// POST is answered with ("Accepted") is then no reply.
	SSE bool

	known  map[Ref]*waiting
	ids    map[string][]*waiting // key: ours or theirs, and the id
	tokens map[string][]*waiting // progress tokens of our requests
	lanes  map[uint32][]*waiting // what was posted on an HTTP lane
	began  map[uint32]uint32     // lanes of GETs that resume a stream, and the lane that it began on
	kept   []*waiting            // ended ones, and requests of the server; oldest first
	open   int                   // our requests that have not ended
	last   *waiting              // the last thing that we sent, when it was a request
}

// keepEnded is how many ended requests a Pending remembers.
const keepEnded = 4096

type waiting struct {
	req       *Message
	id, token string
	ended     bool
}

func (w *waiting) ours() bool   { return w.req.Dir == Sent }
func (w *waiting) listen() bool { return w.req.Method == mcp.Listen }

// Open adds what waits for something: a request of either side, or over HTTP whatever we posted.
func (p *Pending) Open(req *Message) {
	if p.known == nil {
		p.known, p.ids = map[Ref]*waiting{}, map[string][]*waiting{}
		p.tokens, p.lanes = map[string][]*waiting{}, map[uint32][]*waiting{}
	}
	w := &waiting{req: req}
	p.known[req.Ref()] = w
	if req.Kind == Request || req.Kind == Odd {
		if w.id = idKey(w.ours(), req.ID); w.id != "" {
			p.ids[w.id] = append(p.ids[w.id], w)
		}
	}
	if !w.ours() {
		p.keep(w) // a server may ask without end and never be answered
		return
	}
	p.last = w
	p.open++
	if req.Kind == Request {
		if w.token = key(token(req.Body, "params", "_meta", "progressToken")); w.token != "" {
			p.tokens[w.token] = append(p.tokens[w.token], w)
		}
	}
	if req.Lane != 0 {
		p.lanes[req.Lane] = append(p.lanes[req.Lane], w)
	}
}

// End notes that the request is over. Unknown requests, and those that had ended, are passed over.
func (p *Pending) End(r Ref) {
	w := p.known[r]
	if w == nil || w.ended {
		return
	}
	w.ended = true
	if w.ours() {
		p.open--
		p.keep(w)
	}
}

// keep remembers one more, and forgets the oldest in bulk: shifting by one each time would cost more.
func (p *Pending) keep(w *waiting) {
	p.kept = append(p.kept, w)
	if len(p.kept) < 2*keepEnded {
		return
	}
	old := p.kept[:len(p.kept)-keepEnded]
	for _, w := range old {
		p.forget(w)
	}
	p.kept = append([]*waiting(nil), p.kept[len(old):]...)
}

// Resume notes that an HTTP lane goes on with the event stream that began on another one: what comes there is about
// what was posted on that one.
func (p *Pending) Resume(lane, began uint32) {
	if len(p.lanes[began]) == 0 {
		return
	}
	if p.began == nil {
		p.began = map[uint32]uint32{}
	}
	p.began[lane] = began
}

// posts are what the stream of a lane is about.
func (p *Pending) posts(lane uint32) (posts []*waiting, resumed bool) {
	if began, ok := p.began[lane]; ok {
		return p.lanes[began], true
	}
	return p.lanes[lane], false
}

// replace exchanges the message of a request for a lighter copy.
func (p *Pending) replace(r Ref, m *Message) {
	if w := p.known[r]; w != nil {
		w.req = m
	}
}

func (p *Pending) forget(w *waiting) {
	if r := w.req.Ref(); p.known[r] == w {
		delete(p.known, r)
	}
	remove(p.ids, w.id, w)
	remove(p.tokens, w.token, w)
	remove(p.lanes, w.req.Lane, w)
	if len(p.lanes[w.req.Lane]) == 0 && len(p.began) > 0 {
		maps.DeleteFunc(p.began, func(_, began uint32) bool { return began == w.req.Lane })
	}
}

func remove[K comparable](m map[K][]*waiting, k K, w *waiting) {
	list := m[k]
	for i, x := range list {
		if x == w {
			list = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(m, k)
	} else {
		m[k] = list
	}
}

// idKey keeps the ids of the two sides apart: both may count from 1.
func idKey(ours bool, id string) string {
	if id = key(id); id == "" {
		return ""
	}
	if ours {
		return ">" + id
	}
	return "<" + id
}

// pick is the one that waits longest, else the one that ended last.
func pick(list []*waiting) *waiting {
	for _, w := range list {
		if !w.ended {
			return w
		}
	}
	if n := len(list); n > 0 {
		return list[n-1]
	}
	return nil
}

// Pair is the one place that says which request a message answers or belongs to; Fold and session both ask it.
//
// An answer belongs to the request with its id. Tokens are compared as JSON values with their types: "1"
// is not 1. On stdio, and on an HTTP stream that carries no request of ours (GET, 2024-11-05 SSE), all
// requests count. A response to a POST can only be about what was posted there: an answer with another id
// is Foreign, one with no id or null is taken for the answer, and so is a whole response body that is no
// JSON-RPC. A stream that a GET goes on with (Resume) is about the same as before; a body that is no stream answers
// the GET (or DELETE) alone, and no request. On stdio an error without id is taken for the answer to what we sent last, when nothing else waits; after a batch, for the answer to its first request.
//
// Everything else that comes on a POST's stream belongs to what was posted. Elsewhere progress goes by its
// token, what is tagged with a subscription goes to that subscriptions/listen, cancelled goes by its requestId.
func Pair(p *Pending, m *Message) Pairing {
	if m.Dir == Sent {
		if m.Kind == Result || m.Kind == Error {
			return bound(Answers, pick(p.ids[idKey(false, m.ID)]))
		}
		return Pairing{}
	}
	if m.Lane != 0 {
		posts, resumed := p.posts(m.Lane)
		switch {
		case whole(m.Frame) && (resumed || len(posts) == 0):
			return Pairing{}
		case len(posts) > 0:
			return p.onLane(posts, m)
		}
	}
	return p.onChannel(m)
}

func bound(b Bond, w *waiting) Pairing {
	if w == nil {
		return Pairing{}
	}
	return Pairing{b, w.req, w.ended}
}

// answering tells that the message is meant as an answer: a result, an error, or a reply that has neither.
func answering(m *Message) bool {
	return m.Kind == Result || m.Kind == Error || m.Kind == Odd && key(m.ID) != ""
}

func (p *Pending) onLane(posts []*waiting, m *Message) Pairing {
	if answering(m) {
		id := idKey(true, m.ID)
		var match, anyID []*waiting
		for _, w := range posts {
			if id != "" && w.id == id {
				match = append(match, w)
			}
			if id == "" || w.id == "" {
				anyID = append(anyID, w)
			}
		}
		if w := pick(match); w != nil {
			return bound(Answers, w)
		}
		if w := pick(anyID); w != nil {
			return bound(Answers, w)
		}
		return bound(Foreign, pick(posts))
	}
	if whole(m.Frame) && (m.Kind == NotJSON || m.Kind == Odd || m.Kind == Batch) && !(p.SSE && m.HTTP.Status/100 == 2) {
		return bound(Answers, pick(posts))
	}
	if len(posts) > 1 && m.Method == mcp.Progress { // a posted batch
		if t := progressToken(m); t != "" {
			for _, w := range posts {
				if w.token == t {
					return bound(Belongs, w)
				}
			}
		}
	}
	return bound(Belongs, pick(posts))
}

// whole tells that the frame is a whole HTTP response: nothing more can come on its lane.
func whole(f *Frame) bool {
	return f.Dir == Received && f.Lane != 0 && f.HTTP != nil && f.HTTP.Status != 0
}

func (p *Pending) onChannel(m *Message) Pairing {
	switch {
	case answering(m):
		if id := idKey(true, m.ID); id != "" {
			return bound(Answers, pick(p.ids[id]))
		}
		if w := p.last; m.Kind == Error && w != nil && !w.ended && w.req.Lane == m.Lane {
			if first, n := p.batch(w); n == p.open {
				return bound(Answers, first)
			}
		}
	case m.Kind == Notification || m.Kind == Request:
		switch m.Method {
		case mcp.Progress:
			return bound(Belongs, pick(p.tokens[progressToken(m)]))
		case mcp.Cancelled:
			return bound(Belongs, pick(p.ids[idKey(true, token(m.Body, "params", "requestId"))]))
		}
		var listens []*waiting
		for _, w := range p.ids[idKey(true, token(m.Body, "params", "_meta", mcp.MetaSubscriptionID))] {
			if w.listen() {
				listens = append(listens, w)
			}
		}
		return bound(Belongs, pick(listens))
	}
	return Pairing{}
}

// batch is the first request that waits of the batch that one belongs to, and how many do; of no batch it is the only one.
func (p *Pending) batch(of *waiting) (first *waiting, n int) {
	if of.req.Part == 0 {
		return of, 1
	}
	for part := of.req.Part; part > 0; part-- {
		if w := p.known[Ref{Seq: of.req.Seq, Part: part}]; w != nil && w.ours() && !w.ended {
			first, n = w, n+1
		}
	}
	return first, n
}

func progressToken(m *Message) string { return key(token(m.Body, "params", "progressToken")) }
