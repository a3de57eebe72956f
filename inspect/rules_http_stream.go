package inspect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// streamRules are about responses that are event streams.
func streamRules() []*Rule {
	return []*Rule{{
		ID:     "http-sse-bad-data",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: sourceSending + " 6; WHATWG SSE",
		On:     Frames(),
		Check:  checkEventData,
	}, {
		ID:     "http-sse-no-response",
		Level:  Should,
		Eras:   ">=2025-03-26",
		Source: sourceReceiving,
		On:     Exchanges(),
		Check:  checkStreamEnd,
	}, {
		ID:     "http-sse-foreign-message",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: sourceReceiving,
		On:     Messages(),
		Check: func(p *Pass) {
			if !p.SSE() || p.Late() {
				return
			}
			switch {
			case p.foreignAnswer():
				p.Report(p.At(p.Root().Get("id")), "", "only what belongs to the request of this stream").Also(p.Frame(p.x.Of))
			case p.x.Request != nil && p.x.Request.Kind == wire.Request && p.x.Request.Method != mcp.Listen && p.forListeners():
				p.Report(p.At(p.Root().Get("method")), "", "this on the stream of a subscriptions/listen only").Also(p.Frame(p.x.Seq()))
			}
		},
	}, {
		ID:     "http-sse-after-response",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: sourceReceiving + "; basic/patterns/progress",
		On:     Notifications().Or(ServerRequests()),
		Check: func(p *Pass) {
			if p.SSE() && p.Late() && p.x.End == wire.Replied && p.x.Reply.Event != nil && p.x.Reply.Lane == p.m.Lane {
				p.Report(p.Timing(), "a message behind the answer, on the same stream", "the end of the stream").Also(p.Frame(p.x.Reply.Seq))
			}
		},
	}, {
		ID:     "http-sse-not-closed",
		Level:  Should,
		Eras:   ">=2025-03-26",
		Source: sourceReceiving,
		On:     Exchanges().Or(AtEnd()),
		Check:  checkStreamClosed,
	}, {
		ID:     "http-sse-event-id",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "changelog Major 9; " + sourceReceiving,
		On:     Frames(),
		Check: func(p *Pass) {
			e := p.m.Event
			if e == nil || e.ID == "" && e.Retry == "" || !p.Once("") {
				return
			}
			got := "id: " + e.ID
			if e.ID == "" {
				got = "retry: " + e.Retry
			}
			p.Report(p.Stream(), got, "neither id nor retry: a stream cannot be resumed since 2026-07-28")
		},
	}, {
		ID:     "http-sse-buffering-header",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: sourceReceiving,
		On:     Messages(),
		Check: func(p *Pass) {
			const name = "X-Accel-Buffering"
			if !p.SSE() || p.x.Head == nil || strings.EqualFold(strings.TrimSpace(p.x.Head.Get(name)), "no") || !p.Once("") {
				return
			}
			r := p.Report(p.Header(name), "", "X-Accel-Buffering: no, so that nothing on the way holds events back")
			if hasHeader(p.x.Head, "Via") || hasHeader(p.x.Head, "CF-Ray") || hasHeader(p.x.Head, "X-Cache") {
				r.Guess() // something on the way may have taken it out
			}
		},
	}, {
		ID:     "http-sse-buffered",
		Level:  Advice,
		Eras:   ">=2025-03-26",
		Source: sourceReceiving,
		On:     Exchanges(),
		Check:  checkBuffered,
	}, {
		ID:     "http-sse-cache-control",
		Level:  Advice,
		Eras:   ">=2025-03-26",
		Source: "RFC 9111 §5.2.2",
		On:     Messages(),
		Check: func(p *Pass) {
			if !p.SSE() || p.x.Head == nil {
				return
			}
			value := strings.ToLower(p.x.Head.Get("Cache-Control"))
			for _, word := range []string{"no-cache", "no-store", "no-transform", "private", "max-age=0"} {
				if strings.Contains(value, word) {
					return
				}
			}
			if value != "" && p.Once("") {
				p.Report(p.Header("Cache-Control"), "", "no-cache, no-transform")
			}
		},
	}}
}

