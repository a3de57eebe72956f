package app

import (
	"context"
	"image/color"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// shelf is servers that can be opened in a story: fakes, each with its own journal.
type shelf struct {
	t     *testing.T
	list  []Offer
	fakes map[string]*fake
	desks map[string]*Desk
}

func (h *shelf) List() []Offer { return h.list }

func (h *shelf) Typed(line string) (Offer, bool) {
	if strings.HasSuffix(line, ".jsonl") {
		return h.recorded(line), true
	}
	if !strings.HasPrefix(line, "https://") {
		return Offer{}, false
	}
	return h.offer("typed", line, ""), true
}

// offer is a server that says the script as soon as it is opened.
func (h *shelf) offer(group, name, script string) Offer {
	return Offer{ID: group + " " + name, Group: group, Name: name, Kind: "stdio", What: "run " + name, Open: func(context.Context, Asker) (Options, error) {
		log := wire.NewLog(wire.LogOptions{Now: time.Now})
		h.fakes[name], h.desks[name] = &fake{log: log}, NewDesk()
		(&story{t: h.t, log: log}).say(script)
		return Options{Session: h.fakes[name], Desk: h.desks[name]}, nil
	}}
}

// recorded is a journal of a server of that name.
func (h *shelf) recorded(file string) Offer {
	return Offer{ID: file, Group: "recorded", Name: file, Open: func(context.Context, Asker) (Options, error) {
		log := wire.NewLog(wire.LogOptions{Now: time.Now})
		(&story{t: h.t, log: log}).say(named("lighthouse") + ask + wrongAnswer)
		return Options{Log: log, Title: file, Name: file}, nil
	}}
}

// named is the opening and the lists of a server by another name.
func named(name string) string { return strings.ReplaceAll(opening+lists, `"weather"`, `"`+name+`"`) }

// several begins a story with a deck. script is that of the first server; "" begins with the page on which one is chosen.
func several(t *testing.T, w, h int, script string, then func(s *story, h *shelf)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		log := wire.NewLog(wire.LogOptions{Now: time.Now})
		s := &story{t: t, log: log, msgs: make(chan tea.Msg, 1000), ctx: ctx, fake: &fake{log: log}, desk: NewDesk()}
		shelf := &shelf{t: t, fakes: map[string]*fake{}, desks: map[string]*Desk{}}
		shelf.list = []Offer{
			shelf.offer("recent", "harbour", named("harbour")),
			shelf.offer("configured", "files", named("files")),
			{ID: "broken", Group: "configured", Name: "broken", Off: "it has neither command nor url"},
		}
		o := Options{Offers: shelf}
		if script != "" {
			o.Session, o.Desk = s.fake, s.desk
		}
		var err error
		if s.deck, err = NewDeck(ctx, o); err != nil {
			t.Fatal(err)
		}
		s.m = s.deck.front.m
		defer func() {
			s.deck.Close()
			cancel()
			log.Close()
			time.Sleep(time.Minute)
		}()
		s.say(script)
		s.send(tea.WindowSizeMsg{Width: w, Height: h})
		s.run(s.deck.Init())
		s.settle()
		s.m = s.deck.front.m
		then(s, shelf)
	})
}

// bothSizes are those that screens are made for.
func bothSizes() [][2]int { return [][2]int{{120, 36}, {80, 24}} }

func TestASecondServerIsOpenedAndBothGoOn(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists+ask, func(s *story, h *shelf) {
			s.press("2", "down") // the cursor stands on erase
			first := s.deck.front.m
			s.press("T")
			s.sees("Servers", "open", "weather", "1 running", "recent", "harbour", "configured", "files", "broken")
			s.fits()
			s.press("enter") // the first that can be opened
			if h.fakes["harbour"] == nil {
				t.Fatalf("harbour was not opened:\n%s", s.screen())
			}
			s.sees("harbour", "2/2", "get_weather")
			s.seesNot("Servers")
			s.fits()

			// What runs in the first one goes on, and is counted.
			s.say(wrongAnswer)
			s.wait(400 * time.Millisecond)
			s.sees("weather is done with what was running")
			s.press("T")
			s.sees("1 new")
			s.press("enter") // the one before stands under the cursor
			if s.deck.front.m != first {
				t.Fatal("the first server is not in front")
			}
			s.sees("weather", "1/2")
			if it := first.tools.Item(); it == nil || it.ID != "erase" {
				t.Errorf("the cursor has moved to %+v", it)
			}
			s.press("5")
			s.sees("get_weather") // its history, with the answer that came meanwhile
			if n := len(first.book.Timeline.Open); n != 0 {
				t.Errorf("%d requests are open", n)
			}
			s.press("}")
			s.sees("2/2", "harbour")
			s.press("{")
			s.sees("1/2")
			s.fits()
		})
	}
}

func TestEachServerIsAskedForItself(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.fake.info = declared()
		s.press("T", "enter")
		h.fakes["harbour"].info = declared()
		s.press("2", "R")
		if got := h.fakes["harbour"].asked; got[len(got)-1] != "list tools fresh=true" {
			t.Errorf("harbour was asked %q", got)
		}
		for _, asked := range s.fake.asked {
			if strings.Contains(asked, "fresh=true") {
				t.Errorf("the first server was asked %q", asked)
			}
		}
	})
}

