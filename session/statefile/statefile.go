// Package statefile changes files of state that several processes of this program have in common: what one of them writes, none
// of the others loses. A change is made with a lock held, on what the file holds at that moment, and the new file is put in the
// place of the old one as a whole, so that a reader, who needs no lock, never sees half of it. It must never know: what stands in
// the files.
//
// The lock is one of the operating system on a file beside (of tokens.json, .tokens.json.lock), which stays there, empty. It ends
// with the process that holds it, however that ends, so none is ever left behind. It is waited for within bounds: a process that
// was stopped in the midst of a change, or a file system without locks, makes the change unguarded, but never makes it wait for ever.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// How long others are waited for: a change takes them about a millisecond.
const (
	patience = time.Second
	pause    = 2 * time.Millisecond // between two tries
)

// ErrTooLarge says that a file holds more than it may.
var ErrTooLarge = errors.New("it is too large")

// Change makes the new text of the file at path from the one that it holds. change gets what Read gives, and gives the text that is
// to stand there; nil leaves the file as it is, and so does an error, which is handed on. The file is its owner's alone (0600), and
// its directory is made when it is missing (0700).
func Change(path string, most int64, change func(old []byte, err error) ([]byte, error)) error {
	return changeWithin(patience, path, most, change)
}

func changeWithin(wait time.Duration, path string, most int64, change func(old []byte, err error) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, _ := lock(path, wait) // without it the change is as good as it can be
	defer unlock()
	text, err := change(Read(path, most))
	if err != nil || text == nil {
		return err
	}
	return replace(path, text)
}

// Read is what the file holds: nil when there is none, and ErrTooLarge beyond most bytes. What is no regular file (a pipe, a
// device) is not even opened.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > most:
		return nil, ErrTooLarge
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, ErrTooLarge
	}
	return text, err
}

// lock keeps others from changing the file until unlock is called; ok is false when it could not be had. unlock may be called in
// any case.
func lock(path string, within time.Duration) (unlock func(), ok bool) {
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	// For reading and writing: a pipe in its place, opened for reading alone, would wait for a writer.
	l := flock.New(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock"), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := l.TryLockContext(ctx, pause)
	return func() { _ = l.Close() }, ok && err == nil // closing fails only when there is nothing to be closed
}

// replace puts a new file in the place of the old one. Failing leaves the old one.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// rename is os.Rename. Windows refuses it while somebody reads the file, which takes them no longer than a change.
func rename(from, to string) error {
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		err := os.Rename(from, to)
		if runtime.GOOS != "windows" || !errors.Is(err, fs.ErrPermission) || time.Now().After(end) {
			return err
		}
	}
}
