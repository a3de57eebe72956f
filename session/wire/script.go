package wire

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseScript reads a conversation that was written down for people, and gives the entries that a journal
// of it would have. Format is its inverse. A script is made of lines; the first character tells what a line is:
//
//	> {"jsonrpc":"2.0","id":1,"method":"ping"}    a frame that we sent
//	< {"jsonrpc":"2.0","id":1,"result":{}}        a frame that we received
//	<< exact \xff bytes\n                         a received frame, the text with Go escapes; >> is a sent one
//	! a line on stderr                            a note
//	@ +1.5s                                       the next entry comes 1.5 s after the last (else 10 ms)
//	@ 2026-03-01T12:00:00Z                        the next entry comes at this time
//	@ seq=17                                      the next entry has number 17 (else one more than the last)
//	~ eof                                         the channel: open, eof, cut, failed, closed; then a text or nothing
//	~ exit 1                                      the child exited; +signal=killed, +ours, +late, +stderr="last line"
//	~ cancel 7 because                            we gave up request id 7 (#7: entry 7; nothing: the latest): cancel, timeout, drop
//	= ready +era=modern +version=2026-07-28 text  a step of the connection: connecting, detecting, ready, lost, failed, closed
//	? elicitation/create +of=3 +key=k {"params"}  a question to the person; +answer=`{…}` once it is answered
//	# a comment
//
// Blank lines are nothing. A line that begins with a blank continues the one before: joined by one blank, but to
// << and >> without. The clock starts at ScriptStart, numbers at 1.
//
// # HTTP
//
//	> http POST /mcp Mcp-Method=tools/list        begins a new lane; the next > line is its body
//	> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
//	< http 200 Content-Type=application/json      the response; the next < line is its body
//	< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
//
//	< http 200 Content-Type=text/event-stream     every < line of the lane is now one event …
//	< +event=message +id=4 {"jsonrpc":"2.0"}      … with these fields (+retry=, +comment=, +nodata, +raw= too)
//	~ eof                                         … until the stream ends
//
//	< http 202                                    without body: the lane ends as well, but for +open or a ~ line
//	> http GET /mcp Accept=text/event-stream      without body: opens a stream
//
// A value with blanks stands in Go quotes or back quotes: WWW-Authenticate="Bearer realm=x". A protocol version
// (HTTP/2.0) may stand before the headers. Marks of a head: +open (no body and no end follows from the next line),
// +body (the next line is the body, although it calls itself an event stream), +text="for people", +resumes=3 (a GET that goes
// on with the event stream of that lane), +waited=12ms and +dialed=3ms (Head.Waited, Head.Dialed).
//
// Frames without a head are on the lane of the line before; a digit behind the mark names another: >2, <2, ~2.
// Lane 0 is stdio.
//
// # Marks of a frame
//
// They stand before the text, each beginning with +. What the transport found out about the framing: crlf blank pretty
// glued lsp noise unterminated cut truncated encoding; lines=3, dropped=1000, before="\xef\xbb\xbf". Why we sent it:
// why=probe-name. A secret was replaced: masked. On stdio a received text that is no JSON-RPC object is noise without
// saying so (and blank a blank one); plain denies it. sse and noevent say that a frame is an event, or none,
// against what its lane says.
//
//	< Server listening on port 3000
//	< +crlf {"jsonrpc":"2.0","id":1,"result":{}}
//
// Errors name the line.
func ParseScript(text string) ([]Entry, error) {
	p := scriptParser{at: ScriptStart(), step: 0, streams: map[uint32]bool{}}
	for number, line := range logicalLines(text) {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("reading the script: line %d: %w", number, err)
		}
	}
	if err := p.flush(""); err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	return p.entries, nil
}

// ScriptStart is when a script begins that names no time.
func ScriptStart() time.Time { return time.Date(2026, time.August, 1, 12, 0, 0, 0, time.UTC) }

// scriptStep is the time between two entries of a script.
const scriptStep = 10 * time.Millisecond

type scriptParser struct {
	entries []Entry
	seq     Seq
	at      time.Time
	step    time.Duration // from the last entry to the next
	moved   bool          // an @ line set the step

	lane, lanes uint32 // the lane of the line before; the highest so far
	head        *scriptHead
	streams     map[uint32]bool // lanes that carry events

	fold   *Fold // to find requests by id; built when a line asks
	folded int   // entries that it has seen
}

