package transport

import (
	"bytes"
	"slices"

	"mcploupe/session/wire"
)

// A cutter cuts what a server writes to stdout into messages. By the specification a message is one
// line of JSON. Servers do other things too, and the cutter delivers their messages all the same and
// says in Frame.Shape, Before and Lines how they stood there: CR LF, blank lines, byte order marks,
// JSON spread over lines, several messages on a line or text around one, LSP headers, no newline at
// all. Everything else is delivered line by line as noise. Apart from line ends (and blanks between
// glued messages) every byte that came is in a frame, in order.
//
// It reads no clock and no pipe: Feed it what came; call Idle when nothing came for a moment and
// Waiting says so; call End at the end. How the bytes are divided over calls of Feed does not matter.
// Time is linear in the input, memory bounded by max and a constant.
type cutter struct {
	max     int           // longer messages are cut down to head and tail
	out     []*wire.Frame // what is to be returned
	part    []byte        // the begun line, of which no newline was seen yet
	held    held          // lines that may be one JSON text
	lsp     lspMessage    // a message behind Content-Length headers
	skip    *skipped      // a message over max
	rest    afterMessage  // what the begun line follows
	again   int           // how often the lines that are being read were read before
	lspSeen bool          // the server has used LSP framing
}

// held is the beginning of a JSON text that did not end on its line.
type held struct {
	text     []byte // complete lines with their line ends
	lines    int    // 0: nothing is held
	scan     scanner
	shape    wire.Shape // of its lines so far
	before   []byte
	again    int  // how often its lines were read before
	messages bool // one of its lines is a message by itself (elements of a batch, or a text that never closes)
}

// afterMessage says that a message was delivered before its line had ended, and what becomes of the
// rest of that line: nothing if it is blank, else it is read as glued (or as the next LSP header).
type afterMessage uint8

const (
	afterNothing afterMessage = iota
	afterEarly
	afterLSP
)

// maxAgain bounds how often the same lines are read again because a text that seemed to begin in them
// was none; beyond it they are noise. It keeps the time linear.
const maxAgain = 8

func newCutter(max int64) *cutter {
	if max <= 0 {
		max = DefaultMaxMessage
	}
	return &cutter{max: int(max)}
}

// Feed takes the next bytes and returns the messages that ended in them. It does not keep p.
func (c *cutter) Feed(p []byte) []*wire.Frame {
	c.read(p)
	return c.take()
}

func (c *cutter) read(p []byte) {
	for len(p) > 0 {
		switch {
		case c.skip != nil:
			p = c.skipOn(p)
		case c.lsp.body:
			p = c.lspBody(p)
		default:
			p = c.lineOf(p)
		}
	}
}

// lineOf takes the first line of p, or all of p when it holds none, and returns the rest.
func (c *cutter) lineOf(p []byte) []byte {
	i := bytes.IndexByte(p, '\n')
	room := c.max - len(c.held.text) - len(c.part)
	if end := i; i > room || i < 0 && len(p) > room {
		if end < 0 || end > room+1 {
			end = max(0, room+1) // the first byte too many decides, however the bytes come
		}
		c.part = append(c.part, p[:end]...)
		c.startSkip()
		return p[end:]
	}
	if i < 0 {
		c.part = append(c.part, p...)
		return nil
	}
	line, own := p[:i], false
	if len(c.part) > 0 {
		line, own = append(c.part, line...), true
		c.part = nil
	}
	c.line(line, own, lineEnd{newline: true})
	return p[i+1:]
}

func (c *cutter) take() []*wire.Frame {
	out := c.out
	c.out = nil
	return out
}

// lineEnd says how a line ended.
type lineEnd struct{ newline bool }

// line takes one line without its newline. own: its memory is ours, bodies may share it.
func (c *cutter) line(b []byte, own bool, end lineEnd) {
	var shape wire.Shape
	if !end.newline {
		shape = wire.ShapeUnterminated
	} else if n := len(b); n > 0 && b[n-1] == '\r' {
		b, shape = b[:n-1], wire.ShapeCRLF
	}
	if after := c.rest; after != afterNothing {
		c.rest = afterNothing
		if isBlank(b) {
			return
		}
		if after == afterEarly {
			shape |= wire.ShapeGlued
		}
	}
	if c.lsp.lines > 0 && c.header(b, shape) {
		return
	}
	for c.held.lines > 0 { // what is given up may leave another text held
		if c.join(b, shape) {
			return
		}
	}
	c.fresh(b, own, shape)
}

