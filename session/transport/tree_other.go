//go:build unix && !linux

package transport

import "syscall"

// dieWithParent does nothing: here a child learns of our end by the end of its stdin alone.
func dieWithParent(*syscall.SysProcAttr) {}

// await returns when the child has ended.
func (t *tree) await() { _ = t.cmd.Wait() }

func (t *tree) reap() {}
