package editor

import (
	"cmp"
	"slices"
)

// What stands before the cursor is known by a walk over all tokens before it. The walk leaves a stop behind every few
// kilobytes, which holds as long as nothing before it changes: so a key costs the walk from the last stop, not from the start.

// spacing is about how many bytes lie between two stops.
const spacing = 8 << 10

// walker is what a walk knows of where it is.
type walker struct {
	stack  []level
	expect int
	last   pos // where the last token ends
}

// level is an open container on the way.
type level struct {
	array   bool
	index   int
	open    pos     // its bracket
	members []entry // of an object, as far as they have been met
}

// entry is a member: where its name stands, and its value if that is a single token.
type entry struct {
	line, from, to    int
	vline, vfrom, vto int
}

// What the grammar wants next.
const (
	wantValue = iota
	wantName
	wantColon
	wantComma
)

// stop is what the walk knew at a place, right behind a comma: nothing that comes there can change what was before.
type stop struct {
	at pos
	walker
}

func (s stop) compare(p pos) int {
	return cmp.Or(cmp.Compare(s.at.line, p.line), cmp.Compare(s.at.col, p.col))
}

func (p pos) before(q pos) bool { return p.line < q.line || p.line == q.line && p.col < q.col }

// copied is a walker that goes on by itself: what it meets is not seen by the one that it comes from.
func (w walker) copied() walker {
	w.stack = slices.Clone(w.stack)
	for i := range w.stack {
		w.stack[i].members = slices.Clip(w.stack[i].members)
	}
	return w
}

// take goes on by a token of line n.
func (w *walker) take(line string, n int, t token) {
	w.last = pos{n, t.to}
	var top *level
	if len(w.stack) > 0 {
		top = &w.stack[len(w.stack)-1]
	}
	if t.sort != punct {
		switch {
		case top == nil || top.array:
			w.expect = wantComma
		case t.sort == name || w.expect == wantName:
			top.members = append(top.members, entry{line: n, from: t.from, to: t.to})
			if w.expect == wantName {
				w.expect = wantColon
			} else {
				w.expect = wantComma
			}
		default:
			if m := len(top.members); m > 0 && top.members[m-1].vto == 0 {
				top.members[m-1].vline, top.members[m-1].vfrom, top.members[m-1].vto = n, t.from, t.to
			}
			w.expect = wantComma
		}
		return
	}
	switch c := line[t.from]; {
	case c == '{':
		w.stack, w.expect = append(w.stack, level{open: pos{n, t.from}}), wantName
	case c == '[':
		w.stack, w.expect = append(w.stack, level{open: pos{n, t.from}, array: true}), wantValue
	case c == ':':
		w.expect = wantValue
	case top == nil:
	case c != ',':
		w.stack, w.expect = w.stack[:len(w.stack)-1], wantComma
	case top.array:
		top.index++
		w.expect = wantValue
	default:
		w.expect = wantName
	}
}

// tokens gives the tokens of the lines from a place on that lies between two of them, until yield wants no more.
func (b *Buffer) tokens(from pos, yield func(line string, n int, t token) bool) {
	more := true
	for n := from.line; n < len(b.lines) && more; n++ {
		line, skip := b.lines[n], 0
		if n == from.line {
			skip = from.col
		}
		lex(line[skip:], func(t token) bool {
			t.from, t.to = t.from+skip, t.to+skip
			more = yield(line, n, t)
			return more
		})
	}
}

// near is the last stop at or before a place; the walk goes there first where it has not been yet.
func (b *Buffer) near(p pos) stop {
	if len(b.stops) == 0 {
		b.stops = []stop{{}}
	}
	if last := b.stops[len(b.stops)-1]; last.at.before(p) {
		w, line, done := last.copied(), last.at.line, 0 // bytes since the last stop, before this line, less what it had of its own
		done -= last.at.col
		b.tokens(last.at, func(text string, n int, t token) bool {
			for ; line < n; line++ {
				done += len(b.lines[line]) + 1
			}
			if p.before(pos{n, t.to}) {
				return false
			}
			w.take(text, n, t)
			if t.sort == punct && text[t.from] == ',' && done+t.to >= spacing {
				b.stops = append(b.stops, stop{pos{n, t.to}, w.copied()})
				done = -t.to
			}
			return true
		})
	}
	i, there := slices.BinarySearchFunc(b.stops, p, stop.compare)
	if !there {
		i--
	}
	return b.stops[i]
}

// changed forgets the stops that a change at p may have moved.
func (b *Buffer) changed(p pos) {
	n, _ := slices.BinarySearchFunc(b.stops, p, stop.compare)
	b.stops = b.stops[:max(n, min(len(b.stops), 1))] // the start stays where it is
}

// walked is what the walk knows right before a place, and the token that begins there, if one does.
func (b *Buffer) walked(p pos) (w walker, at token, ok bool) {
	from := b.near(p)
	w = from.copied()
	b.tokens(from.at, func(line string, n int, t token) bool {
		if here := (pos{n, t.from}); !here.before(p) {
			at, ok = t, here == p
			return false
		}
		w.take(line, n, t)
		return true
	})
	return w, at, ok
}

// between is a place in line n, at or before col, that lies between two tokens; the start of the line where that is near.
func (b *Buffer) between(n, col int) int {
	if col < 2*spacing {
		return 0
	}
	if s := b.near(pos{n, col}); s.at.line == n {
		return s.at.col
	}
	return 0
}

// reach bounds how many bytes are looked at behind the cursor: what is further away is not in view.
const reach = 64 << 10

// partner finds the bracket that belongs to the one at p, on whatever line; ok is false when p is none or it has none. One
// that closes far behind it is beyond, at a place that there is not.
func (b *Buffer) partner(p pos) (q pos, ok bool) {
	line := b.lines[p.line]
	if p.col >= len(line) {
		return pos{}, false
	}
	switch c := line[p.col]; c {
	case '}', ']', '{', '[':
		w, t, is := b.walked(p)
		if !is || t.sort != punct { // inside of a string
			return pos{}, false
		}
		if c == '}' || c == ']' {
			if len(w.stack) == 0 {
				return pos{}, false
			}
			return w.stack[len(w.stack)-1].open, true
		}
	default:
		return pos{}, false
	}
	depth, seen, at := 0, -p.col, p.line
	b.tokens(p, func(line string, n int, t token) bool {
		for ; at < n; at++ {
			seen += len(b.lines[at]) + 1
		}
		if t.sort == punct {
			switch line[t.from] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
		}
		switch {
		case depth == 0:
			q, ok = pos{n, t.from}, true
		case seen+t.to > reach:
			q, ok = pos{-1, -1}, true
		}
		return !ok
	})
	return q, ok
}

// bracket is the bracket at the cursor, or just before it, and its partner.
func (b *Buffer) bracket() (p, q pos, ok bool) {
	for _, col := range []int{b.cur.col, b.cur.col - 1} {
		p = pos{b.cur.line, col}
		if col < 0 {
			continue
		}
		if q, ok = b.partner(p); ok {
			return p, q, true
		}
	}
	return pos{}, pos{}, false
}

// opener is the bracket that is open at p: the innermost one before it that is not closed.
func (b *Buffer) opener(p pos) (pos, bool) {
	w, _, _ := b.walked(p)
	if len(w.stack) == 0 {
		return pos{}, false
	}
	return w.stack[len(w.stack)-1].open, true
}
