package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/wire"
)

const (
	declaring = `
= connecting +target="node server.js" +kind=stdio starting node server.js
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"prompts":{},"resources":{},"completions":{}},"ttlMs":300000,"cacheScope":"public",` + mine + `}}
= ready +era=modern +version=2026-07-28 server/discover was answered: modern
> {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",` + mine + `,"prompts":[{"name":"trip","arguments":[{"name":"from","required":true},{"name":"to"}]}]}}
> {"jsonrpc":"2.0","id":3,"method":"resources/templates/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",` + mine + `,"resourceTemplates":[{"name":"day","uriTemplate":"x://{day}"}]}}
`
	silentAbout = `"completions":{}`
)

// suggests answers completion/complete with this result.
func suggests(result string) (session.Answer, error) {
	m := wire.Read(9, time.Now(), &wire.Frame{Dir: wire.Received, Body: []byte(`{"jsonrpc":"2.0","id":9,"result":` + result + `}`)})
	return session.Answer{Exchange: wire.Exchange{Reply: &m, End: wire.Replied}}, nil
}

func (s *story) questions() []string {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	var out []string
	for _, a := range s.fake.asked {
		if rest, is := strings.CutPrefix(a, "complete "); is {
			out = append(out, rest)
		}
	}
	return out
}

// Suggestions come a moment after the last letter, with the arguments that are filled in, and a key takes one.
func TestSuggestionsWhileTyping(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], declaring, func(s *story) {
			s.fake.answer = func(what string) (session.Answer, error) {
				return suggests(`{"completion":{"values":["Port Amber","Port\u001b[2J Rock","Porto"],"total":17,"hasMore":true}}`)
			}
			s.press("4", "enter")
			s.screen()
			for _, r := range "Por" {
				s.typed(string(r))
				s.wait(100 * time.Millisecond)
			}
			if q := s.questions(); len(q) != 0 {
				t.Errorf("it asks while letters come: %q", q)
			}
			s.wait(400 * time.Millisecond)
			if q := s.questions(); len(q) != 1 || q[0] != `{"type":"ref/prompt","name":"trip"} from="Por" map[]` {
				t.Errorf("it asked %q", q)
			}
			s.sees("Port Amber", "Port␛[2J Rock", "Porto", "3 of 17", "tab take")
			s.fits()
			s.press("ctrl+n", "ctrl+n", "tab")
			s.seesNot("3 of 17", "Port Amber")
			s.press("down")
			s.typed("x")
			s.wait(time.Second)
			q := s.questions()
			if last := q[len(q)-1]; last != `{"type":"ref/prompt","name":"trip"} to="x" map[from:Port`+"\x1b"+`[2J Rock]` {
				t.Errorf("it asked %q", last)
			}
			s.press("esc")
			s.seesNot("3 of 17")
			n := len(s.questions())
			s.wait(time.Second)
			if len(s.questions()) != n {
				t.Error("it asks although nobody types")
			}
		})
	}
}

// A slow server gets one question at a time, and what it says about a text that is typed no more is not shown.
func TestLateSuggestionsAreDropped(t *testing.T) {
	tell(t, 120, 36, declaring, func(s *story) {
		s.fake.answer = func(what string) (session.Answer, error) {
			if strings.Contains(what, `="a"`) {
				time.Sleep(1500 * time.Millisecond)
				return suggests(`{"completion":{"values":["old"]}}`)
			}
			return suggests(`{"completion":{"values":["new one"]}}`)
		}
		s.press("4", "enter")
		s.screen()
		s.typed("a")
		s.wait(400 * time.Millisecond)
		s.typed("b")
		s.wait(700 * time.Millisecond)
		s.sees("asking for suggestions")
		if q := s.questions(); len(q) != 1 {
			t.Errorf("it asked %q", q)
		}
		for range 20 {
			s.wait(100 * time.Millisecond)
			s.seesNot("old")
		}
		s.sees("new one")
		if q := s.questions(); len(q) != 2 || !strings.Contains(q[1], `="ab"`) {
			t.Errorf("it asked %q", q)
		}
	})
}

func TestAServerWithoutCompletionsIsAskedByKeyOnly(t *testing.T) {
	tell(t, 120, 36, strings.Replace(declaring, silentAbout, `"logging":{}`, 1), func(s *story) {
		s.fake.answer = func(string) (session.Answer, error) { return session.Answer{}, errors.New("no \x1b[2J luck") }
		s.press("4", "enter")
		s.screen()
		s.typed("a")
		s.wait(time.Second)
		if q := s.questions(); len(q) != 0 {
			t.Errorf("it asked %q", q)
		}
		s.sees("ctrl+space suggest")
		s.press("ctrl+space")
		s.wait(400 * time.Millisecond)
		if q := s.questions(); len(q) != 1 {
			t.Errorf("it asked %q", q)
		}
		s.sees("no suggestions: no ␛[2J luck")
		s.typed("b")
		s.wait(time.Second)
		if q := s.questions(); len(q) != 1 {
			t.Errorf("it asked %q", q)
		}
	})
}

func TestVariablesOfATemplateAreSuggested(t *testing.T) {
	tell(t, 120, 36, declaring, func(s *story) {
		s.fake.answer = func(string) (session.Answer, error) {
			return suggests(`{"completion":{"values":[7,"2026-11-30",null]}}`)
		}
		s.press("3", "enter")
		s.screen()
		s.typed("2")
		s.wait(time.Second)
		if q := s.questions(); len(q) != 1 || q[0] != `{"type":"ref/resource","uri":"x://{day}"} day="2" map[]` {
			t.Errorf("it asked %q", q)
		}
		s.sees("2026-11-30")
	})
}

// Many questions for suggestions are one row, which says how many.
func TestQuestionsForSuggestionsDoNotDrownTheRest(t *testing.T) {
	tell(t, 120, 36, declaring, func(s *story) {
		for i := range 12 {
			s.say(fmt.Sprintf(`
> {"jsonrpc":"2.0","id":%d,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"trip"},"argument":{"name":"from","value":"%d"},%s}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","completion":{"values":[]},%s}}
`, 20+i, i, meta, 20+i, mine))
		}
		s.settle()
		s.press("5")
		s.sees("complete ×12 from", "Exchanges 15")
		last := s.m.timeline.Row().Ref
		s.press("z")
		s.seesNot("×12")
		s.press("up")
		if s.m.timeline.Row().Ref == last {
			t.Error("the rows are not unfolded")
		}
		s.press("z")
		s.sees("×12")
		first := s.m.book.Timeline.Rows[5].Ref
		if !s.m.timeline.SelectRow(first) || s.m.timeline.Row().Ref != first {
			t.Error("a row that is folded away cannot be shown")
		}
	})
}
