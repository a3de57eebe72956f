package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/wire"
)

func TestLabelsAreUnambiguous(t *testing.T) {
	for _, n := range []int{0, 1, 2, 25, 26, 27, 50, 51, 52, 300, 676, 1000} {
		words := labelWords(n)
		if want := min(n, len(labelLetters)*len(labelLetters)); len(words) != want {
			t.Errorf("%d labels for %d", len(words), n)
		}
		sorted := slices.Sorted(slices.Values(words))
		for i := 1; i < len(sorted); i++ {
			if strings.HasPrefix(sorted[i], sorted[i-1]) {
				t.Errorf("of %d: %q begins %q", n, sorted[i-1], sorted[i])
			}
		}
		if n <= len(labelLetters) && n > 0 && len(words[n-1]) != 1 {
			t.Errorf("%d labels could be single letters: %q", n, words)
		}
	}
}

// label is the label of a spot by the end of its id.
func (s *story) label(key string) string {
	s.t.Helper()
	for id, word := range s.m.labels.of {
		if strings.HasSuffix(id, key) {
			return word
		}
	}
	s.t.Fatalf("nothing is labelled %q: %q\n%s", key, s.m.labels.of, s.screen())
	return ""
}

// jump types the label of a spot.
func (s *story) jump(key string) {
	s.t.Helper()
	s.press(";")
	s.typed(s.label(key))
	if s.m.labels != nil {
		s.t.Errorf("labels are still there after %q", key)
	}
}

func TestJumpingByLabels(t *testing.T) {
	atBothSizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		is := func(what string, ok bool) {
			s.t.Helper()
			if !ok {
				s.t.Errorf("%s:\n%s", what, s.screen())
			}
		}
		before := s.screen()
		s.press(";")
		s.fits()
		s.sees("get_weather", "erase", "esc no jump", "1 Server", "5 Exchanges")
		is("labels change something", s.screen() != before)
		s.press("esc")
		is("esc takes them away", s.screen() == before)

		s.jump("aerase") // the row of a panel
		s.sees("▸ erase")
		s.jump(fmt.Sprint(atPrompts, false, true, "title"))
		is("a title moves the focus", s.m.focus == atPrompts)
		s.jump(fmt.Sprint(atExchanges, false, true, "title"))
		s.jump(key(5)) // an exchange
		s.press("enter")
		s.jump("tab Request")
		s.sees(`"arguments"`)
		s.jump("tab Response")
		s.jump("strip 1")
		s.sees("Why this verdict")
		s.press("esc")
		s.seesNot("Why this verdict")
		s.jump("must")
		s.sees("Findings by level")
		s.press(";", "esc", "esc")
		s.press(";") // keys are no places: the last line has none of the labels
		s.sees("esc no jump   type the letters of where to go")
		s.seesNot("? help", "q quit")
		s.press("esc")
		s.sees("? help  q quit")
		s.press("2", "g", "enter", "esc")
	})
}

// key is the key of the exchange that began the n-th.
func key(n int) string { return fmt.Sprintf("%d/0", []wire.Seq{0, 3, 6, 8, 10, 12}[n]) }

// A label hides at most the first letter of what it belongs to, and nothing of anything else.
func TestLabelsHideNothingThatTellsThingsApart(t *testing.T) {
	labelled := 0
	look := func(s *story, name string) {
		s.m.openLabels()
		if s.m.labels == nil {
			return
		}
		spots := s.m.goals()
		for i := range spots {
			word := s.m.labels.of[spots[i].id()]
			if word == "" {
				t.Errorf("%s: %s has no label", name, spots[i].id())
				continue
			}
			labelled++
			x, y := spots[i].labelAt(len(word)), spots[i].y
			for j := range spots {
				o := &spots[j]
				hidden := min(x+len(word), o.x+o.w) - max(x, o.x)
				if allowed := map[bool]int{true: 1}[i == j || y == 0 || strings.HasPrefix(o.key, "strip")]; o.y == y && hidden > allowed {
					t.Errorf("%s: the label of %s hides %d cells of %s", name, spots[i].id(), hidden, o.id())
				}
			}
		}
		s.fits()
		s.m.labels = nil
	}
	contexts(t, func(s *story, name string) {
		look(s, name)
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		look(s, name+" at 80x24")
	})
	if labelled < 1000 {
		t.Errorf("only %d labels were looked at", labelled)
	}
}

// A list that changes while labels show: a label still leads to what it was given to, or nowhere.
func TestALabelFollowsWhatItWasGivenTo(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("5", ";")
		word := s.label("10/0")
		s.say(ask)
		s.settle()
		s.typed(word)
		if r := s.m.timeline.Row(); r == nil || r.Ref.Seq != 10 {
			t.Errorf("the label leads to %+v", r)
		}
	})
}

// Labels are shown within a frame, however many there are.
func BenchmarkLabels(b *testing.B) {
	m := loaded(b, 500, 10_000)
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	for b.Loop() {
		m.openLabels()
		m.View()
		m.labels = nil
	}
}

func TestTagsLieOverALineWithoutMovingIt(t *testing.T) {
	style := lipgloss.NewStyle().Reverse(true)
	for _, c := range []struct {
		line string
		tags []tag
		want string
	}{
		{"  get_weather", []tag{{0, "f"}}, "f get_weather"},
		{"\x1b[1mabc\x1b[m def", []tag{{4, "xy"}, {0, "q"}}, "qbc xyf"},
		{"日本語", []tag{{1, "a"}, {4, "b"}}, " a本b "},
		{"日本語", []tag{{1, "ab"}}, " ab 語"},
		{"a\u0301bc", []tag{{1, "x"}}, "a\u0301xc"},
		{"ab", []tag{{1, "xy"}}, "axy"},
	} {
		got := tagged(c.line, c.tags, style)
		if plain := ansi.Strip(got); plain != c.want {
			t.Errorf("%q with %v is %q, want %q", c.line, c.tags, plain, c.want)
		}
	}
	if got := tagged("\x1b[31mred words\x1b[m", []tag{{3, "x"}}, style); !strings.HasSuffix(got, "\x1b[31mwords\x1b[m") {
		t.Errorf("behind a tag the style is gone: %q", got)
	}
}
