package subs

import "time"

// Backoff says how long to wait before a subscription that ended is asked for again, and when to give up.
// The zero Backoff is not ready: begin with Patience.
type Backoff struct {
	First, Most time.Duration // the first wait; each further one is twice as long, up to Most
	Tries       int           // tries in a row that come to nothing before it is given up
	Steady      time.Duration // an acknowledged subscription that lived so long starts the count anew

	failed int
}

// Patience is the Backoff that is used: half a second, doubling up to half a minute, at most eight tries in a row.
func Patience() Backoff {
	return Backoff{First: 500 * time.Millisecond, Most: 30 * time.Second, Tries: 8, Steady: 10 * time.Second}
}

// Try is how many tries in a row came to nothing so far.
func (b *Backoff) Try() int { return b.failed }

// After is how long to wait after this end. ok is false when it is not to be tried again: we ended it, the
// server refused it, or it was tried too often.
func (b *Backoff) After(s *Sub) (wait time.Duration, ok bool) {
	switch s.How {
	case Open, Ours, Refused:
		return 0, false
	}
	if !s.Acked.IsZero() && s.Ended.Sub(s.Acked) >= b.Steady {
		b.failed = 0
	}
	return b.Failed()
}

// Failed is After when not even the connection could be had.
func (b *Backoff) Failed() (wait time.Duration, ok bool) {
	if b.failed >= b.Tries {
		return 0, false
	}
	wait = min(b.Most, b.First<<min(b.failed, 16))
	b.failed++
	return wait, true
}
