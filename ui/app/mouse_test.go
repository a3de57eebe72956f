package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// click presses and releases at a cell.
func (s *story) click(x, y int) {
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.settle()
}

// find is the cell where a text stands on the screen.
func (s *story) find(text string) (x, y int) {
	s.t.Helper()
	for y, line := range strings.Split(s.screen(), "\n") {
		if i := strings.Index(line, text); i >= 0 {
			return kit.Width(line[:i]), y
		}
	}
	s.t.Fatalf("%q is not there:\n%s", text, s.screen())
	return 0, 0
}

// clickOn presses a text.
func (s *story) clickOn(text string) {
	s.t.Helper()
	x, y := s.find(text)
	s.click(x, y)
}

func atBothSizes(t *testing.T, script string, then func(s *story)) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], script, then)
		})
	}
}

// Every region that can be pressed is pressed, in every context: nothing breaks, and what was there to be done was done, for
// a press changes the screen, asks the session, or lies on what is selected anyway.
func TestEveryHitRegionCanBePressed(t *testing.T) {
	pressed := map[string]int{}
	contexts(t, func(s *story, name string) {
		s.m.screen()
		spots := s.m.spots()
		seen := map[string]bool{}
		for i := range spots {
			sp := &spots[i]
			if sp.x < 0 || sp.y < 0 || sp.x >= s.m.w || sp.y >= s.m.h || sp.w < 1 {
				t.Errorf("%s: %s lies at %d,%d", name, sp.id(), sp.x, sp.y)
			}
			if seen[sp.id()] {
				t.Errorf("%s: two spots are %s", name, sp.id())
			}
			seen[sp.id()] = true
			for j := range spots[:i] {
				if o := &spots[j]; o.y == sp.y && o.x < sp.x+sp.w && sp.x < o.x+o.w {
					t.Errorf("%s: %s lies over %s", name, sp.id(), o.id())
				}
			}
			kind := "row"
			switch {
			case sp.y == s.m.h-1:
				kind = "last line"
			case sp.y == 0:
				kind = "first line"
			case sp.frame && sp.key != "title":
				kind = "tab"
			case sp.frame:
				kind = "title"
			case strings.HasPrefix(sp.key, "strip"):
				kind = "verdict"
			case sp.over:
				kind = "row of an overlay"
			}
			pressed[kind]++
		}
		for i := range spots[:min(len(spots), 60)] {
			s.m.screen()
			for _, sp := range s.m.spots() {
				if sp.id() == spots[i].id() && !strings.Contains("ctrl+c q ctrl+z", sp.key) {
					s.click(sp.x, sp.y)
					s.fits()
					break
				}
			}
		}
	})
	for _, kind := range []string{"row", "last line", "first line", "tab", "title", "verdict", "row of an overlay"} {
		if pressed[kind] < 5 {
			t.Errorf("%d regions of kind %q were pressed", pressed[kind], kind)
		}
	}
}

func TestWhatThePressesDo(t *testing.T) {
	atBothSizes(t, opening+lists+twoFaults, func(s *story) {
		is := func(what string, ok bool) {
			s.t.Helper()
			if !ok {
				s.t.Errorf("%s:\n%s", what, s.screen())
			}
		}
		s.clickOn("✖ 2") // a count in the header
		s.sees("Findings by level", "▸ ✖")
		s.clickOn("by rule") // a key in the last line
		s.sees("Findings by rule")
		s.clickOn("result-type-unknown") // a row of an overlay
		s.sees("▸ ✖   result-type-unknown")
		s.click(0, 5) // beside it
		s.seesNot("Findings by")

		s.clickOn("5 Exchanges")
		is("a title moves the focus", s.m.focus == atExchanges)
		s.clickOn("call get_weather")
		is("a row is selected", s.m.timeline.Row().Name == "get_weather")
		x, y := s.find("call get_weather")
		s.click(x, y)
		is("two presses are enter", s.m.focus == atMain)
		s.sees("✔ complete")
		s.clickOn("Request ·") // a tab
		s.sees(`"arguments"`)
		s.clickOn("Response")
		s.clickOn("└ tool-error-output-inv") // the note of a finding
		s.sees("1 of 2 tool-error-output-invalid")
		x, y = s.find("└ tool-error-output-inv")
		s.click(x, y)
		s.sees("Structured output has the shape that the tool promises") // twice: its page
		s.press("esc")
		s.clickOn("output invalid") // a part of the verdict
		s.sees("Why this verdict")
		s.press("esc")
		s.clickOn("? help")
		s.sees("Help")
		s.clickOn("esc close")
		s.seesNot("what works now")
		s.clickOn("2026-07-28 modern")
		s.seesNot("q quit")
		s.press("esc")
		s.clickOn("mcploupe")
		s.sees("what works now")
	})
}

func TestTheMouseFillsInAForm(t *testing.T) {
	atBothSizes(t, opening+lists, func(s *story) {
		s.press("enter", "esc")
		s.clickOn("location *")
		if !s.m.call.Typing() {
			s.t.Fatalf("a press on a line of text does not begin typing:\n%s", s.screen())
		}
		s.typed("Oslo")
		s.clickOn("[ send ]")
		s.asked("call get_weather {\n  \"location\": \"Oslo\"\n}")
	})
}

func TestAButtonOfADialogIsPressed(t *testing.T) {
	atBothSizes(t, opening+lists+ask, func(s *story) {
		s.press("q")
		s.sees("A request is running")
		s.clickOn("esc stay")
		s.seesNot("A request is running")
		s.press("q")
		s.clickOn("enter quit")
		if !s.quit {
			s.t.Error("enter quit does not quit")
		}
	})
}