// scriptHead is an HTTP head whose body may be the next line.
type scriptHead struct {
	dir  Dir
	lane uint32
	head *Head
	open bool // nothing follows from what comes next: no body, no end of the lane
	body bool // not the head of an event stream, whatever it says
	text string

	resumes int
}

// logicalLines numbers the lines, without comments and blank ones, with continuations joined.
func logicalLines(text string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		begun, current := 0, ""
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			trimmed := strings.TrimSpace(line)
			switch {
			case trimmed == "" || line[0] == '#':
				continue
			case (line[0] == ' ' || line[0] == '\t') && begun > 0:
				if !strings.HasPrefix(current, "<<") && !strings.HasPrefix(current, ">>") {
					trimmed = " " + trimmed
				}
				current += trimmed
				continue
			}
			if begun > 0 && !yield(begun, current) {
				return
			}
			begun, current = number, line
		}
		if begun > 0 {
			yield(begun, current)
		}
	}
}

func (p *scriptParser) add(e Entry) {
	p.seq++
	if len(p.entries) > 0 && !p.moved {
		p.step = scriptStep
	}
	p.at = p.at.Add(p.step)
	p.step, p.moved = 0, false
	e.Seq, e.At = p.seq, p.at
	if e.Frame != nil {
		e.Frame.Seal()
	}
	p.entries = append(p.entries, e)
}

func (p *scriptParser) line(line string) error {
	mark := line[:1]
	if strings.HasPrefix(line, "<<") || strings.HasPrefix(line, ">>") {
		mark = line[:2]
	}
	rest := line[len(mark):]
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	lane, named := p.lane, digits > 0
	if named {
		n, err := strconv.ParseUint(rest[:digits], 10, 32)
		if err != nil {
			return fmt.Errorf("reading the lane %q: %w", rest[:digits], err)
		}
		lane, rest = uint32(n), rest[digits:]
	}
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return fmt.Errorf("%q: a line is a mark, a blank, and a text", line)
	}
	rest = strings.TrimPrefix(rest, " ")
	if mark != "<<" && mark != ">>" {
		rest = strings.TrimSpace(rest)
	}
	after := ""
	if mark == "~" && p.head != nil && p.head.lane == lane {
		after = "~"
	}
	switch mark {
	case ">", ">>", "<", "<<":
		return p.message(mark, lane, named, rest)
	}
	if err := p.flush(after); err != nil {
		return err
	}
	if named && mark != "~" {
		return fmt.Errorf("%q: only frames and ~ lines have a lane", line)
	}
	w := words{rest: rest}
	switch mark {
	case "~":
		return p.channel(lane, named, &w)
	case "!":
		return p.note(&w)
	case "@":
		return p.clock(rest)
	case "=":
		return p.state(&w)
	case "?":
		return p.ask(&w)
	}
	return fmt.Errorf("%q: a line begins with > < >> << ! @ ~ = ? or #", line)
}

// use makes a lane the current one.
func (p *scriptParser) use(lane uint32) {
	p.lane, p.lanes = lane, max(p.lanes, lane)
}

// flush adds the head that found no body. after is "~" when the line that follows tells how its lane goes on.
func (p *scriptParser) flush(after string) error {
	h := p.head
	if p.head = nil; h == nil {
		return nil
	}
	if h.dir == Sent {
		p.add(Entry{Lane: &Lane{ID: h.lane, Kind: LaneOpen, HTTP: h.head, Text: h.text, Resumes: uint32(max(h.resumes, 0))}})
		return nil
	}
	p.add(Entry{Lane: &Lane{ID: h.lane, Kind: LaneHead, HTTP: h.head, Text: h.text}})
	if after == "" && !h.open {
		p.add(Entry{Lane: &Lane{ID: h.lane, Kind: LaneEOF}})
	}
	return nil
}

func (p *scriptParser) message(mark string, lane uint32, named bool, rest string) error {
	dir := Sent
	if mark[0] == '<' {
		dir = Received
	}
	exact := len(mark) == 2
	if !exact && (rest == "http" || strings.HasPrefix(rest, "http ")) {
		if err := p.flush(""); err != nil {
			return err
		}
		if dir == Sent && !named {
			lane = p.lanes + 1
		}
		return p.httpHead(dir, lane, strings.TrimPrefix(rest, "http"))
	}
	f := &Frame{Dir: dir, Lane: lane}
	if h := p.head; h != nil && h.dir == dir && h.lane == lane && h.text == "" && !h.open {
		f.HTTP, p.head = h.head, nil
	} else if err := p.flush(""); err != nil {
		return err
	}
	p.use(lane)
	w := words{rest: rest}
	marks, err := frameMarks(f, &w, dir == Received && f.HTTP == nil && p.streams[lane])
	if err != nil {
		return err
	}
	if exact {
		if len(w.rest) < len(rest) { // the blank behind the marks
			w.rest = strings.TrimPrefix(w.rest, " ")
		}
		if f.Body, err = unescape(w.rest); err != nil {
			return err
		}
	} else {
		f.Body = []byte(strings.TrimSpace(w.rest))
	}
	if f.Shape == 0 && !marks.plain {
		f.Shape = impliedShape(f)
	}
	p.add(Entry{Frame: f})
	return nil
}

