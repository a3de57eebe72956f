package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/statefile"
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

// read reads the text of a file. Whatever is wrong with it, there is one: what entry refuses is not in it.
func read[T any](text []byte, entry func(jsondoc.Value) (T, bool)) *saved[T] {
	f := &saved[T]{by: map[string]T{}}
	root := jsondoc.Parse(text).Root()
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

// text is the file anew. about tells whoever opens it what it is.
func (f *saved[T]) text(about string, entry func(*bytes.Buffer, T)) []byte {
	var b bytes.Buffer
	b.WriteString("{\n \"about\": ")
	b.Write(jsondoc.AppendQuote(nil, about))
	b.WriteString(",\n \"salt\": ")
	b.Write(jsondoc.AppendQuote(nil, f.salt))
	b.WriteString(",\n \"targets\": ")
	writeEntries(&b, f.by, entry)
	b.WriteString("\n}\n")
	return b.Bytes()
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

// content is the text of a file of a sensible size, else nothing.
func content(path string) []byte {
	text, _ := statefile.Read(path, mostBytes) // what cannot be read was never kept
	return text
}

// change makes a new text of what the file at path holds, and puts it in its place; nil leaves it as it is. Other processes may change
// the same file, so no text that was read before is good enough. What cannot be read is left alone; what is only too large is not.
func change(path string, make func(old []byte) []byte) {
	_ = statefile.Change(path, mostBytes, func(old []byte, err error) ([]byte, error) { // what cannot be written lasts for this run
		if err != nil && !errors.Is(err, statefile.ErrTooLarge) {
			return nil, err
		}
		return make(old), nil
	})
}
