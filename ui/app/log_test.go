package app

import (
	"strings"
	"testing"
)

const logs = `
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"x"},` + meta + `}}
! to stderr
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"db","data":{"query":"select","rows":[1,2,3]}}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"db","data":"slow \u001b[31m query"}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"lost it"}}
`

// The log shows who said what and during which request; level, source and words narrow it; it follows until somebody moves up.
func TestTheLogIsReadLikeALog(t *testing.T) {
	tell(t, 120, 36, opening+lists+logs, func(s *story) {
		s.press("L")
		s.sees(`db: {"query":"select","rows":[1,2,3]}`, "db: slow ␛[31m query", "to stderr", "lost it", "during #12 get_weather", "following")
		s.press("l", "l")
		s.sees("warnings and errors")
		s.seesNot("select", "to stderr")
		s.press("l", "l", "s")
		s.sees("the server's messages")
		s.seesNot("to stderr", "starting node")
		s.press("s")
		s.sees("to stderr")
		s.seesNot("lost it")
		s.press("s", "s", "/")
		s.typed("SELECT")
		s.press("enter")
		s.sees("1 of ", `"query": "select"`) // unfolded below
		s.seesNot("lost it")
		s.fits()
		s.press("enter")
		if len(s.m.overs) != 0 || s.m.focus != atMain || s.m.timeline.Row().Method != "notifications/message" {
			t.Errorf("enter does not go to the message: %d, %v", s.m.focus, s.m.timeline.Row())
		}
		s.press("L", "up")
		s.sees("paused")
		s.say("! one more")
		s.settle()
		s.sees("paused", "one more")
		s.press("f")
		s.sees("following")
		s.fits()
	})
	tell(t, 80, 24, opening+lists+logs, func(s *story) {
		s.press("L")
		s.sees("lost it", "select")
		s.fits()
	})
}

func TestLogMessagesAreOneRowAmongExchanges(t *testing.T) {
	tell(t, 120, 36, opening+lists+logs, func(s *story) {
		s.press("5")
		s.sees("message ×3")
		s.press("z")
		if n := strings.Count(s.screen(), "← message"); n != 3 {
			t.Errorf("%d rows:\n%s", n, s.screen())
		}
	})
}

// The level is chosen where a call is made, and in the palette; it is told where it is in force.
func TestChooseALogLevel(t *testing.T) {
	tell(t, 120, 36, strings.Replace(opening, `"tools":{}`, `"tools":{},"logging":{}`, 1)+lists, func(s *story) {
		s.press("enter", "ctrl+g")
		s.sees("Log messages from", "with each request", "emergency")
		s.press("down", "enter")
		s.asked(`log from "debug"`)
		s.sees("log debug", "from debug on")
		s.press("ctrl+g")
		s.press("up", "enter")
		s.asked(`log from ""`)
		s.seesNot("log debug")
	})
	tell(t, 120, 36, legacyOpening, func(s *story) {
		s.press(":")
		s.typed("log level")
		s.press("enter")
		s.sees("not declared")
		s.press("G", "enter")
		s.asked(`log from "emergency"`)
		s.sees("declares no logging")
	})
}

const legacyOpening = `
= connecting +target="node old.js" +kind=stdio starting node old.js
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"0.1"}}}
> {"jsonrpc":"2.0","method":"notifications/initialized"}
= ready +era=legacy +version=2025-06-18 initialize was answered
`
