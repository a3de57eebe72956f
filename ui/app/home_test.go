package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestThePageOnWhichOneIsChosen(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			s.sees("Which server shall we look at?", "recent", "harbour", "configured", "files", "enter open", "esc quit")
			s.fits()
			s.typed("fil")
			s.sees("1 of 3", "files")
			s.seesNot("harbour")
			s.press("esc")
			s.sees("harbour")
			s.press("up", "space", "tab") // both are marked
			s.sees("2 marked", "enter open 2")
			s.press("enter")
			s.sees("1/2", "harbour")
			s.seesNot("is done")
			s.press("T")
			s.seesNot("new")
			s.press("esc", "}")
			s.sees("2/2", "files")
		})
	}
}

func TestAnAddressIsTyped(t *testing.T) {
	several(t, 120, 36, "", func(s *story, h *shelf) {
		s.typed("https://example.test/mcp")
		s.sees("typed", "open", "https://example.test/mcp")
		s.press("enter")
		if h.fakes["https://example.test/mcp"] == nil {
			t.Errorf("it was not opened:\n%s", s.screen())
		}
	})
	several(t, 80, 24, "", func(s *story, h *shelf) {
		s.typed("nothing like that")
		s.sees("nothing matches: a URL is opened as it is, a command with -- before it")
		s.press("enter")
		if len(s.deck.cards) != 0 {
			t.Error("something was opened")
		}
		s.press("esc", "down", "down", "enter")
		s.sees("broken: it has neither command nor url")
		s.press("esc")
		if !s.quit {
			t.Error("esc did not quit")
		}
	})
}

func TestWhatAServerNeedsIsAskedForAndMasked(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			got := ""
			plain := h.offer("", "guarded", named("guarded"))
			h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
				var err error
				if got, err = ask(ctx, Wanted{Title: "API_KEY", Text: "It was not kept.", Secret: true}); err != nil {
					return Options{}, err
				}
				choice, err := ask(ctx, Wanted{Title: "Where", Choices: []string{"dev", "prod"}, Default: "dev"})
				got += " " + choice
				if err != nil {
					return Options{}, err
				}
				return plain.Open(ctx, ask)
			}
			s.press("enter")
			s.sees("API_KEY", "It was not kept.", "not shown, not kept")
			s.fits()
			s.press("enter")
			s.sees("a value is needed")
			s.send(tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseLeft}) // beside it
			s.settle()
			s.sees("API_KEY")
			s.send(tea.PasteMsg{Content: "s3cret\n"})
			s.settle()
			s.seesNot("s3cret")
			s.press("enter")
			s.sees("Where", "dev", "prod")
			s.press("down", "enter")
			if got != "s3cret prod" {
				t.Errorf("what was asked for is %q", got)
			}
			s.sees("guarded", "get_weather")
		})
	}
	several(t, 120, 36, "", func(s *story, h *shelf) {
		h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
			_, err := ask(ctx, Wanted{Title: "API_KEY"})
			if !errors.Is(err, ErrLeft) {
				t.Errorf("leaving gave %v", err)
			}
			return Options{}, err
		}
		s.press("enter", "esc")
		s.sees("Which server shall we look at?")
		h.list[0].Open = func(context.Context, Asker) (Options, error) { return Options{}, errors.New("no such file \x1b[31m") }
		s.press("enter")
		s.sees("harbour cannot be opened", "no such file ␛[31m")
		s.press("esc", "down", "enter")
		s.sees("files")
	})
}

// A recent one can be forgotten.
func TestARecentOneIsForgotten(t *testing.T) {
	several(t, 120, 36, "", func(s *story, h *shelf) {
		forgotten := false
		s.deck.front.m.home.offers[0].Forget = func() { forgotten = true }
		s.press("ctrl+x")
		s.sees("harbour is forgotten")
		if !forgotten || len(s.deck.front.m.home.offers) != 2 {
			t.Errorf("forgotten: %v", forgotten)
		}
	})
}

// No byte of a name, wherever it is from, commands the terminal.
func TestHostileNamesOfServers(t *testing.T) {
	several(t, 120, 36, "", func(s *story, h *shelf) {
		evil := "x\x1b]52;c;aGk=\a\u202e\u200b"
		h.list = []Offer{{ID: "1", Group: evil, Name: evil, Kind: evil, What: evil, From: evil, Off: evil}, h.offer("recent", evil, strings.ReplaceAll(named("bad"), `"bad"`, `"bad\u001b[31m\u202e"`))}
		p := s.deck.front.m.home
		p.offered(h.list)
		look := func() {
			t.Helper()
			for _, bad := range []string{"\x1b]52", "\a", "\u202e", "\u200b", "\x1b[31m\u202e"} {
				if strings.Contains(s.root().View().Content, bad) {
					t.Errorf("%q reached the screen:\n%s", bad, s.screen())
				}
			}
			s.fits()
		}
		look()
		s.press("enter") // it says why not
		look()
		s.press("down", "enter", "T")
		look()
		s.press("esc", ":")
		look()
		s.press("esc", "T", "up", "up", "up", "ctrl+x")
		look()
		h.list[1].Open = func(ctx context.Context, ask Asker) (Options, error) {
			_, err := ask(ctx, Wanted{Title: evil, Text: evil, Default: evil, Choices: []string{evil, evil + "2"}})
			return Options{}, errors.Join(err, errors.New(evil))
		}
		s.deck.front.m.home.offered(h.list)
		s.press("down", "enter")
		look()
		s.press("enter")
		look()
	})
}

// The page and its dialogs fit every terminal that is large enough for anything.
func TestThePageFitsAnyTerminal(t *testing.T) {
	for _, size := range [][2]int{{36, 10}, {50, 16}, {80, 17}, {80, 18}, {100, 30}, {200, 60}} {
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			s.fits()
			s.sees("harbour")
			h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
				_, err := ask(ctx, Wanted{Title: "A key with a rather long name", Text: strings.Repeat("It was not kept. ", 9), Secret: true, Empty: true})
				return Options{}, err
			}
			s.press("enter")
			s.fits()
			s.press("esc", "down", "enter", "T")
			s.fits()
		})
	}
	several(t, 20, 5, "", func(s *story, h *shelf) { s.fits() })
}

// A row is pressed to stand under the cursor, and pressed twice to be opened.
func TestARowOfServersIsPressed(t *testing.T) {
	several(t, 120, 36, "", func(s *story, h *shelf) {
		lines := strings.Split(s.screen(), "\n")
		y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "files") })
		press := func() {
			s.send(tea.MouseClickMsg{X: 30, Y: y, Button: tea.MouseLeft})
			s.send(tea.MouseReleaseMsg{X: 30, Y: y, Button: tea.MouseLeft})
			s.settle()
		}
		press()
		s.sees("▸ configured   files")
		press()
		s.sees("get_weather")
		if h.fakes["files"] == nil {
			t.Error("another one was opened")
		}
	})
}
