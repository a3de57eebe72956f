package session

import (
	"fmt"
	"time"
)

// Past is how a server was opened before.
type Past struct {
	Era     string // Modern or Legacy
	Version string // the protocol version that was spoken
	Kind    string // "stdio", "http", "sse"
	At      time.Time
}

// Memory remembers how one target was opened, so that an older server need not be asked anew each time whether it is modern:
// that costs a process which dies of the question, or seconds of silence (2026-07-28, basic/versioning: a client may keep what
// it learned about a server). What is remembered is only tried first; when it fails the era is detected as ever.
//
// Its methods are called from several goroutines. They must not fail: what cannot be kept is forgotten.
type Memory interface {
	// Recall is what is remembered and to be relied upon, or false. doubt then says in a few words why something remembered
	// is not relied upon ("it was seen a day ago"); "" when nothing is known.
	Recall() (past Past, doubt string, ok bool)
	// Keep is told what a detection found, Past.At being when.
	Keep(Past)
	// Forget is told that what was recalled did not work.
	Forget()
}

// remembered is what to try first; the zero Past when nothing is, with the doubt about what is known.
func (s *Session) remembered() (Past, string) {
	if !s.detects() {
		return Past{}, ""
	}
	p, doubt, ok := s.opt.Memory.Recall()
	if !ok {
		return Past{}, doubt
	}
	if p.Era != Modern && p.Era != Legacy || (p.Kind == "stdio") != (s.target.URL == "") {
		return Past{}, "what is remembered makes no sense"
	}
	return p, ""
}

// Forget drops what is remembered of the target's era: the next connection detects it as a first time.
func (s *Session) Forget() {
	if s.opt.Memory != nil {
		s.opt.Memory.Forget()
	}
}

// detects tells that the era is found out, not told, and that there is somebody to remember it.
func (s *Session) detects() bool {
	return s.opt.Memory != nil && s.opt.Era == "" && s.opt.Protocol == "" && s.opt.Transport == ""
}

// keepEra remembers a verdict, unless it only repeats what was recalled: its age is that of the detection.
func (s *Session) keepEra(d detection) {
	if !s.detects() || d.trusting && d.past.Era == Legacy {
		return
	}
	i := s.Info()
	s.opt.Memory.Keep(Past{Era: i.Era, Version: i.Version, Kind: i.Kind, At: time.Now()})
}

// say is what is remembered, in words.
func (p Past) say(now time.Time) string {
	text := "remembered"
	if age := now.Sub(p.At); !p.At.IsZero() && age >= 0 {
		text += " from " + ago(age)
	}
	return text + ": " + p.Era + " " + p.Version
}

func ago(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s ago", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h ago", int(d.Hours()))
}

// recall is the first move when something is remembered.
func (d detection) recall() (detection, move) {
	d.trusting = true
	words := d.past.say(d.began)
	switch {
	case d.past.Era == Modern:
		return d.now(move{do: doDiscover, version: d.preferred(), text: words + "; asking with server/discover"})
	case d.past.Kind == "sse":
		d.kind = "sse"
		return d.now(move{do: doOpenSSE, text: words + " over HTTP+SSE; opening its event stream at once"})
	}
	d, m := d.initialize(words+"; sending initialize at once", 0)
	m.brief = true
	d.asked = m
	return d, m
}

// distrust detects anew after what was remembered did not work, on a fresh channel.
func (d detection) distrust(o outcome) (detection, move) {
	text := fmt.Sprintf("what was remembered (%s) does not work any more, %s came: detecting the era anew", d.past.Era, o.say())
	d.past, d.trusting = Past{}, false
	return d.now(move{do: doReopen, text: text, evidence: o.frame})
}

// reopened begins as if nothing had been remembered.
func (d detection) reopened(o outcome) (detection, move) {
	if o.refused || o.died() {
		return d.fail("the server could not be opened again: "+o.say(), "", o)
	}
	p := d.plan
	p.kind = o.kind
	return begin(p)
}
