package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// pages answers tools/list with one text for each cursor ("" for the first page).
func pages(byCursor map[string]string) func(*fake, wire.Message) {
	return modern(func(f *fake, m wire.Message) {
		c := m.Params().Get("cursor").Text()
		text, ok := byCursor[c]
		if !ok {
			f.error(m, -32602, "invalid cursor")
			return
		}
		f.result(m, text)
	})
}

func TestListWalksAllPages(t *testing.T) {
	for name, c := range map[string]struct {
		pages    map[string]string
		names    []string
		count    int
		complete bool
		stopped  string
		err      bool
	}{
		"one page": {map[string]string{"": `{"tools":[{"name":"a"}]}`}, []string{"a"}, 1, true, "", false},
		"none":     {map[string]string{"": `{"tools":[]}`}, nil, 1, true, "", false},
		"three, one of them empty": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":"1"}`, "1": `{"tools":[],"nextCursor":"2"}`, "2": `{"tools":[{"name":"b"}]}`},
			[]string{"a", "b"}, 3, true, "", false},
		"an empty cursor is a cursor": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":""}`}, []string{"a"}, 2, false, "repeats page 1", true},
		"bad entries stay":            {map[string]string{"": `{"tools":[{"name":"a"},null,7,{"title":"x"},{"name":5}]}`}, []string{"a", "", "", "", ""}, 1, true, "", false},
		"a cursor that comes again": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":"1"}`, "1": `{"tools":[{"name":"b"}],"nextCursor":"1"}`},
			[]string{"a", "b"}, 2, false, "the cursor that led to page 2", true},
		"a page that comes again under a new cursor": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":"1"}`, "1": `{"tools":[ {"name":"a"} ],"nextCursor":"2"}`},
			[]string{"a"}, 2, false, "repeats page 1", true},
		"a cursor that is refused": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":"9"}`}, []string{"a"}, 2, false, "-32602", true},
		"a cursor of null":         {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":null}`}, []string{"a"}, 1, true, "", false},
		"a cursor that is no text": {map[string]string{"": `{"tools":[{"name":"a"}],"nextCursor":17}`}, []string{"a"}, 1, false, "no string: 17", true},
		"no list at all":           {map[string]string{"": `{"resultType":"complete"}`}, nil, 1, false, "no array tools", true},
		"a list of another kind":   {map[string]string{"": `{"tools":{"a":1}}`}, nil, 1, false, "no array tools", true},
		"no list, but a cursor":    {map[string]string{"": `{"nextCursor":"1"}`, "1": `{"tools":[{"name":"b"}]}`}, []string{"b"}, 2, true, "", false},
		"input is asked for":       {map[string]string{"": `{"resultType":"input_required","inputRequests":{}}`}, nil, 1, false, "asks for input", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, err := converse(t, "stdio", Options{}, pages(c.pages))
				if err != nil {
					t.Fatal(err)
				}
				defer shut(t, s)
				l, err := s.List(t.Context(), Tools, ListOptions{})
				if l == nil {
					t.Fatal(err)
				}
				var names []string
				for _, item := range l.Items {
					names = append(names, item.Name)
				}
				if !slices.Equal(names, c.names) || len(l.Pages) != c.count || l.Complete != c.complete {
					t.Errorf("%q on %d pages, complete %v", names, len(l.Pages), l.Complete)
				}
				if !strings.Contains(l.Stopped, c.stopped) || (l.Stopped == "") != (c.stopped == "") {
					t.Errorf("stopped because %q", l.Stopped)
				}
				if _, is := errors.AsType[*ListError](err); is != c.err || !is && err != nil {
					t.Errorf("error %v", err)
				}
				for _, item := range l.Items {
					p := l.Pages[item.Page-1]
					if p.Answer.Exchange.Reply.Seq != item.Seq || !p.Answer.Exchange.Reply.Root().Document().At(item.Pointer).Same(item.Value) {
						t.Errorf("item %q is not at %s of %d", item.Name, item.Pointer, item.Seq)
					}
				}
			})
		})
	}
}

func TestListWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, _, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			n++
			f.result(m, fmt.Sprintf(`{"tools":[{"name":"t%d"}],"nextCursor":"%d"}`, n, n))
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		l, err := s.List(t.Context(), Tools, ListOptions{})
		if n != MaxPages || len(l.Items) != MaxPages || err == nil || l.Complete {
			t.Errorf("%d pages, %d items, %v", n, len(l.Items), err)
		}
	})
}

func TestListCutByTheEndOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{}, modern(func(f *fake, m wire.Message) {
			if m.Params().Get("cursor").Exists() {
				f.exit(wire.Exit{Code: 1})
				return
			}
			f.result(m, `{"tools":[{"name":"a"}],"nextCursor":"1"}`)
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		l, err := s.List(t.Context(), Tools, ListOptions{})
		no, is := errors.AsType[*NoReply](err)
		if !is || no.Exit == nil || len(l.Items) != 1 || len(l.Pages) != 2 {
			t.Errorf("error %v, %d items", err, len(l.Items))
		}
		if got := s.Listed(Tools); got != l {
			t.Error("what did arrive is not kept")
		}
		if _, ok := s.Tool("a"); !ok {
			t.Error("tool a is not known")
		}
	})
}

func TestListKinds(t *testing.T) {
	for _, k := range ListKinds() {
		if m, ok := mcp.Lookup(k.Method()); !ok || k.Member() == "" || k.Capability() == "" || m.List != k.Member() {
			t.Errorf("%s: %q %q %q", k, k.Method(), k.Member(), k.Capability())
		}
	}
	if _, err := New(Target{}, Options{}).List(t.Context(), "weather", ListOptions{}); err == nil {
		t.Error("listed the weather")
	}
}

// No sequence of answers makes the walk endless, or loses an item of a page.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"result":{"tools":[{"name":"a"}],"nextCursor":"1"}}`), []byte(`{"result":{"tools":[1],"nextCursor":"2"}}`))
	f.Add([]byte(`{"result":{"nextCursor":""}}`), []byte(`{"error":{}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		w := walker{Listing: &Listing{Kind: Tools}, cursors: map[string]int{}}
		for n := 0; ; n++ {
			if n > MaxPages {
				t.Fatal("no end")
			}
			text := a
			if n%2 == 1 {
				text = b
			}
			frame := (&wire.Frame{Dir: wire.Received, Body: text}).Seal()
			reply := wire.Read(wire.Seq(n+1), fixedTime(), frame)
			if p := w.params(); p != nil && !jsondoc.Parse(p).Valid() {
				t.Fatalf("params %s", p)
			}
			more, err := w.page(Answer{Exchange: wire.Exchange{Reply: &reply, End: wire.Replied}})
			if more && err != nil {
				t.Fatal("more, and an error")
			}
			if !more {
				if w.Complete != (err == nil) {
					t.Fatalf("complete %v with %v", w.Complete, err)
				}
				return
			}
		}
	})
}
