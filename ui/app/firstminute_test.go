package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
)

// The first screen of a server that is no example: long names, names that begin alike, many of one name.

// longNames is a server whose names only differ at their ends.
const longNames = `
= connecting +target="node enterprise.js" +kind=stdio starting node enterprise.js
= detecting asking with server/discover whether the server is modern
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"completions":{},"prompts":{},"resources":{},"tools":{}},"ttlMs":300000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"acme","title":"Acme Enterprise Integration Platform, all that you have","version":"2026.11.30-rc.1+build.48151623"}}}}
= ready +era=modern +version=2026-07-28 server/discover was answered: modern
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":272000,"cacheScope":"public","tools":[
  {"name":"acme_warehouse_inventory_reservation_line_item_create","title":"Create a line of a reservation","inputSchema":{"type":"object"}},
  {"name":"acme_warehouse_inventory_reservation_line_item_delete","title":"Delete a line of a reservation","inputSchema":{"type":"object"}},
  {"name":"short","title":"A short one","inputSchema":{"type":"object"}}]}}
> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public","resources":[
  {"uri":"file:///home/somebody/projects/very/deep/below/number/41/readme.md","name":"readme.md"},{"uri":"file:///home/somebody/projects/very/deep/below/number/42/readme.md","name":"readme.md"}]}}
`

// What tells names apart is on the screen, and columns do not jump.
func TestLongNamesAreToldApart(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], longNames, func(s *story) {
				s.fits()
				s.sees("item_create", "item_delete", "acme_ware", "short", "/41/readme.md", "Acme Enterprise", "● ready", ": commands", "? help")
				if size[0] > 100 {
					s.sees("mcploupe", "stdio node enterprise.js", "tools · resources · prompts", "/42/readme.md", "534 B, about 134 tokens", "acme_warehou…_item_create")
					s.seesNot("definitions")
				} else { // one column for names, one for titles
					at := -1
					for _, l := range strings.Split(s.screen(), "\n") {
						for _, title := range []string{"Create a line", "Delete a line", "A short one"} {
							if before, _, ok := strings.Cut(l, title); ok {
								if n := len([]rune(before)); at >= 0 && n != at {
									t.Errorf("a title stands at column %d, another one at %d:\n%s", n, at, s.screen())
								} else {
									at = n
								}
							}
						}
					}
					if at < 0 {
						t.Errorf("no title:\n%s", s.screen())
					}
				}
				s.press("1")
				s.sees("tools · resources · prompts")
			})
		})
	}
}

// A start that failed says so in words that fit, and the last line offers what helps: no list that is not there.
func TestAFailedStartOffersWhatHelps(t *testing.T) {
	failed := `
= connecting +target="/no/such/server --x" +kind=stdio starting /no/such/server --x
= failed starting /no/such/server: no such file
`
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], "", func(s *story) {
				s.say(failed)
				s.send(connectedMsg{err: &session.ConnectError{Text: "starting /no/such/server: no such file", Hint: "there is no directory /no"}, epoch: s.m.epoch})
				s.settle()
				s.fits()
				s.sees("✖ The server could not be started", "hint there is no directory /no", "ctrl+r restart the server  L log", "ctrl+r starts it again")
				s.seesNot("refresh", "filter")
				s.press("2", "r")
				s.sees("refresh: there is no connection")
				s.press("/")
				s.sees("filter: there is nothing to filter")
			})
			tell(t, size[0], size[1], `
= connecting +target=http://127.0.0.1:9/mcp +kind=http connecting to http://127.0.0.1:9/mcp
= detecting asking with server/discover whether the server is modern
= failed could not reach the server: dial tcp 127.0.0.1:9: connect: connection refused
`, func(s *story) {
				s.sees("✖ The server could not be reached", "ctrl+r connects again", "ctrl+r connect again")
			})
		})
	}
}

// Help tells that it goes on below, every key and reason whole; a screen that is too small says how large it has to be.
func TestHelpGoesOnBelowAndSaysSo(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				s.press("?")
				s.fits()
				s.sees("what works now", "enter           open", "↓ scroll", "esc close")
				for range 4 { // half a page each
					s.press("ctrl+d")
				}
				s.sees("server before — there is one server")
				for range 4 {
					s.press("ctrl+d")
				}
				s.sees("Signs", "breaks a MUST of the specification", "says that it may destroy")
				s.fits()
			})
		})
	}
	for width, want := range map[int]string{40: "too small: 36×10 at least, 40×5 here", 26: "too small: 36×10 at least", 20: "36×10 at least"} {
		tell(t, width, 5, opening, func(s *story) {
			s.fits()
			s.sees(want)
		})
	}
}

