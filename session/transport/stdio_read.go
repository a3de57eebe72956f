package transport

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"mcploupe/session/wire"
)

// readStdout hands over what the child writes, message by message, until its stdout ends.
func (c *stdio) readStdout() {
	cut := newCutter(c.opts.MaxMessage)
	read(c.stdout, reading{
		feed: func(p []byte) bool {
			c.deliver(cut.Feed(p))
			return cut.Waiting()
		},
		idle: func() { c.deliver(cut.Idle()) },
	})
	c.deliver(cut.End())
	c.drained.Done()
	if !within(c.dead, mutedTime) {
		c.tap.Lane(wire.Lane{Kind: wire.LaneEOF, Text: "the server closed its stdout, but is still running"})
	}
}

func (c *stdio) deliver(frames []*wire.Frame) {
	for _, f := range frames {
		c.tap.Frame(f)
	}
}

// readStderr makes a note of every line that the child writes to its stderr.
func (c *stdio) readStderr() {
	l := lines{max: maxStderrLine, line: c.stderrLine}
	read(c.stderr, reading{
		feed: func(p []byte) bool {
			l.feed(p)
			return l.n > 0
		},
		idle: l.end, // a question, say, that waits for an answer on the same line
	})
	l.end()
	c.drained.Done()
}

func (c *stdio) stderrLine(text string) {
	c.mu.Lock()
	if len(c.last) == keepStderr {
		c.last = append(c.last[:0], c.last[1:]...)
	}
	c.last = append(c.last, text)
	c.mu.Unlock()
	c.tap.Note(wire.Note{From: "stderr", Text: text})
}

// reading is what is done with the bytes of a pipe. The two never run at the same time.
type reading struct {
	feed func(p []byte) (waiting bool) // takes bytes; waiting: idle is wanted when no more come
	idle func()
}

// read reads a pipe to its end.
func read(r interface{ Read([]byte) (int, error) }, do reading) {
	var mu sync.Mutex
	var round int // tells a late timer that bytes have come after all
	var timer *time.Timer
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		mu.Lock()
		round++
		if timer != nil {
			timer.Stop()
			timer = nil
		}
		if n > 0 && do.feed(buf[:n]) && err == nil {
			mine := round
			timer = time.AfterFunc(pauseTime, func() {
				mu.Lock()
				defer mu.Unlock()
				if round == mine {
					do.idle()
				}
			})
		}
		mu.Unlock()
		if err != nil {
			return
		}
	}
}

// maxStderrLine is the length up to which a line of stderr is kept.
const maxStderrLine = 64 << 10

// lines cuts text into lines without their ends. Of a line over max the rest is left out and counted.
type lines struct {
	max  int
	line func(text string)
	part []byte
	n    int // bytes of the begun line, kept or not
}

func (l *lines) feed(p []byte) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		piece := p
		if i >= 0 {
			piece = p[:i]
		}
		l.n += len(piece)
		l.part = append(l.part, piece[:min(len(piece), max(0, l.max-len(l.part)))]...)
		if i < 0 {
			return
		}
		l.flush()
		p = p[i+1:]
	}
}

// end delivers a begun line.
func (l *lines) end() {
	if l.n > 0 {
		l.flush()
	}
}

func (l *lines) flush() {
	text := string(bytes.TrimSuffix(l.part, []byte{'\r'}))
	if more := l.n - len(l.part); more > 0 {
		text += fmt.Sprintf(" … (%d bytes more)", more)
	}
	l.part, l.n = l.part[:0], 0
	l.line(text)
}
