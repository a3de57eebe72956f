//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A walk through every screen of the real program, on a server that puts into each of its texts everything that a terminal would obey.

// obeyed is what of the poison a terminal would have obeyed, or shown as it is, in what the program wrote.
func obeyed(raw []byte) (bad []string) {
	for _, part := range []string{"\x1b[8;31m", "\x1b]0;PZN", "\x1b]52", "\x1bP+q\x1b", "\x1b_G\x1b", "\u009b", "\u0090", "\u202e", "\u2066", "\u200b", "\U000e0041", "\x7f", "\ufeff", "PZN\x07"} {
		if i := bytes.Index(raw, []byte(part)); i >= 0 {
			bad = append(bad, fmt.Sprintf("%q in %q", part, raw[max(i-60, 0):min(i+60, len(raw))]))
		}
	}
	// Of control bytes there are only those of our own sequences: an escape is followed by one of a few bytes, and nothing but line
	// ends, tabs and backspaces moves the cursor.
	for _, m := range regexp.MustCompile("\x1b[^\\[\\]P>=78()M_\\\\]|[\x00-\x06\x0b\x0c\x0e-\x1a\x1c-\x1f]").FindAll(raw, 3) {
		bad = append(bad, fmt.Sprintf("%q", m))
	}
	return bad
}

// stop is one screen of the walk: the keys that lead there, and a text that stands on it and nowhere before.
type stop struct {
	keys []string
	sees string
}

func TestAWalkThroughEveryScreenOfAHostileServer(t *testing.T) {
	if raced {
		t.Skip("starts more real programs than there is time for with the race detector, which looks into none of them")
	}
	exe, err := os.Executable()
	must(t, err)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		term := start(t, size[0], size[1], "--", exe, "child:poisoned", "annotation-text")
		must(t, term.See("get_weather"))
		term.Quiet(300 * time.Millisecond)
		seen := 0
		for i, s := range theWalk() {
			for _, key := range s.keys {
				if key == "~" { // the grace in which keys were meant for something else
					time.Sleep(600 * time.Millisecond)
					continue
				}
				must(t, term.Type(key))
				term.Quiet(40 * time.Millisecond)
			}
			if err := term.Wait(time.Minute, fmt.Sprintf("%v, stop %d, %q after %q", size, i, s.sees, s.keys), func(screen string) bool { return strings.Contains(screen, s.sees) }); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(term.Text(), "PZN") {
				seen++
			}
			if bad := obeyed(term.Raw()); len(bad) > 0 {
				t.Fatalf("%v, stop %d, %q after %q: %s", size, i, s.sees, s.keys, strings.Join(bad, "\n"))
			}
		}
		if seen < len(theWalk())/2 {
			t.Errorf("%v: the poison was on %d of %d screens: it does not go where it should", size, seen, len(theWalk()))
		}
		must(t, term.Type("ctrl+c"))
		_, err := term.Exit(time.Minute)
		must(t, err)
	}
}

// theWalk goes from the server over tools, answers, questions, resources and prompts to the lists of everything.
func theWalk() []stop {
	return []stop{
		// The server, and a tool in every view: the call, its schema, what is said of it, earlier calls.
		{[]string{"1", "enter"}, "Capabilities"},
		{[]string{"G"}, "How we got here"},
		{[]string{"esc", "2", "enter", "ctrl+right"}, `"inputSchema"`},
		{[]string{"ctrl+right"}, "Annotations"},
		{[]string{"ctrl+right"}, "Earlier"},
		{[]string{"ctrl+left", "ctrl+left", "ctrl+left"}, "location"},
		// An answer in every view, a finding and its page, the verdict, what a field means, what can be copied.
		{[]string{"Oslo", "ctrl+s"}, "✔ complete"},
		{[]string{"esc", "5", "G", "enter"}, "r send again"},
		{[]string{"]", "i"}, "Why"},
		{[]string{"esc", "I"}, "Why this verdict"},
		{[]string{"esc", "g", "down", "down", "i"}, "member"},
		{[]string{"esc", "y"}, "curl"},
		{[]string{"esc", ">"}, "1 text"},
		{[]string{">"}, `"params"`},
		{[]string{">", ">"}, "Story"},
		// A tool that asks.
		{[]string{"esc", "2", "/", "log_obs", "enter", "ctrl+s"}, "asks"},
		{[]string{"~", "ctrl+t"}, "{"},
		{[]string{"ctrl+d"}, "✔ complete"},
		// Resources, templates, prompts.
		{[]string{"esc", "3", "enter"}, "station://"},
		{[]string{"esc", "3", "G", "enter"}, "station://"},
		{[]string{"esc", "esc", "4", "enter"}, "prompts/get"},
		// All exchanges: filter, marks, comparison, era.
		{[]string{"esc", "esc", "5", "/", "m:tools/list", "enter"}, "tools/list"},
		{[]string{"esc", "G", "up", "space", "up", "space", "d"}, "Request"},
		// Lists of everything.
		{[]string{"esc", "!"}, "Findings"},
		{[]string{"down", "i"}, "Why"},
		{[]string{"esc", "esc", "L"}, "Log"},
		{[]string{"esc", "S"}, "Subscriptions"},
		{[]string{"esc", "T"}, "built in"},
		{[]string{"esc", "?"}, "Help"},
		{[]string{"esc", ":"}, "Commands"},
		{[]string{"era:", "enter"}, "two revisions"},
	}
}
