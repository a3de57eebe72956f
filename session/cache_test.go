package session

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// counting answers tools/list and resources/read with hints, and tells in the result which answer it is.
func counting(n *int, hints string) func(*fake, wire.Message) {
	return modern(func(f *fake, m wire.Message) {
		*n++
		switch m.Method {
		case mcp.ToolsList:
			f.result(m, fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"t%d"}]%s}`, *n, hints))
		case mcp.ResourcesRead:
			f.result(m, fmt.Sprintf(`{"resultType":"complete","contents":[{"uri":"a:b","text":"%d"}]%s}`, *n, hints))
		default:
			f.result(m, `{"resultType":"complete"`+hints+`}`)
		}
	})
}

func TestCacheObeysTheHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, now, err := converse(t, "stdio", Options{}, counting(&n, `,"ttlMs":5000,"cacheScope":"private"`))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		list := func(past bool) (*Page, string) {
			t.Helper()
			l, err := s.List(t.Context(), Tools, ListOptions{Fresh: past})
			if err != nil {
				t.Fatal(err)
			}
			return &l.Pages[0], l.Items[0].Name
		}
		first, _ := list(false)
		time.Sleep(4999 * time.Millisecond)
		p, name := list(false)
		if !p.Answer.Cached || p.Answer.Age != 4999*time.Millisecond || p.Answer.Seq() != first.Answer.Seq() || name != "t1" {
			t.Errorf("cached %v, %s old, from #%d: %s", p.Answer.Cached, p.Answer.Age, p.Answer.Seq(), name)
		}
		time.Sleep(time.Millisecond)
		if p, name := list(false); p.Answer.Cached || name != "t2" {
			t.Errorf("served %s when stale", name)
		}
		if p, name := list(true); p.Answer.Cached || name != "t3" {
			t.Errorf("served %s although the server was to be asked", name)
		}
		if p, name := list(false); !p.Answer.Cached || name != "t3" {
			t.Errorf("not the newest answer: %s", name)
		}
		now().say(0, `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
		if p, _ := list(false); !p.Answer.Cached {
			t.Error("a change of the prompts ended the tools")
		}
		now().say(0, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		if p, name := list(false); p.Answer.Cached || name != "t4" {
			t.Errorf("served %s after it changed", name)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p, name := list(false); p.Answer.Cached || name != "t5" {
			t.Errorf("served %s after a restart", name)
		}
	})
}

func TestCacheKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, now, err := converse(t, "stdio", Options{}, counting(&n, `,"ttlMs":60000,"cacheScope":"public"`))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		read := func(uri string) Answer {
			t.Helper()
			a, err := s.Read(t.Context(), uri, CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		read("file:///a/b")
		if !read("file:///a/b").Cached || read("file:///c").Cached {
			t.Error("resources are not told apart by their uri")
		}
		now().say(0, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}`)
		if read("file:///a/b").Cached || !read("file:///c").Cached {
			t.Error("an update concerns what lies below it, and nothing else")
		}
		if a, _ := s.Do(t.Context(), Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":"file:///c"}`)}); a.Cached {
			t.Error("Do answered from the cache")
		}
		if a, _ := s.Discover(t.Context(), false); a.Cached {
			t.Error("ttl 0 was kept")
		}
		for range 2 { // never kept, whatever its hints say
			if a, _ := s.cached(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`)}, false); a.Cached {
				t.Error("a call was kept")
			}
			if a, _ := s.cached(t.Context(), Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":"x:","requestState":"s"}`)}, false); a.Cached {
				t.Error("a retried request was kept")
			}
		}
	})
}

func TestCacheKeepsNothingThatIsNotFinal(t *testing.T) {
	for name, hints := range map[string]string{
		"no hints":              ``,
		"negative":              `,"ttlMs":-5,"cacheScope":"public"`,
		"not a number":          `,"ttlMs":"60000","cacheScope":"public"`,
		"input required":        `,"resultType":"input_required","ttlMs":60000,"cacheScope":"public"`,
		"a type nobody knows":   `,"resultType":"weird","ttlMs":60000,"cacheScope":"public"`,
		"a resultType no text":  `,"resultType":7,"ttlMs":60000,"cacheScope":"public"`,
		"zero":                  `,"ttlMs":0,"cacheScope":"public"`,
		"fraction":              `,"ttlMs":0.5,"cacheScope":"public"`,
		"null instead of a ttl": `,"ttlMs":null,"cacheScope":"public"`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				s, _, err := converse(t, "stdio", Options{}, counting(&n, hints))
				if err != nil {
					t.Fatal(err)
				}
				defer shut(t, s)
				for range 2 {
					if a, _ := s.Read(t.Context(), "a:b", CallOptions{}); a.Cached {
						t.Error("was kept")
					}
				}
			})
		})
	}
}

// A failed request leaves what was there, and a page whose cursor died takes its whole list along.
func TestCacheAndFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hints = `,"ttlMs":60000,"cacheScope":"public"`
		broken, moved := false, false
		s, now, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			cursor := m.Params().Get("cursor").Text()
			switch {
			case broken:
				f.error(m, -32603, "broken")
			case cursor == "" && moved:
				f.result(m, `{"tools":[{"name":"new"}]`+hints+`}`)
			case cursor == "":
				f.result(m, `{"tools":[{"name":"a"}],"nextCursor":"1"`+hints+`}`)
			case moved:
				f.error(m, -32602, "no such cursor")
			default:
				f.result(m, `{"tools":[{"name":"b"}],"ttlMs":1000,"cacheScope":"public"}`)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if l, err := s.List(t.Context(), Tools, ListOptions{}); err != nil || len(l.Items) != 2 {
			t.Fatal(err)
		}
		broken = true
		if _, err := s.List(t.Context(), Tools, ListOptions{Fresh: true}); err == nil {
			t.Error("no error")
		}
		if l, err := s.List(t.Context(), Tools, ListOptions{}); err != nil || !l.Pages[1].Answer.Cached {
			t.Errorf("a failure took the kept pages away: %v", err)
		}
		broken, moved = false, true
		time.Sleep(2 * time.Second) // the second page is stale, the first is not
		before := len(now().methods())
		l, err := s.List(t.Context(), Tools, ListOptions{})
		if err != nil || len(l.Items) != 1 || l.Items[0].Name != "new" || l.Pages[0].Answer.Cached {
			t.Errorf("%v: %+v", err, l.Items)
		}
		if got := len(now().methods()) - before; got != 2 {
			t.Errorf("%d requests, want the rejected one and the new walk", got)
		}
	})
}