// forListeners tells that the message is a notification that only a subscription brings.
func (p *Pass) forListeners() bool {
	if p.m.Kind != wire.Notification {
		return false
	}
	switch p.m.Method {
	case mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged, mcp.ResourcesUpdated, mcp.Acknowledged:
		return true
	}
	return false
}

// checkEventData wants one message as the data of every event.
func checkEventData(p *Pass) {
	e := p.m.Event
	if e == nil || e.NoData || e.Name == "endpoint" || p.m.Shape&(wire.ShapeUnterminated|wire.ShapeTruncated|wire.ShapeCut|wire.ShapeEncoding) != 0 {
		return
	}
	if strings.TrimSpace(string(p.m.Body)) == "" {
		// Up to 2025-11-25 a stream could begin with an empty event, to give it an id.
		if p.Modern() {
			p.Report(p.Stream(), "an event with empty data", "one whole message as data, or a comment to keep the stream alive")
		}
		return
	}
	if p.m.Kind == wire.NotJSON || p.m.Kind == wire.Odd && !p.root.Is(jsondoc.Object) || !readable(p.m.Doc()) {
		p.Report(p.Stream(), "", "one whole JSON-RPC message as data")
	}
}

// checkStreamEnd reports streams that ended without the answer.
func checkStreamEnd(p *Pass) {
	if !p.eventStream() || p.Method() == mcp.Listen || !p.ordinary() || !p.ownBody() || p.OurEnd() {
		return
	}
	const want = "a result or an error before the stream ends"
	if r := p.x.Reply; r != nil {
		if r.Event != nil && r.Shape&(wire.ShapeUnterminated|wire.ShapeTruncated) != 0 {
			p.Report(p.Stream(), "an answer that its stream cut off: the empty line that ends an event is missing", want)
		}
		return
	}
	if p.x.End != wire.Dropped || len(p.x.Foreign) > 0 {
		return
	}
	for i := range p.x.During {
		if e := p.x.During[i].Event; e != nil && e.ID != "" && !p.Modern() {
			return // the stream could be resumed there
		}
	}
	switch p.History().LaneEnd(p.x.Request.Lane) {
	case wire.LaneEOF, wire.LaneCut:
		p.Report(p.Timing(), "the stream ended", want)
	}
}

const (
	streamGrace = 5 * time.Second
	maxStreams  = 64
)

// checkStreamClosed looks, as time goes by, whether the streams that have brought their answer were closed.
func checkStreamClosed(p *Pass) {
	type open struct {
		reply wire.Seq
		lane  uint32
		since time.Time
	}
	type streams struct{ open []open }
	kept := Keep[streams](p)
	now := p.History().last
	still := kept.open[:0]
	for _, o := range kept.open {
		switch {
		case p.History().LaneEnd(o.lane) != 0:
		case now.Sub(o.since) >= streamGrace:
			p.Report(Place{Frame: o.reply, Part: Timing}, fmt.Sprintf("still open %.0f s after the answer", now.Sub(o.since).Seconds()), "the end of the stream behind the answer")
		default:
			still = append(still, o)
		}
	}
	kept.open = still
	if r := p.x.Reply; r != nil && r.Event != nil && p.ownBody() && p.x.Request.Lane != 0 && len(kept.open) < maxStreams {
		kept.open = append(kept.open, open{r.Seq, r.Lane, r.At})
	}
}

const (
	burst     = 20 * time.Millisecond
	longWait  = 3 * time.Second
	fewEvents = 3
)

// checkBuffered looks for events that all came at once at the end of a long wait, and for a stream that was compressed.
func checkBuffered(p *Pass) {
	if !p.eventStream() || p.x.Reply == nil || p.x.Reply.Event == nil {
		return
	}
	const want = "each event as soon as it happens"
	if enc := p.Head().Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") && p.Once("encoding") {
		p.Report(p.Header("Content-Encoding"), "", "no compression: it collects events before it lets them go").Guess()
		return
	}
	if len(p.x.During) < fewEvents {
		return
	}
	first, last := p.x.During[0].At, p.x.Reply.At
	if last.Sub(first) <= burst && first.Sub(p.x.Request.At) >= longWait && p.Once("") {
		p.Report(p.Timing(), strconv.Itoa(len(p.x.During)+1)+" events within "+last.Sub(first).String(), want).
			Also(p.Frame(p.x.During[0].Seq)).Guess()
	}
}
