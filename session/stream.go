package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// A Streamable HTTP server of 2025-03-26 to 2025-11-25 may say what belongs to no request on a stream that the client
// opens by GET (basic/transports, Listening for Messages from the Server). It is optional on both sides: a refusal,
// 405 by the text and many other ways in practice, leaves the POST channel as healthy as it was.

// Bounds on opening the stream again. Ends that bring something are normal (servers and proxies cut quiet streams, and
// 2025-11-25 lets servers close them on purpose), so only those that bring nothing lead to giving up.
const (
	streamTries = 5                // in a row that brought nothing
	streamShort = 10 * time.Second // a stream that lasts longer starts the count anew
	streamHasty = 10               // short streams in a row, from which on the pause grows
)

// streamEnd is what is known when a stream is over: the facts that decide whether another GET follows.
type streamEnd struct {
	refused string // why there was no stream, "" when there was one
	later   bool   // refused for the moment
	resumed bool   // it had asked with an event id
	lasted  time.Duration
	came    int
	retry   string
}

// streamPlan counts what went before. It is a value: next gives the one to go on with.
type streamPlan struct {
	empty int // ends in a row that brought nothing
	short int // short streams in a row
	had   bool
}

// next tells whether another GET follows and after how long; fresh: without the event id.
func (p streamPlan) next(e streamEnd) (next streamPlan, again, fresh bool, wait time.Duration) {
	switch {
	case e.refused == "":
		p.had = true
		if p.short++; e.lasted >= streamShort {
			p.short, p.empty = 0, 0
		}
		if p.empty++; e.came > 0 || e.lasted >= streamShort {
			p.empty = 0
		}
	case e.later, e.resumed:
		p.empty++ // an id that is not known any more is left out the next time
	default:
		return p, false, false, 0
	}
	if p.empty >= streamTries {
		return p, false, false, 0
	}
	wait = max(pause(e.retry, p.empty-1), pause("", p.short-streamHasty))
	return p, true, e.refused != "" && !e.later, wait
}

// streamHead is how long a request whose answer may need a person waits for the stream to be open: a server asks on it, and what it
// says while nobody listens is lost.
const streamHead = 500 * time.Millisecond

// heard waits until it is known whether there is a stream, once, before the first request during which a server may ask.
func (s *Session) heard(ctx context.Context, method string) {
	if m, _ := mcp.Lookup(method); m.NameParam == "" && method != mcp.ResourcesSubscribe {
		return
	}
	s.mu.Lock()
	known := s.streamKnown
	s.mu.Unlock()
	if known == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.streamWait)
	defer cancel()
	select {
	case <-known:
	case <-ctx.Done():
	}
}

// openStream opens the stream for what belongs to no request, where the revision has it, and keeps it open beside
// everything else until the channel or the HTTP session ends. Only calls wait for it, and not for long (heard).
func (s *Session) openStream(conn transport.Conn, d dialect) {
	if conn == nil || conn.Kind() != "http" || d.modern || !mcp.Resumable(d.version) {
		return
	}
	if s.opt.NoStream {
		s.setStream("not asked for")
		return
	}
	ctx, stop := context.WithCancel(s.life)
	s.mu.Lock()
	s.stopStream()
	s.streamStop = stop
	known := make(chan struct{})
	s.streamKnown = known
	begun := s.laterLocked(func() { s.keepStream(ctx, conn, d, sync.OnceFunc(func() { close(known) })) })
	s.mu.Unlock()
	if !begun {
		stop()
	}
}

// stopStream ends the stream; it is called with the lock held.
func (s *Session) stopStream() {
	if s.streamStop != nil {
		s.streamStop()
		s.streamStop = nil
	}
	s.streamKnown = nil
	s.info.Stream = ""
}

// keepStream opens the stream and opens it again. known is called once it is clear whether there is one.
func (s *Session) keepStream(ctx context.Context, conn transport.Conn, d dialect, known func()) {
	defer known()
	var plan streamPlan
	id, retry, began := "", "", uint32(0)
	s.setStream("asked for")
	for {
		f, err := s.get(ctx, conn, d, id, began)
		if err != nil || !s.await(ctx, conn, f, f.known) {
			return
		}
		known()
		if f.isStream() {
			s.setStream("open")
			s.note("info", "the server stream is open (GET)")
		}
		if !s.await(ctx, conn, f, f.over) {
			return
		}
		end := streamEnd{resumed: id != "", lasted: time.Since(f.opened).Round(time.Millisecond), came: f.came}
		if !f.isStream() {
			end.refused, end.later = f.refusal(), f.later()
		} else if began == 0 {
			began = f.lane
		}
		if f.retry != "" {
			retry = f.retry
		}
		if f.lastID != "" && len(f.lastID) <= eventIDMost {
			id = f.lastID
		}
		end.retry = retry
		next, again, fresh, wait := plan.next(end)
		plan = next
		if fresh {
			id = ""
		}
		if !again {
			s.noStream(f, end, plan)
			return
		}
		s.setStream("opening again")
		s.note("info", s.streamEnded(f, end)+", opening it again in "+wait.String()+sinceWords(id))
		if sleep(ctx, wait) != nil {
			return
		}
		if id == "" {
			began = 0
		}
	}
}

// await waits for something of a flow. false: the stream is not wanted any more; its lane is closed then.
func (s *Session) await(ctx context.Context, conn transport.Conn, f *flow, what <-chan struct{}) bool {
	select {
	case <-what:
		s.mu.Lock()
		defer s.mu.Unlock()
		return ctx.Err() == nil && f.how != wire.LaneClosed
	case <-ctx.Done():
		conn.CloseLane(f.lane)
		return false
	}
}

// sinceWords names the event id that is asked with.
func sinceWords(id string) string {
	if id == "" {
		return ""
	}
	return fmt.Sprintf(", from the event id %q on", clip(id, 60))
}

func (s *Session) streamEnded(f *flow, e streamEnd) string {
	if e.refused != "" {
		return "no server stream (" + e.refused + ")"
	}
	return fmt.Sprintf("the server stream %s after %s (%d messages)", f.ending(), e.lasted, e.came)
}

// noStream says that there is no stream, or none any more.
func (s *Session) noStream(f *flow, e streamEnd, plan streamPlan) {
	level, text := "info", ""
	switch {
	case e.refused == "HTTP 405" && !plan.had:
		text = "none (405)"
		s.setStream(text)
		s.note(level, "no server stream: the server offers none (HTTP 405)")
		return
	case e.refused != "" && !plan.had && !e.later:
		expected := "405"
		if f.head != nil && f.head.Status/100 == 2 {
			expected = "an event stream or 405"
		}
		level, text = "warning", fmt.Sprintf("%s; %s expected", trimHTTP(e.refused), expected)
	case e.refused != "":
		level, text = "warning", e.refused
	default:
		level, text = "warning", fmt.Sprintf("it ended %d times in a row without bringing anything", plan.empty)
	}
	s.setStream("none (" + text + ")")
	s.note(level, "no server stream ("+text+"); requests are not touched by this")
}

// trimHTTP is "404" for "HTTP 404".
func trimHTTP(text string) string {
	if len(text) > 5 && text[:5] == "HTTP " {
		return text[5:]
	}
	return text
}

// setStream tells how it stands with the stream.
func (s *Session) setStream(text string) {
	text = s.secrets.Text(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info.Stream = text
	close(s.changed)
	s.changed = make(chan struct{})
}