// fresh reads a line that continues nothing.
func (c *cutter) fresh(b []byte, own bool, shape wire.Shape) {
	var before []byte
	if bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")) {
		before, b = []byte("\xEF\xBB\xBF"), b[3:]
	}
	if isBlank(b) {
		if len(b) > 0 || len(before) > 0 || shape&wire.ShapeUnterminated == 0 {
			c.emit(b, own, before, shape|wire.ShapeBlank)
		}
		return
	}
	for {
		at := blanks(b)
		if b[at] != '{' && b[at] != '[' {
			if c.startHeaders(b, shape, before) {
				return
			}
			if b, before, shape = c.noise(b, own, before, shape); len(b) == 0 {
				return
			}
			continue
		}
		var s scanner
		n, p := s.scan(b[at:])
		switch {
		case p == complete && isBlank(b[at+n:]):
			c.emit(b, own, before, shape)
			return
		case p == complete && (b[at] == '{' || holdsObject(b[at:])):
			shape |= wire.ShapeGlued
			c.emit(b[:at+n], own, before, shape)
			b, before = b[at+n:], nil
			b = b[blanks(b):]
			continue
		case p == more && shape&wire.ShapeUnterminated == 0 && c.again < maxAgain:
			c.hold(b, s, before, shape)
			return
		case p == more && isMessage(b):
			c.emit(b, own, before, shape|wire.ShapeTruncated)
			return
		}
		if b, before, shape = c.noise(b, own, before, shape); len(b) == 0 {
			return
		}
	}
}

// noise takes text that is no JSON object, and returns what of the line is still to be read: a message
// or a header that stands behind the noise.
func (c *cutter) noise(b []byte, own bool, before []byte, shape wire.Shape) (rest, noBefore []byte, restShape wire.Shape) {
	if meantAsMessage(b) {
		c.emit(b, own, before, shape)
		return nil, nil, 0
	}
	at := messageBehind(b)
	if at < 0 && c.lspSeen {
		at = headerBehind(b)
	}
	if at < 0 {
		c.emit(b, own, before, shape|wire.ShapeNoise)
		return nil, nil, 0
	}
	first := shape&wire.ShapeGlued | wire.ShapeUnterminated
	if !meantAsMessage(b[:at]) {
		first |= wire.ShapeNoise
	}
	c.emit(b[:at], own, before, first)
	return b[at:], nil, shape
}

// hold keeps a line whose JSON goes on.
func (c *cutter) hold(b []byte, s scanner, before []byte, shape wire.Shape) {
	c.held = held{text: lineBytes(nil, b, shape), lines: 1, scan: s, shape: shape, before: before, again: c.again}
}

