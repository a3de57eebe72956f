//go:build unix

package statefile

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Pipes in the places of the file and of its lock are not opened for reading alone: that would wait for a writer.
func TestPipesAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.txt")
	for _, name := range []string{path, filepath.Join(dir, ".state.txt.lock")} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
	}
	if _, err := Read(path, 10); err == nil {
		t.Error("a pipe is read")
	}
	if err := Change(path, 10, func(_ []byte, err error) ([]byte, error) { return nil, err }); err == nil {
		t.Error("a pipe is changed")
	}
}
