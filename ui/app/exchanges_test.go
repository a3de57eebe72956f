package app

import (
	"fmt"
	"testing"
)

// sizes runs a story at both sizes that screens are made for.
func sizes(t *testing.T, script string, then func(s *story)) {
	t.Helper()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], script, then)
		})
	}
}

func TestFilterWordsOfExchanges(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "/")
		s.sees("m:tools/*", "is:viol", "enter keep filter", "5 of 5")
		s.typed("is:")
		s.sees("is: ok err viol stale")
		s.typed("viol")
		s.sees("1 of 5", "12 call get_weather")
		s.seesNot("prompts/list")
		s.press("enter")
		s.seesNot("m:tools/*", "prompts/list")
		s.fits()
		s.press("esc")
		s.sees("prompts/list")

		s.press("/")
		s.typed("madrid") // in the request alone
		s.sees("1 of 5", "get_weather")
		s.press("ctrl+u")
		s.typed("foo:bar")
		s.sees("foo: is no filter word", "0 of 5", "nothing matches")
		s.press("esc", "/")
		s.typed("tool:get_* m:tools/call !is:err")
		s.sees("1 of 5")
		s.fits()
	})
}

// What fits may change with time alone.
func TestAFilterForStaleFollowsTheClock(t *testing.T) {
	sizes(t, opening+lists, func(s *story) {
		s.press("5", "/")
		s.typed("is:stale")
		s.sees("0 of 4")
		s.wait(61e9)
		s.sees("2 of 4", "resources/list", "prompts/list")
	})
}

func TestMarksOfExchanges(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "space")
		s.sees("✚ 1 marked", "12 ✚ call get_weather", "space unmark")
		s.press("up", "space")
		s.sees("✚ 2 marked", "10 ✚ prompts/list")
		s.fits()
		s.press("/")
		s.typed("is:mark")
		s.sees("2 of 5")
		s.press("esc", "space", "M")
		s.seesNot("marked", "✚")
	})
}
