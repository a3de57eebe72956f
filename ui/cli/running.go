package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// running tells on standard error how far a request is: on a terminal one line that is written over, elsewhere a line now and
// then when the server reports. It is silent until a request has run for kit.Slow.
type running struct {
	mu    sync.Mutex
	out   io.Writer
	tty   bool
	width int
	env   *kit.Env
	stop  chan struct{}

	seq    wire.Seq // the newest request that is open, 0 for none
	what   string
	since  time.Time
	heard  int // notifications of it that were looked at
	far    book.Progress
	told   time.Time // when the last line was written
	dirty  bool      // a line stands on the terminal
	silent bool      // elsewhere: nothing new to tell
}

// Distances between two lines.
const (
	beat    = 250 * time.Millisecond // on a terminal
	between = time.Second            // elsewhere
)

// progress begins to tell how far requests are. The function it returns ends that.
func (r *run) progress() (stop func()) {
	if r.flags.json {
		return func() {}
	}
	p := r.flags.printer(r.io.err)
	t := &running{out: r.io.err, width: p.width, env: &kit.Env{Styles: p.styles, Now: time.Now}, tty: isTerminal(r.io.err), stop: make(chan struct{}), silent: true}
	r.mu.Lock()
	r.running = t
	r.mu.Unlock()
	var done sync.WaitGroup
	if t.tty {
		done.Go(func() {
			tick := time.NewTicker(beat)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					t.tell()
				case <-t.stop:
					return
				}
			}
		})
	}
	return func() {
		r.mu.Lock()
		r.running = nil
		r.mu.Unlock()
		close(t.stop)
		done.Wait()
		t.clear()
	}
}

// see takes an exchange as it stands.
func (t *running) see(x *wire.Exchange) {
	if t == nil || x.Request == nil || x.Request.Kind != wire.Request || x.Request.Dir != wire.Sent {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.End != wire.Open {
		if x.Seq() == t.seq {
			t.seq = 0
			t.wipe()
		}
		return
	}
	if x.Seq() != t.seq {
		t.seq, t.heard, t.far, t.since = x.Seq(), 0, book.Progress{}, x.Request.At
		t.what = clip(safe(x.Method()+" "+x.Name()), 60)
	}
	for ; t.heard < len(x.During); t.heard++ {
		if m := &x.During[t.heard]; m.Method == "notifications/progress" {
			t.far, t.silent = t.far.Next(m), false
		}
	}
	if !t.tty && !t.silent && time.Since(t.told) >= between {
		t.told, t.silent = time.Now(), true
		fmt.Fprintf(t.out, "mcploupe: %s: %s\n", t.what, t.env.Far(t.far, 80))
	}
}

// tell writes the line of a terminal anew.
func (t *running) tell() {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := time.Since(t.since)
	if t.seq == 0 || took < kit.Slow {
		return
	}
	s := t.env.Styles
	left := s.Running.Render("⏳ ") + s.Text.Render(t.what) + s.Muted.Render("  "+kit.Clock(took))
	right := s.Muted.Render("^C ends it")
	room := t.width - kit.Width(left) - kit.Width(right) - 5
	line := kit.Cut(left+"  "+t.env.Far(t.far, max(room, 0)), t.width-kit.Width(right)-3) + "  " + right
	fmt.Fprintf(t.out, "\r\x1b[K%s", line)
	t.dirty = true
}

func (t *running) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
}

// wipe takes the line off the terminal.
func (t *running) wipe() {
	if t.dirty {
		fmt.Fprint(t.out, "\r\x1b[K")
		t.dirty = false
	}
}
