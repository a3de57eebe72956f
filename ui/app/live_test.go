package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/oauth"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
	"mcploupe/ui/drive"
)

// piped is a channel to the built-in server in this very process: what the pipes of a child would carry.
type piped struct {
	tap  *transport.Tap
	in   *io.PipeWriter
	mu   sync.Mutex // one message at a time
	stop context.CancelFunc
	done chan struct{}
}

func pipe(tap *transport.Tap, server *demo.Server) *piped {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	p := &piped{tap: tap, in: inW, stop: stop, done: make(chan struct{})}
	go func() {
		_ = server.ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	go func() {
		defer close(p.done)
		r := bufio.NewReader(outR)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 {
				tap.Frame(&wire.Frame{Dir: wire.Received, Body: line[:len(line)-1]})
			}
			if err != nil {
				tap.Lane(wire.Lane{Kind: wire.LaneExit, Exit: &wire.Exit{Ours: true}})
				return
			}
		}
	}()
	return p
}

func (p *piped) Kind() string          { return "stdio" }
func (p *piped) Target() string        { return "mcploupe demo --stdio" }
func (p *piped) CloseLane(uint32)      {}
func (p *piped) Done() <-chan struct{} { return p.done }

func (p *piped) Send(_ context.Context, o transport.Outgoing) (transport.Sent, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seq := p.tap.Frame(&wire.Frame{Dir: wire.Sent, Why: o.Why, Body: o.Body})
	if _, err := p.in.Write(append(append([]byte(nil), o.Body...), '\n')); err != nil {
		return transport.Sent{Seq: seq}, errors.Join(transport.ErrClosed, err)
	}
	return transport.Sent{Seq: seq}, nil
}

func (p *piped) Close(context.Context) error {
	p.in.Close()
	<-p.done
	p.stop()
	return nil
}

// live tells a story against the built-in server, with a real session: over pipes, or over HTTP on this machine. Over HTTP time
// is real, because sockets are.
func live(t *testing.T, w, h int, o demo.Options, http bool, learning *Learning, then func(s *story)) {
	t.Helper()
	run := func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		desk := NewDesk()
		log := wire.NewLog(wire.LogOptions{Now: time.Now})
		so := session.Options{
			Log: log, Ask: desk.Ask, Rounds: 50, Timeout: 20 * time.Second,
			Capabilities: []byte(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`),
		}
		target := session.Target{Argv: []string{"mcploupe", "demo", "--stdio"}}
		served := make(chan struct{})
		if http {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			go func() { defer close(served); _ = demo.New(o).Serve(ctx, listener) }()
			target = session.Target{URL: "http://" + listener.Addr().String() + demo.Path}
			if o.Login {
				so.Authorize, err = oauth.New(oauth.Config{Auto: true})
				if err != nil {
					t.Fatal(err)
				}
			}
		} else {
			close(served)
			so.Open = func(_ context.Context, how session.Opening) (transport.Conn, error) {
				return pipe(how.Tap, demo.New(o)), nil // as a restarted child: it has forgotten everything
			}
		}
		ses := session.New(target, so)
		s := &story{t: t, log: log, msgs: make(chan tea.Msg, 1000), ctx: ctx, desk: desk, real: http, draws: true}
		probe := func(ctx context.Context, unsafe bool) error {
			w := drive.Walk{Session: ses, Unsafe: unsafe, Timeout: time.Second}
			return w.Probes(ctx)
		}
		m, err := New(ctx, Options{Session: ses, Desk: desk, Learning: learning, Rounds: 50, Probe: probe, Local: true})
		if err != nil {
			t.Fatal(err)
		}
		s.m = m
		defer func() {
			_ = ses.Close(ctx)
			cancel()
			log.Close()
			<-served
			if !http {
				time.Sleep(time.Minute) // beats that are under way end
			}
		}()
		s.send(tea.WindowSizeMsg{Width: w, Height: h})
		s.run(m.Init())
		s.until("the server is ready", func() bool { return m.book.Server.Phase == wire.Ready })
		s.until("the lists are there", func() bool { return m.settled || learning == nil })
		s.wait(500 * time.Millisecond)
		then(s)
	}
	if http {
		run(t)
		return
	}
	synctest.Test(t, run)
}

// until lets time pass until something is so; the story fails when it does not come to be.
func (s *story) until(what string, is func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(end) {
			s.t.Fatalf("waited in vain until %s:\n%s", what, s.screen())
		}
		s.wait(50 * time.Millisecond)
	}
}
