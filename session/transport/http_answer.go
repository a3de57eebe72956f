package transport

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"mcploupe/session/transport/events"
	"mcploupe/session/wire"
)

const eventStream = "text/event-stream"

// isStream says whether an answer is an event stream that can be read as one.
func isStream(resp *http.Response, body *decoded) bool {
	return mediaType(resp.Header.Get("Content-Type")) == eventStream && !body.opaque
}

// answer reads what came back and tells it on the lane: an event stream event by event, any other body
// as one frame.
func (c *client) answer(l *lane, resp *http.Response) {
	defer func() { _ = resp.Body.Close() }()
	body := decode(resp.Body, resp.Header.Values("Content-Encoding"), l.offers)
	if isStream(resp, body) {
		c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneHead, HTTP: responseHead(resp)})
		c.stream(l, body, nil)
		return
	}
	c.whole(l, resp, body)
}

// whole reads a body to its end and tells it as one frame, with the head; without a body, the head alone.
func (c *client) whole(l *lane, resp *http.Response, body *decoded) (text []byte) {
	text, dropped, err := readBody(body, int(c.opts.MaxMessage), resp.ContentLength)
	end := c.ending(l, body, err)
	var shape wire.Shape
	if body.odd {
		shape |= wire.ShapeEncoding
	}
	if end.Kind != wire.LaneEOF || errors.Is(body.broken, io.ErrUnexpectedEOF) {
		shape |= wire.ShapeTruncated
	}
	if dropped > 0 {
		shape |= wire.ShapeCut
	}
	head := responseHead(resp)
	if len(text) == 0 {
		c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneHead, HTTP: head})
	} else {
		c.tap.Frame(&wire.Frame{Dir: wire.Received, Lane: l.id, HTTP: head, Shape: shape, Dropped: dropped, Body: text})
	}
	c.tap.Lane(end)
	return text
}

// ending is how a body ended.
func (c *client) ending(l *lane, body *decoded, err error) wire.Lane {
	end := wire.Lane{ID: l.id, Kind: wire.LaneEOF}
	switch {
	case errors.Is(err, io.EOF):
	case c.byUs(l):
		end.Kind, end.Text = wire.LaneClosed, closedByUs
	case body.broken != nil:
		end.Text = body.broken.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		end.Kind, end.Text = wire.LaneCut, "the connection ended before the body was complete"
	default:
		end.Kind, end.Text = wire.LaneCut, err.Error()
	}
	return end
}

// stream tells an event stream, event by event. seen gets each event after it was told; it may be nil.
func (c *client) stream(l *lane, body *decoded, seen func(events.Event)) {
	p := events.Parser{Max: int(c.opts.MaxMessage)}
	tell := func(e events.Event, shape wire.Shape) {
		if body.odd {
			shape |= wire.ShapeEncoding
		}
		c.tap.Frame(eventFrame(l.id, e, shape))
		if seen != nil {
			seen(e)
		}
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		for _, e := range p.Feed(buf[:n]) {
			tell(e, 0)
		}
		if err == nil {
			continue
		}
		end := c.ending(l, body, err)
		if e, ok := p.End(); ok {
			shape := wire.ShapeUnterminated
			if end.Kind != wire.LaneEOF {
				shape |= wire.ShapeTruncated
			}
			tell(e, shape)
		}
		c.tap.Lane(end)
		return
	}
}

func eventFrame(lane uint32, e events.Event, shape wire.Shape) *wire.Frame {
	if e.Dropped > 0 {
		shape |= wire.ShapeCut
	}
	return &wire.Frame{
		Dir: wire.Received, Lane: lane, Shape: shape, Dropped: e.Dropped, Body: e.Data,
		Event: &wire.Event{Name: e.Name, ID: e.ID, Retry: e.Retry, Comments: e.Comments, NoData: !e.HasData, Raw: e.Raw},
	}
}

// responseHead is the head of a response. net/http does not tell in which order and case the fields
// came: they are sorted, in its spelling.
func responseHead(resp *http.Response) *wire.Head {
	h := &wire.Head{Status: resp.StatusCode, Proto: resp.Proto}
	for name, values := range resp.Header {
		for _, v := range values {
			h.Header = append(h.Header, wire.Field{Name: name, Value: v})
		}
	}
	if len(resp.TransferEncoding) > 0 { // net/http takes it out
		h.Header = append(h.Header, wire.Field{Name: "Transfer-Encoding", Value: strings.Join(resp.TransferEncoding, ", ")})
	}
	slices.SortStableFunc(h.Header, func(a, b wire.Field) int { return strings.Compare(a.Name, b.Name) })
	timed(h, resp)
	return h
}

// readBody reads to the end; over max, head and tail are kept. The error is io.EOF at an orderly end.
func readBody(r io.Reader, max int, announced int64) (body []byte, dropped int64, err error) {
	first := int64(16 << 10)
	if announced > 0 && announced <= min(int64(max), 16<<20) {
		first = announced + 1 // room to see the end without growing
	}
	buf := make([]byte, 0, first)
	for {
		if len(buf) > max {
			return readClip(r, buf, max)
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, len(buf))
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil && len(buf) <= max {
			return buf, 0, err
		}
		if err != nil {
			return readClip(failing{err}, buf, max)
		}
	}
}

func readClip(r io.Reader, begun []byte, max int) (body []byte, dropped int64, err error) {
	clip := events.NewClip(max)
	clip.Write(begun)
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		clip.Write(buf[:n])
		if err != nil {
			body, dropped := clip.End()
			return body, dropped, err
		}
	}
}

// failing is a reader that has come to its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
