package app

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func report(params string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"5",` + params + `}}`
}

// A running call is seen in its row, beside its tool, in the place of its answer, and by the terminal.
func TestProgressIsSeenWhereTheCallIs(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		bar := func() *tea.ProgressBar { return s.m.View().ProgressBar }
		if bar() != nil {
			t.Error("the terminal shows progress at once: it would flicker")
		}
		s.wait(400 * time.Millisecond)
		if b := bar(); b == nil || b.State != tea.ProgressBarIndeterminate {
			t.Errorf("the terminal shows %+v", b)
		}
		for i := range 4 {
			s.say(report(fmt.Sprintf(`"progress":%d,"total":8,"message":"step %d"`, i+1, i+1)))
			s.wait(500 * time.Millisecond)
		}
		s.sees("━╌", "50 %", "4 of 8", "step 4", "1.7/s", "c cancel")
		if n := strings.Count(s.screen(), "50 %"); n != 3 {
			t.Errorf("it is to be seen in %d places, want row, tool and answer:\n%s", n, s.screen())
		}
		if b := bar(); b == nil || b.State != tea.ProgressBarDefault || b.Value != 50 {
			t.Errorf("the terminal shows %+v", b)
		}
		s.say(report(`"progress":3,"total":8`))
		s.wait(200 * time.Millisecond)
		s.sees("3 of 8 went back from 4")
		s.seesNot("━╌")
		s.fits()
		s.say(wrongAnswer)
		s.settle()
		if bar() != nil {
			t.Error("the terminal still shows progress")
		}
	})
}

func TestProgressWithoutATotalIsACount(t *testing.T) {
	tell(t, 80, 24, opening+lists+ask, func(s *story) {
		s.screen() // what is on the screen says how soon it changes
		for i := range 4 {
			s.say(report(fmt.Sprintf(`"progress":%d`, 100*i)))
			s.wait(500 * time.Millisecond)
		}
		s.press("tab")
		s.sees("300", "170/s", "running 2.")
		s.seesNot("left", " %")
		s.fits()
	})
}

// However often a server reports, the screen changes with its beat.
func TestAFloodOfProgressDoesNotOutrunTheBeat(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.wait(300 * time.Millisecond)
		s.screen()
		count := regexp.MustCompile(`\d+ of 600`)
		seen := map[string]bool{}
		for i := range 600 {
			s.say(report(fmt.Sprintf(`"progress":%d,"total":600`, i+1)))
			if i%20 == 19 {
				s.settle()
				seen[count.FindString(s.screen())] = true
			}
		}
		// 30 looks, each some 50 ms of the story apart
		if len(seen) > 17 || len(seen) < 5 {
			t.Errorf("%d numbers were shown in a second and a half", len(seen))
		}
		s.wait(200 * time.Millisecond)
		s.sees("600 of 600")
		s.fits()
	})
}

// An answer to a request that was given up is told: in its row, over the exchange, and with what it said.
func TestALateAnswerIsShownAsLate(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.press("5")
		s.wait(500 * time.Millisecond)
		s.press("c")
		seq := s.m.timeline.Row().Ref.Seq
		s.asked(fmt.Sprintf("cancel %d", seq))
		s.say(fmt.Sprintf("~ cancel #%d cancelled by hand", seq))
		s.settle()
		s.sees("– cancelled", "cancelled by hand")
		s.wait(1200 * time.Millisecond)
		s.say(wrongAnswer)
		s.settle()
		s.sees("cancelled, late 1.", " s after the cancel", "the answer, late: 1.", "late 1.", "▲", `"resultType":"complete"`)
		s.fits()
	})
	tell(t, 80, 24, opening+lists+ask, func(s *story) {
		s.press("5")
		s.say(fmt.Sprintf("~ timeout #%d gave up", s.m.timeline.Row().Ref.Seq))
		s.say(wrongAnswer)
		s.settle()
		s.sees("late ")
		s.press("enter")
		s.sees("timed out, late", "after the timeout")
		s.fits()
	})
}
