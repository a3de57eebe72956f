package app

import (
	"fmt"
	"strings"
	"testing"
)

// Two rules broken: one by a call, one by a second call.
const twoFaults = ask + wrongAnswer + `
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"erase","arguments":{},` + meta + `}}
< {"jsonrpc":"2.0","id":6,"result":{"resultType":"galaxy","content":[],` + mine + `}}
`

// A rule is muted: it leaves the counts, the marks, the signs of rows and the lists; it can be shown, and heard again.
func TestAMutedRuleLeavesCountsMarksAndLists(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists+twoFaults, func(s *story) {
				must := s.m.book.Findings.Count.Must
				s.press("!", "/")
				s.typed("output-invalid")
				s.press("enter")
				s.sees("▸ ✖   tool-error-output-invalid", "m mute the rule")
				s.press("m")
				s.sees("1 muted", "is muted until you quit: 1 finding left o")
				s.seesNot("▸ ✖   tool-error-output-invalid")
				if got := s.m.book.Findings.Count.Must; got != must-1 {
					t.Errorf("%d findings of level must are counted, %d were before", got, must)
				}
				s.press("esc", "esc", "5", "g")
				for range 4 {
					s.press("j")
				}
				s.press("enter")
				s.sees("tools/call get_weather", "◆ 1")
				s.seesNot("└ tool-error-output-invalid")
				if r := s.m.book.Timeline.Row(s.m.exchange.Ref()); r.Count.Must != 0 || r.Muted != 1 {
					t.Errorf("the exchange counts %+v, %d muted", r.Count, r.Muted)
				}
				s.fits()

				s.press("!", "M")
				s.sees("muted", "tool-error-output-invalid")
				s.press("G")
				s.sees("m unmute the rule")
				s.press("m")
				s.sees("counts again: 1 finding")
				s.seesNot("1 muted")
				s.press("esc")
				s.sees("└ tool-error-output-invalid")
				if got := s.m.book.Findings.Count.Must; got != must {
					t.Errorf("%d findings of level must are counted, %d were before", got, must)
				}
			})
		})
	}
}

// What a muted rule finds later is counted as muted at once.
func TestAMutedRuleStaysMuted(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("!", "/")
		s.typed("output-invalid")
		s.press("enter", "i", "m")
		s.sees("muted  ✖")
		s.press("esc")
		s.seesNot("tool-error-output-invalid")
		s.press("esc", "/")
		s.typed("silent")
		s.press("enter", "m", "esc", "esc")
		s.m.setFocus(atResult)
		s.sees("2 muted")
		s.say(strings.ReplaceAll(ask+wrongAnswer, `"id":5`, `"id":7`))
		s.settle()
		s.sees("4 muted")
		if l := s.m.book.List(0); l.WorstOf(&l.Items[0]) != 0 {
			t.Error("the tool still bears the sign of the muted rule")
		}
	})
}

func TestFindingsInThreeOrders(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists+twoFaults, func(s *story) {
				s.press("!")
				s.sees("Findings by level", "o by rule")
				s.press("/")
				s.typed("output-invalid")
				s.press("enter", "o") // the cursor stays on what it was about, the filter goes with that
				s.sees("Findings by rule")
				s.press("esc", "o")
				s.sees("Findings by place", "▾ #12 tools/call get_weather", "▾ #14 tools/call erase", "tool-error-output-invalid  /result/structuredContent/temp")
				s.fits()
				s.press("g", "h")
				s.sees("▸ #12 tools/call get_weather")
				s.seesNot("▾ #12")
				s.press("l", "j", "enter")
				s.sees("#12 tools/call get_weather")
				s.seesNot("Findings by")
				// Who comes back takes the next one.
				s.press("!")
				s.sees("Findings by place", "▾ #12 tools/call get_weather", "▸   ")
				s.press("j", "j", "enter")
				s.sees("#14 tools/call erase")
				s.press("!", "o")
				s.sees("Findings by level")
			})
		})
	}
}
