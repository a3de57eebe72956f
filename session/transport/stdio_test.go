//go:build unix

package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// run starts this binary in a role.
func run(t *testing.T, tap *Tap, role string, o StdioOptions) Conn {
	t.Helper()
	noLeak(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Argv = append([]string{exe}, o.Argv...)
	o.Env = append(o.Env, childVariable+"="+role)
	c, err := StartStdio(background(t), o, tap)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := c.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return c
}

// watcher hears of processes and of their ends.
type watcher struct {
	net.Listener
	t *testing.T
}

func watch(t *testing.T) *watcher {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &watcher{l, t}
}

func (w *watcher) env() string { return "WATCH=" + w.Addr().String() }

// next is the next process that reports, with its role.
func (w *watcher) next() (string, *bufio.Reader) {
	w.t.Helper()
	_ = w.Listener.(*net.TCPListener).SetDeadline(time.Now().Add(10 * time.Second))
	c, err := w.Accept()
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	r := bufio.NewReader(c)
	role, err := r.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(role), r
}

// gone waits for the end of a process.
func (w *watcher) gone(role string, r *bufio.Reader) {
	w.t.Helper()
	if _, err := r.ReadByte(); errors.Is(err, os.ErrDeadlineExceeded) {
		w.t.Errorf("%s is still alive", role)
	}
}

func TestStdioTalks(t *testing.T) {
	tap, l := listen(t)
	c := run(t, tap, "echo", StdioOptions{})
	ctx := background(t)
	for i, body := range []string{`{"a":1}`, `{"b":2}`} {
		s, err := c.Send(ctx, Outgoing{Body: []byte(body), Why: "test"})
		if err != nil || s.Seq == 0 || s.Lane != 0 {
			t.Fatalf("message %d: %+v, %v", i, s, err)
		}
		l.wait(t, 0, "the answer", isReceived(body))
	}
	if err := c.Close(ctx); err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	e, _ := l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if x := e.Lane.Exit; x.Code != 0 || x.Signal != "" || !x.Ours || x.Late {
		t.Errorf("exit %+v", x)
	}
	want := []string{"~ open", `> : {"a":1}`, `< : {"jsonrpc":"2.0","id":1,"result":{"a":1}}`, `> : {"b":2}`, `< : {"jsonrpc":"2.0","id":1,"result":{"b":2}}`, "~ closed", "~ exit"}
	got := strings.Split(strings.TrimSpace(l.story()), "\n")
	for i := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("got\n%s\nwant\n%s", l.story(), strings.Join(want, "\n"))
		}
	}
	// The log has the same, in the same order.
	logged, _ := tap.Log.After(0)
	for i, e := range logged {
		if strings.TrimSpace(tellEntry(e)) != got[i] || e.Seq != l.entries[i].Seq || !e.At.Equal(l.entries[i].At) {
			t.Errorf("entry %d: the log has %s at %v, the sink %s at %v", i, tellEntry(e), e.At, got[i], l.entries[i].At)
		}
	}
	if l.entries[1].Frame.Why != "test" {
		t.Error("the reason is lost")
	}
	if _, err := c.Send(ctx, Outgoing{Body: []byte("{}")}); !errors.Is(err, ErrClosed) {
		t.Errorf("sending after the end: %v", err)
	}
}

