package app

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"mcploupe/session"
)

// filesChange tells of the files whose paths are sent; the channel is made within the story's own time.
func filesChange(changes *chan string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if *changes == nil {
			*changes = make(chan string)
		}
		select {
		case path := <-*changes:
			return path, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func TestTheServerIsStartedAgainWhenItsFilesChange(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		var changes chan string
		o := Options{Changes: filesChange(&changes)}
		tellWith(t, size[0], size[1], opening+lists, o, func(s *story) {
			// Nothing was called yet: it is only started again.
			changes <- "/src/server.ts"
			s.settle()
			s.asked("restart")
			for _, a := range s.fake.asked {
				if len(a) > 4 && a[:4] == "call" {
					t.Errorf("called without being asked: %q", s.fake.asked)
				}
			}
			// A call by hand, then a change: it is made again.
			s.say(`> {"jsonrpc":"2.0","id":40,"method":"tools/call","params":{` + meta + `,"name":"add","arguments":{"a":1.50}}}
< {"jsonrpc":"2.0","id":40,"result":{"resultType":"complete",` + mine + `,"content":[{"type":"text","text":"2"}]}}
`)
			s.settle()
			changes <- "/src/\x1b[31mtools.ts"
			s.settle()
			s.asked("call add {\n  \"a\": 1.50\n}")
			s.sees("add is called again")
			s.fits()
			// A server that does not start any more is not called.
			s.fake.connect = errors.New("it does not compile")
			before := len(s.fake.asked)
			changes <- "/src/tools.ts"
			s.settle()
			for _, a := range s.fake.asked[before:] {
				if a != "restart" {
					t.Errorf("asked %q of a server that is gone", a)
				}
			}
			// Mended: the call that was to come comes now.
			s.fake.connect = nil
			changes <- "/src/tools.ts"
			s.settle()
			s.asked("call add {\n  \"a\": 1.50\n}")
		})
	}
}

// Whoever writes a server has the hands in an editor: what the change of a file changed in the answer is shown by itself.
func TestAChangeOfTheServerShowsWhatIsDifferent(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		var changes chan string
		o := Options{Changes: filesChange(&changes)}
		tellWith(t, size[0], size[1], opening+lists, o, func(s *story) {
			id := 40
			call := func(temp string) {
				id++
				s.say(fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"name":"get_weather","arguments":{"location":"Rome"}}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete",%s,"content":[{"type":"text","text":"{\"temp\":%s}"}],"structuredContent":{"temp":%s}}}
`, id, meta, id, mine, temp, temp))
			}
			now := "21"
			s.fake.answer = func(string) (session.Answer, error) {
				call(now)
				return session.Answer{}, nil
			}
			call(now)
			s.settle()
			s.press("2", "enter", "esc", "tab")
			s.sees(`\"temp\":21`)
			s.seesNot("changed since")
			// The same answer: it is said, and nothing else is shown.
			changes <- "/src/server.ts"
			s.settle()
			s.sees("= the same answer as #", `\"temp\":21`)
			s.fits()
			now = "35"
			changes <- "/src/server.ts"
			s.settle()
			s.sees("↻ changed since #", ": 2 changed", "with the same arguments", "35", "21")
			s.fits()
			// d leads to the answer, which stays until the next change.
			s.press("d")
			s.sees(`\"temp\":35`, "↻ changed since #")
			now = "36"
			changes <- "/src/server.ts"
			s.settle()
			s.sees("with the same arguments", "36", "35")
			s.fits()
		})
	}
}

// A call that answers otherwise than the time before says so, also an error where there was none; what was asked otherwise
// does not count.
func TestACallThatAnswersOtherwiseSaysSo(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists, func(s *story) {
			id := 40
			call := func(args, answer string) {
				id++
				s.say(fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"name":"erase","arguments":{"location":%q}}}
< {"jsonrpc":"2.0","id":%d,%s}
`, id, meta, args, id, answer))
				s.settle()
			}
			text := func(word string) string {
				return `"result":{"resultType":"complete",` + mine + `,"content":[{"type":"text","text":"` + word + `"}]}`
			}
			s.press("2", "down", "enter", "esc", "tab")
			call("Rome", text("a"))
			call("Oslo", text("b"))
			s.sees(`"id": 42`)
			s.seesNot("changed since")
			call("Oslo", text("b"))
			s.sees(`"id": 43`)
			s.seesNot("changed since")
			call("Oslo", text("c"))
			s.sees("↻ changed since #", ": 1 changed")
			call("Oslo", `"error":{"code":-32603,"message":"broken"}`)
			s.sees("↻ changed since #", ": no error before")
			s.fits()
			call("Oslo", text("c"))
			s.sees("↻ changed since #", ": an error before")
		})
	}
}
