package demo

import (
	"io/fs"
	"maps"
	"os"
	"strings"
	"sync"
)

// switches are the faults that a file names, one a line; what follows a # is for people. The file is looked at before every
// message, so whoever may write it switches faults of a running server without saying a word to it: nothing of that crosses
// the wire. A file that is not there switches nothing; a name that is no fault is left out.
type switches struct {
	path string

	mu   sync.Mutex
	seen fs.FileInfo // the file as it was read
	on   faultSet
}

// faults is what the file says now. The set is not to be changed.
func (w *switches) faults() faultSet {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, err := os.Stat(w.path)
	if err != nil {
		w.seen, w.on = nil, nil
		return nil
	}
	if w.seen != nil && os.SameFile(w.seen, now) && w.seen.ModTime().Equal(now.ModTime()) && w.seen.Size() == now.Size() {
		return w.on
	}
	text, err := os.ReadFile(w.path)
	if err != nil {
		return w.on // it is being replaced: the next look finds it
	}
	w.seen, w.on = now, faultSet{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if f, ok := Lookup(strings.TrimSpace(line)); ok {
			w.on[f.Name] = true
		}
	}
	return w.on
}

// misbehaving are the faults that are on now: those that were switched, and those of the file. The set is not to be changed.
func (s *Server) misbehaving() faultSet {
	on := *s.on.Load()
	if s.file == nil {
		return on
	}
	more := s.file.faults()
	switch {
	case len(more) == 0:
		return on
	case len(on) == 0:
		return more
	}
	both := maps.Clone(on)
	maps.Copy(both, more)
	return both
}