func TestStdioReadsOddServers(t *testing.T) {
	tap, l := listen(t)
	run(t, tap, "text", StdioOptions{Env: []string{"TEXT=hello\n" + one + "\r\n\n{\n\"id\":1}\n" + one + two + "\nContent-Length: 36\r\n\r\n" + two + "\n"}})
	l.wait(t, 0, "the last message", func(e wire.Entry) bool { return e.Frame != nil && e.Frame.Shape&wire.ShapeLSP != 0 })
	want := "< noise: hello|< crlf: " + one + "|< blank:|< pretty,2 lines: {\n\"id\":1}|< glued: " + one + "|< glued: " + two + "|< lsp: \"Content-Length: 36\\r\\n\\r\\n\" " + two
	if _, got, _ := strings.Cut(strings.TrimSpace(l.story()), "\n"); got != strings.ReplaceAll(want, "|", "\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestStdioDeliversWhatOnlyLacksItsNewline(t *testing.T) {
	tap, l := listen(t)
	run(t, tap, "prompt", StdioOptions{})
	e, _ := l.wait(t, 0, "the message", isReceived(one))
	if e.Frame.Shape != wire.ShapeUnterminated {
		t.Errorf("%s", tell(e.Frame))
	}
	l.wait(t, 0, "the question", isNote("Password: "))
}

func TestStdioReadsALongLine(t *testing.T) {
	tap, l := listen(t)
	run(t, tap, "big", StdioOptions{})
	e, _ := l.wait(t, 0, "8 MiB", func(e wire.Entry) bool { return e.Frame != nil })
	if n := len(e.Frame.Body); n < 8<<20 || e.Frame.Shape != 0 || e.Frame.Dropped != 0 {
		t.Errorf("%d bytes, shape %b", n, e.Frame.Shape)
	}
	tap, l = listen(t)
	run(t, tap, "big", StdioOptions{MaxMessage: 1 << 20})
	e, _ = l.wait(t, 0, "8 MiB", func(e wire.Entry) bool { return e.Frame != nil })
	if n := len(e.Frame.Body); n > 1<<20 || e.Frame.Shape != wire.ShapeCut || int64(n)+e.Frame.Dropped < 8<<20 {
		t.Errorf("over the limit: %d bytes, %d dropped, shape %b", n, e.Frame.Dropped, e.Frame.Shape)
	}
}

func TestStdioTellsHowTheServerEnded(t *testing.T) {
	tap, l := listen(t)
	start := time.Now()
	c := run(t, tap, "crash", StdioOptions{})
	<-c.Done()
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("noticed after %v", took)
	}
	e, _ := l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	x := e.Lane.Exit
	if x.Code != 3 || x.Signal != "" || x.Ours || x.Late || len(x.Argv) != 1 || x.Dir == "" {
		t.Errorf("exit %+v", x)
	}
	if len(x.Stderr) != 20 || x.Stderr[0] != "line 11" || x.Stderr[19] != "FATAL: API_KEY is not set" {
		t.Errorf("last lines %q", x.Stderr)
	}
	if s := l.story(); strings.Count(s, "! stderr:") != 31 || !strings.HasSuffix(s, "~ exit \n") {
		t.Errorf("got\n%s", s)
	}
	if err := c.Close(background(t)); err != nil {
		t.Error(err)
	}
	if strings.Contains(l.story(), "~ closed") {
		t.Error("we closed nothing")
	}

	tap, l = listen(t)
	<-run(t, tap, "shot", StdioOptions{}).Done()
	e, _ = l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if x := e.Lane.Exit; x.Code != -1 || x.Signal != "SIGKILL" {
		t.Errorf("exit %+v", x)
	}
}

func TestStdioChildGetsItsEnvironment(t *testing.T) {
	t.Setenv("INHERITED", "yes")
	t.Setenv("REPLACED", "no")
	dir := t.TempDir()
	about := func(o StdioOptions) (args, env []string, cwd string) {
		tap, l := listen(t)
		run(t, tap, "about", o)
		e, _ := l.wait(t, 0, "its report", isReceived("args"))
		var v struct {
			Args, Env []string
			Cwd       string
		}
		if err := json.Unmarshal(e.Frame.Body, &v); err != nil {
			t.Fatal(err)
		}
		return v.Args[1:], v.Env, v.Cwd
	}
	args, env, cwd := about(StdioOptions{Argv: []string{"~/notes", "My Files", "", "$HOME", "*"}, Env: []string{"REPLACED=yes", "NEW=a=b"}, Dir: dir})
	if want := []string{"~/notes", "My Files", "", "$HOME", "*"}; !slices.Equal(args, want) {
		t.Errorf("arguments %q", args)
	}
	if real, _ := filepath.EvalSymlinks(dir); cwd != real && cwd != dir {
		t.Errorf("directory %q, want %q", cwd, dir)
	}
	for _, want := range []string{"INHERITED=yes", "REPLACED=yes", "NEW=a=b", "PATH=" + os.Getenv("PATH")} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	_, env, _ = about(StdioOptions{Env: []string{"NEW=x"}, CleanEnv: true})
	if slices.Sort(env); !slices.Equal(env, []string{childVariable + "=about", "NEW=x"}) {
		t.Errorf("clean environment %q", env)
	}
	t.Setenv("HOME", dir)
	if _, _, cwd = about(StdioOptions{Dir: "~"}); filepath.Base(cwd) != filepath.Base(dir) {
		t.Errorf("home directory %q", cwd)
	}
}