// lineBytes appends a line with the end that it had.
func lineBytes(dst, b []byte, shape wire.Shape) []byte {
	dst = append(dst, b...)
	if shape&wire.ShapeCRLF != 0 {
		dst = append(dst, '\r')
	}
	if shape&wire.ShapeUnterminated == 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// join continues the held text with a line. It is false when the line must be read by itself, because
// the held text was given up.
func (c *cutter) join(b []byte, shape wire.Shape) bool {
	h := &c.held
	if startsMessage(b) {
		// A message at the start of a line ends a text that was never closed. Only in a batch it
		// may be a part; then the next line tells, or silence.
		if h.text[blanks(h.text)] != '[' || h.scan.depth != 1 || h.scan.inString() {
			c.giveUp()
			return false
		}
		h.messages = true
	}
	h.scan.scan([]byte{'\n'})
	n, p := h.scan.scan(b)
	all := h.shape | shape
	switch {
	case p == invalid:
		c.giveUp()
		return false
	case p == more && shape&wire.ShapeUnterminated == 0:
		h.text = lineBytes(h.text, b, shape)
		h.lines++
		h.shape = all
	case p == more:
		h.text = lineBytes(h.text, b, shape)
		h.lines++
		h.shape = all
		c.endHeld()
	case isBlank(b[n:]):
		c.joined(b, all)
	default:
		c.joined(b[:n], all|wire.ShapeGlued)
		c.fresh(b[n+blanks(b[n:]):], false, shape|wire.ShapeGlued)
	}
	return true
}

// joined delivers the held text and its last line.
func (c *cutter) joined(last []byte, shape wire.Shape) {
	h := c.held
	c.held = held{}
	c.emitLines(append(h.text, last...), h.before, shape|wire.ShapePretty, h.lines+1)
}

// giveUp reads the held lines again, each by itself: they are no JSON text.
func (c *cutter) giveUp() {
	h, again := c.held, c.again
	c.held, c.again = held{}, h.again+1
	for i := 0; len(h.text) > 0; i++ {
		line, rest, newline := bytes.Cut(h.text, []byte{'\n'})
		h.text = rest
		switch {
		case i > 0:
			c.line(line, true, lineEnd{newline})
		default:
			shape := h.shape & wire.ShapeGlued
			if n := len(line); newline && n > 0 && line[n-1] == '\r' {
				line, shape = line[:n-1], shape|wire.ShapeCRLF
			} else if !newline {
				shape |= wire.ShapeUnterminated
			}
			if b, _, shape := c.noise(line, true, h.before, shape); len(b) > 0 {
				c.fresh(b, true, shape)
			}
		}
	}
	c.again = again
}

// endHeld delivers a held text that will not go on: as one message that was cut off if it is the
// beginning of one, else as the lines that it consists of.
func (c *cutter) endHeld() {
	for c.held.lines > 0 && (c.held.messages || !isMessage(c.held.text)) {
		if !c.held.messages {
			c.held.again = maxAgain // nothing of it shall be held again
			c.giveUp()
			return
		}
		c.giveUp()
	}
	if h := c.held; h.lines > 0 {
		c.held = held{}
		shape := h.shape | wire.ShapeTruncated
		if h.lines > 1 {
			shape |= wire.ShapePretty
		}
		c.emitLines(bytes.TrimRight(h.text, "\r\n"), h.before, shape, h.lines)
	}
}

// Waiting says that there is something that Idle might deliver.
func (c *cutter) Waiting() bool {
	if c.lsp.body || c.held.messages {
		return true
	}
	text := bytes.TrimRight(c.part, " \t\r")
	return len(text) > 0 && (text[len(text)-1] == '}' || text[len(text)-1] == ']')
}

// Idle says that the server has paused. Messages that are complete but for their newline are delivered.
func (c *cutter) Idle() []*wire.Frame {
	switch {
	case c.skip != nil:
	case c.lsp.body:
		c.lspIdle()
	case c.held.lines > 0 && len(c.part) == 0:
		if c.held.messages {
			c.giveUp()
		}
	case c.held.lines > 0:
		s := c.held.scan.clone()
		s.scan([]byte{'\n'})
		if n, p := s.scan(c.part); p == complete && isBlank(c.part[n:]) {
			c.early()
		}
	case len(c.part) > 0 && isMessage(c.part) && onlyValues(c.part):
		c.early()
	}
	return c.take()
}

// early delivers the begun line although its newline has not come.
func (c *cutter) early() {
	part := c.part
	c.part = nil
	c.line(part, true, lineEnd{})
	c.rest = afterEarly
}

// End says that nothing more will come.
func (c *cutter) End() []*wire.Frame {
	if c.skip != nil {
		c.endSkip(wire.ShapeUnterminated)
	}
	for c.lsp.body {
		c.lspEnd()
	}
	if len(c.part) > 0 {
		c.early()
	}
	if c.lsp.lines > 0 {
		c.noHeaders()
	}
	c.endHeld()
	return c.take()
}

func (c *cutter) emit(b []byte, own bool, before []byte, shape wire.Shape) {
	if own {
		b = b[:len(b):len(b)]
	} else {
		b = slices.Clone(b)
	}
	c.emitLines(b, before, shape, 1)
}

func (c *cutter) emitLines(b, before []byte, shape wire.Shape, lines int) {
	c.out = append(c.out, &wire.Frame{Dir: wire.Received, Shape: shape, Before: before, Lines: lines, Body: b})
}
