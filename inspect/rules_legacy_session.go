package inspect

import (
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	streamable  = "2025-03-26..2025-11-25"
	transports  = "2025-11-25/basic/transports"
	maxEventIDs = 1 << 14 // how many event ids and messages of streams are remembered
)

// legacySessionRules are about sessions over HTTP: their ids, their end, the revision in the header.
func legacySessionRules() []*Rule {
	return []*Rule{{
		ID:     "legacy-session-id-chars",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Session Management",
		On:     Results(mcp.Initialize),
		Check: func(p *Pass) {
			h := p.Head()
			if h == nil {
				return
			}
			id := h.Get(mcp.HeaderSessionID)
			for i := range len(id) {
				if id[i] < 0x21 || id[i] > 0x7e {
					p.Report(p.Header(mcp.HeaderSessionID), strconv.Quote(id), "visible ASCII only, like a UUID")
					return
				}
			}
		},
	}, {
		ID:     "legacy-session-terminated-status",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Session Management",
		On:     Exchanges().Or(Posted()),
		Probe:  ProbeMadeUpSession,
		Check:  checkLostSession,
	}, {
		ID:     "legacy-version-header-invalid",
		Level:  Must,
		Eras:   "2025-06-18..2025-11-25",
		Source: transports + " §Protocol Version Header",
		On:     Exchanges(),
		Probe:  ProbeMadeUpVersion,
		Check: func(p *Pass) {
			h := p.SentHead()
			if h == nil || p.method == mcp.Initialize {
				return
			}
			version, status := h.Get(mcp.HeaderProtocolVersion), p.status()
			if version == "" || mcp.Known(version) || status == 0 || status == 400 || status == 401 || status == 403 || status == 429 || status >= 500 {
				return
			}
			p.Report(p.Status(), "", "400: there is no revision "+version).Also(p.SentHeader(mcp.HeaderProtocolVersion))
		},
	}}
}

// checkLostSession looks at the answer to a request in a session that the server does not know (any more): only 404 tells a
// client to begin anew.
func checkLostSession(p *Pass) {
	h, status := p.SentHead(), p.status()
	if h == nil || h.Get(mcp.HeaderSessionID) == "" || status == 0 || status == 404 || status == 401 || status == 403 || status == 429 || status >= 500 {
		return
	}
	const want = "404, so that the client opens a new session"
	if p.Why() == ProbeMadeUpSession {
		p.Report(p.Status(), "", want).Also(p.SentHeader(mcp.HeaderSessionID))
		return
	}
	message := p.Error().Get("message").Text()
	if p.m != nil && message == "" && status >= 400 && !p.root.Is(jsondoc.Object) {
		message = string(p.m.Body[:min(len(p.m.Body), 300)])
	}
	if !p.OnPurpose() && (status == 400 || p.Error().Exists()) && saysNoSession(message) {
		p.Report(p.Status(), "", want).Also(p.SentHeader(mcp.HeaderSessionID)).Likely()
	}
}

// lostSession tells that an error is about the session of the request and not about what was asked.
func (p *Pass) lostSession() bool {
	h := p.SentHead()
	return h != nil && h.Get(mcp.HeaderSessionID) != "" && !p.modern &&
		(p.status() == 404 || saysNoSession(p.Error().Get("message").Text()))
}

// saysNoSession tells that a message is about a session that is not there.
func saysNoSession(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "session") && contains(low, "no valid", "not found", "invalid", "unknown", "expired", "terminated", "no such", "does not exist", "not exist", "no active")
}

// legacyStreamRules are about event streams: those that a GET opens, and the old transport.
func legacyStreamRules() []*Rule {
	return []*Rule{{
		ID:     "legacy-get-response",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Listening for Messages from the Server",
		On:     Fetched().Or(Replies()),
		Check:  checkGetResponse,
	}, {
		ID:     "legacy-event-id-duplicate",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Resumability and Redelivery",
		On:     Frames(),
		Check:  checkEventID,
	}, {
		ID:     "legacy-broadcast",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Multiple Connections",
		On:     Replies().Or(ServerRequests()),
		Check:  checkBroadcast,
	}, {
		ID:     "legacy-response-on-get-stream",
		Level:  Must,
		Eras:   streamable,
		Source: transports + " §Listening for Messages from the Server",
		On:     Replies(),
		Check: func(p *Pass) {
			resumed, get := p.in.history.gets[p.m.Lane]
			if !get || resumed || p.in.history.sse || p.m.Event == nil {
				return
			}
			r := p.Report(p.Stream(), "an answer on the stream of a GET", "the answer to a POST in the response to that POST")
			if p.x.Request != nil {
				r.Also(Place{Frame: p.x.Seq()})
			}
		},
	}, {
		ID:     "legacy-sse-endpoint-event",
		Level:  Must,
		Eras:   "all",
		Source: "2024-11-05/basic/transports §HTTP with SSE",
		On:     Frames(),
		Check:  checkEndpointEvent,
	}, {
		ID:     "legacy-sse-transport-deprecated",
		Level:  Advice,
		Eras:   "all",
		Source: "deprecated; SEP-2596",
		On:     Complete(mcp.Initialize),
		Check: func(p *Pass) {
			h := &p.in.history
			if !h.sse || p.OnPurpose() {
				return
			}
			for _, past := range h.order { // a POST to the same address, in vain: there is no other transport
				if past.HTTP && past.Seq < p.x.Seq() && (past.Failed || past.Reply == 0) && !past.Open() && p.Once("") {
					p.Report(p.Stream(), "only HTTP+SSE, the transport of 2024-11-05", "Streamable HTTP as well").Also(Place{Frame: past.Seq})
				}
			}
		},
	}}
}

