package inspect

import (
	"fmt"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// bare is one HTTP exchange that carries no message: a GET or a DELETE of the endpoint.
type bare struct {
	method string
	lane   uint32
	seq    wire.Seq // where the response's head stands, 0 while none came
	status int
}

// maxBare is how many of them are remembered.
const maxBare = 256

// learnLane takes note of requests without a body and of their responses.
func (h *History) learnLane(e *wire.Entry) {
	l := e.Lane
	switch {
	case l.Kind == wire.LaneOpen && l.HTTP != nil && len(h.bares) < maxBare:
		h.bares = append(h.bares, bare{method: l.HTTP.Method, lane: l.ID})
	case l.Kind == wire.LaneHead && l.HTTP != nil:
		h.bareStatus(l.ID, e.Seq, l.HTTP.Status)
	}
}

// bareStatus takes note of the status of a response, whatever came with it.
func (h *History) bareStatus(lane uint32, seq wire.Seq, status int) {
	for i := range h.bares {
		if b := &h.bares[i]; b.lane == lane && b.seq == 0 {
			b.seq, b.status = seq, status
		}
	}
}

// learnReach takes note of an address at which a server of this machine can be reached from others.
func (h *History) learnReach(e *wire.Entry) {
	if addr, ok := strings.CutPrefix(e.Note.Text, ReachText); ok && e.Note.From == NoteProbe && len(h.reached) < maxBare {
		h.reached = append(h.reached, reach{e.Seq, addr})
	}
}

// reach is an address at which the server was reached besides its own.
type reach struct {
	seq  wire.Seq
	addr string
}

// endpointRules are about the endpoint itself: the HTTP methods that it answers to, and who can reach it.
func endpointRules() []*Rule {
	const earlier = "transports/streamable-http §Earlier Streamable HTTP Revisions"
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "http-get-status",
		Level:  Should,
		Eras:   modern,
		Source: earlier,
		On:     AtEnd(),
		Probe:  ProbeGet,
		Check:  func(p *Pass) { p.checkBare("GET") },
	}, {
		ID:     "http-delete-status",
		Level:  Should,
		Eras:   modern,
		Source: earlier,
		On:     AtEnd(),
		Probe:  ProbeDelete,
		Check:  func(p *Pass) { p.checkBare("DELETE") },
	}, {
		ID:     "http-bind-all",
		Level:  Should,
		Eras:   "all",
		Source: "transports/streamable-http §Security & Endpoint 2",
		On:     AtEnd(),
		Probe:  ProbeBindAll,
		Check: func(p *Pass) {
			var all []Place
			for _, r := range p.History().reached {
				all = append(all, Place{Frame: r.seq})
			}
			if len(all) > 0 {
				p.Report(all[0], "reachable at "+p.History().reached[0].addr, "a server on this machine for this machine: bound to 127.0.0.1 alone").
					Also(all[1:]...).Likely()
			}
		},
	}}
}

// checkBare judges the responses to requests of one HTTP method that a server without sessions has no use for. A server that also speaks
// an older revision does have one.
func (p *Pass) checkBare(method string) {
	for _, v := range stringsIn(p.History().Discover().Get("supportedVersions")) {
		if mcp.Known(v) && !mcp.Modern(v) {
			return
		}
	}
	for _, b := range p.History().bares {
		switch {
		case b.method != method, b.seq == 0, b.status == 405:
		case b.status == 401, b.status == 403, b.status == 429, b.status >= 500: // somebody else's answer
		default:
			p.ReportSame(method, Place{Frame: b.seq, Part: Status}, fmt.Sprintf("HTTP %d", b.status), "HTTP 405 to "+method+" and the header Allow: POST")
		}
	}
}
