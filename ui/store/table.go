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

	"mcploupe/session"
	"mcploupe/session/jsondoc"
)

// Bounds of the file.
const (
	mostBytes   = 1 << 20
	mostTargets = 200
	mostVersion = 40 // characters of a protocol version
)

// table is the file: a salt, and what is kept of each target under a hash of the salt and the target. The salt keeps anybody
// from looking up the hash of a command line elsewhere.
type table struct {
	salt string
	by   map[string]kept
}

func (t *table) key(id []byte) string {
	sum := sha256.Sum256(append([]byte(t.salt), id...))
	return hex.EncodeToString(sum[:16])
}

func (t *table) find(id []byte) *kept {
	k, ok := t.by[t.key(id)]
	if !ok {
		return nil
	}
	return &k
}

func (t *table) drop(id []byte) { delete(t.by, t.key(id)) }

func (t *table) set(id []byte, k kept) {
	t.by[t.key(id)] = k
	for len(t.by) > mostTargets { // the oldest go
		delete(t.by, slices.MinFunc(slices.Collect(maps.Keys(t.by)), func(a, b string) int {
			return cmp.Or(t.by[a].At.Compare(t.by[b].At), cmp.Compare(a, b))
		}))
	}
}

// readTable reads the file. Whatever is wrong with it, there is a table: what makes no sense is not in it.
func readTable(path string) *table {
	t := &table{by: map[string]kept{}}
	root := jsondoc.Parse(content(path)).Root()
	t.salt = root.Get("salt").Text()
	if salt, err := hex.DecodeString(t.salt); err != nil || len(salt) != 16 {
		t.salt = random() // nothing can be found by another one's hashes
		return t
	}
	n := 0
	for key, v := range root.Get("targets").Members() {
		if n++; n > 2*mostTargets {
			break
		}
		if k, ok := readKept(v); ok && len(key) == 32 {
			t.by[key] = k
		}
	}
	return t
}

func readKept(v jsondoc.Value) (kept, bool) {
	k := kept{files: v.Get("files").Text()}
	k.Era, k.Version, k.Kind = v.Get("era").Text(), v.Get("version").Text(), v.Get("kind").Text()
	at, err := time.Parse(time.RFC3339, v.Get("at").Text())
	k.At = at
	ok := err == nil && (k.Era == session.Modern || k.Era == session.Legacy) && len(k.Version) <= mostVersion && len(k.files) <= mostVersion &&
		(k.Kind == "stdio" || k.Kind == "http" || k.Kind == "sse")
	return k, ok
}

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

// write replaces the file as a whole, so that no reader sees half of it. Failing leaves the old one.
func (t *table) write(path string) {
	var b bytes.Buffer
	b.WriteString("{\n \"about\": \"which era of MCP each server spoke the last time, so that it need not be asked again; remove it at any time\",\n \"salt\": ")
	b.Write(jsondoc.AppendQuote(nil, t.salt))
	b.WriteString(",\n \"targets\": {")
	for i, key := range slices.Sorted(maps.Keys(t.by)) {
		if i > 0 {
			b.WriteByte(',')
		}
		k := t.by[key]
		b.WriteString("\n  ")
		b.Write(jsondoc.AppendQuote(nil, key))
		b.WriteString(": {")
		for j, m := range [][2]string{{"era", k.Era}, {"version", k.Version}, {"kind", k.Kind}, {"at", k.At.UTC().Format(time.RFC3339)}, {"files", k.files}} {
			if j > 0 {
				b.WriteString(", ")
			}
			b.Write(jsondoc.AppendQuote(nil, m[0]))
			b.WriteString(": ")
			b.Write(jsondoc.AppendQuote(nil, m[1]))
		}
		b.WriteByte('}')
	}
	b.WriteString("\n }\n}\n")
	replace(path, b.Bytes())
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
