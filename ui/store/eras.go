// Package store keeps the little that outlives a run: how a server was opened the last time, tasks that were left under way,
// arguments that were sent, and which servers were opened. It lies in the user's place for state, in files that their owner alone may read. It must never know:
// screens, and anything known to be secret; a target is known here by a hash, but for recent ones. Nothing in here can fail: what cannot be read was never kept, and what cannot be written is kept for this run alone.
package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"mcploupe/session"
)

// How long a legacy verdict is relied upon. A server may have been replaced by one of both eras, which would go on answering as
// a legacy one. On stdio the files that its command names tell most of that, and the question costs a process or seconds of
// silence; over HTTP nothing tells, and it costs one short request. A modern verdict needs no limit: it is asked for anew each time.
const (
	trustStdio = 24 * time.Hour
	trustHTTP  = 10 * time.Minute
)

// Eras remembers the era of one target: in this run, and in a file beyond it. It implements session.Memory.
type Eras struct {
	path string // "" keeps nothing beyond the run
	id   []byte // what the target is
	argv []string
	dir  string
	now  func() time.Time

	mu   sync.Mutex
	mine *kept // of this run
}

// kept is what is remembered of a target.
type kept struct {
	session.Past
	files string // state of the files that the command names
}

// Options say what is remembered, and where.
type Options struct {
	// Target is the server. Of a URL its scheme, host and path count; of a command its words and its directory. Headers,
	// environment, user names and queries are no part of it.
	Target session.Target
	// Path is the file; "" remembers within this run alone.
	Path string
	// Forget removes what the file holds about the target, and remembers within this run alone.
	Forget bool
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// OpenEras is the memory of a target.
func OpenEras(o Options) *Eras {
	e := &Eras{path: o.Path, now: o.Now, argv: o.Target.Argv, dir: o.Target.Dir}
	if e.now == nil {
		e.now = time.Now
	}
	if e.dir == "" {
		e.dir, _ = os.Getwd()
	}
	e.id = identity(o.Target, e.dir)
	if o.Forget {
		e.Forget()
		e.path = ""
	}
	return e
}

// identity is what a target is, without anything that may be secret by its place; hashed before it is written anywhere.
func identity(t session.Target, dir string) []byte {
	parts := append([]string{"command", dir}, t.Argv...)
	if t.URL != "" {
		parts = []string{"url", t.URL}
		if u, err := url.Parse(t.URL); err == nil {
			parts = []string{"url", u.Scheme, u.Host, u.Path}
		}
	}
	var id []byte
	for _, p := range parts {
		id = binary.AppendUvarint(id, uint64(len(p)))
		id = append(id, p...)
	}
	return id
}

// Recall implements session.Memory.
func (e *Eras) Recall() (past session.Past, doubt string, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.mine
	if k == nil && e.path != "" {
		k = readTable(content(e.path)).find(e.id)
	}
	if k == nil {
		return session.Past{}, "", false
	}
	if k.Era == session.Modern {
		return k.Past, "", true
	}
	age, limit := e.now().Sub(k.At), trustStdio
	if len(e.argv) == 0 {
		limit = trustHTTP
	}
	switch {
	case age < -time.Minute || age > limit:
		return k.Past, "it was legacy the last time, but that is more than " + words(limit) + " ago", false
	case k.files != e.files():
		return k.Past, "it was legacy the last time, but files of its command have changed", false
	}
	return k.Past, "", true
}

func words(d time.Duration) string {
	if d >= 24*time.Hour {
		return "a day"
	}
	return strconv.Itoa(int(d.Minutes())) + " minutes"
}

// Keep implements session.Memory.
func (e *Eras) Keep(p session.Past) {
	k := kept{p, e.files()}
	e.mu.Lock()
	e.mine = &k
	e.mu.Unlock()
	e.change(func(t table) bool {
		t.set(e.id, k)
		return true
	})
}

// Forget implements session.Memory.
func (e *Eras) Forget() {
	e.mu.Lock()
	e.mine = nil
	e.mu.Unlock()
	e.change(func(t table) bool {
		if t.find(e.id) == nil {
			return false
		}
		t.drop(e.id)
		return true
	})
}

// change changes the file, if there is one; do tells whether it did.
func (e *Eras) change(do func(table) bool) {
	if e.path == "" {
		return
	}
	change(e.path, func(old []byte) []byte {
		if t := readTable(old); do(t) {
			return t.text()
		}
		return nil
	})
}

// files is the state of the files that the command names: its program, and every word that is a file. When one of them changes
// the server may be another one. "" for a URL.
func (e *Eras) files() string {
	if len(e.argv) == 0 {
		return ""
	}
	h := sha256.New()
	for i, word := range e.argv {
		path := word
		if i == 0 {
			if found, err := exec.LookPath(word); err == nil {
				path = found
			}
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(e.dir, path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		var state []byte
		state = binary.AppendVarint(state, int64(i))
		state = binary.AppendVarint(state, info.Size())
		state = binary.AppendVarint(state, info.ModTime().UnixNano())
		h.Write(state)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// random is a fresh salt.
func random() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}
