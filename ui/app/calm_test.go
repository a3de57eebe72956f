package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/wire"
)

// cells are the cells in which two screens differ, as y:from-to.
func changed(before, after string) (rows map[int][2]int) {
	rows = map[int][2]int{}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for y := range a {
		if a[y] == b[y] {
			continue
		}
		from, to := -1, 0
		for x := range ansi.StringWidth(a[y]) {
			if ansi.Cut(a[y], x, x+1) != ansi.Cut(b[y], x, x+1) {
				if from < 0 {
					from = x
				}
				to = x + 1
			}
		}
		rows[y] = [2]int{from, to}
	}
	return rows
}

// The countdown runs over a boundary at which it gets shorter, and only its own cells change: in the verdict nothing moves.
func TestACountdownThatGetsShorterMovesNothing(t *testing.T) {
	long := strings.ReplaceAll(lists, `"ttlMs":272000`, `"ttlMs":605000`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+long, func(s *story) {
			s.press("5", "g", "j", "enter")
			s.wait(4 * time.Second)
			s.sees("tools/list", "fresh 10:0")
			before := s.screen()
			y, x := place2(s, "fresh 10:0")
			s.wait(2500 * time.Millisecond)
			s.sees("fresh  9:5")
			for row, at := range changed(before, s.screen()) {
				if row == y && (at[0] < x || at[1] > x+len("fresh 10:00")) {
					t.Errorf("the cells %v of the verdict changed:\n%s\n%s", at, strings.Split(before, "\n")[row], strings.Split(s.screen(), "\n")[row])
				}
			}
		})
	}
}

func place2(s *story, text string) (y, x int) { x, y = s.find(text); return y, x }

// A call runs, and ends: frames, titles and everything that has nothing to do with it stay where they are.
func TestTheEndOfACallMovesNoFrame(t *testing.T) {
	atBothSizes(t, opening+lists+ask, func(s *story) {
		s.m.setFocus(atResult)
		s.wait(time.Second)
		s.sees("running 1.")
		frames := s.m.lay
		before := s.screen()
		s.wait(9 * time.Second) // the seconds get a digit more
		for row, at := range changed(before, s.screen()) {
			line := strings.Split(s.screen(), "\n")[row]
			if at[1]-at[0] > 24 && !strings.Contains(line, "running") {
				s.t.Errorf("while it runs the cells %v change: %s", at, line)
			}
		}
		s.sees("running 10.")
		s.say(wrongAnswer)
		s.settle()
		s.sees("✔ complete")
		if fmt.Sprint(frames) != fmt.Sprint(s.m.lay) {
			s.t.Errorf("frames moved:\n%s\n%s", before, s.screen())
		}
	})
}

// With --no-motion time alone changes nothing on the screen: no spinner turns, nothing counts.
func TestNothingMovesByItself(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		for name, keys := range map[string][]string{"call": {"enter", "esc"}, "exchanges": {"5"}, "an exchange": {"5", "enter"}, "server": {"1", "enter"}, "subscriptions": {"S"}} {
			tellWith(t, size[0], size[1], opening+lists+ask, Options{Still: true}, func(s *story) {
				s.press(keys...)
				s.say(`< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"5","progress":2,"total":5}}`)
				s.wait(8 * time.Second)
				before := s.root().View().Content
				if bar := s.m.View().ProgressBar; bar != nil && bar.State == tea.ProgressBarIndeterminate {
					t.Error("the terminal's own bar moves by itself")
				}
				s.wait(13 * time.Second)
				if after := s.root().View().Content; after != before {
					t.Errorf("%s: something moved: %v\n%s", name, changed(ansi.Strip(before), ansi.Strip(after)), ansi.Strip(after))
				}
				s.fits()
			})
		}
	}
	tellWith(t, 120, 36, opening+lists+ask, Options{Still: true}, func(s *story) {
		s.press("5", "enter")
		s.wait(time.Second)
		s.sees("⧗ running since ", "◷ 00:0")
		s.press("esc", "g", "j", "enter")
		s.sees("fresh until ")
		s.wait(5 * time.Minute) // what changes in truth is still shown
		s.sees("stale since ")
	})
}

// Points of time are those of the screen's clock.
func TestTheProgressOfWhatRunsIsSaidWithoutABar(t *testing.T) {
	tellWith(t, 120, 36, opening+lists+ask, Options{Still: true}, func(s *story) {
		s.m.setFocus(atResult)
		s.say(`< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"5","progress":2,"total":5,"message":"half"}}`)
		s.wait(6 * time.Second)
		s.sees("40 %", "2 of 5", "half")
		s.seesNot("━", "left")
	})
}

func TestTheTitleNamesTheServerAndTheCursorStandsInTheField(t *testing.T) {
	atBothSizes(t, opening+lists, func(s *story) {
		if v := s.root().View(); v.WindowTitle != "mcploupe — weather" || v.Cursor != nil {
			s.t.Errorf("the title is %q, the cursor %+v", v.WindowTitle, v.Cursor)
		}
		at := func(text string) {
			s.t.Helper()
			c := s.root().View().Cursor
			x, y := s.find(text)
			if want := (tea.Position{X: x + ansi.StringWidth(text), Y: y}); c == nil || c.Position != want {
				s.t.Errorf("behind %q: the cursor is %+v, want %v:\n%s", text, c, want, s.screen())
			}
		}
		s.press("enter")
		s.typed("Öslo→") // wide enough to tell bytes from cells
		at("Öslo→")
		s.press("left", "left")
		at("Ösl")
		s.press("esc", "ctrl+t")
		s.m.call.SetArgs([]byte("{}"))
		s.press("end")
		at("{}")
		s.press("esc", "esc", "2", "/")
		s.typed("era")
		at("/era")
		s.press("esc", ":")
		s.typed("find")
		at("/find")
		s.press("esc")
		if c := s.root().View().Cursor; c != nil {
			s.t.Errorf("nothing is typed, and there is a cursor: %+v", c)
		}
		if strings.Contains(s.root().View().Content, "\x1b[7707z") {
			s.t.Error("the mark of the cursor reaches the terminal")
		}
	})
}

// What is borrowed of the terminal is given back, in the order in which it was taken.
func TestTheTerminalIsGivenBack(t *testing.T) {
	var out strings.Builder
	back := borrowTerminal(&out)
	back()
	if got := out.String(); got != "\x1b[22;2t\x1b[0 q\x1b[23;2t" {
		t.Errorf("written: %q", got)
	}
	// With a program between: the title is pushed before it is set, and popped after all else.
	o := Options{Log: wire.NewLog(wire.LogOptions{}), Title: "run.jsonl", In: strings.NewReader("q"), Out: &out}
	out.Reset()
	o.Log.Close()
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	set := strings.Index(text, "\x1b]2;")
	if push, pop := strings.Index(text, pushTitle), strings.LastIndex(text, popTitle); push != 0 || pop != len(text)-len(popTitle) || set > 0 && set < push {
		t.Errorf("pushed at %d, set at %d, popped at %d of %d", push, set, pop, len(text))
	}
}
