package app

import (
	"testing"
	"time"

	"mcploupe/session/wire"
)

// wrongTTL is a conversation in which the server breaks a MUST, several times, and does what is deprecated.
const wrongTTL = `> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":-5,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1"}}}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":-5,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1"}}}}
`

// recorded begins a story on a conversation that is over.
func recorded(t *testing.T, w, h int, script string, o Options, then func(s *story)) {
	t.Helper()
	o.Log, o.Title = wire.NewLog(wire.LogOptions{Now: time.Now}), "x.jsonl"
	tellWith(t, w, h, "", o, func(s *story) {
		s.screen() // drawn before anything was read
		s.log = o.Log
		s.say(script)
		s.settle()
		then(s)
	})
}

// In a recorded conversation everything that was found is hidden until the rule is named that is broken worst. What is deprecated is
// not what is looked for.
func TestTheFaultOfAJournalIsFound(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		recorded(t, size[0], size[1], wrongTTL, Options{Seek: true}, func(s *story) {
			s.sees("Find the fault", "In this conversation the server does something wrong", "has it shown  yes, 2 times", "? find the fault")
			s.seesNot("✖", "cache-ttl-negative", "number")
			s.press("esc", "5", "g", "enter")
			s.sees("ttlMs", "findings hidden", "F guess")
			s.press("F", "h", "h", "h")
			s.sees("a MUST of the specification", "Its topic: cache", "It shows in #2")
			s.press("enter")
			s.typed("discover-deprecated")
			s.press("enter")
			s.sees("This rule is broken too, but it is not what is looked for")
			s.press("esc", "F", "enter")
			s.typed("cache-ttl-negative")
			s.press("enter")
			s.sees("Right, after 1 wrong try, with 3 hints. The rule is cache-ttl-", "It showed 2 times, first in #2 at /result/ttlMs")
			s.press("esc")
			s.sees("✖ 2")
			s.seesNot("find the fault")
		})
	}
}

// Giving up tells which rule it is, and so does a conversation without a fault that there is none.
func TestTheFaultOfAJournalIsGivenUp(t *testing.T) {
	recorded(t, 120, 36, wrongTTL, Options{Seek: true}, func(s *story) {
		s.press("u")
		s.sees("You gave up. The rule is cache-ttl-negative.", "✖")
	})
	recorded(t, 120, 36, opening+lists, Options{Seek: true}, func(s *story) {
		s.press("u")
		s.seesNot("Find the fault")
	})
}

// On a server that is no child of ours the game is the same.
func TestTheFaultOfAServerIsFound(t *testing.T) {
	tellWith(t, 120, 36, wrongTTL, Options{Seek: true}, func(s *story) {
		s.sees("Find the fault", "This server may do something wrong", "Go on browsing")
		s.press("esc", ":")
		s.typed("find the fault")
		s.sees("find the fault: give up")
		s.press("esc", "F", "enter")
		s.typed("cache-ttl-negative")
		s.press("enter")
		s.sees("Right. The rule is cache-ttl-negative.")
		s.press("esc")
		s.sees("✖ 2")
	})
}
