//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ^C while a request is under way: exit 130, what was seen is in the journal, and the child is gone, also one that neither
// the end of its input nor SIGTERM ends.
func TestInterrupt(t *testing.T) {
	for name, child := range map[string]string{
		"a child that waits":     `echo $$ >"$PIDFILE"; exec cat >/dev/null`,
		"a child that holds out": `trap "" TERM; echo $$ >"$PIDFILE"; while :; do sleep 1; done`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pidFile, journal := filepath.Join(dir, "pid"), filepath.Join(dir, "journal.jsonl")
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			var errOut bytes.Buffer
			c := exec.Command(exe, "child:main", "list", "tools", "--record", journal, "--", "sh", "-c", child)
			c.Env = append(os.Environ(), "PIDFILE="+pidFile)
			c.Stderr = &errOut
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- c.Wait() }()
			pid := 0
			until(t, "the child runs and was asked", func() bool {
				text, _ := os.ReadFile(pidFile)
				asked, _ := os.ReadFile(journal)
				pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				return pid > 0 && bytes.Contains(asked, []byte("server/discover"))
			})
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(time.Minute):
				_ = c.Process.Kill()
				t.Fatalf("^C does not end the program: %s", errOut.String())
			}
			if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(errOut.String(), "interrupted") {
				t.Errorf("exit %d: %s", code, errOut.String())
			}
			until(t, "the child is gone", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
			if r := program(t, "check", "--json", journal); r.code > 1 || !strings.Contains(r.out, "server/discover") {
				t.Errorf("the journal: %s", r)
			}
		})
	}
}
