package app

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A list of two pages, as a server lists it under the given ids.
func twoPages(id int) string {
	return fmt.Sprintf(`
> {"jsonrpc":"2.0","id":%[1]d,"method":"tools/list","params":{`+meta+`}}
< {"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",`+mine+`,"nextCursor":"p2","tools":[
  {"name":"alpha","inputSchema":{"type":"object"}},{"name":"beta","inputSchema":{"type":"object"}}]}}
`, id) + secondPage(id+1)
}

func secondPage(id int) string {
	return fmt.Sprintf(`
> {"jsonrpc":"2.0","id":%[1]d,"method":"tools/list","params":{"cursor":"p2",`+meta+`}}
< {"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",`+mine+`,"tools":[
  {"name":"gamma","inputSchema":{"type":"object","properties":{"word":{"type":"string"}}}},{"name":"gamut","inputSchema":{"type":"object"}}]}}
`, id)
}

// again is what a restart puts into the journal.
const startedAgain = `
= connecting +target="node server.js" +kind=stdio +try=2 +tries=5 starting node server.js
= detecting +try=2 +tries=5 remembered: modern 2026-07-28; asking with server/discover
> {"jsonrpc":"2.0","id":20,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":20,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":300000,"cacheScope":"public",` + mine + `}}
= ready +era=modern +version=2026-07-28 +try=2 +tries=5 server/discover was answered: modern
`

// A crashed server comes back by itself: what was under way is lost, every try is shown, lists are stale and then listed again,
// and whoever works on the screen finds cursor, filter and typed arguments where they were.
func TestAServerComesBackByItself(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+twoPages(2), func(s *story) {
			s.press("/")
			s.typed("gam")
			s.press("enter", "down")
			if got := s.m.tools.Item().ID; got != "gamut" {
				t.Fatalf("the cursor stands on %s", got)
			}
			s.say(`> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"gamut","arguments":{},` + meta + `}}
~ exit 7 +stderr="panic: nil"
= lost the server process ended by itself: exit code 7
= lost +try=2 +tries=5 +pause=2s the server process ended by itself: exit code 7; connecting again in 2s (try 2 of 5)`)
			s.settle()
			s.sees("✖ lost, again in 2 s (2/5)", "again in 2s (try", "lost ▲", "stale")
			if size[0] == 120 {
				s.sees("lost: server ended")
			}
			s.seesNot("gone, ctrl+r starts it again")
			s.fits()
			s.wait(1200 * time.Millisecond)
			s.sees("again in 1 s (2/5)")
			s.fake.info = declared()
			s.say(strings.SplitAfter(startedAgain, "starting node server.js")[0])
			s.settle()
			s.sees("connecting (2/5)")
			s.say(strings.SplitAfter(startedAgain, "starting node server.js")[1])
			s.settle()
			s.sees("● ready")
			s.seesNot("(2/5)")
			if got := strings.Join(s.fake.asked, "|"); !strings.HasSuffix(got, "list tools fresh=false|list resources fresh=false|list templates fresh=false|list prompts fresh=false") {
				t.Errorf("asked %s", got)
			}
			s.say(firstOnly(21))
			s.settle() // the page that the cursor was on is not there yet
			s.say(secondPage(22))
			s.settle()
			if got := s.m.tools.Item().ID; got != "gamut" || s.m.tools.Filter() != "gam" {
				t.Errorf("the cursor stands on %s, the filter is %q", got, s.m.tools.Filter())
			}
			s.fits()
		})
	}
}

// firstOnly is the first of two pages.
func firstOnly(id int) string { return strings.TrimSuffix(twoPages(id), secondPage(id+1)) }

// What is remembered of the era can be forgotten on the screen.
func TestTheEraIsDetectedAnew(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press(":")
		s.typed("era anew")
		s.press("enter")
		if got := strings.Join(s.fake.asked, "|"); !strings.HasSuffix(got, "forget|restart") {
			t.Errorf("asked %s", got)
		}
	})
}

// A restart by hand lists again as well, once.
func TestARestartByHandListsAgain(t *testing.T) {
	tell(t, 120, 36, "", func(s *story) {
		s.fake.info = declared()
		s.say(opening)
		s.settle()
		n := len(s.fake.asked)
		s.press("ctrl+r")
		s.say(startedAgain)
		s.send(connectedMsg{nil, s.m.epoch})
		s.settle()
		if got := strings.Join(s.fake.asked[n:], "|"); got != "restart|list tools fresh=false|list resources fresh=false|list templates fresh=false|list prompts fresh=false" {
			t.Errorf("asked %s", got)
		}
	})
}
