package fresh

import (
	"testing"

	"mcploupe/session/wire"
)

// A boundary ends what was said before it, also what was asked for before and comes only now; what is said after it counts.
func TestABoundaryEndsWhatWasSaidBefore(t *testing.T) {
	const list = `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{$M}}`
	for because, state := range map[string]*wire.State{
		BecauseRestart: {Phase: wire.Lost},
		BecauseSession: {Phase: wire.Ready, Session: 1},
	} {
		s := tell(t, list)
		s.ledger.Observe(&wire.Entry{Seq: 4, State: &wire.State{Phase: wire.Ready, Text: "a login"}})
		if got := s.state(1, 0); got != "fresh 59.99s" {
			t.Errorf("after a step that is no boundary: %s", got)
		}
		s.ledger.Observe(&wire.Entry{Seq: 5, State: state})
		if got, want := s.state(1, 0), "invalidated because "+because+" by 5"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		x := s.last[1]
		for seq, want := range map[wire.Seq]string{4: "invalidated because " + because + " by 5", 6: "fresh 59.99s"} {
			y, req := x, *x.Request
			req.Seq, y.Request = seq, &req
			s.ledger.Add(&y)
			if got := s.state(seq, 0); got != want {
				t.Errorf("asked for as #%d: %s, want %s", seq, got, want)
			}
		}
	}
}