func TestAServerBehindAsks(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.press("T", "enter")
		s.asks(s.ctx, round(elicitation("obs", observation)))
		s.settle()
		s.sees("weather asks something — T switches", "2/2 ?")
		s.press("{")
		s.sees("weather asks")
		s.fits()
	})
}

func TestClosingOneLeavesTheOthers(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.press("T", "enter")
		harbour := s.deck.front
		s.press("T", "down", "up", "up", "ctrl+x") // the first one, which is behind
		if len(s.deck.cards) != 1 || s.deck.front != harbour {
			t.Fatalf("%d servers are open", len(s.deck.cards))
		}
		s.asked("close")
		s.sees("weather is closed", "harbour")
		s.seesNot("/2")
		h.fakes["harbour"].log.Append(wire.Entry{State: &wire.State{Phase: wire.Lost, Text: "it went"}})
		s.settle()
		s.sees("it went") // it still hears of its own server
		s.press("T", "ctrl+x")
	})
}

func TestClosingTheLastShowsWhatCanBeOpened(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists+ask, func(s *story, h *shelf) {
			s.press("T", "up", "up", "ctrl+x")
			s.sees("A request is running there. Close weather and cut it off?")
			s.press("esc")
			if len(s.deck.cards) != 1 {
				t.Fatal("it was closed")
			}
			s.press("T", "up", "up", "ctrl+x", "enter")
			s.sees("Which server shall we look at?", "harbour", "files", "weather is closed")
			s.fits()
			s.press("enter")
			s.sees("harbour", "get_weather")
		})
	}
}

func TestQuittingAsksForAllServers(t *testing.T) {
	several(t, 120, 36, opening+lists+ask, func(s *story, h *shelf) {
		s.press("T", "enter", "q")
		s.sees("A request is running. Quit and cut it off?")
		s.press("enter")
		if !s.quit {
			t.Error("it did not quit")
		}
	})
}

func TestTheThemeHoldsForAllServers(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.press("T", "enter")
		s.press(":")
		s.typed("theme")
		s.press("enter", "down", "enter")
		now := s.deck.front.m.env.Styles.Theme.Name
		s.press("{")
		if got := s.deck.front.m.env.Styles.Theme.Name; got != now {
			t.Errorf("the theme is %s, and was %s in the other server", got, now)
		}
	})
}

// A theme for the other kind of terminal brings its background along. Told once more, the terminal's background may be that one: what
// the terminal was like stays known.
func TestTheTerminalsOwnBackgroundStaysKnown(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		white, black := color.RGBA{255, 255, 255, 255}, color.RGBA{0, 0, 0, 255}
		s.send(tea.BackgroundColorMsg{Color: black})
		s.settle()
		s.run(s.deck.front.m.act(kit.Theme{Name: "light", Keep: true}))
		s.settle()
		if v := s.deck.View(); v.BackgroundColor == nil {
			t.Fatal("a light theme leaves a dark terminal dark")
		}
		s.send(tea.BackgroundColorMsg{Color: white})
		s.settle()
		if v := s.deck.View(); v.BackgroundColor == nil || !s.deck.front.m.dark {
			t.Error("the theme's background is taken for the terminal's")
		}
	})
}

func TestCommandsAboutServers(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.press("T", "enter", ":")
		s.typed("switch to")
		s.sees("switch to 1 weather")
		s.press("enter")
		s.sees("1/2")
		s.press(":")
		s.typed("close weather")
		s.press("enter")
		s.sees("harbour")
		if len(s.deck.cards) != 1 {
			t.Error("it is still open")
		}
	})
}

// What a closed server held is let go: its journal, its book, all of its screen.
func TestAClosedServerIsLetGo(t *testing.T) {
	several(t, 120, 36, opening+lists, func(s *story, h *shelf) {
		s.press("T", "enter", "5", "!", "esc", "T")
		m := s.deck.front.m
		if m == s.m {
			t.Fatal("the second server is not in front")
		}
		screen, journal := weak.Make(m), weak.Make(m.o.Log)
		m = nil
		s.press("esc", ":")
		s.typed("close harbour")
		s.press("enter")
		s.wait(2 * time.Second)
		s.sees("weather")
		clear(h.fakes)
		clear(h.desks)
		for range 5 {
			runtime.GC()
		}
		if screen.Value() != nil || journal.Value() != nil {
			t.Errorf("still held: screen %v, journal %v", screen.Value() != nil, journal.Value() != nil)
		}
	})
}

// A key costs no more for servers that lie behind.
func BenchmarkAKeyWithTenServers(b *testing.B) {
	log := wire.NewLog(wire.LogOptions{})
	d, err := NewDeck(b.Context(), Options{Session: &fake{log: log}, Desk: NewDesk()})
	if err != nil {
		b.Fatal(err)
	}
	for range 9 {
		if _, err := d.add(Options{Session: &fake{log: wire.NewLog(wire.LogOptions{})}, Desk: NewDesk()}); err != nil {
			b.Fatal(err)
		}
	}
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	key := tea.KeyPressMsg{Code: tea.KeyTab}
	for b.Loop() {
		d.Update(key)
		d.View()
	}
}
