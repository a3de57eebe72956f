package events

import "unicode/utf8"

// What is kept of a text over the limit, at most.
const (
	keepHead = 1 << 20
	keepTail = 64 << 10
)

// Clip keeps the head and the tail of a text that is too long to be kept, in bounded memory.
type Clip struct {
	head, tail       []byte
	headCap, tailCap int
	dropped          int64
}

// NewClip is an empty Clip. It keeps 1 MiB of the head and 64 KiB of the tail, and never more than max
// bytes in all.
func NewClip(max int) *Clip {
	return &Clip{headCap: min(keepHead, max-max/4), tailCap: min(keepTail, max/4)}
}

// Write adds text.
func (c *Clip) Write(p []byte) {
	if room := c.headCap - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	if n := len(p) - c.tailCap; n > 0 {
		c.dropped += int64(len(c.tail)) + int64(n)
		c.tail = append(c.tail[:0], p[n:]...)
		return
	}
	c.tail = append(c.tail, p...)
	if n := len(c.tail) - c.tailCap; n > c.tailCap { // not at every write: each byte is moved once or so
		c.dropped += int64(n)
		c.tail = append(c.tail[:0], c.tail[n:]...)
	}
}

// End is head and tail in one, cut between characters, and how many bytes are missing between them
// (0 when nothing is). The Clip must not be used afterwards.
func (c *Clip) End() (body []byte, dropped int64) {
	head, tail, dropped := c.head, c.tail, c.dropped
	if n := len(tail) - c.tailCap; n > 0 {
		dropped += int64(n)
		tail = tail[n:]
	}
	if dropped == 0 {
		return append(head, tail...), 0
	}
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if b := head[len(head)-i:]; utf8.RuneStart(b[0]) {
			if !utf8.FullRune(b) {
				head = head[:len(head)-i]
				dropped += int64(i)
			}
			break
		}
	}
	for i := 0; i < utf8.UTFMax-1 && len(tail) > 0 && !utf8.RuneStart(tail[0]); i++ {
		tail = tail[1:]
		dropped++
	}
	return append(head, tail...), dropped
}
