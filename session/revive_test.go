package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// mortal opens fakes that may be refused, and counts them.
type mortal struct {
	serve  func(f *fake, m wire.Message)
	refuse func(n int) bool // the nth opening, from 1
	all    []*fake
	opened []time.Duration // since the beginning
	begin  time.Time
}

func (m *mortal) open(_ context.Context, how Opening) (transport.Conn, error) {
	m.opened = append(m.opened, time.Since(m.begin))
	if m.refuse != nil && m.refuse(len(m.opened)) {
		return nil, errors.New("no such program")
	}
	f := &fake{kind: how.Kind, tap: how.Tap, serve: m.serve, done: make(chan struct{})}
	m.all = append(m.all, f)
	return f, nil
}

func (m *mortal) newest() *fake { return m.all[len(m.all)-1] }

// revived opens a session whose connections die.
func revived(t *testing.T, m *mortal, restarts int) *Session {
	t.Helper()
	m.begin = time.Now()
	if m.serve == nil {
		m.serve = modern(nil)
	}
	s, err := Open(t.Context(), Target{Argv: []string{"fake"}}, Options{Open: m.open, Restarts: restarts})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lostStates are the states of a lost connection, as "try/tries pause text".
func lostStates(s *Session) []wire.State {
	var all []wire.State
	for _, e := range entries(s) {
		if e.State != nil && e.State.Phase == wire.Lost {
			all = append(all, *e.State)
		}
	}
	return all
}

func TestACrashedServerIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{}
		s := revived(t, m, 5)
		hang, err := s.Start(t.Context(), Request{Method: mcp.ToolsList})
		if err != nil {
			t.Fatal(err)
		}
		m.newest().exit(wire.Exit{Code: 7, Argv: []string{"fake"}})
		a, err := hang.Wait(t.Context())
		if no, ok := errors.AsType[*NoReply](err); !ok || no.End != wire.Dropped || no.Exit == nil || a.Exchange.End != wire.Dropped {
			t.Errorf("what was under way: %v", err)
		}
		synctest.Wait()
		if s.Info().Phase != wire.Lost {
			t.Errorf("phase %v", s.Info().Phase)
		}
		lost := lostStates(s)
		if len(lost) != 2 || lost[1].Try != 1 || lost[1].Tries != 5 || lost[1].Pause != 500*time.Millisecond || !strings.Contains(lost[1].Text, "connecting again in 500ms (try 1 of 5)") {
			t.Errorf("said %+v", lost)
		}
		if err := s.Await(t.Context()); err != nil {
			t.Error(err)
		}
		if s.Info().Phase != wire.Ready || len(m.all) != 2 {
			t.Errorf("phase %v, %d channels", s.Info().Phase, len(m.all))
		}
		next, err := s.Start(t.Context(), Request{Method: mcp.ToolsList})
		if err != nil || next.ID() <= hang.ID() {
			t.Errorf("id %s behind %s: %v", next.ID(), hang.ID(), err)
		}
		shut(t, s)
	})
}

// A server that dies at once each time is given up; the pauses grow; afterwards a person may still try.
func TestAServerThatDoesNotLastIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{}
		s := revived(t, m, 3)
		for range 4 {
			m.newest().exit(wire.Exit{Code: 1})
			time.Sleep(10 * time.Second)
			synctest.Wait()
		}
		var pauses []time.Duration
		for _, st := range lostStates(s) {
			if st.Pause > 0 {
				pauses = append(pauses, st.Pause)
			}
		}
		if len(m.all) != 4 || len(pauses) != 3 || pauses[0] != 500*time.Millisecond || pauses[1] != time.Second || pauses[2] != 2*time.Second {
			t.Errorf("%d channels, pauses %v", len(m.all), pauses)
		}
		if info := s.Info(); info.Phase != wire.Lost || !strings.Contains(info.Text, "did not last 3 times in a row: not started again") {
			t.Errorf("%v %s", info.Phase, info.Text)
		}
		if err := s.Await(t.Context()); !errors.As(err, new(*NotConnected)) {
			t.Errorf("waiting for nobody: %v", err)
		}
		if err := s.Restart(t.Context()); err != nil || s.Info().Phase != wire.Ready {
			t.Errorf("by hand: %v", err)
		}
		m.newest().exit(wire.Exit{Code: 1}) // by hand is a fresh beginning
		time.Sleep(time.Second)
		synctest.Wait()
		if s.Info().Phase != wire.Ready {
			t.Errorf("after a restart by hand: %v", s.Info().Phase)
		}
		shut(t, s)
	})
}

func TestAConnectionThatLastedIsAFreshBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{}
		s := revived(t, m, 2)
		for range 6 {
			time.Sleep(reviveRest)
			m.newest().exit(wire.Exit{Code: 1})
			time.Sleep(time.Second)
			synctest.Wait()
			if s.Info().Phase != wire.Ready {
				t.Fatalf("given up: %s", s.Info().Text)
			}
		}
		shut(t, s)
	})
}

// A start that fails is a try like any other; the first one of all is not repeated.
func TestStartsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{refuse: func(n int) bool { return n == 2 || n == 3 }}
		s := revived(t, m, 5)
		m.newest().exit(wire.Exit{Code: 1})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if s.Info().Phase != wire.Ready || len(m.opened) != 4 {
			t.Errorf("%v after %d starts: %v", s.Info().Phase, len(m.opened), states(s))
		}
		shut(t, s)

		m = &mortal{refuse: func(int) bool { return true }, begin: time.Now()}
		s, err := Open(t.Context(), Target{Argv: []string{"fake"}}, Options{Open: m.open, Restarts: 5})
		time.Sleep(time.Minute)
		synctest.Wait()
		if err == nil || len(m.opened) != 1 {
			t.Errorf("the first start was repeated: %d, %v", len(m.opened), err)
		}
		shut(t, s)
	})
}

// Whoever restarts or leaves during the pause is not disturbed.
func TestARestartByHandDuringThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{}
		s := revived(t, m, 5)
		m.newest().exit(wire.Exit{Code: 1})
		synctest.Wait()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(m.all) != 2 || s.Info().Phase != wire.Ready {
			t.Errorf("%d channels, %v", len(m.all), s.Info().Phase)
		}
		m.newest().exit(wire.Exit{Code: 1})
		synctest.Wait()
		begin := time.Now()
		shut(t, s)
		if took := time.Since(begin); took > 0 || len(m.all) != 2 || s.Info().Phase != wire.Closed {
			t.Errorf("closing took %s, %d channels, %v", took, len(m.all), s.Info().Phase)
		}
	})
}

func TestNobodyAskedForRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mortal{}
		s := revived(t, m, 0)
		m.newest().exit(wire.Exit{Code: 1})
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(m.all) != 1 || s.Info().Phase != wire.Lost {
			t.Errorf("%d channels, %v", len(m.all), s.Info().Phase)
		}
		shut(t, s)
	})
}
