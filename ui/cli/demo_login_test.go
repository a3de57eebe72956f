package cli

import (
	"context"
	"net"
	"strings"
	"testing"

	"mcploupe/session/demo"
)

// The built-in server that wants a login: the whole way, a step up for a tool that needs more, and a check that finds nothing
// wrong with it.
func TestLoginOnTheDemo(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	server := demo.New(demo.Options{Login: true, Era: demo.Both})
	go func() { done <- server.Serve(ctx, listener) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	address := "http://" + listener.Addr().String() + demo.Path
	login := []string{"--login", "--oauth-callback", "auto", "--token-store", "none"}
	run := func(words ...string) result { return program(t, append(words, address)...) }
	if r := run("call", "ring_bell"); r.code != exitAuth || !strings.Contains(r.err, "--login") {
		t.Errorf("without a login: %s", r)
	}
	if r := run(append([]string{"call", "ring_bell"}, login...)...); r.code > exitFindings || !strings.Contains(r.out, "complete") {
		t.Errorf("a tool that needs more: %s", r)
	}
	for _, protocol := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"} {
		words := append([]string{"list", "tools", "--protocol", protocol}, login...)
		if r := run(words...); r.code != 0 || !strings.Contains(r.out, "get_weather") {
			t.Errorf("%s: %s", protocol, r)
		}
	}
	if r := run(append([]string{"check", "--probe", "--fail-on", "should"}, login...)...); r.code != 0 {
		t.Errorf("check: %s", r)
	}
}
