//go:build unix

package store

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in its place is not opened: that would wait for a writer.
func TestAPipeIsNotOpened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "eras.json")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	recalls(t, again(t, file, command("x"), &clock{begin}), "false")
}