func TestStdioEndsTheWholeTree(t *testing.T) {
	w := watch(t)
	tap, l := listen(t)
	c := run(t, tap, "stubborn", StdioOptions{Env: []string{w.env()}, Grace: 50 * time.Millisecond})
	r1, p1 := w.next()
	r2, p2 := w.next()
	l.wait(t, 0, "ready", isReceived("ready"))
	if err := c.Close(background(t)); err != nil {
		t.Fatal(err)
	}
	w.gone(r1, p1)
	w.gone(r2, p2)
	e, _ := l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if x := e.Lane.Exit; x.Signal != "SIGKILL" || !x.Ours || !x.Late {
		t.Errorf("exit %+v", x)
	}

	// One that heeds SIGTERM is not killed.
	tap, l = listen(t)
	c = run(t, tap, "polite", StdioOptions{Grace: 50 * time.Millisecond})
	l.wait(t, 0, "ready", isReceived("ready"))
	if err := c.Close(background(t)); err != nil {
		t.Fatal(err)
	}
	e, _ = l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if x := e.Lane.Exit; x.Signal != "SIGTERM" || !x.Late {
		t.Errorf("exit %+v", x)
	}

	// A done context skips the waiting.
	tap, l = listen(t)
	c = run(t, tap, "stubborn", StdioOptions{Grace: time.Hour})
	l.wait(t, 0, "ready", isReceived("ready"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

// What a child leaves behind holds its pipes open: the end of the child is told all the same, and the
// rest is ended too.
func TestStdioIsNotHeldByGrandchildren(t *testing.T) {
	w := watch(t)
	tap, l := listen(t)
	c := run(t, tap, "parent", StdioOptions{Env: []string{w.env()}})
	a, pa := w.next()
	b, pb := w.next()
	<-c.Done()
	e, _ := l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if e.Lane.Exit.Code != 5 || !strings.Contains(l.story(), "gone") {
		t.Errorf("got\n%s", l.story())
	}
	w.gone(a, pa)
	w.gone(b, pb)
}

func TestStdioServerThatClosesItsStdout(t *testing.T) {
	tap, l := listen(t)
	c := run(t, tap, "mute", StdioOptions{})
	l.wait(t, 0, "the end of stdout", isLane(wire.LaneEOF))
	if err := c.Close(background(t)); err != nil {
		t.Fatal(err)
	}
	l.wait(t, 0, "the exit", isLane(wire.LaneExit))
}

// A server that does not read holds up what is being sent, not the caller.
func TestStdioServerThatDoesNotRead(t *testing.T) {
	tap, l := listen(t)
	c := run(t, tap, "reader", StdioOptions{Grace: 10 * time.Millisecond})
	big := []byte(`{"x":"` + strings.Repeat("x", 4<<20) + `"}`)
	ctx, cancel := context.WithCancel(background(t))
	go func() {
		l.wait(t, 0, "the message in the log", func(e wire.Entry) bool { return e.Frame != nil })
		cancel()
	}()
	s, err := c.Send(ctx, Outgoing{Body: big})
	if s.Seq == 0 || !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, %v", s, err)
	}
	// The next one waits behind it; given up there, it was not sent at all.
	ctx2, cancel2 := context.WithTimeout(background(t), 20*time.Millisecond)
	defer cancel2()
	s, err = c.Send(ctx2, Outgoing{Body: []byte("{}")})
	if s.Seq != 0 || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := c.Close(background(t)); err != nil {
		t.Fatal(err)
	}
}

// When we are killed and can do nothing any more, a server that ignores the end of its stdin goes too.
func TestNoOrphanWhenWeAreKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("needs Linux")
	}
	w := watch(t)
	exe, _ := os.Executable()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childVariable+"=killed", w.env())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	us, pus := w.next()
	server, pserver := w.next()
	_ = stdin.Close()
	_ = cmd.Wait()
	w.gone(us, pus)
	w.gone(server, pserver)
}

func TestStdioMasksItsTarget(t *testing.T) {
	tap, l := listen(t, "s3cret-value")
	c := run(t, tap, "about", StdioOptions{Argv: []string{"--key", "s3cret-value"}})
	if s := c.Target(); !strings.HasSuffix(s, "--key ***") {
		t.Errorf("target %q", s)
	}
	<-c.Done()
	e, _ := l.wait(t, 0, "the exit", isLane(wire.LaneExit))
	if e.Lane.Exit.Argv[2] != "s3cret-value" {
		t.Error("the session gets the exact argv")
	}
	logged, _ := tap.Log.After(0)
	if s := fmt.Sprint(logged[0].Lane, logged[len(logged)-1].Lane.Exit); strings.Contains(s, "s3cret") {
		t.Errorf("logged %s", s)
	}
}
