package transport

import (
	"bytes"
	"math"

	"mcploupe/session/wire"
)

// lspMessage is a message behind headers, as language servers write it: Content-Length: n, perhaps
// more fields, an empty line, n bytes. The announced length is only a hint: the JSON text itself says
// where it ends, because the length is wrong when a server counts characters, and means nothing when
// the "header" was a line of a log.
type lspMessage struct {
	headers []byte // raw, with line ends; Frame.Before
	lines   int    // of the headers; 0: there is no header
	length  int    // announced
	body    bool   // the headers are complete, the body is being read
	text    []byte
	scan    scanner
	done    bool // the JSON text is complete; blanks may still belong to the announced length
}

const (
	maxHeaders     = 16
	maxHeaderBytes = 8 << 10
)

// startHeaders takes a line that begins LSP framing.
func (c *cutter) startHeaders(b []byte, shape wire.Shape, before []byte) bool {
	n, ok := lengthHeader(b)
	if !ok || shape&wire.ShapeUnterminated != 0 {
		return false
	}
	c.lsp = lspMessage{headers: lineBytes(bytes.Clone(before), b, shape), lines: 1, length: n}
	return true
}

// header takes a line behind a Content-Length header. It is false when the line is to be read by
// itself, because there are no headers.
func (c *cutter) header(b []byte, shape wire.Shape) bool {
	l := &c.lsp
	switch {
	case shape&wire.ShapeUnterminated != 0:
	case len(b) == 0:
		l.headers = lineBytes(l.headers, b, shape)
		l.lines++
		l.body = true
		c.lspSeen = true
		return true
	case isHeader(b) && l.lines < maxHeaders && len(l.headers)+len(b) < maxHeaderBytes:
		if n, ok := lengthHeader(b); ok {
			l.length = n
		}
		l.headers = lineBytes(l.headers, b, shape)
		l.lines++
		return true
	}
	c.noHeaders()
	return false
}

// noHeaders delivers as noise what looked like headers.
func (c *cutter) noHeaders() {
	headers := c.lsp.headers
	c.lsp = lspMessage{}
	for len(headers) > 0 {
		line, rest, _ := bytes.Cut(headers, []byte{'\n'})
		headers = rest
		var shape wire.Shape
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line, shape = line[:n-1], wire.ShapeCRLF
		}
		if isBlank(line) {
			c.emit(line, true, nil, shape|wire.ShapeBlank)
		} else {
			c.emit(line, true, nil, shape|wire.ShapeNoise)
		}
	}
}

// limit is how long the body may get. A server that counts characters instead of bytes announces down
// to a quarter of the length.
func (l *lspMessage) limit() int {
	if l.length > math.MaxInt/8 {
		return math.MaxInt
	}
	return 4*l.length + 64
}

// lspBody takes bytes of the body and returns those that do not belong to it.
func (c *cutter) lspBody(p []byte) []byte {
	l := &c.lsp
	for len(p) > 0 {
		if l.done {
			// Blanks up to the announced length; anything else is the next message.
			for len(p) > 0 && len(l.text) < l.length && isBlank(p[:1]) {
				l.text, p = append(l.text, p[0]), p[1:]
			}
			if len(p) > 0 || len(l.text) >= l.length {
				c.lspDeliver()
			}
			return p
		}
		if len(l.text) == 0 && p[0] != '{' && p[0] != '[' {
			c.noHeaders()
			return p
		}
		piece := p[:min(len(p), l.limit()-len(l.text), c.max+1-len(l.text))]
		n, got := l.scan.scan(piece)
		switch got {
		case invalid:
			return c.noLSP(p)
		case complete:
			l.text, p, l.done = append(l.text, p[:n]...), p[n:], true
			if len(l.text) >= l.length {
				c.lspDeliver()
				return p
			}
		case more:
			l.text, p = append(l.text, piece...), p[len(piece):]
			if len(l.text) > c.max {
				c.startSkipLSP()
				return p
			}
			if len(l.text) >= l.limit() {
				return c.noLSP(p)
			}
		}
	}
	return nil
}

// noLSP gives the framing up: the headers are noise, and what came behind them is read as lines.
func (c *cutter) noLSP(p []byte) []byte {
	text := c.lsp.text
	c.noHeaders()
	return append(text, p...)
}

func (c *cutter) lspDeliver() {
	l := c.lsp
	c.lsp = lspMessage{}
	shape := wire.ShapeLSP
	if len(l.text) < l.length {
		shape |= wire.ShapeTruncated
		l.text = bytes.TrimRight(l.text, " \t\r\n")
	}
	c.emitLines(l.text, l.headers, shape, 1+bytes.Count(l.text, []byte{'\n'}))
	c.rest = afterLSP
}

func (c *cutter) lspIdle() {
	l := &c.lsp
	switch {
	case l.done:
		c.lspDeliver()
	case bytes.Contains(l.text, []byte("\n{\"jsonrpc\"")):
		// Newline-delimited messages behind a line that only looked like a header.
		c.read(c.noLSP(nil))
	}
}

// lspEnd settles a body at the end of the output.
func (c *cutter) lspEnd() {
	l := &c.lsp
	switch {
	case l.done:
		c.lspDeliver()
	case isMessage(l.text) && bytes.IndexByte(l.text, '\n') < 0:
		text, headers := l.text, l.headers
		c.lsp = lspMessage{}
		c.emitLines(text, headers, wire.ShapeLSP|wire.ShapeTruncated|wire.ShapeUnterminated, 1)
	default:
		c.read(c.noLSP(nil))
	}
}
