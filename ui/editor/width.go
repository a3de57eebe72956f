package editor

// widths remembers how wide the beginnings of one long line are, as far as they were measured last: the cursor stays near, and
// what stands before it as well.
type widths struct {
	line   int
	places [2]place // of the cursor, and of the left edge of the screen
}

// place is a byte of the line and the cells before it; both 0 for none.
type place struct{ col, cells int }

// long is the length from which a line is worth remembering.
const long = 4 << 10

// changed forgets what a change at p has moved.
func (w *widths) changed(p pos) {
	switch {
	case p.line < w.line:
		*w = widths{}
	case p.line == w.line:
		for i, at := range w.places {
			if p.col <= at.col {
				w.places[i] = place{}
			}
		}
	}
}

// from is where measuring begins: the last place that is known, before byte col and cell cell; keep remembers another.
func (w *widths) from(line, col, cell int) (at place, keep func(place)) {
	if line != w.line {
		*w = widths{line: line}
	}
	which := 0
	for i, p := range w.places {
		if p.col <= col && p.cells <= cell && p.col >= at.col {
			at, which = p, i
		}
	}
	return at, func(p place) { w.places[which] = p }
}

// column is the cell at which a place of the text stands in its line.
func (b *Buffer) column(p pos) int {
	line := b.lines[p.line]
	if p.col < long {
		return cells(line[:p.col])
	}
	at, keep := b.widths.from(p.line, p.col, len(line))
	if mid := boundary(line, p.col); mid > at.col {
		at = place{mid, at.cells + cells(line[at.col:mid])}
		keep(at)
	}
	return at.cells + cells(line[at.col:p.col])
}

// start is the first byte of a line whose cells are in view, and the cells before it.
func (b *Buffer) start(n, left int) (at, before int) {
	line := b.lines[n]
	var keep func(place)
	if left >= long {
		var p place
		p, keep = b.widths.from(n, len(line), left)
		at, before = p.col, p.cells
	}
	for at < len(line) && before < left {
		size, _, w := cluster(line[at:])
		at, before = at+size, before+w
	}
	if mid := boundary(line, at); keep != nil && mid == at && before == left {
		keep(place{at, before})
	}
	return at, max(before, left)
}
