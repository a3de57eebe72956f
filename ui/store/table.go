package store

import (
	"bytes"
	"time"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
)

const mostVersion = 40 // characters of a protocol version

// table is the file of eras.
type table struct{ *saved[kept] }

func readTable(text []byte) table { return table{read(text, readKept)} }

func (t table) find(id []byte) *kept {
	k, ok := t.by[t.key(id)]
	if !ok {
		return nil
	}
	return &k
}

func (t table) drop(id []byte) { delete(t.by, t.key(id)) }

func (t table) set(id []byte, k kept) {
	t.by[t.key(id)] = k
	t.bound(func(k kept) time.Time { return k.At })
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

func (t table) text() []byte {
	return t.saved.text("which era of MCP each server spoke the last time, so that it need not be asked again; remove it at any time", func(b *bytes.Buffer, k kept) {
		writeObject(b, [][2]string{{"era", k.Era}, {"version", k.Version}, {"kind", k.Kind}, {"at", stamp(k.At)}, {"files", k.files}})
	})
}