// In the list of commands keys stand in one column and groups beside them; a reason is not cut while there is room for it.
func TestTheListOfCommandsIsATable(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				s.press(":")
				s.fits()
				ends := map[string]int{} // where the group of a command ends
				for _, l := range strings.Split(s.screen(), "\n") {
					for command, group := range map[string]string{"▸ open  ": "list ", "  copy definition  ": "copy ", "  next pane  ": "go "} {
						if _, rest, ok := strings.Cut(l, command); ok {
							ends[command] = len([]rune(l)) - len([]rune(rest)) + len([]rune(rest[:strings.Index(rest, group)+len(group)]))
						}
					}
				}
				if len(ends) != 3 || ends["▸ open  "] != ends["  copy definition  "] || ends["▸ open  "] != ends["  next pane  "] {
					t.Errorf("groups end at %v:\n%s", ends, s.screen())
				}
				s.typed("next server")
				s.sees("next server — there is one server")
			})
		})
	}
}

// What a server does not declare is said to be so, before anybody waits for it.
func TestWhatIsNotDeclaredIsNotAwaited(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], `
= connecting +target="node server.js" +kind=stdio starting node server.js
`, func(s *story) {
				s.sees("not listed yet")
				s.seesNot("none declared")
				s.say(strings.ReplaceAll(strings.TrimPrefix(opening, "\n= connecting +target=\"node server.js\" +kind=stdio starting node server.js"), `"tools":{},"resources":{},"prompts":{}`, `"tools":{}`))
				s.settle()
				s.press("3")
				s.sees("none declared; r asks anyway")
				s.press("4", "r") // one list: those of resources and templates are asked for at the same time
				s.asked("list prompts fresh=false")
				s.fits()
			})
		})
	}
}

// A server that lets us wait: what it prints meanwhile is seen, and what can be done. Nothing of it flashes up while one is quick.
func TestAServerThatLetsUsWait(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], `
= connecting +target="python3 slow.py" +kind=stdio starting python3 slow.py
! loading models…
= detecting asking with server/discover whether the server is modern
`, func(s *story) {
				s.press("1")
				s.seesNot("no answer for", "No answer yet")
				s.wait(5 * time.Second)
				s.sees("no answer for 0:0", "L shows the log")
				s.press("enter")
				s.sees("connecting for 0:0", "No answer yet. It is waited for.", "ctrl+r begins anew   L shows the log   q gives up", "│ loading models…")
				s.fits()
			})
		})
	}
}

// The built-in server is not told by the command that starts us once more.
func TestTheBuiltInServerIsCalledSo(t *testing.T) {
	tellWith(t, 120, 36, opening+lists, Options{Faults: &Faults{}}, func(s *story) {
		line, _, _ := strings.Cut(s.screen(), "\n")
		if !strings.Contains(line, "built in") || strings.Contains(line, "node server.js") {
			t.Errorf("%q", line)
		}
	})
}

// In the list of servers a command keeps what it starts, however long the path to it is.
func TestACommandKeepsItsEnd(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists, func(s *story, h *shelf) {
			h.list[0].What = "node /home/somebody/projects/with/a/long/path/to/all/of/the/modules/of/node_modules/.bin/mcp-server-memory"
			s.press("T")
			s.sees("node /home", "server-memory")
			s.seesNot("node_modules")
		})
	}
}

// In a list the views of what is selected are gone through without leaving the list; where they are not on the screen, they are gone to.
func TestViewsAreGoneThroughFromTheList(t *testing.T) {
	for _, size := range bothSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists+ask+wrongAnswer, func(s *story) {
				s.press("2", ">")
				if size[0] < wideFrom {
					s.sees("location *") // the call, as it was left
					s.press("esc", "esc", "5", ">")
					s.sees("tools/call get_weather", "Request")
					return
				}
				s.sees(`"inputSchema"`, "▸ get_weather")
				s.press("down", ">", ">")
				s.sees("▸ erase", "Erases all.")
				s.press("up") // each keeps its view
				s.sees("▸ get_weather", `"inputSchema"`)
				s.press("<")
				s.sees("location *")
				s.press("5", ">", ">")
				s.sees(`"method": "tools/call"`, "▸ 12 call get_weather")
				s.press("1", ">") // the server's page has one view
				s.sees("What a model has to read")
				s.fits()
			})
		})
	}
}