// impliedShape is what the stdio transport says about a received line that is no JSON-RPC object.
func impliedShape(f *Frame) Shape {
	if f.Lane != 0 || f.Dir != Received {
		return 0
	}
	m := Read(0, time.Time{}, f)
	switch {
	case blank(f.Body):
		return ShapeBlank
	case m.Kind == NotJSON, m.Kind == Odd && !strings.HasPrefix(strings.TrimSpace(string(f.Body)), "{"):
		return ShapeNoise
	}
	return 0
}

func (p *scriptParser) httpHead(dir Dir, lane uint32, rest string) error {
	p.use(lane)
	h := &scriptHead{dir: dir, lane: lane, head: new(Head)}
	if p.head = h; dir == Received {
		p.streams[lane] = false
	}
	w := words{rest: rest}
	if w.end() {
		return errors.New("a head says more: > http POST /mcp, < http 200")
	}
	for position := 0; !w.end(); {
		if w.marked() {
			if err := w.marks(h.mark); err != nil {
				return err
			}
			continue
		}
		t, err := w.next()
		switch {
		case err != nil:
			return err
		case t.hasValue:
			h.head.Header = append(h.head.Header, Field{t.name, t.value})
			continue
		case position == 0 && dir == Received:
			if h.head.Status, err = strconv.Atoi(t.name); err != nil {
				return fmt.Errorf("reading the status: %w", err)
			}
			position++ // there is no URL
		case position == 0:
			h.head.Method = t.name
		case position == 1:
			h.head.URL = t.name
		case strings.HasPrefix(t.name, "HTTP/"):
			h.head.Proto = t.name
		default:
			return fmt.Errorf("%q: a header is written Name=value", t.name)
		}
		position++
	}
	if dir == Received && eventStream(h.head) && !h.body {
		p.streams[lane], h.open = true, true
		return p.flush("")
	}
	return nil
}

func (h *scriptHead) mark(name, value string) (bool, error) {
	switch name {
	case "open":
		h.open = true
	case "body":
		h.body = true
	case "text":
		h.text = value
	case "resumes":
		h.open = true
		return number(&h.resumes, value)
	case "proto":
		h.head.Proto = value
	case "method":
		h.head.Method = value
	case "url":
		h.head.URL = value
	case "status":
		return number(&h.head.Status, value)
	case "waited", "dialed":
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return false, fmt.Errorf("%s=%q is no time", name, value)
		}
		if name == "waited" {
			h.head.Waited = d
		} else {
			h.head.Dialed = d
		}
	default:
		return false, nil
	}
	return true, nil
}

func eventStream(h *Head) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(h.get("Content-Type"))), "text/event-stream")
}

func (p *scriptParser) clock(rest string) error {
	if n, ok := strings.CutPrefix(rest, "seq="); ok {
		seq, err := strconv.ParseUint(n, 10, 64)
		if err != nil || Seq(seq) <= p.seq {
			return fmt.Errorf("%q: a number greater than those before", rest)
		}
		p.seq = Seq(seq) - 1
		return nil
	}
	if at, err := time.Parse(time.RFC3339Nano, rest); err == nil {
		p.at, p.step, p.moved = at.UTC(), 0, true
		return nil
	}
	d, err := time.ParseDuration(rest)
	if err != nil {
		return fmt.Errorf("reading the time: %w", err)
	}
	p.step += d
	p.moved = true
	return nil
}

// latestWaiting is the last request with that id that was sent and has no answer yet; "" is any id.
func (p *scriptParser) latestWaiting(id string) (Seq, bool) {
	if p.fold == nil {
		p.fold = NewFold()
	}
	for ; p.folded < len(p.entries); p.folded++ {
		p.fold.Add(p.entries[p.folded])
	}
	for _, x := range slices.Backward(p.fold.Pending()) {
		if id == "" || x.Request.ID == id {
			return x.Request.Seq, true
		}
	}
	return 0, false
}
