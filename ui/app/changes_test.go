package app

import (
	"context"
	"errors"
	"testing"
)

func TestTheServerIsStartedAgainWhenItsFilesChange(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		var changes chan string // made within the story's own time
		o := Options{Changes: func(ctx context.Context) (string, error) {
			if changes == nil {
				changes = make(chan string)
			}
			select {
			case path := <-changes:
				return path, nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}}
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
