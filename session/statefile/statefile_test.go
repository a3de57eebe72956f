package statefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// helper is what this test binary does instead of testing, when a story starts it as another process.
const helper = "STATEFILE_HELPER"

func TestMain(m *testing.M) {
	words := strings.Fields(os.Getenv(helper))
	if len(words) == 0 {
		os.Exit(m.Run())
	}
	path := os.Args[len(os.Args)-1]
	switch words[0] {
	case "write":
		for i := range lines {
			line := fmt.Sprintf("%s %d\n", words[1], i)
			if err := changeWithin(long, path, 1<<20, func(old []byte, err error) ([]byte, error) { return append(old, line...), err }); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	case "hold": // until it is killed
		_, ok := lock(path, long)
		fmt.Println("held", ok)
		select {}
	}
	os.Exit(0)
}

const (
	lines = 15
	long  = time.Hour // whoever waits that long never got the lock, however slow the machine is
)

func other(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, path)
	c.Env = append(os.Environ(), helper+"="+what)
	return c
}

// Processes and goroutines that change one file at the same time lose nothing of each other.
func TestNothingIsLostBetweenProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "state.txt")
	var all sync.WaitGroup
	for i := range 3 {
		c := other(t, fmt.Sprintf("write process%d", i), path)
		all.Go(func() {
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		all.Go(func() {
			for n := range lines {
				if err := changeWithin(long, path, 1<<20, func(old []byte, err error) ([]byte, error) {
					return append(old, fmt.Sprintf("goroutine%d %d\n", i, n)...), err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	reading := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() { // never half a file
		for {
			select {
			case <-reading:
				return
			default:
			}
			if text, err := Read(path, 1<<20); err != nil || len(text) > 0 && text[len(text)-1] != '\n' {
				t.Errorf("read %q, %v", text, err)
				return
			}
		}
	})
	all.Wait()
	close(reading)
	reader.Wait()
	text, err := Read(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for l := range bytes.Lines(text) {
		seen[string(l)]++
	}
	for i := range 3 {
		for n := range lines {
			for _, who := range []string{"process", "goroutine"} {
				if line := fmt.Sprintf("%s%d %d\n", who, i, n); seen[line] != 1 {
					t.Errorf("%q stands there %d times", line, seen[line])
				}
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The lock of a process that was killed is nobody's; that of one that lives on is waited for, but not for ever.
func TestALockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.txt")
	c := other(t, "hold", path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held true\n" {
		t.Fatalf("%q, %v", line, err)
	}
	unlock, ok := lock(path, time.Millisecond)
	unlock()
	if ok {
		t.Error("two hold the lock")
	}
	if err := Change(path, 100, func([]byte, error) ([]byte, error) { return []byte("unguarded"), nil }); err != nil {
		t.Error(err)
	}
	if text, err := Read(path, 100); string(text) != "unguarded" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	unlock, ok = lock(path, long)
	unlock()
	if !ok {
		t.Error("the lock of a dead process is waited for")
	}
}

func TestWhatStandsInItsPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.txt")
	if text, err := Read(path, 10); text != nil || err != nil {
		t.Errorf("an absent file: %q, %v", text, err)
	}
	set := func(text string) error {
		return Change(path, 10, func([]byte, error) ([]byte, error) { return []byte(text), nil })
	}
	if err := set("first"); err != nil {
		t.Fatal(err)
	}
	bad := errors.New("no")
	if err := Change(path, 10, func([]byte, error) ([]byte, error) { return []byte("x"), bad }); !errors.Is(err, bad) {
		t.Errorf("the error is %v", err)
	}
	if err := Change(path, 10, func(old []byte, err error) ([]byte, error) { return nil, err }); err != nil {
		t.Error(err)
	}
	if text, err := Read(path, 10); string(text) != "first" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := set("more than ten bytes"); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, 10); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err := Read(dir, 10); err == nil {
		t.Error("a directory is read")
	}
	below := filepath.Join(path, "below", "state.txt")
	if err := Change(below, 10, func([]byte, error) ([]byte, error) { t.Error("it was asked for"); return nil, nil }); err == nil {
		t.Error("nothing can be below a file")
	}
}
