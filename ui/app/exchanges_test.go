package app

import (
	"fmt"
	"strings"
	"testing"

	"mcploupe/ui/kit"
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

// calls are two calls of one tool whose answers differ, with another one between.
const calls = `
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Madrid"},` + meta + `}}
< {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"temp\":22,\"wind\":3}"}],"structuredContent":{"temp":22,"wind":3,"list":[{"name":"a"},{"name":"b"}]},` + mine + `}}
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Oslo"},` + meta + `}}
< {"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"no wire to Oslo"}}
> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Madrid"},` + meta + `}}
< {"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"wind":3,"temp":23,"list":[{"name":"new` + "\u202e" + `"},{"name":"a"},{"name":"b"}]},"resultType":"complete","content":[{"type":"text","text":"{\"temp\":23,\"wind\":3}"}],` + mine + `}}
`

func TestTwoMarkedExchangesAreCompared(t *testing.T) {
	sizes(t, opening+lists+calls, func(s *story) {
		s.press("5", "d") // the last one with the one before with the same arguments
		s.sees("#12 → #16 tools/call get_weather", "Request · the same", "Response · 2 changed, 1 added", "✔ complete")
		s.sees(`-     "temp": 22,`, `+     "temp": 23,`, "‹RLO›")
		s.fits()
		s.press("n")
		s.sees("change 1 of 3", "▸ ")
		s.press("N")
		s.sees("change 3 of 3", "JSON in a text")
		s.press("z")
		s.sees("fold what stayed")
		s.fits()
		s.press("x")
		s.sees("#16 → #12")
		s.press("esc")

		s.press("space", "up", "space", "d")
		s.sees("#14 → #16", "Request · 1 changed", `"location": "Oslo"`, `"location": "Madrid"`)
		s.press("N")
		s.sees("no wire to Oslo")
		s.press("enter")
		s.seesNot("Request · 1 changed")
		if s.m.focus != atMain || s.m.exchange.Ref().Seq != 16 {
			t.Errorf("enter opened #%d", s.m.exchange.Ref().Seq)
		}
		s.press("5", "g", "space", "d")
		s.sees("3 are marked")
	})
}

func TestTheAnswerIsHeldAgainstTheOneBefore(t *testing.T) {
	sizes(t, opening+lists+calls, func(s *story) {
		s.press("2", "tab", "esc", "tab", "tab")
		s.m.setFocus(atResult)
		s.press("d")
		s.sees("- #12, with the same arguments", "+ #16, shown here", "Response · 2 changed, 1 added", "d the response")
		s.press("n", "n")
		s.sees("change 2 of 3")
		s.fits()
		s.press("d")
		s.seesNot("shown here")
	})
}

func TestWhatCannotBeComparedIsSaid(t *testing.T) {
	sizes(t, opening+lists+ask, func(s *story) {
		s.press("5", "d")
		s.sees("has no answer to compare")
		s.press("up", "d")
		s.sees("there is no earlier answer to the same call")
	})
}

// copied gives the text that a key of the copy menu would put on the clipboard.
func (s *story) copied(key string) string {
	s.t.Helper()
	r := kit.Find(s.m.rows(), key)
	if r == nil || r.Off != "" {
		s.t.Fatalf("%s copies nothing: %+v", key, r)
	}
	for _, i := range r.Do().(kit.Several) {
		if c, ok := i.(kit.Copy); ok {
			return c.Text
		}
	}
	s.t.Fatalf("%s copies nothing", key)
	return ""
}

func TestCopiesOfAnExchange(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "y")
		s.sees("Copy from #12", "answer", "request", "mcploupe command", "curl — there is no curl for stdio: m has a command of ours")
		s.fits()
		if got, want := s.copied("m"), `mcploupe call get_weather --args '{"location":"Madrid"}' -- node server.js`; got != want {
			t.Errorf("the command is %s", got)
		}
		if got := s.copied("r"); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":5,"method":"tools/call"`) {
			t.Errorf("the request is %s", got)
		}
		if got := s.copied("e"); !strings.HasPrefix(got, `{"request":{"jsonrpc"`) || !strings.Contains(got, `,"response":{`) {
			t.Errorf("the exchange is %s", got)
		}
		s.press("c")
		s.sees("curl: there is no curl for stdio")
		s.press("enter")
		s.sees("copied answer, 232 B")
		s.seesNot("Copy from")

		s.press("enter", "]", "y")
		s.sees("value at /result/", "path of it")
		if got := s.copied("p"); !strings.HasPrefix(got, "/result/") {
			t.Errorf("the path is %s", got)
		}
		s.press("y")
		s.sees("copied value")
		s.fits()
	})
}

func TestCurlOfAnExchangeOverHTTP(t *testing.T) {
	const web = `
= connecting +target=https://host/mcp +kind=http begins
= ready +era=modern +version=2026-07-28 ready
> http POST https://host/mcp Content-Type=application/json Accept=application/json User-Agent=x Authorization="Bearer ***"
> +masked {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a'b","arguments":{"x":"$(id)"}}}
< http 200 Content-Type=application/json
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
`
	sizes(t, web, func(s *story) {
		s.press("5", "y")
		if got := s.copied("c"); !strings.HasPrefix(got, "curl -sS -i \\\n  https://host/mcp") || !strings.Contains(got, `Bearer '"$TOKEN"`) || !strings.Contains(got, `a'\''b`) {
			t.Errorf("curl is %s", got)
		}
		if got, want := s.copied("m"), `mcploupe call 'a'\''b' --args '{"x":"$(id)"}' https://host/mcp`; got != want {
			t.Errorf("the command is %s", got)
		}
		s.press("c")
		s.sees("copied curl; secrets are left out of it")
	})
}

func TestAnEditedRequestKnowsWhatItWasMadeFrom(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "e")
		s.sees("editing #12")
		s.m.call.SetArgs([]byte(`{"location":"Oslo"}`))
		s.press("ctrl+s")
		s.asked(`call get_weather {"location":"Oslo"} edited from #12`)
		s.seesNot("editing #12")
		s.press("ctrl+s") // once more is no edit of it
		s.asked(`call get_weather {"location":"Oslo"}`)

		s.say(`> +why="edited from #12" {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Oslo"},` + meta + `}}
< {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"temp\":3}"}],"structuredContent":{"temp":3},` + mine + `}}
`)
		s.settle()
		s.press("esc", "5", "G")
		if s.m.w > 100 { // the panel is the narrow one here
			s.sees("14 └#12 call get_w")
		} else {
			s.sees("14 └ call get_weather edited from #12")
		}
		s.fits()
		s.press("d")
		s.sees("#12 → #14", `-     "location": "Madrid"`, `+     "location": "Oslo"`)
		s.press("esc", "/")
		s.typed("is:edited")
		s.sees("1 of 6")
		s.press("enter", "enter")
		s.sees("edited from #12")
		for _, r := range s.m.rows() {
			if r.Words == "open #12, which this was edited from" {
				s.run(s.m.act(r.Do()))
			}
		}
		s.settle()
		if s.m.exchange.Ref().Seq != 12 {
			t.Errorf("it leads to #%d", s.m.exchange.Ref().Seq)
		}
	})
}
