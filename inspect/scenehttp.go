package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// sceneURL is the endpoint of every example over HTTP.
const sceneURL = "http://127.0.0.1:8080/mcp"

// add appends an entry, stamped.
func (s *scene) add(e wire.Entry) wire.Seq {
	e.Seq, e.At = wire.Seq(len(s.entries)+1), s.now
	s.now = s.now.Add(10 * time.Millisecond)
	s.entries = append(s.entries, e)
	return e.Seq
}

// latest is the latest request that is waiting, nil when none is. Over HTTP a notification, and text that is no message,
// wait for their response until the next thing is sent.
func (s *scene) latest() *asked {
	if s.noted != nil {
		return s.noted
	}
	if len(s.pending) == 0 {
		return nil
	}
	return &s.pending[len(s.pending)-1]
}

// frame adds a frame of ours.
func (s *scene) frame(dir wire.Dir, body []byte, method, name string) wire.Seq {
	f := &wire.Frame{Dir: dir, Lane: s.lane, Body: body}
	e := s.sendEdit
	s.sendEdit = nil
	if s.http {
		f.HTTP = &wire.Head{Method: "POST", URL: cmpOr(s.at, sceneURL), Proto: "HTTP/1.1", Header: s.requestHeader(method, name)}
	}
	e.apply(f)
	seq := s.add(wire.Entry{Frame: f.Seal()})
	s.frames = append(s.frames, seq)
	return seq
}

func (s *scene) requestHeader(method, name string) []wire.Field {
	h := []wire.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json, text/event-stream"}}
	if s.modern() || s.revision() >= mcp.R20250618 && method != mcp.Initialize {
		h = append(h, wire.Field{Name: mcp.HeaderProtocolVersion, Value: s.revision()})
	}
	if s.modern() && method != "" {
		h = append(h, wire.Field{Name: mcp.HeaderMethod, Value: method})
		if m, ok := mcp.Lookup(method); ok && m.NameParam != "" {
			h = append(h, wire.Field{Name: mcp.HeaderName, Value: mcp.EncodeHeader(name)})
		}
	}
	return h
}

// answer adds a frame of the server for a request that is waiting; reply tells that it ends the waiting.
func (s *scene) answer(to *asked, body []byte, reply bool) {
	f := &wire.Frame{Dir: wire.Received, Body: body}
	e := s.recvEdit
	s.recvEdit = nil
	sse := false
	if s.http && to != nil {
		f.Lane = to.lane
		if e != nil && e.sse {
			to.sse, to.open = true, e.open
			s.add(wire.Entry{Lane: &wire.Lane{ID: to.lane, Kind: wire.LaneHead, HTTP: e.head(sseHead())}})
		}
		if sse = to.sse; sse {
			f.Event = &wire.Event{}
			if e != nil && e.event != nil {
				f.Event = e.event
			}
		} else {
			f.HTTP = e.head(&wire.Head{Status: 200, Proto: "HTTP/1.1", Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}}})
		}
	}
	e.applyShape(f)
	seq := s.add(wire.Entry{Frame: f.Seal()})
	s.frames = append(s.frames, seq)
	if to == nil || !reply {
		return
	}
	lane, open := to.lane, to.open
	if sse && open {
		return // more is to come on this stream
	}
	if sse {
		s.add(wire.Entry{Lane: &wire.Lane{ID: lane, Kind: wire.LaneEOF}})
	}
	s.settle(to)
}

func (s *scene) settle(to *asked) {
	if to == s.noted {
		s.noted = nil
		return
	}
	id := to.id
	s.pending = slices.DeleteFunc(s.pending, func(a asked) bool { return a.id == id })
}

func sseHead() *wire.Head {
	return &wire.Head{Status: 200, Proto: "HTTP/1.1", Header: []wire.Field{
		{Name: "Content-Type", Value: "text/event-stream"}, {Name: "Cache-Control", Value: "no-cache, no-transform"},
		{Name: "X-Accel-Buffering", Value: "no"}}}
}

// nothing is an HTTP response without a body.
func (s *scene) nothing(to *asked) error {
	if !s.http || to == nil {
		return fmt.Errorf("nothing is an HTTP response without a body, to a request that waits")
	}
	head := s.recvEdit.head(&wire.Head{Status: 202, Proto: "HTTP/1.1"})
	s.recvEdit = nil
	seq := s.add(wire.Entry{Lane: &wire.Lane{ID: to.lane, Kind: wire.LaneHead, HTTP: head}})
	if to == s.stream {
		s.frames = append(s.frames, seq)
	}
	s.add(wire.Entry{Lane: &wire.Lane{ID: to.lane, Kind: wire.LaneEOF}})
	s.settle(to)
	return nil
}

