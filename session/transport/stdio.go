package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"mcploupe/session/wire"
)

// Times of a child's life that are nobody's choice.
const (
	pauseTime  = 250 * time.Millisecond // of silence, after which what lacks only its newline is delivered
	drainTime  = 200 * time.Millisecond // for the last output of a child that has ended
	mutedTime  = 500 * time.Millisecond // from the end of stdout to the remark that the child lives on
	unkillable = 5 * time.Second        // from SIGKILL to giving up on a child that the system cannot end
)

// keepStderr is how many of the last lines of stderr an exit tells.
const keepStderr = 20

// stdio is a child process and its pipes.
type stdio struct {
	tap    *Tap
	opts   StdioOptions
	tree   *tree
	dir    string // as the child has it
	stdin  *os.File
	stdout *os.File
	stderr *os.File

	turn    chan struct{} // held by the Send whose message is being written
	dead    chan struct{} // closed when the child has ended
	done    chan struct{} // closed when the exit was told
	drained sync.WaitGroup

	closing sync.Once
	mu      sync.Mutex
	ours    bool // we have closed stdin
	late    bool // and had to do more
	last    []string
}

// StartStdio starts the command and talks to it over its stdin and stdout; its stderr becomes notes.
// The error is a *StartError.
func StartStdio(ctx context.Context, o StdioOptions, t *Tap) (Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(o.Argv) == 0 {
		return nil, &StartError{Err: errors.New("no command was given")}
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	dir, failed := workingDir(o)
	if failed != nil {
		return nil, failed
	}
	vars := Environ(o)
	path, failed := findProgram(o.Argv[0], dir, vars)
	if failed != nil {
		return nil, failed
	}
	cmd := &exec.Cmd{Path: path, Args: slices.Clone(o.Argv), Dir: dir}
	for _, v := range vars {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
	}
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would inherit
	}
	c := &stdio{tap: t, opts: o, dir: dir, turn: make(chan struct{}, 1), dead: make(chan struct{}), done: make(chan struct{})}
	if c.dir == "" {
		c.dir, _ = os.Getwd()
	}
	if err := c.start(cmd); err != nil {
		return nil, startFailure(o.Argv[0], dir, path, err)
	}
	return c, nil
}

// workingDir is the child's directory, "" for ours.
func workingDir(o StdioOptions) (string, *StartError) {
	if o.Dir == "" {
		return "", nil
	}
	dir := expandHome(o.Dir)
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	} else if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("there is no such directory")
	}
	if err != nil {
		return "", &StartError{Argv0: o.Argv[0], Dir: dir, Err: fmt.Errorf("working directory %s: %w", dir, err)}
	}
	return dir, nil
}

// startFailure explains why the system did not start a file that is there.
func startFailure(argv0, dir, path string, err error) *StartError {
	e := &StartError{Argv0: argv0, Dir: dir, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "the file is there, but the interpreter that its first line names is not"
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = path + " is no program for this system: a script needs a first line like #!/bin/sh"
	}
	return e
}

