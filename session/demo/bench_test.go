package demo

import (
	"context"
	"testing"
)

// BenchmarkNew is what a server costs before its first answer: it is part of every start of the demo.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{})
	}
}

// BenchmarkToolsList is a page of tools from the text of the request to the text of the response.
func BenchmarkToolsList(b *testing.B) {
	s := New(Options{})
	text := []byte(request(1, "tools/list"))
	for b.Loop() {
		s.Handle(context.Background(), text, func([]byte) {})
	}
}

// BenchmarkCopyLog is a result of 5 MB: the server must not be what a reader of large results waits for.
func BenchmarkCopyLog(b *testing.B) {
	s := New(Options{})
	text := []byte(request(1, calling("copy_log", `{"kilobytes":5120}`)))
	b.SetBytes(5 << 20)
	for b.Loop() {
		s.Handle(context.Background(), text, func([]byte) {})
	}
}

// BenchmarkExportReadings is 50,000 rows, about 7 MB on the wire.
func BenchmarkExportReadings(b *testing.B) {
	s := New(Options{})
	text := []byte(request(1, calling("export_readings", `{"rows":50000}`)))
	for b.Loop() {
		s.Handle(context.Background(), text, func(m []byte) { b.SetBytes(int64(len(m))) })
	}
}