// ends is a line "~".
func (s *scene) ends(text string) error {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return fmt.Errorf("how does it end?")
	}
	lane := &wire.Lane{}
	if to := s.latest(); to != nil {
		lane.ID = to.lane
	}
	number := func(i int) int {
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			return n
		}
		return 0
	}
	switch fields[0] {
	case "eof":
		lane.Kind = wire.LaneEOF
	case "cut":
		lane.Kind = wire.LaneCut
	case "failed":
		lane.Kind = wire.LaneFailed
	case "closed":
		lane.Kind = wire.LaneClosed
	case "bare":
		if len(fields) != 3 || !s.http {
			return fmt.Errorf("bare is a request without a body over HTTP: its method and the status of the response")
		}
		s.lane++
		s.add(wire.Entry{Lane: &wire.Lane{ID: s.lane, Kind: wire.LaneOpen, HTTP: &wire.Head{Method: fields[1], URL: sceneURL, Proto: "HTTP/1.1"}}})
		s.add(wire.Entry{Lane: &wire.Lane{ID: s.lane, Kind: wire.LaneHead, HTTP: &wire.Head{Status: number(2), Proto: "HTTP/1.1"}}})
		lane.Kind, lane.ID = wire.LaneEOF, s.lane
	case "saw":
		s.add(wire.Entry{Note: &wire.Note{From: NoteProbe, Text: strings.TrimSpace(strings.TrimPrefix(text, "saw"))}})
		return nil
	case "exit":
		lane.Kind, lane.ID = wire.LaneExit, 0
		lane.Exit = &wire.Exit{Argv: []string{"example-server"}, Code: number(1),
			Ours: slices.Contains(fields, "ours"), Late: slices.Contains(fields, "late")}
	case "cancel", "timeout":
		how := map[string]wire.End{"cancel": wire.Cancelled, "timeout": wire.TimedOut}[fields[0]]
		i := slices.IndexFunc(s.pending, func(a asked) bool { return len(fields) < 2 || a.id == fields[1] })
		if i < 0 {
			return fmt.Errorf("no such request is waiting")
		}
		s.add(wire.Entry{Ending: &wire.Ending{Of: s.pending[i].seq, How: how}})
		return nil
	default:
		return fmt.Errorf("ends are eof, cut, failed, closed, exit, cancel, timeout, bare, saw")
	}
	s.add(wire.Entry{Lane: lane})
	return nil
}

// shapes are the words for framing facts.
func shapes() map[string]wire.Shape {
	return map[string]wire.Shape{
		"crlf": wire.ShapeCRLF, "blank": wire.ShapeBlank, "pretty": wire.ShapePretty, "glued": wire.ShapeGlued, "lsp": wire.ShapeLSP,
		"noise": wire.ShapeNoise, "unterminated": wire.ShapeUnterminated, "cut": wire.ShapeCut, "truncated": wire.ShapeTruncated,
		"encoding": wire.ShapeEncoding,
	}
}

func parseEdit(text string) (*edit, error) {
	e := new(edit)
	event := func() *wire.Event {
		if e.event == nil {
			e.event = new(wire.Event)
		}
		return e.event
	}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		var name, value string
		end := strings.IndexAny(rest, " =")
		switch {
		case end < 0:
			name, rest = rest, ""
		case rest[end] == ' ':
			name, rest = rest[:end], rest[end:]
		default:
			name, rest = rest[:end], rest[end+1:]
			if q, err := strconv.QuotedPrefix(rest); err == nil {
				value, _ = strconv.Unquote(q)
				rest = rest[len(q):]
			} else {
				value, rest, _ = strings.Cut(rest, " ")
			}
		}
		switch {
		case name == "sse":
			e.sse = true
		case name == "open":
			e.open = true
		case name == "why":
			e.why = value
		case name == "before":
			e.before = value
		case name == "url":
			e.url = value
		case name == "lines" || name == "status":
			n, err := strconv.Atoi(value)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", name, err)
			}
			if name == "lines" {
				e.lines = n
			} else {
				e.status = n
			}
		case name == "shape":
			for word := range strings.SplitSeq(value, ",") {
				if shapes()[word] == 0 {
					return nil, fmt.Errorf("%q is no shape", word)
				}
				e.shape |= shapes()[word]
			}
		case name == "event":
			event().Name = value
		case name == "event-id":
			event().ID = value
		case name == "retry":
			event().Retry = value
		case name == "comment":
			event().Comments = append(event().Comments, value)
		case name == "nodata":
			event().NoData = true
		case strings.HasPrefix(name, "-"):
			e.remove = append(e.remove, name[1:])
		default:
			e.set = append(e.set, wire.Field{Name: name, Value: value})
		}
	}
	return e, nil
}

// apply changes a frame of ours.
func (e *edit) apply(f *wire.Frame) {
	if e == nil {
		return
	}
	f.Why = e.why
	if f.HTTP != nil {
		f.HTTP = e.head(f.HTTP)
		f.HTTP.URL = cmpOr(e.url, f.HTTP.URL)
	}
	e.applyShape(f)
}

func (e *edit) applyShape(f *wire.Frame) {
	if e == nil {
		return
	}
	f.Shape, f.Lines = e.shape, e.lines
	if e.before != "" {
		f.Before = []byte(e.before)
	}
}

// head changes a head.
func (e *edit) head(h *wire.Head) *wire.Head {
	if e == nil {
		return h
	}
	if e.status != 0 {
		h.Status = e.status
	}
	gone := func(name string) bool {
		same := func(n string) bool { return strings.EqualFold(n, name) }
		return slices.ContainsFunc(e.remove, same) || slices.ContainsFunc(e.set, func(f wire.Field) bool { return same(f.Name) })
	}
	h.Header = slices.DeleteFunc(h.Header, func(f wire.Field) bool { return gone(f.Name) })
	h.Header = append(h.Header, e.set...)
	return h
}
