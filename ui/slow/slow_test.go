package slow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
	"mcploupe/ui/book/booktest"
	"mcploupe/ui/kit"
)

// of is the pane that plays the first exchange of a script, on a clock of its own.
func of(t testing.TB, script string, now func() time.Time) *Pane {
	t.Helper()
	entries := booktest.Script(t, script)
	at := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	for i := range entries {
		at = at.Add(time.Second)
		entries[i].At = at
	}
	b := booktest.Of(t, entries)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	return New(&kit.Env{Styles: theme.Styles(colorprofile.TrueColor), Now: now}, b, b.Timeline.Rows[0], now)
}

// long is a call with n notifications of its progress.
func long(n int) string {
	var s strings.Builder
	s.WriteString("> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"_meta\":{\"progressToken\":1}}}\n")
	for i := range n {
		fmt.Fprintf(&s, "< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":%d}}\n", i)
	}
	s.WriteString("< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"resultType\":\"complete\"}}\n")
	return s.String()
}

// After a sleep of the machine it goes on at its pace; it does not jump to the end.
func TestPlayingAfterASleep(t *testing.T) {
	now := time.Date(2026, 7, 28, 13, 0, 0, 0, time.UTC)
	p := of(t, long(10), func() time.Time { return now })
	p.toggle()
	now = now.Add(time.Hour)
	p.tick()
	if p.at != 1 || !p.playing() {
		t.Errorf("step %d, playing %v", p.at, p.playing())
	}
	if b := p.Beat(); b <= 0 || b > usualPace {
		t.Errorf("the next look is in %s", b)
	}
}

// A message that would take longer than a key may is not laid out; where the message is nothing but an event, that is told.
func TestWhatIsNotLaidOut(t *testing.T) {
	big := `> {"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `< {"jsonrpc":"2.0","id":1,"result":{"x":"` + strings.Repeat("y", mostBody) + `"}}` + "\n"
	p := of(t, big, time.Now)
	p.step(1)
	if s := ansi.Strip(p.Draw(120, 30, true)); !strings.Contains(s, "262 kB: enter opens it") {
		t.Errorf("no word of its size:\n%s", s)
	}
	p = of(t, "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n~ exit 1\n", time.Now)
	p.step(9)
	if s := ansi.Strip(p.Draw(120, 30, true)); !strings.Contains(s, "what happened") || p.unopened() == "" {
		t.Errorf("an end without an answer:\n%s", s)
	}
}

// The last step of a long story sets what is on the screen, not all that was before.
func TestTheEndOfALongStory(t *testing.T) {
	p := of(t, long(590), time.Now)
	p.step(len(p.story.Rows) - 1)
	text := ansi.Strip(p.Draw(120, 30, true))
	set := 0
	for _, l := range p.lines {
		if l != nil {
			set++
		}
	}
	if set < 5 || set > 30 {
		t.Errorf("%d rows were set for 30 lines", set)
	}
	for i := range p.story.Rows { // as if all had been gone through
		p.step(i)
		p.Draw(120, 30, true)
	}
	if again := ansi.Strip(p.Draw(120, 30, true)); again != text {
		t.Errorf("the end is another one than when it is come to step by step:\n%s\n%s", text, again)
	}
}

func TestEverySizeFits(t *testing.T) {
	p := of(t, long(30), time.Now)
	for _, size := range [][2]int{{20, 4}, {60, 10}, {76, 20}, {95, 30}, {96, 30}, {200, 60}} {
		for step := range p.story.Rows {
			p.step(step)
			lines := strings.Split(p.Draw(size[0], size[1], true), "\n")
			if len(lines) != size[1] {
				t.Fatalf("%v: %d lines", size, len(lines))
			}
			for i, l := range lines {
				if w := ansi.StringWidth(l); w != size[0] {
					t.Fatalf("%v, step %d: line %d has %d cells: %q", size, step, i, w, ansi.Strip(l))
				}
			}
		}
	}
}

func BenchmarkStep(b *testing.B) {
	p := of(b, long(590), time.Now)
	for b.Loop() {
		p.step(0)
		p.Draw(120, 36, true)
		p.step(len(p.story.Rows) - 1)
		p.Draw(120, 36, true)
	}
}
