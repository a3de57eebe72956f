//go:build unix

package transport

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// tree is a child with everything that it started, held together by a process group. A process that
// makes a session of its own (setsid) leaves it; nothing but its pipes tells of that one.
type tree struct{ cmd *exec.Cmd }

// startTree starts the command as the leader of a group, away from the group that gets the terminal's ^C.
func startTree(cmd *exec.Cmd) (*tree, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &tree{cmd}, nil
}

// terminate asks all of them to end.
func (t *tree) terminate() { t.signal(unix.SIGTERM) }

// kill ends all of them.
func (t *tree) kill() { t.signal(unix.SIGKILL) }

func (t *tree) signal(s syscall.Signal) {
	// An error means that nobody is left.
	_ = unix.Kill(-t.cmd.Process.Pid, s)
}

func (t *tree) release() {}

// ending tells how a process ended.
func ending(s *os.ProcessState) (code int, signal string) {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -1, unix.SignalName(w.Signal())
	}
	return s.ExitCode(), ""
}
