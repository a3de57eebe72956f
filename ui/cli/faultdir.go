package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The directory of a switch for faults is the program's that made it, as long as that holds a lock on a file in it. Systems let go of the
// lock of a program however it ends, so the next one can tell what a killed one has left behind, and removes it; nothing else
// in the place for temporary files is touched, and nothing of a program that is alive, in another container neither.

const (
	faultDirs = "mcploupe-faults-*"
	faultLock = "lock"
)

// faultFiles are all that such a directory holds.
func faultFiles() []string { return []string{"on", "next", faultLock} }

// holdDir makes a directory, if it is not there, and holds it until the file is closed. Where there are no locks the file is nil: such
// a directory is never taken for one that was left behind.
func holdDir(dir string) (*os.File, error) {
	for {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		path := filepath.Join(dir, faultLock)
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody has just taken it for one that was left behind
		}
		if err != nil {
			return nil, err
		}
		if err := lockFile(f); err != nil {
			return nil, errors.Join(f.Close(), os.Remove(path))
		}
		ours, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(ours, there) {
			return f, nil
		}
		if err := errors.Join(f.Close(), err1); err != nil {
			return nil, err
		}
	}
}

// sweepFaults removes the directories of switches whose programs did not live to do so. What cannot be removed stays: it is a few
// bytes in the place for temporary files.
func sweepFaults(temp string) {
	dirs, _ := filepath.Glob(filepath.Join(temp, faultDirs)) // the pattern is a good one
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !ownDir(info) {
			continue
		}
		release, left := takeOver(filepath.Join(dir, faultLock))
		if !left {
			continue
		}
		for _, name := range faultFiles() {
			_ = os.Remove(filepath.Join(dir, name))
		}
		_ = os.Remove(dir) // with anything else in it, it stays
		release()
	}
}
