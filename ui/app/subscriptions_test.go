package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
)

// A server that declares what can be listened for.
const (
	changing = `
= connecting +target="node server.js" +kind=stdio starting node server.js
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{}},"ttlMs":300000,"cacheScope":"public",` + mine + `}}
= ready +era=modern +version=2026-07-28 server/discover was answered: modern
`
	tagOf = `"_meta":{"io.modelcontextprotocol/subscriptionId":`
	read  = `
> {"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"file:///a.txt",` + meta + `}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"private",` + mine + `,"contents":[{"uri":"file:///a.txt","mimeType":"text/plain","text":"%s"}]}}
`
	updated = `< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt",` + tagOf + "20}}}\n"
)

func listens(id int, filter string) string {
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":%s,`+meta+"}}\n", id, filter)
}

func acks(id int, granted string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":%s,`+tagOf+"%d}}}\n", granted, id)
}

func TestSubscriptionsAreSeenAndEnded(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], changing+lists, func(s *story) {
			s.press("S")
			s.sees("nothing is subscribed to")
			s.say(listens(20, `{"toolsListChanged":true,"promptsListChanged":true}`))
			s.settle()
			s.sees("20 tools, prompts", "not acknowledged yet for")
			s.say(acks(20, `{"toolsListChanged":true}`) + `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + tagOf + "20}}}\n")
			s.settle()
			s.sees("not all granted", "▲ not granted  prompts", "1 tools/list_changed", "state          open for 0:0", "1 open")
			s.fits()
			s.press("x")
			s.asked("cancel 11")
			s.say("~ cancel #11 ended by hand")
			s.settle()
			s.sees("ended by us: ended by hand", "– 20 tools, prompts")
			s.press("x")
			s.sees("end: it has ended")
			s.press("r")
			s.asked(`listen {"toolsListChanged":true,"promptsListChanged":true}`)
			s.press("enter")
			s.sees("subscriptions/listen")
		})
	}
}

func TestTheServersPageTellsOfSubscriptions(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`)+acks(20, `{"toolsListChanged":true}`), func(s *story) {
		s.press("1")
		s.sees("20  tools: open, 0 notifications", "S shows all of them")
		s.say(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + tagOf + "20}}}\n")
		s.settle()
		s.sees("20  tools: open, 1 notification")
	})
}

func TestAFilterIsPutTogether(t *testing.T) {
	tell(t, 120, 36, changing+lists, func(s *story) {
		s.press("S", "n")
		s.sees("[x] the list of tools changes", "[ ] the list of prompts changes", "not declared: prompts.listChanged", "[ ] file:///a.txt", "asks for  tools")
		s.press("down", "space", "down", "down", "space")
		s.sees("asks for  tools, prompts, file:///a.txt")
		s.press("u")
		s.typed("x://q\x1b[31m")
		s.press("enter")
		s.sees("[x] x://q␛[31m", "typed")
		s.fits()
		s.press("enter")
		s.asked(`listen {"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///a.txt","x://q\u001b[31m"]}`)
		s.seesNot("the list of tools changes")
	})
}

// A subscription that is asked for again by itself is held, and ended for good by x, also between two tries.
func TestASubscriptionIsKept(t *testing.T) {
	tell(t, 120, 36, changing+lists, func(s *story) {
		s.press("S", "n", "G", "space", "k", "k", "enter")
		s.asked(`hold {"toolsListChanged":true}`)
		s.say(listens(20, `{"toolsListChanged":true}`) + acks(20, `{"toolsListChanged":true}`) + "~ drop #11 the stream was cut\n")
		s.settle()
		s.sees("broke off: the stream was cut", "asked for again whenever it ends", "✖ 20 tools")
		s.press("a")
		s.sees("is asked for again by itself already")
		s.press("x")
		s.settle()
		s.seesNot("asked for again whenever it ends")
	})
}

func TestTheEndOfASubscriptionIsSaid(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`)+acks(20, `{"toolsListChanged":true}`), func(s *story) {
		s.say(`< {"jsonrpc":"2.0","id":20,"result":{"resultType":"complete",` + tagOf + "20}}}\n")
		s.settle()
		s.sees("subscription 20 ended by the server, with a result")
	})
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`), func(s *story) {
		s.say(`< {"jsonrpc":"2.0","id":20,"error":{"code":-32601,"message":"no\u001b[2J"}}` + "\n")
		s.settle()
		s.sees("subscription 20 refused: -32601 no␛[2J")
	})
}

// The row of an open subscription shows what it brings as it comes.
func TestAnOpenSubscriptionShowsWhatItBrings(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`)+acks(20, `{"toolsListChanged":true}`), func(s *story) {
		s.press("5")
		s.sees("It is open. What it brings stands here as it comes:", "notifications/subscriptions/acknowledged")
		for range 40 {
			s.say(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"n":1,` + tagOf + "20}}}\n")
		}
		s.say(`< {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"n":2,` + tagOf + "20}}}\n")
		s.settle()
		s.press("g", "/")
		s.typed("listen")
		s.press("enter", "enter", "G")
		s.sees("notifications/prompts/list_changed", "subscription-type-unrequested")
		s.say(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"n":"the newest",` + tagOf + "20}}}\n")
		s.settle()
		s.sees("the newest")
		s.fits()
	})
}

// Following a request leaves nothing but it and what came for it, live.
func TestARequestIsFollowed(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`)+acks(20, `{"toolsListChanged":true}`), func(s *story) {
		s.press("5", "f")
		s.sees("Exchanges only #11", "subscriptions/listen")
		s.seesNot("server/discover")
		s.say(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + tagOf + "20}}}\n" + ask)
		s.settle()
		s.sees("13 ← tools/list_changed")
		s.seesNot("call get_weather")
		s.press("f")
		s.sees("server/discov", "call get_weather")
		s.press("g", "f", "S", "enter") // what is hidden is shown when it is asked for
		s.sees("11 subscriptions/lis", "server/discov")
	})
}

