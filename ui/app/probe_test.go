package app

import (
	"context"
	"testing"
)

// ready is a server that is not on this machine.
const elsewhere = `
= connecting +target="https://far.example/mcp" +kind=http connecting
= ready +era=modern +version=2026-07-28 +kind=http server/discover was answered: modern
`

func TestProbesAreSentAfterAYes(t *testing.T) {
	var asked []bool
	var s *story
	probe := func(ctx context.Context, unsafe bool) error {
		asked = append(asked, unsafe)
		s.say(`
> {"jsonrpc":"2.0","id":90,"method":"mcploupe/no-such-method","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":90,"error":{"code":-1,"message":"what?"}}
`)
		return nil
	}
	tellWith(t, 120, 36, elsewhere, Options{Probe: probe}, func(st *story) {
		s = st
		s.press(":")
		s.typed("odd requests")
		s.press("enter")
		s.sees("Probe the server", "They change nothing", "not on your machine", "send them")
		s.fits()
		s.press("esc")
		if len(asked) > 0 {
			t.Fatal("probes went out without a yes")
		}
		s.press(":")
		s.typed("may do something")
		s.press("enter")
		s.sees("when the server is at fault")
		s.press("enter")
		s.wait(5 * frameTime)
		s.sees("probed: exchanges +1, findings +2 — ! lists them")
		if len(asked) != 1 || !asked[0] {
			t.Errorf("probes: %v", asked)
		}
	})
}

func TestProbingStops(t *testing.T) {
	probe := func(ctx context.Context, _ bool) error { <-ctx.Done(); return ctx.Err() }
	tellWith(t, 80, 24, elsewhere, Options{Probe: probe, Local: true}, func(s *story) {
		s.press(":")
		s.typed("odd requests")
		s.press("enter")
		s.seesNot("not on your machine")
		s.press("enter")
		s.sees("probing")
		s.press(":")
		s.typed("stop probing")
		s.press("enter")
		s.wait(5 * frameTime)
		s.sees("stopped; probed: exchanges +0")
	})
}