// Two presses are enter only when they come soon after each other: a lone press on what is selected reads or sends nothing.
func TestALonePressOnWhatIsSelectedOnlySelects(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		x, y := s.find("  a  ")
		s.click(x+2, y) // the panel takes the focus and grows, which moves it
		s.wait(time.Second)
		n := len(s.fake.asked)
		x, y = s.find("▸ a  ")
		s.click(x+2, y)
		if len(s.fake.asked) != n {
			t.Errorf("a press asked %q", s.fake.asked)
		}
		s.click(x+2, y)
		s.asked("read file:///a.txt fresh=false")
	})
	tell(t, 120, 36, opening+lists, func(s *story) { // the same from another panel: what moved is what was meant
		x, y := s.find("  a  ")
		s.click(x+2, y)
		s.click(x+2, y)
		s.asked("read file:///a.txt fresh=false")
	})
}

// Two presses on a key of the last line, or on a tab, are two presses: only what is inside a pane knows a double one.
func TestKeysOfTheLastLineArePressedAsOftenAsTheyArePressed(t *testing.T) {
	atBothSizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "enter")
		x, y := s.find("] next finding")
		s.click(x, y)
		s.sees("1 of 2")
		s.click(x, y)
		s.sees("2 of 2")
	})
}

func TestWheelAndScrollBarMoveWhatIsUnderThePointer(t *testing.T) {
	many := strings.Replace(lists, `"resources":[`, `"resources":[`+strings.Repeat(`{"uri":"file:///b.txt","name":"b"},`, 90), 1)
	atBothSizes(t, opening+many+ask+wrongAnswer, func(s *story) {
		s.press("3")
		_, top := s.find("3 Resources")
		r := s.m.lay.at[atResources]
		before := s.m.resources.Scroll()
		s.send(tea.MouseWheelMsg{X: 5, Y: top + 2, Button: tea.MouseWheelDown})
		s.m.screen()
		if at := s.m.resources.Scroll(); at.From != before.From+3 || s.m.focus != atResources {
			s.t.Errorf("the wheel scrolls to %+v", at)
		}
		x := r.x + r.w - 1
		s.send(tea.MouseClickMsg{X: x, Y: r.y + r.h - 1, Button: tea.MouseLeft})
		s.m.screen()
		if at := s.m.resources.Scroll(); at.From+at.Shown != at.Total {
			s.t.Errorf("a press at the end of the scroll bar leads to %+v", at)
		}
		s.send(tea.MouseMotionMsg{X: x + 3, Y: r.y + 1, Button: tea.MouseLeft})
		s.m.screen()
		if at := s.m.resources.Scroll(); at.From != 0 {
			s.t.Errorf("dragging to the top leads to %+v", at)
		}
		s.send(tea.MouseReleaseMsg{X: x, Y: r.y + 1})
		s.send(tea.MouseMotionMsg{X: x, Y: r.y + 5})
		s.m.screen()
		if at := s.m.resources.Scroll(); at.From != 0 {
			s.t.Errorf("after the release it still drags: %+v", at)
		}
		s.press("!")
		o := &s.m.overs[0]
		page := s.m.screen()
		s.send(tea.MouseWheelMsg{X: 20, Y: o.at.y + o.at.h - 3, Button: tea.MouseWheelDown})
		if s.m.screen() == page {
			s.t.Error("the wheel does not scroll the page below the list of findings")
		}
	})
}

// The lines between panes are dragged, and moved by keys; what was chosen can be taken back.
func TestTheLinesBetweenPanesMove(t *testing.T) {
	drag := func(s *story, x, y, toX, toY int) {
		s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		s.send(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
		s.send(tea.MouseReleaseMsg{X: toX, Y: toY})
		s.fits()
	}
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.fits()
		was, cut := s.m.lay.divider, s.m.lay.cut
		drag(s, was, 10, was+12, 10)
		if s.m.lay.divider != was+12 {
			t.Errorf("the divider is at %d", s.m.lay.divider)
		}
		drag(s, 60, cut, 60, cut+5)
		if s.m.lay.cut != cut+5 {
			t.Errorf("the line between main and result is at %d, was %d", s.m.lay.cut, cut)
		}
		s.press("alt+left", "alt+up")
		s.fits()
		if s.m.lay.divider != was+10 || s.m.lay.cut != cut+4 {
			t.Errorf("keys: divider %d, line %d", s.m.lay.divider, s.m.lay.cut)
		}
		s.press("alt+right", "alt+right", "alt+down")
		s.fits()
		if s.m.lay.divider != was+14 || s.m.lay.cut != cut+5 {
			t.Errorf("keys: divider %d, line %d", s.m.lay.divider, s.m.lay.cut)
		}
		s.press(":")
		s.typed("panes as at first")
		s.press("enter")
		s.fits()
		if s.m.lay.divider != was || s.m.lay.cut != cut {
			t.Errorf("as at first: divider %d, line %d", s.m.lay.divider, s.m.lay.cut)
		}
	})
	tell(t, 200, 50, opening+lists, func(s *story) {
		s.fits()
		was := s.m.lay.middle
		drag(s, was, 20, was-9, 20)
		if s.m.lay.middle != was-9 {
			t.Errorf("the line between main and the result beside it is at %d, was %d", s.m.lay.middle, was)
		}
	})
}
