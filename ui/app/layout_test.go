package app

import (
	"fmt"
	"strings"
	"testing"
)

// draw shows a layout as text, one fifth of its size: each place by a letter.
func draw(l layout) string {
	const dx, dy = 4, 2
	names := "STRPEMr"
	var b strings.Builder
	for y := 0; y < l.h; y += dy {
		for x := 0; x < l.w; x += dx {
			c := byte('.')
			if p := l.hit(x, y); p < places {
				c = names[p]
			}
			b.WriteByte(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLayoutDrawn(t *testing.T) {
	wants := [panels]int{2, 9, 4, 3, 14}
	cases := []struct {
		name string
		w, h int
		f    facts
		want string
	}{
		{"120x36, tools", 120, 36, facts{focus: atTools, grow: atTools, wants: wants}, `
..............................
SSSSSSSSSSMMMMMMMMMMMMMMMMMMMM
TTTTTTTTTTMMMMMMMMMMMMMMMMMMMM
TTTTTTTTTTMMMMMMMMMMMMMMMMMMMM
TTTTTTTTTTMMMMMMMMMMMMMMMMMMMM
TTTTTTTTTTMMMMMMMMMMMMMMMMMMMM
TTTTTTTTTTMMMMMMMMMMMMMMMMMMMM
RRRRRRRRRRrrrrrrrrrrrrrrrrrrrr
RRRRRRRRRRrrrrrrrrrrrrrrrrrrrr
RRRRRRRRRRrrrrrrrrrrrrrrrrrrrr
PPPPPPPPPPrrrrrrrrrrrrrrrrrrrr
PPPPPPPPPPrrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
EEEEEEEEEErrrrrrrrrrrrrrrrrrrr
`},
		{"80x24, tools", 80, 24, facts{focus: atTools, grow: atTools, wants: wants}, `
....................
SSSSSSSSSSSSSSSSSSSS
TTTTTTTTTTTTTTTTTTTT
TTTTTTTTTTTTTTTTTTTT
TTTTTTTTTTTTTTTTTTTT
TTTTTTTTTTTTTTTTTTTT
TTTTTTTTTTTTTTTTTTTT
RRRRRRRRRRRRRRRRRRRR
PPPPPPPPPPPPPPPPPPPP
PPPPPPPPPPPPPPPPPPPP
EEEEEEEEEEEEEEEEEEEE
EEEEEEEEEEEEEEEEEEEE
`},
		{"80x24, the call", 80, 24, facts{focus: atMain, grow: atTools, wants: wants}, `
....................
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
`},
		{"80x24, the answer", 80, 24, facts{focus: atResult, grow: atTools, wants: wants}, `
....................
MMMMMMMMMMMMMMMMMMMM
MMMMMMMMMMMMMMMMMMMM
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
rrrrrrrrrrrrrrrrrrrr
`},
	}
	for _, c := range cases {
		if got := "\n" + draw(arrange(c.w, c.h, c.f)); got != c.want {
			t.Errorf("%s:%s\nwant%s", c.name, got, c.want)
		}
	}
}

// Whatever the size and the facts: frames lie within the screen, do not overlap, and leave no hole
// between header and footer.
func TestLayoutFillsTheScreen(t *testing.T) {
	for w := minWidth; w <= 230; w += 7 {
		for h := minHeight; h <= 70; h += 3 {
			for focus := place(0); focus < places; focus++ {
				for _, f := range []facts{
					{focus: focus, grow: min(focus, atExchanges)}, {focus: focus, whole: focus != atResult, wants: [panels]int{3, 2000, 40, 0, 10000}},
					{focus: focus, wants: [panels]int{1, 1, 1, 1, 1}, main: 3, left: 200, split: 99},
				} {
					l := arrange(w, h, f)
					name := fmt.Sprintf("%dx%d %+v", w, h, f)
					cells := 0
					for _, c := range l.columns {
						for _, p := range c {
							r := l.at[p]
							if r.h < 1 || r.w < 4 || r.x < 0 || r.y < 1 || r.x+r.w > w || r.y+r.h > h-1 {
								t.Fatalf("%s: place %d is at %+v", name, p, r)
							}
							cells += r.w * r.h
						}
					}
					if cells != w*(h-2) {
						t.Fatalf("%s: %d cells of %d are used", name, cells, w*(h-2))
					}
					if !l.shown(focus) && !(f.whole && focus == atResult) {
						t.Fatalf("%s: the focused place is not on the screen", name)
					}
				}
			}
		}
	}
}

func TestTooSmallAScreenHasNoFrames(t *testing.T) {
	if l := arrange(20, 5, facts{}); len(l.columns) != 0 {
		t.Error("frames on a screen that has no room for them")
	}
}

func TestTheFocusedPanelGrows(t *testing.T) {
	wants := [panels]int{2, 50, 50, 50, 50}
	for focus := range panels {
		give := share(28, wants, focus)
		for i, n := range give {
			if i != focus && n > give[focus] && wants[focus] > n {
				t.Errorf("panel %d has %d lines, the focused %d only %d", i, n, focus, give[focus])
			}
		}
		sum := 0
		for _, n := range give {
			sum += n
		}
		if sum != 28 {
			t.Errorf("%d lines given of 28", sum)
		}
	}
}
