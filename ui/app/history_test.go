package app

import (
	"fmt"
	"path/filepath"
	"testing"

	"mcploupe/session"
	"mcploupe/ui/store"
)

// What was sent is walked through, in this run and in the next one; what held a secret is not kept.
// What was sent and is no JSON comes back as it was, not as it could have been meant.
func TestBrokenArgumentsComeBackAsTheyWere(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tellWith(t, size[0], size[1], opening+lists, Options{}, func(s *story) {
			s.say(`> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_weather","arguments":{"location": "{"end,"zz":1}}}`)
			s.settle()
			s.press("2", "enter", "ctrl+t", "ctrl+p")
			s.sees("arguments 1 of 1 sent before", `1 {"location": "{"end,"zz":1}`)
		})
	}
}

func TestArgumentsOfEarlierRuns(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "arguments.json")
			open := func() *store.History {
				return store.OpenHistory(store.Options{Target: session.Target{Argv: []string{"x"}, Dir: "/"}, Path: path})
			}
			tellWith(t, size[0], size[1], opening+lists, Options{History: open()}, func(s *story) {
				s.say(ask + wrongAnswer)
				s.say(`> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Porto"}}}`)
				s.say(`> +masked {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"********"}}}`)
				s.say(`> +why=raw {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":7}}}`)
				s.settle()
			})
			tellWith(t, size[0], size[1], opening+lists, Options{History: open()}, func(s *story) {
				s.press("enter")
				s.typed("Oslo")
				s.press("ctrl+p")
				s.sees("get_weather 1 of 2", "arguments 1 of 2 sent before", "Porto")
				s.press("ctrl+p")
				s.sees("arguments 2 of 2 sent before", "Madrid")
				s.press("ctrl+p")
				s.sees("no arguments before these", "Madrid")
				s.press("ctrl+n", "ctrl+n")
				s.sees("what was typed", "Oslo")
				s.seesNot("1 of 2")
				s.press("ctrl+p", "ctrl+s")
				s.asked("call get_weather {\n  \"location\": \"Porto\"\n}")
			})
			tellWith(t, size[0], size[1], opening+lists, Options{}, func(s *story) { // --no-history
				s.press("enter", "ctrl+p")
				s.sees("no arguments before these")
			})
		})
	}
}
