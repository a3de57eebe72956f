package exchange

import (
	"strings"
	"testing"

	"mcploupe/ui/kit"
)

// A large answer is read beside the screen: until then the pane says so and the verdict stands; a place that was asked for meanwhile is
// shown once it can be; and going to another exchange and back reads nothing again.
func TestALargeAnswerIsReadBesideTheScreen(t *testing.T) {
	rows := strings.Repeat(`{"id":1,"sky":"fog"},`, kit.Heavy/20) + `{"id":2,"sky":"clear"}`
	p := shown(t, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"small","arguments":{}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"a few words"}]}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"large","arguments":{}}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}],"structuredContent":{"rows":[`+rows+`]}}}
`)
	small, large := p.book.Timeline.Rows[0], p.book.Timeline.Rows[1]
	var waiting []func() func()
	p.env.Aside = func(work func() func()) { waiting = append(waiting, work) }

	p.Set(large)
	if s := p.text(); !strings.Contains(s, "Reading 1.") || !strings.Contains(s, "complete") {
		t.Fatalf("while it is read:\n%s", s)
	}
	if tabs := p.Tabs(); len(tabs) != 1 {
		t.Errorf("tabs while it is read: %v", tabs)
	}
	p.Goto(kit.Show{Row: large.Ref, Frame: large.X.Reply.Seq, Path: "/result/structuredContent/rows/3/sky"})
	if len(waiting) != 1 {
		t.Fatalf("%d works are waiting", len(waiting))
	}
	waiting[0]()()
	if s := p.text(); !strings.Contains(s, `"structuredContent"`) || !strings.Contains(s, `"sky"`) {
		t.Fatalf("when it is read:\n%s", s)
	}
	if where, _ := p.Foot(); !strings.Contains(where, "rows/3/sky") {
		t.Errorf("the place that was asked for: %q", where)
	}

	p.Set(small)
	if s := p.text(); !strings.Contains(s, "a few words") {
		t.Errorf("the small one:\n%s", s)
	}
	p.Set(large)
	if s := p.text(); len(waiting) != 1 || !strings.Contains(s, `"structuredContent"`) {
		t.Errorf("back again, %d works:\n%s", len(waiting), s)
	}
}

// What was begun for an exchange that was left meanwhile changes nothing.
func TestWhatWasLeftMeanwhileIsNotShown(t *testing.T) {
	big := func(id, word string) string {
		return `> {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"large","arguments":{"n":` + id + `}}}
< {"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","content":[{"type":"text","text":"` + strings.Repeat(word, kit.Heavy/len(word)) + `"}]}}
`
	}
	p := shown(t, "\n"+big("1", "fog ")+big("2", "rain "))
	var waiting []func() func()
	p.env.Aside = func(work func() func()) { waiting = append(waiting, work) }
	one, two := p.book.Timeline.Rows[0], p.book.Timeline.Rows[1]
	p.Set(one)
	p.text()
	p.Set(two)
	p.text()
	if len(waiting) != 2 {
		t.Fatalf("%d works are waiting", len(waiting))
	}
	waiting[1]()()
	waiting[0]()()
	if s := p.text(); !strings.Contains(s, "rain rain") || strings.Contains(s, "fog fog") {
		t.Errorf("the screen:\n%s", s)
	}

	// What changed between the two is worked out beside the screen too.
	p.tab = tabChanges
	if s := p.text(); !strings.Contains(s, "Comparing 2.") {
		t.Errorf("while they are compared:\n%s", s)
	}
	waiting[2]()()
	if s := p.text(); !strings.Contains(s, "1 changed") {
		t.Errorf("compared:\n%s", s)
	}
}