// checkGetResponse looks at what answers a GET. 404 to one that names a session may also say that the session is gone, which a client
// has to be told so: it is wrong once a request that was sent afterwards is answered in the same session.
func checkGetResponse(p *Pass) {
	type state struct {
		refused map[string]wire.Seq // the 404s, by session
	}
	const want = "an event stream (text/event-stream), or 405 when there is none"
	s, f := Keep[state](p), p.Fetch()
	if f == nil {
		h := p.SentHead()
		if h == nil || len(s.refused) == 0 {
			return
		}
		id := h.Get(mcp.HeaderSessionID)
		at, refused := s.refused[id]
		if !refused || p.x.Seq() < at {
			return
		}
		delete(s.refused, id)
		if p.status()/100 == 2 {
			p.Report(Place{Frame: at, Part: Status}, "404", want).Also(p.Status())
		}
		return
	}
	if f.For != wire.ForStream || f.Response == nil || p.in.history.sse {
		return
	}
	session := ""
	if f.Request != nil {
		session = f.Request.Get(mcp.HeaderSessionID)
	}
	switch status := f.Response.Status; {
	case status == 401 || status == 403 || status == 429 || status >= 500 || status == 405:
	case status == 404 && session != "":
		if s.refused == nil {
			s.refused = map[string]wire.Seq{}
		}
		if len(s.refused) < keepPast {
			s.refused[session] = p.seq()
		}
	case status/100 != 2:
		p.Report(p.Status(), strconv.Itoa(status), want)
	case mediaType(f.Response.Get("Content-Type")) != "text/event-stream":
		p.Report(p.Header("Content-Type"), f.Response.Get("Content-Type"), want)
	}
}

// eventID is where an event id was seen first.
type eventID struct{ at wire.Seq }

// checkEventID: ids are what a stream is resumed by, so no two events of a session may share one. Events that a resumed stream
// sends again have theirs with right.
func checkEventID(p *Pass) {
	type state struct {
		session wire.Seq
		seen    map[string]eventID
	}
	e := p.m.Event
	if e == nil || e.ID == "" || p.in.history.gets[p.m.Lane] || p.in.history.sse {
		return
	}
	s := Keep[state](p)
	if now := p.in.history.session; s.seen == nil || s.session != now {
		s.session, s.seen = now, map[string]eventID{}
	}
	if first, again := s.seen[e.ID]; again {
		if p.Once(strconv.FormatUint(uint64(s.session), 10)) {
			p.Report(p.Stream(), "id: "+e.ID, "an id that no other event of the session has").Also(Place{Frame: first.at, Part: Stream})
		}
		return
	}
	if len(s.seen) < maxEventIDs {
		s.seen[e.ID] = eventID{p.m.Seq}
	}
}

// checkBroadcast: a message with an id goes over one stream. One that a resumed stream sends again is no second message.
func checkBroadcast(p *Pass) {
	type sent struct {
		lane uint32
		at   wire.Seq
	}
	type state struct {
		session wire.Seq
		seen    map[string]sent
	}
	if p.m.Event == nil || p.m.ID == "" || p.m.ID == "null" || p.in.history.gets[p.m.Lane] || p.in.history.sse {
		return
	}
	s := Keep[state](p)
	if now := p.in.history.session; s.seen == nil || s.session != now {
		s.session, s.seen = now, map[string]sent{}
	}
	kind := "answer "
	if p.m.Kind == wire.Request {
		kind = "request "
	}
	key := kind + p.m.ID
	before, again := s.seen[key]
	if again && before.lane != p.m.Lane {
		p.Report(p.Stream(), "the "+kind+p.m.ID+" once more, on another stream", "each message on one stream").Also(Place{Frame: before.at, Part: Stream})
		return
	}
	if !again && len(s.seen) < maxEventIDs {
		s.seen[key] = sent{lane: p.m.Lane, at: p.m.Seq}
	}
}

// checkEndpointEvent: on the old transport the first event names the address for our messages.
func checkEndpointEvent(p *Pass) {
	type state struct{ lanes map[uint32]bool }
	_, get := p.in.history.gets[p.m.Lane]
	e := p.m.Event
	if e == nil || !get || !p.in.history.sse {
		return
	}
	s := Keep[state](p)
	if s.lanes == nil {
		s.lanes = map[uint32]bool{}
	}
	if s.lanes[p.m.Lane] || len(s.lanes) > 1000 {
		return
	}
	s.lanes[p.m.Lane] = true
	const want = "the event endpoint first, with the address to post to"
	switch {
	case e.Name != "endpoint":
		name := e.Name
		if name == "" {
			name = "message"
		}
		p.Report(p.Stream(), "event: "+name, want)
	case strings.TrimSpace(string(p.m.Body)) == "":
		p.Report(p.Stream(), "event: endpoint without an address", want)
	}
}
