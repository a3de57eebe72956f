package editor

import (
	"time"

	"mcploupe/session/jsondoc"
)

// What is wrong with the text is found by reading all of it. For a small text that is done with the key; a large one is read
// beside the screen after a pause of typing, and until then what was found before stands, moved with the text around it.

const (
	heavy = 32 << 10               // bytes from which reading costs more than a key may
	pause = 150 * time.Millisecond // after the last change
)

// check is what is known of the text.
type check struct {
	version  int // of the buffer that it holds for
	doc      *jsondoc.Document
	problems []Problem
	running  bool // somebody reads, or waits for the pause to end
}

// note moves what was found with the text around it; what stood in the changed bytes is shortened by them.
func (e *Editor) note(at, was, is int) {
	move := func(o int32) int32 {
		switch {
		case int(o) <= at:
			return o
		case int(o) < at+was:
			return int32(at)
		}
		return o + int32(is-was)
	}
	for i := range e.check.problems {
		p := &e.check.problems[i]
		p.At = jsondoc.Span{From: move(p.At.From), To: move(p.At.To)}
	}
	e.hits.version = -1
}

// settled tells that what is known holds for the text as it stands.
func (e *Editor) settled() bool { return e.check.version == e.buf.Version() && e.check.doc != nil }

// read brings what is known up to date, at once or, for a large text, soon.
func (e *Editor) read() {
	if e.settled() {
		return
	}
	if e.Later == nil || e.size() < heavy {
		e.Settle()
		return
	}
	if e.check.running {
		return
	}
	e.check.running = true
	e.await(e.buf.Version())
}

// await waits until nobody types, then reads.
func (e *Editor) await(version int) {
	e.Later(func() func() {
		time.Sleep(pause)
		return func() {
			if now := e.buf.Version(); now != version {
				e.await(now)
				return
			}
			text, judge := []byte(e.buf.Text()), e.Judge
			e.Later(func() func() {
				c := examine(text, judge)
				return func() {
					c.version = version
					if e.check.running = false; e.buf.Version() == version {
						e.check = c
					}
					e.read()
				}
			})
		}
	})
}

// Settle reads the text now, however large it is.
func (e *Editor) Settle() {
	if e.settled() {
		return
	}
	running := e.check.running
	e.check = examine([]byte(e.buf.Text()), e.Judge)
	e.check.version, e.check.running = e.buf.Version(), running
}

// examine reads a text and finds what is wrong with it. It touches nothing else, so that it can be done anywhere.
func examine(text []byte, judge func(*jsondoc.Document) []Problem) check {
	c := check{doc: jsondoc.Parse(text)}
	for _, f := range c.doc.Faults {
		text := f.Kind.String()
		if f.Detail != "" {
			text += ": " + f.Detail
		}
		c.problems = append(c.problems, Problem{At: f.At, Text: text})
	}
	if judge != nil && c.doc.Valid() {
		c.problems = append(c.problems, judge(c.doc)...)
	}
	return c
}

// size is how many bytes the text has, counted anew after a change.
func (e *Editor) size() int {
	if e.sizeFor != e.buf.Version() || e.bytes == 0 {
		n := 0
		for _, line := range e.buf.lines {
			n += len(line) + 1
		}
		e.bytes, e.sizeFor = n, e.buf.Version()
	}
	return e.bytes
}

// Document is the text as JSON; it is parsed once for each change.
func (e *Editor) Document() *jsondoc.Document {
	e.Settle()
	return e.check.doc
}

// Problems lists what is known to be wrong, syntax first.
func (e *Editor) Problems() []Problem {
	e.read()
	return e.check.problems
}
