package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/transport"
)

// slowEnd is a channel that takes its time to close.
type slowEnd struct {
	*fake
	closing, release chan struct{}
}

func (c *slowEnd) Close(ctx context.Context) error {
	close(c.closing)
	<-c.release
	return c.fake.Close(ctx)
}

// Close while a Restart still ends the old channel: the Restart does not start the server anew.
func TestCloseDuringRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowEnd{closing: make(chan struct{}), release: make(chan struct{})}
		opened := 0
		s := New(Target{Argv: []string{"x"}}, Options{Timeout: time.Second, Open: func(_ context.Context, how Opening) (transport.Conn, error) {
			opened++
			slow.fake = &fake{kind: "stdio", tap: how.Tap, done: make(chan struct{})}
			return slow, nil
		}})
		s.mu.Lock()
		s.conn, _ = s.opt.Open(t.Context(), Opening{Kind: "stdio", Tap: s.tap})
		s.mu.Unlock()
		restarted, closed := make(chan error, 1), make(chan error, 1)
		go func() { restarted <- s.Restart(t.Context()) }()
		<-slow.closing
		go func() { closed <- s.Close(t.Context()) }()
		synctest.Wait()
		close(slow.release)
		if err := <-restarted; err == nil {
			t.Error("the Restart connected all the same")
		}
		if err := <-closed; err != nil {
			t.Errorf("closing: %v", err)
		}
		if opened != 1 {
			t.Errorf("the server was started %d times", opened)
		}
	})
}
