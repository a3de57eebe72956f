package demo

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcploupe/session/mcp"
)

// Streams that can be gone on with (2025-03-26 to 2025-11-25, basic/transports, Resumability and Redelivery): each event
// has an id, and a GET with Last-Event-ID gets what followed it, also when that came while nobody listened.

// Bounds on what is kept for clients that come back.
const (
	keptStreams = 32
	keptEvents  = 256
)

// pollRetry is what a client is told to wait, in milliseconds, when the server ends a stream before its answer.
const pollRetry = 300

// track is all that one stream of a session said.
type track struct {
	name string

	mu    sync.Mutex
	first int // number of texts[0]
	texts [][]byte
	over  bool
	news  chan struct{} // closed and made anew with each event
}

// add keeps an event and gives its id. nil is the event without data that a stream begins with.
func (k *track) add(text []byte) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.texts = append(k.texts, text)
	if len(k.texts) > keptEvents {
		k.texts = k.texts[1:]
		k.first++
	}
	id := k.name + "-" + strconv.Itoa(k.first+len(k.texts)-1)
	close(k.news)
	k.news = make(chan struct{})
	return id
}

// after are the events from a number on.
func (k *track) after(n int) (texts [][]byte, from int, over bool, news <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	from = max(n, k.first)
	if at := from - k.first; at < len(k.texts) {
		texts = k.texts[at:]
	}
	return texts, from, k.over, k.news
}

func (k *track) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	close(k.news)
	k.news = make(chan struct{})
}

// newTrack begins a stream of the session.
func (s *session) newTrack(on faultSet) *track {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams++
	k := &track{name: strconv.Itoa(s.streams), news: make(chan struct{})}
	if on["event-id-again"] {
		k.name = "1"
	}
	s.tracks = append(s.tracks, k)
	if len(s.tracks) > keptStreams {
		s.tracks = s.tracks[1:]
	}
	return k
}

// behind finds the stream of an event id, and the number of the event that follows.
func (s *session) behind(id string) (*track, int) {
	name, number, _ := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.tracks {
		if k.name == name {
			return k, n + 1
		}
	}
	return nil, 0
}

// resumable says whether the session's streams can be gone on with.
func (s *session) resumable() bool { return s != nil && mcp.Resumable(s.rev) }

// outliving is a context for what a client may come back for: the request goes on when its connection breaks, until the
// session ends.
func (s *session) outliving(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer cancel()
		select {
		case <-s.ended:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// runKept runs a call whose stream can be gone on with, and returns when the client has its answer, has left, or is sent
// away to ask again (Options.Poll).
func (s *Server) runKept(r *http.Request, p *peer, c *call, out *stream, cancel context.CancelFunc) {
	out.track = c.legacy.newTrack(c.on)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		defer out.track.end()
		if reply, status := p.run(c); reply != nil {
			out.reply(reply, status)
		}
	}()
	var away <-chan time.Time
	if s.opt.Poll > 0 {
		timer := time.NewTimer(s.opt.Poll)
		defer timer.Stop()
		away = timer.C
	}
	select {
	case <-done:
	case <-r.Context().Done():
	case <-away:
		out.leave(pollRetry)
	}
	out.detach()
}

// goOn serves a GET with Last-Event-ID. false: the id is none of ours.
func (s *Server) goOn(r *http.Request, own *session, out *stream, id string) bool {
	k, n := own.behind(id)
	if k == nil {
		return false
	}
	out.open()
	stop := out.keepAlive()
	defer stop()
	defer out.detach()
	for {
		texts, from, over, news := k.after(n)
		for i, text := range texts {
			out.event(k.name+"-"+strconv.Itoa(from+i), text)
		}
		if n = from + len(texts); over {
			return true
		}
		select {
		case <-news:
		case <-r.Context().Done():
			return true
		case <-own.ended:
			return true
		case <-s.closed:
			return true
		}
	}
}
