package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mcploupe/session/jsondoc"
)

// Bounds of every file.
const (
	mostBytes   = 1 << 20
	mostTargets = 200
)

// saved is one of our files: a salt, and what is kept of each target under a hash of the salt and the target. The salt keeps anybody
// from looking up the hash of a command line elsewhere.
type saved[T any] struct {
	salt string
	by   map[string]T
}

func (f *saved[T]) key(id []byte) string {
	sum := sha256.Sum256(append([]byte(f.salt), id...))
	return hex.EncodeToString(sum[:16])
}

// read reads a file. Whatever is wrong with it, there is one: what entry refuses is not in it.
func read[T any](path string, entry func(jsondoc.Value) (T, bool)) *saved[T] {
	f := &saved[T]{by: map[string]T{}}
	root := jsondoc.Parse(content(path)).Root()
	f.salt = root.Get("salt").Text()
	if salt, err := hex.DecodeString(f.salt); err != nil || len(salt) != 16 {
		f.salt = random() // nothing can be found by another one's hashes
		return f
	}
	n := 0
	for key, v := range root.Get("targets").Members() {
		if n++; n > 2*mostTargets {
			break
		}
		if one, ok := entry(v); ok && len(key) == 32 {
			f.by[key] = one
		}
	}
	return f
}

// listOf reads an array of up to most entries; those that make no sense are left out, and an empty rest is none.
func listOf[E any](most int, entry func(jsondoc.Value) (E, bool)) func(jsondoc.Value) ([]E, bool) {
	return func(v jsondoc.Value) (all []E, ok bool) {
		for c := range v.Children() {
			if one, ok := entry(c); ok && len(all) < most {
				all = append(all, one)
			}
		}
		return all, len(all) > 0
	}
}

// oldest is the target whose time is the earliest.
func (f *saved[T]) oldest(at func(T) time.Time) string {
	return slices.MinFunc(slices.Collect(maps.Keys(f.by)), func(a, b string) int {
		return cmp.Or(at(f.by[a]).Compare(at(f.by[b])), cmp.Compare(a, b))
	})
}

// bound lets the oldest targets go.
func (f *saved[T]) bound(at func(T) time.Time) {
	for len(f.by) > mostTargets {
		delete(f.by, f.oldest(at))
	}
}

// write replaces the file as a whole, so that no reader sees half of it. about tells whoever opens it what it is.
func (f *saved[T]) write(path, about string, entry func(*bytes.Buffer, T)) {
	var b bytes.Buffer
	b.WriteString("{\n \"about\": ")
	b.Write(jsondoc.AppendQuote(nil, about))
	b.WriteString(",\n \"salt\": ")
	b.Write(jsondoc.AppendQuote(nil, f.salt))
	b.WriteString(",\n \"targets\": ")
	writeEntries(&b, f.by, entry)
	b.WriteString("\n}\n")
	replace(path, b.Bytes())
}

// writeEntries writes an object, an entry a line, in the order of their names.
func writeEntries[T any](b *bytes.Buffer, by map[string]T, entry func(*bytes.Buffer, T)) {
	b.WriteByte('{')
	for i, key := range slices.Sorted(maps.Keys(by)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		b.Write(jsondoc.AppendQuote(nil, key))
		b.WriteString(": ")
		entry(b, by[key])
	}
	b.WriteString("\n }")
}

// writeList writes an array, an entry a line.
func writeList[E any](members func(E) [][2]string) func(*bytes.Buffer, []E) {
	return func(b *bytes.Buffer, list []E) {
		b.WriteByte('[')
		for i, one := range list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n   ")
			writeObject(b, members(one))
		}
		b.WriteString("\n  ]")
	}
}

// writeObject writes an object of texts on one line.
func writeObject(b *bytes.Buffer, members [][2]string) {
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteString(", ")
		}
		b.Write(jsondoc.AppendQuote(nil, m[0]))
		b.WriteString(": ")
		b.Write(jsondoc.AppendQuote(nil, m[1]))
	}
	b.WriteByte('}')
}

// stamp is a moment as the files spell it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// content is the text of a regular file of a sensible size, else nothing. What is no file (a pipe, a device) is not even opened.
func content(path string) []byte {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > mostBytes {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil || len(text) > mostBytes {
		return nil
	}
	return text
}

// replace writes a file as a whole, for its owner alone. Failing leaves the old one.
func replace(path string, text []byte) {
	dir := filepath.Dir(path)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, ".new-*") // 0600
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