// start opens the pipes, starts the command and the goroutines that serve it.
func (c *stdio) start(cmd *exec.Cmd) error {
	var theirs []*os.File
	pipe := func(in bool) (ours *os.File, child *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, fmt.Errorf("opening a pipe: %w", err)
		}
		if in {
			r, w = w, r
		}
		theirs = append(theirs, w)
		return r, w, nil
	}
	fail := func(err error) error {
		for _, f := range append(theirs, c.stdin, c.stdout, c.stderr) {
			if f != nil {
				_ = f.Close()
			}
		}
		return err
	}
	var in, out, errs *os.File
	var err error
	if c.stdin, in, err = pipe(true); err == nil {
		if c.stdout, out, err = pipe(false); err == nil {
			c.stderr, errs, err = pipe(false)
		}
	}
	if err != nil {
		return fail(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	started := make(chan error)
	c.drained.Add(2)
	go c.live(cmd, started)
	if err := <-started; err != nil {
		return fail(err)
	}
	for _, f := range theirs {
		_ = f.Close()
	}
	go c.readStdout()
	go c.readStderr()
	return nil
}

// live starts the child, waits for its end and tells it. It keeps its thread: see dieWithParent.
func (c *stdio) live(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t, err := startTree(cmd)
	if err != nil {
		started <- err
		return
	}
	c.tree = t
	c.tap.Lane(wire.Lane{Kind: wire.LaneOpen, Text: fmt.Sprintf("started %s (process %d)", c.Target(), cmd.Process.Pid)})
	started <- nil

	t.await()
	close(c.dead)
	// What the child started may still hold its pipes. It gets a moment, then it goes too.
	drained := make(chan struct{})
	go func() { c.drained.Wait(); close(drained) }()
	if !within(drained, drainTime) {
		t.kill()
		if !within(drained, drainTime) { // somebody who left the group
			_ = c.stdout.Close()
			_ = c.stderr.Close()
			<-drained
		}
	}
	t.kill()
	t.reap()
	t.release()
	for _, f := range []*os.File{c.stdin, c.stdout, c.stderr} {
		_ = f.Close()
	}
	code, signal := ending(cmd.ProcessState)
	c.mu.Lock()
	exit := &wire.Exit{Argv: slices.Clone(c.opts.Argv), Dir: c.dir, Code: code, Signal: signal, Stderr: slices.Clone(c.last), Ours: c.ours, Late: c.late}
	c.mu.Unlock()
	c.tap.Lane(wire.Lane{Kind: wire.LaneExit, Exit: exit})
	close(c.done)
}

// within says whether c is closed before d has passed.
func within(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

func (c *stdio) Kind() string { return "stdio" }

func (c *stdio) Target() string { return CommandLine(c.tap.Secrets.Words(c.opts.Argv)) }

func (c *stdio) CloseLane(uint32) {}

func (c *stdio) Done() <-chan struct{} { return c.done }

// Send implements Conn.
func (c *stdio) Send(ctx context.Context, o Outgoing) (Sent, error) {
	if err := ctx.Err(); err != nil {
		return Sent{}, err
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return Sent{}, fmt.Errorf("waiting until the server has read earlier messages: %w", ctx.Err())
	case <-c.dead:
		return Sent{}, c.closed()
	}
	if err := c.closed(); err != nil {
		<-c.turn
		return Sent{}, err
	}
	body := slices.Clone(o.Body)
	sent := Sent{Seq: c.tap.Frame(&wire.Frame{Dir: wire.Sent, Why: o.Why, Lines: 1, Body: body})}
	line := body
	if n := len(body); n == 0 || body[n-1] != '\n' {
		line = append(body[:n:n], '\n')
	}
	written := make(chan error, 1)
	go func() {
		_, err := c.stdin.Write(line)
		<-c.turn
		written <- err
	}()
	select {
	case err := <-written:
		if err == nil {
			return sent, nil
		}
		if closed := c.closed(); closed != nil {
			return sent, closed
		}
		return sent, fmt.Errorf("writing to the server's stdin: %w", err)
	case <-ctx.Done():
		return sent, fmt.Errorf("the server does not read its stdin: %w", ctx.Err())
	}
}

// closed is an ErrClosed when the child has ended or we closed its stdin.
func (c *stdio) closed() error {
	select {
	case <-c.dead:
		return fmt.Errorf("the server has ended: %w", ErrClosed)
	default:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ours {
		return ErrClosed
	}
	return nil
}

// Close implements Conn.
func (c *stdio) Close(ctx context.Context) error {
	c.closing.Do(func() {
		select {
		case <-c.dead:
			return
		default:
		}
		c.mu.Lock()
		c.ours = true
		c.mu.Unlock()
		c.tap.Lane(wire.Lane{Kind: wire.LaneClosed, Text: "we closed the server's stdin"})
		_ = c.stdin.Close()
		if c.ended(ctx, c.opts.Grace) {
			return
		}
		c.mu.Lock()
		c.late = true
		c.mu.Unlock()
		c.tree.terminate()
		if !c.ended(ctx, c.opts.Grace) {
			c.tree.kill()
		}
	})
	if !within(c.done, unkillable) {
		return fmt.Errorf("ending %s: the process does not end even when it is killed", c.Target())
	}
	return nil
}

// ended says whether the child ends before d has passed and before ctx ends.
func (c *stdio) ended(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	select {
	case <-c.dead:
		return true
	case <-ctx.Done():
		return false
	}
}
