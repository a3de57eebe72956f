//go:build !windows

// Package termtest runs a program under a pseudo-terminal with a terminal emulator behind it: for stories about
// the real binary, and for pictures of it. It is for tests and docs, never part of the program.
package termtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"mcploupe/ui/snap"
)

// Term is a program on its screen.
type Term struct {
	cmd    *exec.Cmd
	pty    *os.File
	screen *vt.Emulator // its safe variant gives out cells that go on changing, so there is a lock of our own
	w, h   int

	mu    sync.Mutex
	raw   []byte
	came  time.Time // when the first bytes came after a key of Press; zero until then
	news  chan struct{}
	ended chan struct{}
	err   error
}

// Start runs a program on a screen of w×h cells, with these variables over a clean environment.
func Start(w, h int, env []string, argv ...string) (*Term, error) {
	t := &Term{cmd: exec.Command(argv[0], argv[1:]...), screen: vt.NewEmulator(w, h), w: w, h: h, news: make(chan struct{}, 1), ended: make(chan struct{})}
	t.cmd.Env = append([]string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + os.TempDir(), "XDG_STATE_HOME=" + os.DevNull}, env...)
	f, err := pty.StartWithSize(t.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, fmt.Errorf("starting %s under a pseudo-terminal: %w", argv[0], err)
	}
	t.pty = f
	go t.read()
	go t.answer()
	return t, nil
}

// read feeds what the program writes to the emulator until the program is gone.
func (t *Term) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.pty.Read(buf)
		now := time.Now() // before the emulator takes its time
		t.mu.Lock()
		if n > 0 && t.came.IsZero() {
			t.came = now
		}
		t.screen.Write(buf[:n])
		t.raw = append(t.raw, buf[:n]...)
		t.mu.Unlock()
		select {
		case t.news <- struct{}{}:
		default:
		}
		if err != nil {
			break
		}
	}
	t.err = t.cmd.Wait()
	close(t.ended)
}

// answer carries the terminal's replies (to questions about colours and modes) and keys to the program.
func (t *Term) answer() {
	buf := make([]byte, 4<<10)
	for {
		n, err := t.screen.Read(buf)
		if n > 0 {
			t.pty.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// keys are names for what is no character. Escape is what a terminal sends that tells keys apart: its plain byte, with a key close
// behind it, would be that key with alt.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b[27u", "tab": "\t", "shift+tab": "\x1b[Z", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "ctrl+right": "\x1b[1;5C", "ctrl+left": "\x1b[1;5D", "pgdown": "\x1b[6~", "pgup": "\x1b[5~",
}

// Type presses keys: names like "enter", "ctrl+s", "up", or text as it is.
func (t *Term) Type(words ...string) error {
	for _, word := range words {
		text, ok := keys[word]
		if c, is := strings.CutPrefix(word, "ctrl+"); is && len(c) == 1 {
			text, ok = string(c[0]&0x1f), true
		}
		if !ok {
			text = word
		}
		if _, err := t.pty.Write([]byte(text)); err != nil {
			return fmt.Errorf("typing %q: %w", word, err)
		}
	}
	return nil
}

// Press presses one key and measures the answer: how long until the first byte of it came, and how many bytes until nothing more
// came for a while. A key that changes nothing has no answer: an error after two seconds.
func (t *Term) Press(word string, settle time.Duration) (first time.Duration, bytes int, err error) {
	t.mu.Lock()
	before := len(t.raw)
	t.came = time.Time{}
	t.mu.Unlock()
	select { // what came before this key
	case <-t.news:
	default:
	}
	start := time.Now()
	if err := t.Type(word); err != nil {
		return 0, 0, err
	}
	select {
	case <-t.news:
	case <-t.ended:
		return 0, 0, fmt.Errorf("pressing %q: the program has ended", word)
	case <-time.After(2 * time.Second):
		return 0, 0, fmt.Errorf("pressing %q: no answer; screen:\n%s", word, t.Text())
	}
	t.Quiet(settle)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.came.Sub(start), len(t.raw) - before, nil
}

// Text is the screen as it stands, line by line, without trailing blanks.
func (t *Term) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := make([]string, t.h)
	for y := range t.h {
		var b strings.Builder
		for x := 0; x < t.w; x++ {
			c := t.screen.CellAt(x, y)
			if c == nil || c.Content == "" {
				if c == nil || c.Width != 0 {
					b.WriteByte(' ')
				}
				continue
			}
			b.WriteString(c.Content)
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n")
}

// Raw is every byte that the program has written.
func (t *Term) Raw() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.raw...)
}

// Wait waits until the screen fulfils a condition.
func (t *Term) Wait(within time.Duration, what string, ok func(screen string) bool) error {
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	for {
		if ok(t.Text()) {
			return nil
		}
		select {
		case <-t.news:
		case <-t.ended:
			if ok(t.Text()) {
				return nil
			}
			return fmt.Errorf("waiting for %s: the program has ended; screen:\n%s", what, t.Text())
		case <-timeout.C:
			return fmt.Errorf("waiting for %s: it did not come within %s; screen:\n%s", what, within, t.Text())
		}
	}
}

// See waits until the screen shows a text.
func (t *Term) See(text string) error {
	return t.Wait(time.Minute, fmt.Sprintf("%q", text), func(s string) bool { return strings.Contains(s, text) })
}

// Quiet waits until nothing has been written for a while, so that a picture shows a finished screen.
func (t *Term) Quiet(while time.Duration) {
	timer := time.NewTimer(while)
	defer timer.Stop()
	for {
		select {
		case <-t.news:
			timer.Reset(while)
		case <-t.ended:
			return
		case <-timer.C:
			return
		}
	}
}

// Exit waits for the end of the program and gives its exit code.
func (t *Term) Exit(within time.Duration) (int, error) {
	select {
	case <-t.ended:
	case <-time.After(within):
		return 0, fmt.Errorf("the program still runs after %s; screen:\n%s", within, t.Text())
	}
	if e, ok := errors.AsType[*exec.ExitError](t.err); ok {
		return e.ExitCode(), nil
	}
	return 0, t.err
}

// Pid is the program's process.
func (t *Term) Pid() int { return t.cmd.Process.Pid }

// Signal sends a signal to the program.
func (t *Term) Signal(s syscall.Signal) error { return t.cmd.Process.Signal(s) }

// AltScreen tells whether the program is on the alternate screen.
func (t *Term) AltScreen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.IsAltScreen()
}

// Close ends the program if it still runs.
func (t *Term) Close() {
	t.cmd.Process.Kill()
	<-t.ended
	t.pty.Close()
	// The emulator's own Close sets a flag that its Read looks at without a lock; closing the pipe between them ends Read too.
	if pipe, ok := t.screen.InputPipe().(io.Closer); ok {
		pipe.Close()
	}
}

// SVG is a picture of the screen.
func (t *Term) SVG(title string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return snap.New(t.w, t.h, t.screen.CellAt).SVG(title)
}
