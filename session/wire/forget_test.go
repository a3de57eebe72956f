package wire

import (
	"fmt"
	"strings"
	"testing"
)

func TestALogForgetsWhatNobodyNeeds(t *testing.T) {
	for name, gap := range map[string]Seq{"numbers in a row": 0, "numbers with gaps": 7} {
		t.Run(name, func(t *testing.T) {
			l := NewLog(LogOptions{})
			add := func(n int) {
				for range n {
					e := Entry{Frame: &Frame{Dir: Received, Body: []byte(strings.Repeat("x", 100))}}
					if gap > 0 {
						e.Seq = l.Last() + gap
					}
					l.Append(e)
				}
			}
			add(10_000)
			middle := l.Last()
			add(10)
			l.Forget(middle - 1)
			if _, ok := l.Get(1 + gap); ok {
				t.Error("the first entry is still there")
			}
			if e, ok := l.Get(middle); !ok || e.Seq != middle {
				t.Error("what was not forgotten is gone")
			}
			entries, _ := l.After(0)
			if n := len(entries); n < 10 || n > 10+chunk || entries[n-1].Seq != l.Last() {
				t.Errorf("%d entries are left", n)
			}
			if l.Len() != 10_010 || l.weight > int64(2*chunk)*200 {
				t.Errorf("%d entries, weight %d", l.Len(), l.weight)
			}
			add(5000)
			l.Forget(l.Last())
			l.Forget(l.Last())
			if entries, _ := l.After(middle); len(entries) == 0 || len(entries) > chunk {
				t.Errorf("%d entries are left", len(entries))
			}
		})
	}
}

func TestALogForgetsNothingThatIsStillToBeRecorded(t *testing.T) {
	l := NewLog(LogOptions{})
	l.hold()
	for range 5000 {
		l.Append(Entry{Note: &Note{Text: "x"}})
	}
	l.Forget(5000)
	if entries, _ := l.unrecorded(0); len(entries) != 5000 {
		t.Fatalf("%d entries wait for the recorder", len(entries))
	}
	l.recorded(3000, false)
	l.Forget(5000)
	if entries, _ := l.unrecorded(3000); len(entries) != 2000 {
		t.Errorf("%d entries wait for the recorder", len(entries))
	}
}

func TestLateFramesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}` + "\n")
	b.WriteString(`< {"jsonrpc":"2.0","id":1,"result":{}}` + "\n")
	for range MaxLate + 10 {
		fmt.Fprintln(&b, `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`)
	}
	entries, err := ParseScript(b.String())
	if err != nil {
		t.Fatal(err)
	}
	f, alone, late := NewFold(), 0, 0
	for _, e := range entries {
		for _, x := range f.Add(e) {
			if x.Lone != nil && x.Of == 1 {
				alone++
			}
			late = max(late, len(x.Late))
		}
	}
	if alone != 10 || late != MaxLate {
		t.Errorf("%d late, %d alone", late, alone)
	}
}
