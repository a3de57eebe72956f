package transport

import (
	"context"
	"io"
	"log"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/wire"
)

func newTap() *Tap { return &Tap{Log: wire.NewLog(wire.LogOptions{})} }

// listener is a sink that a test can wait on.
type listener struct {
	mu      sync.Mutex
	entries []wire.Entry
	more    chan struct{}
}

func listen(t *testing.T, secrets ...string) (*Tap, *listener) {
	t.Helper()
	l := &listener{more: make(chan struct{})}
	tap := newTap()
	tap.Secrets = NewSecrets(secrets...)
	tap.Sink = func(e wire.Entry) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.entries = append(l.entries, e)
		close(l.more)
		l.more = make(chan struct{})
	}
	return tap, l
}

// wait returns the first entry, from the nth on, for which is holds, and its place.
func (l *listener) wait(t *testing.T, n int, what string, is func(wire.Entry) bool) (wire.Entry, int) {
	t.Helper()
	late := time.After(60 * time.Second)
	for {
		l.mu.Lock()
		for ; n < len(l.entries); n++ {
			if e := l.entries[n]; is(e) {
				l.mu.Unlock()
				return e, n
			}
		}
		more := l.more
		l.mu.Unlock()
		select {
		case <-more:
		case <-late:
			t.Fatalf("%s never came; there is:\n%s", what, l.story())
		}
	}
}

// story tells all entries, a line each.
func (l *listener) story() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, e := range l.entries {
		b.WriteString(tellEntry(e) + "\n")
	}
	return b.String()
}

func tellEntry(e wire.Entry) string {
	switch {
	case e.Frame != nil:
		arrow := "< "
		if e.Frame.Dir == wire.Sent {
			arrow = "> "
		}
		return arrow + tell(e.Frame)
	case e.Lane != nil:
		return "~ " + laneNames[e.Lane.Kind] + " " + e.Lane.Text
	case e.Note != nil:
		return "! " + e.Note.From + ": " + e.Note.Text
	}
	return "?"
}

var laneNames = map[wire.LaneKind]string{
	wire.LaneOpen: "open", wire.LaneHead: "head", wire.LaneEOF: "eof", wire.LaneCut: "cut", wire.LaneFailed: "failed", wire.LaneClosed: "closed", wire.LaneExit: "exit",
}

func isLane(kind wire.LaneKind) func(wire.Entry) bool {
	return func(e wire.Entry) bool { return e.Lane != nil && e.Lane.Kind == kind }
}

func isReceived(body string) func(wire.Entry) bool {
	return func(e wire.Entry) bool {
		return e.Frame != nil && e.Frame.Dir == wire.Received && strings.Contains(string(e.Frame.Body), body)
	}
}

func isNote(text string) func(wire.Entry) bool {
	return func(e wire.Entry) bool { return e.Note != nil && strings.Contains(e.Note.Text, text) }
}

func background(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// noLeak fails when goroutines of this package outlive the test.
func noLeak(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		var left string
		for range 200 {
			buf := make([]byte, 1<<20)
			left = ""
			for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
				if strings.Contains(g, "mcploupe/session/transport.(") {
					left += g + "\n\n"
				}
			}
			if left == "" {
				return
			}
			runtime.Gosched()
			<-time.After(5 * time.Millisecond)
		}
		t.Errorf("goroutines are left:\n%s", left)
	})
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
