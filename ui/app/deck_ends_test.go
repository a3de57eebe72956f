package app

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
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

// Whatever is being opened when the program ends is ended with it: what was made and not put on the deck, and what is still being
// made. Its Closed is called, which ends what a session does not know of.
func TestWhatIsBeingOpenedEndsWithTheProgram(t *testing.T) {
	for _, story := range []struct {
		name  string
		quits string // before it "begins", while it is "made", or when its message is not "read" yet
	}{{"nothing was begun", "begins"}, {"it is being made", "made"}, {"it was made", "read"}, {"it is on the deck", ""}} {
		t.Run(story.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shelf := &shelf{t: t, fakes: map[string]*fake{}, desks: map[string]*Desk{}}
				offer := shelf.offer("recent", "harbour", opening)
				plain, opened, closed := offer.Open, 0, 0
				offer.Open = func(ctx context.Context, ask Asker) (Options, error) {
					if opened++; story.quits == "made" {
						<-ctx.Done() // it asks a person who has left
					}
					o, err := plain(ctx, ask)
					o.Closed = func() { closed++ }
					return o, err
				}
				d, err := NewDeck(t.Context(), Options{Offers: shelf})
				if err != nil {
					t.Fatal(err)
				}
				d.open([]Offer{offer})
				cmds := d.cmds // the question that may come, and the work
				for _, cmd := range cmds[:1] {
					go cmd()
				}
				work := make(chan tea.Msg, 1)
				switch story.quits {
				case "made":
					go func() { work <- cmds[1]() }()
					synctest.Wait()
				case "read":
					work <- cmds[1]()
				case "":
					d.Update(cmds[1]())
					if len(d.cards) != 1 || closed != 0 {
						t.Errorf("%d servers are open, %d were closed", len(d.cards), closed)
					}
				}
				d.Close()
				want := 1
				if story.quits == "begins" {
					cmds[1]() // nobody runs it any more; and if somebody does, nothing comes of it
					want = 0
				}
				synctest.Wait()
				if opened != want || closed != want {
					t.Errorf("opened %d, closed %d, want %d of each", opened, closed, want)
				}
				if want == 1 && !slices.Contains(shelf.fakes["harbour"].asked, "close") {
					t.Error("its session is not closed")
				}
			})
		})
	}
}
