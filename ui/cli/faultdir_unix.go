//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// lockFile waits for the lock, which only somebody who is removing the directory may hold, for a moment.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// takeOver holds the lock if nobody does. The file must be there.
func takeOver(lock string) (release func(), ok bool) {
	f, err := os.OpenFile(lock, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close()
		return nil, false
	}
	return func() { _ = f.Close() }, true
}

// ownDir tells that a directory is this person's, and nobody else can change what is in it.
func ownDir(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}
