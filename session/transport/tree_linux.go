package transport

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel end the child when we are killed and cannot. The signal is sent when the
// thread that started the child ends: that one must be locked to the goroutine that waits for it.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = unix.SIGTERM }

// await returns when the child has ended. It stays a zombie, so that its number, which is that of the
// group, is nobody else's while the rest of the group is ended.
func (t *tree) await() {
	for {
		err := unix.Waitid(unix.P_PID, t.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// reap lets go of the child, which has ended. The error tells only what its state says, too.
func (t *tree) reap() { _ = t.cmd.Wait() }
