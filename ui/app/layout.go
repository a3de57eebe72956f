package app

// Layout is a pure function from the size of the screen and a few facts to rectangles. Parents give
// rectangles; no pane asks for the size of the screen.

// place names what has a rectangle. The first five are the numbered panels.
type place int

const (
	atServer place = iota
	atTools
	atResources
	atPrompts
	atExchanges
	atMain   // what is selected: call, description, the server's page
	atResult // the newest answer to it
	places

	panels = 5
)

// rect is cells of the screen: a frame with its upper line, and the lower one when it is the last of its column.
type rect struct{ x, y, w, h int }

func (r rect) empty() bool { return r.w <= 0 || r.h <= 0 }

func (r rect) holds(x, y int) bool { return r.x <= x && x < r.x+r.w && r.y <= y && y < r.y+r.h }

// facts is what layout knows beside the size.
type facts struct {
	focus  place
	grow   place       // the panel that grows: the focused one, or the last that was
	wants  [panels]int // lines that each panel could fill
	main   int         // lines that main could fill; 0 for as many as there are
	whole  bool        // main has the right side for itself
	idle   bool        // there is no answer to show yet
	left   int         // width of the left column that a person chose by dragging, 0 none
	split  int         // height of main that a person chose by dragging, 0 none
	middle int         // width of main beside the result that a person chose by dragging, 0 none
}

// column is frames that stand on each other and share lines.
type column []place

// layout is where everything stands. A place that is not in a column is not on the screen.
type layout struct {
	w, h    int
	at      [places]rect
	columns []column
	wide    bool // panels and main side by side
	divider int  // x of the line between left and right, -1 none
	cut     int  // y of the line between main and result, -1 none
	middle  int  // x of the line between main and result where they stand side by side, -1 none
}

// Sizes that decide.
const (
	wideFrom  = 96  // columns from which panels and main stand side by side
	threeFrom = 176 // columns from which main and result stand side by side too
	tallFrom  = 40  // lines from which a narrow screen shows panels and main at once
	minWidth  = 36
	minHeight = 10
)

// arrange lays the screen out. The first line is the header's, the last one the footer's.
func arrange(w, h int, f facts) layout {
	l := layout{w: w, h: h, divider: -1, cut: -1, middle: -1}
	top, height := 1, h-2
	if w < minWidth || h < minHeight {
		return l
	}
	right := []place{atMain, atResult}
	if f.whole {
		right = right[:1]
	}
	switch {
	case w >= wideFrom:
		l.wide = true
		left := leftWidth(w, f.left)
		l.divider = left
		l.panels(rect{0, top, left, height}, f)
		x, rest := left, w-left
		if w >= threeFrom && !f.whole {
			mid := rest * 42 / 100
			if f.middle > 0 {
				mid = min(max(f.middle, 40), rest-40)
			}
			l.middle = x + mid
			l.stack(rect{x, top, mid, height}, []place{atMain}, []int{height})
			l.stack(rect{x + mid, top, rest - mid, height}, []place{atResult}, []int{height})
			return l
		}
		l.right(rect{x, top, rest, height}, right, f)
	case h >= tallFrom:
		n := height * 2 / 5
		if f.focus < panels {
			n = height / 2
		}
		l.panels(rect{0, top, w, n}, f)
		l.right(rect{0, top + n, w, height - n}, right, f)
	case f.focus < panels:
		l.panels(rect{0, top, w, height}, f)
	default:
		l.right(rect{0, top, w, height}, right, f)
	}
	return l
}

func leftWidth(w, chosen int) int {
	if chosen > 0 {
		return min(max(chosen, 24), w-44)
	}
	return min(max(w*31/100, 32), 58)
}

// panels stacks the five panels: each gets a few lines, the focused one what it wants of the rest.
func (l *layout) panels(r rect, f facts) {
	order := []place{atServer, atTools, atResources, atPrompts, atExchanges}
	body := r.h - panels - 1
	sizes := share(body, f.wants, int(f.grow))
	for i := range sizes {
		sizes[i]++ // the title line
	}
	sizes[panels-1]++ // the lower line
	l.stack(r, order, sizes[:])
}

// share divides lines among the panels: first a few for each, then the focused one, then the others by
// turns; what nobody wants goes to the last one, which grows by itself.
func share(lines int, wants [panels]int, focus int) (give [panels]int) {
	lines = max(lines, 0)
	few := 0
	switch {
	case lines >= 40:
		few = 4
	case lines >= 24:
		few = 3
	case lines >= 12:
		few = 1
	}
	give2 := func(i, n int) {
		n = min(n, lines)
		give[i] += n
		lines -= n
	}
	give2(focus, min(max(wants[focus], 3), max(lines-(panels-1)*few, 3)))
	for i := range give {
		if i != focus {
			give2(i, min(wants[i], few))
		}
	}
	give2(focus, max(wants[focus]-give[focus], 0))
	for open := true; open && lines > 0; {
		open = false
		for i := panels - 1; i >= 0 && lines > 0; i-- {
			if give[i] < wants[i] {
				give2(i, 1)
				open = true
			}
		}
	}
	give[panels-1] += lines
	return give
}

// right stacks main and result.
func (l *layout) right(r rect, order []place, f facts) {
	if len(order) == 1 {
		l.stack(r, order, []int{r.h})
		return
	}
	n := r.h * 2 / 5
	switch {
	case f.split > 0:
		n = f.split
	case f.idle:
		n = max(r.h-9, r.h*3/5)
	case r.h < 28 && f.focus == atMain:
		n = r.h * 3 / 5
	case r.h < 28 && f.focus == atResult:
		n = r.h / 4
	}
	if f.main > 0 && f.split == 0 {
		n = min(n, f.main+1)
	}
	n = min(max(n, 4), r.h-5)
	l.stack(r, order, []int{n, r.h - n})
	l.cut = r.y + n
}

// stack puts frames on each other.
func (l *layout) stack(r rect, order []place, heights []int) {
	y := r.y
	for i, p := range order {
		l.at[p] = rect{r.x, y, r.w, heights[i]}
		y += heights[i]
	}
	l.columns = append(l.columns, order)
}

// hit is the place at a cell; places for none.
func (l *layout) hit(x, y int) place {
	for _, c := range l.columns {
		for _, p := range c {
			if l.at[p].holds(x, y) {
				return p
			}
		}
	}
	return places
}

// shown tells that a place is on the screen.
func (l *layout) shown(p place) bool { return !l.at[p].empty() }
