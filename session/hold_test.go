package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

// A subscription that is to outlast the connection is asked for again after a restart by hand, after a crash that somebody
// mended later, and after a restart that failed at first; ending its request by hand, or its ctx, ends it for good.
func TestHoldOutlastsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, acknowledging(nil))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		opened, held := make(chan *Subscription, 10), make(chan error, 1)
		go func() {
			_, err := s.Hold(ctx, Filter{Tools: true}, HoldOptions{Outlast: true, Opened: func(sub *Subscription) { opened <- sub }})
			held <- err
		}()
		sub := <-opened
		<-sub.Acknowledged()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if st := sub.State(); st.How != subs.Ours || st.Words() != "ended by us: restarting" {
			t.Errorf("the first ended: %s", st.Words())
		}
		sub = <-opened
		<-sub.Acknowledged()

		now().exit(wire.Exit{Code: 1})
		<-sub.Done()
		time.Sleep(time.Hour) // nobody brings it back, and nothing is asked for in the meantime
		select {
		case <-opened:
			t.Fatal("asked for without a connection")
		case err := <-held:
			t.Fatalf("given up: %v", err)
		default:
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub = <-opened
		<-sub.Acknowledged()
		s.Cancel(sub.Seq(), "ended by hand")
		if err := <-held; err != nil {
			t.Errorf("ended by hand: %v", err)
		}
		shut(t, s)
	})
}

func TestHoldEndsWithTheSession(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *Session, cancel func()) bool{
		"ctx":   func(_ *testing.T, _ *Session, cancel func()) bool { cancel(); return true },
		"Close": func(t *testing.T, s *Session, _ func()) bool { shut(t, s); return false },
	} {
		synctest.Test(t, func(t *testing.T) {
			s, now, err := converse(t, "stdio", Options{}, acknowledging(nil))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			held := make(chan error, 1)
			go func() {
				_, err := s.Hold(ctx, Filter{Tools: true}, HoldOptions{Outlast: true})
				held <- err
			}()
			synctest.Wait()
			now().exit(wire.Exit{Code: 1})
			time.Sleep(time.Minute)
			open := end(t, s, cancel)
			if err := <-held; open != (err == nil) || !open && !errors.As(err, new(*NotConnected)) {
				t.Errorf("%s: %v", name, err)
			}
			if open {
				shut(t, s)
			}
		})
	}
}
