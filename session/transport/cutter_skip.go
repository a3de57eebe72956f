package transport

import (
	"bytes"

	"mcploupe/session/transport/events"
	"mcploupe/session/wire"
)

// skipped is a message over the limit. What comes of it is dropped but for its last bytes, until it ends.
type skipped struct {
	clip   *events.Clip
	before []byte
	shape  wire.Shape
	lines  int
	inside bool    // it spreads over lines: its JSON says where it ends; else the next newline does
	scan   scanner // for inside
}

// startSkip begins to drop: the begun line, with what is held before it, is over the limit.
func (c *cutter) startSkip() {
	s := &skipped{clip: events.NewClip(c.max), lines: c.held.lines + 1, before: c.held.before, shape: c.held.shape}
	s.clip.Write(c.held.text)
	part := c.part
	if c.held.lines == 0 && bytes.HasPrefix(part, []byte("\xEF\xBB\xBF")) {
		s.before, part = []byte("\xEF\xBB\xBF"), part[3:]
	}
	s.clip.Write(part)
	if c.held.lines > 0 {
		s.inside, s.scan = true, c.held.scan
		s.scan.scan([]byte{'\n'})
		if _, p := s.scan.scan(part); p != more {
			s.inside = false
		}
	}
	if c.lsp.lines > 0 {
		c.noHeaders()
	}
	if c.rest == afterEarly {
		s.shape |= wire.ShapeGlued
	}
	c.rest = afterNothing
	c.held, c.part, c.skip = held{}, nil, s
}

// startSkipLSP is startSkip for a message behind headers.
func (c *cutter) startSkipLSP() {
	s := &skipped{clip: events.NewClip(c.max), lines: 1 + bytes.Count(c.lsp.text, []byte{'\n'}), before: c.lsp.headers, shape: wire.ShapeLSP, inside: true, scan: c.lsp.scan}
	s.clip.Write(c.lsp.text)
	c.lsp, c.skip = lspMessage{}, s
}

// skipOn drops on in p, and returns what follows the message.
func (c *cutter) skipOn(p []byte) []byte {
	s := c.skip
	if s.inside {
		n, got := s.scan.scan(p)
		switch got {
		case more:
			s.lines += bytes.Count(p, []byte{'\n'})
			s.clip.Write(p)
			return nil
		case complete:
			s.lines += bytes.Count(p[:n], []byte{'\n'})
			s.clip.Write(p[:n])
			c.endSkip(0)
			if c.rest = afterEarly; s.shape&wire.ShapeLSP != 0 {
				c.rest = afterLSP
			}
			return p[n:]
		}
		// It was no JSON after all: the line ends it.
		s.lines += bytes.Count(p[:n], []byte{'\n'})
		s.clip.Write(p[:n])
		s.inside = false
		return p[n:]
	}
	i := bytes.IndexByte(p, '\n')
	if i < 0 {
		s.clip.Write(p)
		return nil
	}
	s.clip.Write(p[:i])
	c.endSkip(0)
	return p[i+1:]
}

func (c *cutter) endSkip(shape wire.Shape) {
	s := c.skip
	c.skip = nil
	body, dropped := s.clip.End()
	shape |= s.shape | wire.ShapeCut
	if n := len(body); shape&wire.ShapeUnterminated == 0 && !s.inside && n > 0 && body[n-1] == '\r' {
		body, shape = body[:n-1], shape|wire.ShapeCRLF
	}
	if s.lines > 1 && shape&wire.ShapeLSP == 0 {
		shape |= wire.ShapePretty
	}
	switch first := blanks(body); {
	case shape&wire.ShapeLSP != 0, first == len(body), body[first] == '{', body[first] == '[':
	default:
		shape |= wire.ShapeNoise
	}
	c.out = append(c.out, &wire.Frame{Dir: wire.Received, Shape: shape, Before: s.before, Lines: s.lines, Dropped: dropped, Body: body})
}
