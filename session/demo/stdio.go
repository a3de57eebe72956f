package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"mcploupe/session/mcp"
)

// maxMessage is the longest message that the server reads. Nobody has that much to ask a lighthouse.
const maxMessage = 16 << 20

// farewell is how long calls may go on after stdin was closed, so that `printf … | mcploupe demo --stdio`
// gets its answers.
const farewell = time.Second

// ErrExit is what ServeStdio returns when a fault made the server leave in the middle of a call.
var ErrExit = errors.New("leaving in the middle of a call, as the fault exit-early wants")

// ServeStdio serves one client over a pair of pipes: a message a line. It returns nil after in ended and
// what was being answered is answered, ctx's error when ctx ended first, ErrExit under the fault
// exit-early. errOut gets a line for people when the server starts.
func ServeStdio(ctx context.Context, in io.Reader, out, errOut io.Writer, opt Options) error {
	if err := opt.Check(); err != nil {
		return err
	}
	s := New(opt)
	fmt.Fprintln(errOut, s.greeting("stdio"))
	return s.ServeStdio(ctx, in, out)
}

func (s *Server) greeting(where string) string {
	text := "Skerry Light is on the air: " + where + ", " + s.opt.Era.String()
	if names := s.ActiveFaults(); len(names) > 0 {
		text += ", misbehaving: " + strings.Join(names, ", ")
	}
	return text
}

// ServeStdio serves one client over a pair of pipes with this server; see the function of that name.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &lineWriter{s: s, out: out}
	p := newPeer(s, w.write)
	lines := make(chan []byte)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, in, lines) }()

	var calls sync.WaitGroup
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line := <-lines:
			s.serveLine(ctx, p, w, line, &calls, cancel)
		case err := <-ended:
			close(p.closing)
			done := make(chan struct{})
			go func() { calls.Wait(); close(done) }()
			select {
			case <-done:
			case <-ctx.Done():
			case <-time.After(farewell):
			}
			if s.misbehaving()["no-exit"] && ctx.Err() == nil {
				<-ctx.Done()
			}
			cause := context.Cause(ctx)
			cancel(nil)
			<-done // whatever is left heard of the end and writes nothing any more
			if cause != nil {
				return cause
			}
			return err
		}
	}
}

func (s *Server) serveLine(ctx context.Context, p *peer, w *lineWriter, line []byte, calls *sync.WaitGroup, leave context.CancelCauseFunc) {
	if p.isBatch(line) {
		calls.Go(func() {
			if replies := p.batch(ctx, line, nil, w.write); len(replies) > 0 {
				w.write(joined(replies))
			}
		})
		return
	}
	c, reply, _ := p.receive(ctx, line, nil, w.write)
	p.mu.Lock()
	broken := p.broken
	p.mu.Unlock()
	if broken {
		leave(ErrExit)
		return
	}
	if c == nil {
		if reply != nil {
			w.write(reply)
		}
		return
	}
	if c.has("exit-early") && (c.method == mcp.ToolsCall || c.method == mcp.Complete) {
		leave(ErrExit)
		return
	}
	run := func() {
		reply, _ := p.run(c)
		if reply == nil {
			return
		}
		w.write(reply)
		for _, text := range c.afterwards(reply) {
			w.write(text)
		}
	}
	if c.has("one-at-a-time") && c.method != mcp.Listen {
		run()
		return
	}
	calls.Go(run)
}

// readLines hands over the lines of in until it ends. A line that is too long is handed over cut, which
// makes it a parse error.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading standard input: %w", err)
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) < maxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// lineWriter writes messages as lines, one at a time. What goes wrong in writing is not reported: a client
// that closed its end is about to close the other one.
type lineWriter struct {
	s   *Server
	mu  sync.Mutex
	out io.Writer
}

func (w *lineWriter) write(text []byte) {
	on := w.s.misbehaving()
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(framed(text, on))
}