// A list goes stale at once: in the heading of its panel, in the strip of the answer that brought it.
func TestAListGoesStaleAtOnce(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true}`)+acks(20, `{"toolsListChanged":true}`), func(s *story) {
		s.sees("Tools 2 ────────────── ◷ 4:32")
		s.say(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + tagOf + "20}}}\n")
		s.settle()
		s.sees("Tools 2 ─────────── ◷ invalid")
		s.press("5", "/")
		s.typed("tools/list")
		s.press("enter", "g")
		s.sees("invalidated by tools/list_changed #13")
		s.press("2", "r")
		s.asked("list tools fresh=false")
	})
}

func TestAWatchedResourceIsReadAgain(t *testing.T) {
	tell(t, 120, 36, changing+lists, func(s *story) {
		s.press("3", "w")
		s.asked(`listen {"resourceSubscriptions":["file:///a.txt"]}`)
		s.say(listens(20, `{"resourceSubscriptions":["file:///a.txt"]}`) + acks(20, `{"resourceSubscriptions":["file:///a.txt"]}`))
		s.settle()
		s.sees("⊙", "watch no more")
		s.say(updated) // not read yet: it is marked, and nothing is asked for
		s.settle()
		s.sees("↻ updated ⊙")
		s.asked(`listen {"resourceSubscriptions":["file:///a.txt"]}`)

		s.say(fmt.Sprintf(read, 21, 21, `one\ntwo\nthree`))
		s.settle()
		s.seesNot("updated ⊙")
		s.fake.answer = func(what string) (session.Answer, error) {
			s.say(fmt.Sprintf(read, 22, 22, `one\n2\nthree\nfour`))
			return session.Answer{}, nil
		}
		s.wait(2 * time.Second)
		for range 100 { // a flood makes us read once
			s.say(updated)
		}
		s.settle()
		s.asked("read file:///a.txt fresh=false")
		s.sees("↻ changed since #", "1 changed, 1 added")
		s.press("tab", "tab", "d")
		s.sees("two", "+         2", "four", "three", "a text of several lines")
		s.fits()
		s.press("3", "w")
		s.asked("cancel 11")
	})
}

// A server that says without end that a resource changed does not make us read without end.
func TestAFloodOfUpdatesIsReadOnceASecond(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"resourceSubscriptions":["file:///a.txt"]}`)+acks(20, `{"resourceSubscriptions":["file:///a.txt"]}`)+
		fmt.Sprintf(read, 21, 21, "x"), func(s *story) {
		id := 30
		s.fake.answer = func(string) (session.Answer, error) {
			id++
			s.say(fmt.Sprintf(read, id, id, "x") + updated)
			return session.Answer{}, nil
		}
		s.press("3")
		s.say(updated)
		s.wait(10 * time.Second)
		s.fake.mu.Lock()
		reads := strings.Count(strings.Join(s.fake.asked, "\n"), "read file:///a.txt")
		s.fake.mu.Unlock()
		if reads < 5 || reads > 11 {
			t.Errorf("read %d times in ten seconds", reads)
		}
	})
}

func TestWatchingWhereItIsNotDeclared(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("3", "w")
		s.sees("does not declare resources.subscribe")
		s.fake.mu.Lock()
		n := len(s.fake.asked)
		s.fake.mu.Unlock()
		s.press("esc")
		s.press("w", "enter")
		s.asked(`listen {"resourceSubscriptions":["file:///a.txt"]}`)
		if len(s.fake.asked) != n+1 {
			t.Errorf("asked %q", s.fake.asked)
		}
	})
}

// One watched resource of a subscription that brings more: the rest is asked for anew.
func TestWatchingNoMoreKeepsTheRest(t *testing.T) {
	tell(t, 120, 36, changing+lists+listens(20, `{"toolsListChanged":true,"resourceSubscriptions":["file:///a.txt","file:///b"]}`), func(s *story) {
		s.press("3", "w")
		s.settle()
		s.fake.mu.Lock()
		defer s.fake.mu.Unlock()
		if got := strings.Join(s.fake.asked, "; "); !strings.HasSuffix(got, `listen {"toolsListChanged":true,"resourceSubscriptions":["file:///b"]}; cancel 11`) {
			t.Errorf("asked %s", got)
		}
	})
}

func TestSubscriptionsOfALegacyServer(t *testing.T) {
	const legacy = `
= connecting +target="node server.js" +kind=stdio starting node server.js
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcploupe","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true},"tools":{"listChanged":true}},"serverInfo":{"name":"old","version":"1"}}}
= ready +era=legacy +version=2025-11-25 initialize was answered
> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
< {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///a.txt","name":"a"}]}}
`
	tell(t, 120, 36, legacy, func(s *story) {
		s.press("S", "n")
		s.sees("2025-11-25 has no subscriptions/listen: changes of lists come unasked", "[ ] file:///a.txt")
		s.seesNot("the list of tools changes")
		s.press("esc", "esc", "3", "w")
		s.asked("subscribe file:///a.txt")
		s.say(`> {"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
< {"jsonrpc":"2.0","id":3,"result":{}}
< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt"}}
`)
		s.settle()
		s.sees("↻ updated ⊙")
		s.press("w")
		s.asked("unsubscribe file:///a.txt")
	})
}
