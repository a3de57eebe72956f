package app

import (
	"strings"
	"testing"
)

// overHTTP is a server with a tool that clients over HTTP must leave out (case C35), beside one that is fine.
func overHTTP(kind string) string {
	return `
= connecting +target="http://127.0.0.1:1/mcp" +kind=` + kind + ` connecting
= ready +era=modern +version=2026-07-28 +kind=` + kind + ` server/discover was answered: modern
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":272000,"cacheScope":"public",` + mine + `,"tools":[
  {"name":"query","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Bad Name"}}}},
  {"name":"ping","description":"reply","inputSchema":{"type":"object"}}]}}
`
}

func TestAToolThatClientsMustLeaveOut(t *testing.T) {
	tell(t, 120, 36, overHTTP("http"), func(s *story) {
		s.sees("query", "⊘ to leave out")
		if screen := s.m.View().Content; !struckThrough(screen, "q") {
			t.Errorf("the name is not struck through: %q", screen)
		}
		s.press("ctrl+s")
		s.sees("A tool to leave out", "Clients over HTTP must leave query out", "tools-xheader-token at", "call it all the same")
		s.fits()
		s.press("esc")
		s.seesNot("A tool to leave out")
		s.asked("connect")
		s.press("ctrl+s", "enter")
		s.asked("call query {}")
		s.press("esc", "ctrl+s") // who said yes is not asked again
		s.seesNot("A tool to leave out")
		if n := len(s.fake.asked); s.fake.asked[n-1] != "call query {}" || s.fake.asked[n-2] != "call query {}" {
			t.Errorf("asked %q", s.fake.asked)
		}
		s.press("esc", "down", "ctrl+s")
		s.asked("call ping {}")
	})
}

// Where there is room the list says why.
func TestTheListSaysWhyAToolIsLeftOut(t *testing.T) {
	tell(t, 80, 24, overHTTP("http"), func(s *story) {
		s.sees("query", "tools-xheader-token")
		s.fits()
	})
}

// struckThrough tells that a letter is drawn with the strike-through attribute.
func struckThrough(screen, letter string) bool {
	for part := range strings.SplitSeq(screen, "\x1b[") {
		codes, text, _ := strings.Cut(part, "m")
		if strings.HasPrefix(text, letter) && strings.Contains(";"+codes+";", ";9;") {
			return true
		}
	}
	return false
}

// On stdio there are no headers: nobody leaves anything out.
func TestOnStdioAllToolsStay(t *testing.T) {
	tell(t, 80, 24, overHTTP("stdio"), func(s *story) {
		s.seesNot("⊘")
		s.press("ctrl+s")
		s.asked("call query {}")
	})
}
