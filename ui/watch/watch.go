// Package watch tells when files change: the source of a server that is being written. It must never know: sessions, screens, what
// is done about a change.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/fsnotify/fsnotify"
)

// settle is how long files must be quiet before a change is told: editors and compilers write many at once.
const settle = 200 * time.Millisecond

// mostDirs bounds how many directories are watched.
const mostDirs = 5000

// skipped are directories that hold what others wrote: watching them costs much and tells nothing.
var skipped = [...]string{".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".cache"}

// Watcher watches the directories below some patterns.
type Watcher struct {
	w        *fsnotify.Watcher
	patterns []string // with forward slashes, absolute
	dirs     int
}

// New watches the files below root that fit one of the patterns, with ** for any depth; "src/**/*.ts", "server.py", or a directory
// for all that is in it. It fails on patterns that are no patterns, or fit no directory.
func New(root string, patterns []string) (*Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	out := &Watcher{w: w}
	for _, p := range patterns {
		if err := out.add(root, p); err != nil {
			_ = w.Close() // the first error is the one to tell
			return nil, err
		}
	}
	return out, nil
}

func (o *Watcher) add(root, pattern string) error {
	at := pattern
	if !filepath.IsAbs(at) {
		at = filepath.Join(root, at)
	}
	at = filepath.ToSlash(at)
	if !doublestar.ValidatePattern(at) {
		return fmt.Errorf("watching %q: not a pattern", pattern)
	}
	base, rest := doublestar.SplitPattern(at)
	if info, err := os.Stat(filepath.FromSlash(at)); err == nil && info.IsDir() {
		base, rest, at = at, "**", at+"/**"
	}
	o.patterns = append(o.patterns, at)
	if !strings.Contains(rest, "/") && rest != "**" {
		return o.dir(filepath.FromSlash(base), pattern)
	}
	return o.tree(filepath.FromSlash(base), pattern)
}

// tree watches a directory and those below it.
func (o *Watcher) tree(base, pattern string) error {
	return filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == base:
			return fmt.Errorf("watching %q: %w", pattern, err)
		case err != nil:
			return nil // what cannot be read below it cannot be watched
		case !d.IsDir():
			return nil
		case path != base && passedOver(d.Name()):
			return filepath.SkipDir
		}
		return o.dir(path, pattern)
	})
}

func passedOver(name string) bool {
	for _, s := range skipped {
		if name == s {
			return true
		}
	}
	return false
}

func (o *Watcher) dir(path, pattern string) error {
	if o.dirs++; o.dirs > mostDirs {
		return fmt.Errorf("watching %q: more than %d directories", pattern, mostDirs)
	}
	if err := o.w.Add(path); err != nil {
		return fmt.Errorf("watching %q: %w", pattern, err)
	}
	return nil
}

// fits tells whether a path is one of those that are watched.
func (o *Watcher) fits(path string) bool {
	path = filepath.ToSlash(path)
	for _, p := range o.patterns {
		if ok, err := doublestar.Match(p, path); err == nil && ok {
			return true
		}
	}
	return false
}

// Next waits for a change and gives the path of the first file that changed, once all is quiet again. The error is that of ctx, or
// that the watcher was closed.
func (o *Watcher) Next(ctx context.Context) (string, error) {
	first := ""
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for {
		select {
		case e, open := <-o.w.Events:
			switch {
			case !open:
				return "", errors.New("watching files: closed")
			case e.Has(fsnotify.Create):
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() && !passedOver(info.Name()) {
					_ = o.tree(e.Name, e.Name) // it may be gone again, and a change in it is told when it comes
				}
			}
			if e.Op == fsnotify.Chmod || !o.fits(e.Name) {
				continue
			}
			if first == "" {
				first = e.Name
			}
			quiet.Reset(settle)
		case <-quiet.C:
			if first != "" {
				return first, nil
			}
		case _, open := <-o.w.Errors:
			if !open {
				return "", errors.New("watching files: closed")
			}
			// Too many changes at once to be told one by one: that something changed is what matters.
			if first == "" {
				first = "many files"
			}
			quiet.Reset(settle)
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// Close ends the watching.
func (o *Watcher) Close() error { return o.w.Close() }
