package cli

import (
	"context"
	"net"
	"strings"
	"testing"

	"mcploupe/session/demo"
)

// openRoom serves a room until the end of the test, and gives its address.
func openRoom(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- demo.NewRoom(demo.Options{Era: demo.Both}, nil).Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

// A room as learners meet it: each in a world of its own, judged like any other server, in every revision.
func TestARoomFromTheCommandLine(t *testing.T) {
	base := openRoom(t)
	if r := program(t, "call", "hang_instrument", "--arg", "instrument=seismograph", base+"/anna/mcp"); r.code != 0 {
		t.Fatalf("hanging: %s", r)
	}
	for name, sees := range map[string]bool{"/anna": true, "/Anna": true, "/bob": false, "": false} {
		if r := program(t, "list", "tools", base+name+"/mcp"); r.code != 0 || strings.Contains(r.out, "outside_seismograph") != sees {
			t.Errorf("%q sees the seismograph: want %t: %s", name, sees, r)
		}
	}
	for _, words := range [][]string{{"--protocol", "2026-07-28", "/c1/mcp"}, {"--protocol", "2025-11-25", "/c2/mcp"}, {"--transport", "sse", "/c3/sse"}} {
		words = append([]string{"check", "--probe", "--fail-on", "should"}, words...)
		words[len(words)-1] = base + words[len(words)-1]
		if r := program(t, words...); r.code != 0 {
			t.Errorf("%q: %s", words, r)
		}
	}
	if r := program(t, "check", base+"/anna+ttl-negative/mcp"); r.code != exitFindings || !strings.Contains(r.out, "cache-ttl-negative") {
		t.Errorf("a world that misbehaves: %s", r)
	}
	if r := program(t, "check", base+"/anna+no-such-fault/mcp"); r.code == 0 || !strings.Contains(r.out+r.err, "no-such-fault") {
		t.Errorf("a fault that does not exist: %s", r)
	}
	for _, words := range [][]string{{"--host", "class.example"}, {"--http", "0.0.0.0:8123", "--login"}} {
		if r := program(t, append([]string{"demo"}, words...)...); r.code != exitUsage {
			t.Errorf("%q: %s", words, r)
		}
	}
}
