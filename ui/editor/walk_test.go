package editor

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// What a key finds out from the last stop is what a walk from the start finds out, wherever the text was changed before.
func TestAWalkFromAStopIsTheWholeWalk(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"1", `"`, "{", "}", "[", "]", ",", ":", "\n", " ", "x", "é", `"k": `, `{"a": [1, {"b": "c"}]},`, `\`, "null"}
	for _, form := range []string{"lines", "one line", "a map"} {
		var s strings.Builder
		s.WriteString("{\"first\": 1, \"rows\": [")
		for i := range 1500 {
			switch form {
			case "lines":
				fmt.Fprintf(&s, "\n  {\"id\": %d, \"näme\": \"some, body\", \"in\": {\"x\": [1, 2]}},", i)
			case "one line":
				fmt.Fprintf(&s, `{"id": %d, "näme": "some\" body", "in": {"x": [1, 2]}},`, i)
			default:
				fmt.Fprintf(&s, "{}],\n \"k%d\": [%d,", i, i)
			}
		}
		s.WriteString("{}], \"last\": {\"z\": true}}")
		b := NewBuffer(s.String())
		for round := range 60 {
			at := rnd.IntN(len(b.Text()))
			if round%3 > 0 { // near the change before, as people type
				at = max(b.offset(b.cur)+rnd.IntN(200)-100, 0)
			}
			b.Go(at)
			switch rnd.IntN(6) {
			case 0:
				b.Backspace()
			case 1:
				b.Delete()
			case 2:
				b.DeleteToEnd()
				b.Undo()
			case 3:
				b.Undo()
			default:
				b.Insert(pieces[rnd.IntN(len(pieces))])
			}
			fresh := NewBuffer(b.Text())
			fresh.cur = b.cur
			got, ok := b.context()
			want, there := fresh.context()
			if ok != there || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, round %d: %v %+v\nwant %v %+v", form, round, ok, got, there, want)
			}
			p, q, ok := b.bracket()
			if x, y, there := fresh.bracket(); p != x || q != y || ok != there {
				t.Fatalf("%s, round %d: brackets %v %v, want %v %v", form, round, p, q, x, y)
			}
			line := b.lines[b.cur.line]
			if got, want := b.column(b.cur), cells(line[:b.cur.col]); got != want {
				t.Fatalf("%s, round %d: column %d, want %d", form, round, got, want)
			}
			left := rnd.IntN(cells(line) + 1)
			for range 2 {
				at, before := b.start(b.cur.line, left)
				if x, y := NewBuffer(line).start(0, left); at != x || before != y {
					t.Fatalf("%s, round %d: the view starts at %d %d, want %d %d", form, round, at, before, x, y)
				}
			}
		}
	}
}
