package app

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// lingering is a server that takes its time to end.
type lingering struct {
	*fake
	ended atomic.Bool
}

func (s *lingering) Close(ctx context.Context) error {
	time.Sleep(2 * time.Second)
	s.ended.Store(true)
	return s.fake.Close(ctx)
}

// Whoever closes a server and quits at once leaves no process behind: the end is waited for.
func TestAServerThatIsBeingClosedEndsBeforeTheProgram(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		lasting := &lingering{}
		open := h.list[0].Open
		h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
			o, err := open(ctx, ask)
			lasting.fake = o.Session.(*fake)
			o.Session = lasting
			return o, err
		}
		s.press("T", "enter", ":")
		s.typed("close harbour")
		s.press("enter")
		if lasting.ended.Load() || len(s.deck.cards) != 1 {
			t.Fatalf("it is closed already, or not at all: %d servers are open", len(s.deck.cards))
		}
		s.deck.Close()
		if !lasting.ended.Load() {
			t.Error("the deck is closed, and a server of it still runs")
		}
	})
}

// Each server that could not be opened is told of, not the first alone.
func TestAllThatCannotBeOpenedIsSaid(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			for i, why := range []string{"no such command", "no such directory"} {
				h.list[i].Open = func(context.Context, Asker) (Options, error) { return Options{}, errors.New(why) }
			}
			h.list = append(h.list, h.offer("configured", "third", named("third")))
			s.deck.front.m.home.offered(h.list)
			s.press("tab", "tab", "down", "tab", "enter")
			s.sees("harbour cannot be opened", "no such command", "files cannot be opened", "no such directory")
			s.fits()
			s.press("esc")
			s.sees("third", "get_weather")
			s.seesNot("cannot be opened")
		})
	}
}

// A question about a server to be opened stands on the screen of another one. When that is closed, it is left, and what comes next
// can be opened.
func TestAQuestionGoesWithTheServerThatItStandsOn(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		var left error
		open := h.list[0].Open
		h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
			_, left = ask(ctx, Wanted{Title: "API_KEY", Secret: true})
			return Options{}, left
		}
		s.press("T", "enter")
		s.sees("API_KEY")
		s.press("f10")
		s.typed("close weather")
		s.press("enter")
		s.sees("Which server shall we look at?")
		if !errors.Is(left, ErrLeft) {
			t.Fatalf("the question ended with %v", left)
		}
		h.list[0].Open = open
		s.deck.front.m.home.offered(h.list)
		s.press("enter")
		s.sees("harbour", "get_weather")
	})
}
