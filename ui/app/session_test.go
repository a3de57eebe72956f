package app

import (
	"strings"
	"testing"
)

const oldList = `
> {"jsonrpc":"2.0","id":%s,"method":"tools/list"}
< {"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"alpha","inputSchema":{"type":"object"}}]}}
`

// An HTTP session that the server ended and that was begun anew is a boundary on the screen too: lists are stale, and listed again.
func TestANewSessionListsAgain(t *testing.T) {
	list := func(id string) string { return strings.ReplaceAll(oldList, "%s", id) }
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], "", func(s *story) {
			s.fake.info = declared()
			s.say(`
= connecting +target="http://127.0.0.1:9/mcp" +kind=http connecting
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}
= ready +era=legacy +version=2025-06-18 +kind=http initialize was answered
` + list("2"))
			s.settle()
			s.press("2")
			s.sees("alpha", "no hint")
			n := len(s.fake.asked)
			s.say(`= ready +era=legacy +version=2025-06-18 +kind=http the server ended the session a** (HTTP 404 to #9): opening a new one`)
			s.settle()
			if len(s.fake.asked) != n {
				t.Errorf("asked too early: %v", s.fake.asked[n:])
			}
			s.say(`= ready +era=legacy +version=2025-06-18 +kind=http +session=1 a new session b** has begun: what was read in the old one is forgotten`)
			s.settle()
			s.sees("stale", "a new session b**")
			s.seesNot("no hint")
			if got := strings.Join(s.fake.asked[n:], "|"); got != "list tools fresh=false|list resources fresh=false|list templates fresh=false|list prompts fresh=false" {
				t.Errorf("asked %s", got)
			}
			s.fits()
			s.say(list("20"))
			s.settle()
			s.sees("no hint")
		})
	}
}

// What is kept (a) is asked for again on a new connection, in the way of its revision; what is not is said to be gone.
func TestSubscriptionsOutlastARestart(t *testing.T) {
	const (
		begin = `
= connecting +target="node server.js" +kind=stdio starting node server.js
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"old","version":"1"}}}
= ready +era=legacy +version=2025-11-25 initialize was answered
> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
< {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///a.txt","name":"a"},{"uri":"file:///b.txt","name":"b"}]}}
`
		granted = `> {"jsonrpc":"2.0","id":%s,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
< {"jsonrpc":"2.0","id":%s,"result":{}}
`
	)
	grant := func(id string) string { return strings.ReplaceAll(granted, "%s", id) }
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], begin, func(s *story) {
			s.press("3", "w")
			s.asked("subscribe file:///a.txt")
			s.say(grant("3"))
			s.settle()
			s.say(begin) // ctrl+r
			s.settle()
			s.sees("1 subscription went with the connection")
			s.press("S")
			s.sees("– 3 file:///a.txt")
			if size[1] > 24 {
				s.sees("ended by us: restarting")
			}
			s.fits()

			s.press("a")
			s.asked("subscribe file:///a.txt")
			s.say(grant("4"))
			s.settle()
			s.sees("4 file:///a.txt")
			n := len(s.fake.asked)
			s.say("~ exit 1\n= lost the server process ended by itself: exit code 1\n")
			s.settle()
			s.sees("✖ 4 file:///a.txt")
			s.say(begin)
			s.settle()
			if got := strings.Join(s.fake.asked[n:], "|"); !strings.Contains(got, "subscribe file:///a.txt") || strings.Contains(got, "b.txt") {
				t.Errorf("asked %s", got)
			}
			s.say(grant("5"))
			s.settle()

			n = len(s.fake.asked)
			s.say("= ready +era=legacy +version=2025-11-25 +session=1 a new session has begun\n") // there the session asks by itself
			s.settle()
			if got := strings.Join(s.fake.asked[n:], "|"); strings.Contains(got, "subscribe") {
				t.Errorf("asked %s", got)
			}
			s.say(grant("6"))
			s.settle()
			s.press("x")
			s.settle()
			s.seesNot("asked for again whenever it ends")
			n = len(s.fake.asked)
			s.say(begin)
			s.settle()
			if got := strings.Join(s.fake.asked[n:], "|"); strings.Contains(got, "subscribe file") {
				t.Errorf("asked %s", got)
			}
		})
	}
}
