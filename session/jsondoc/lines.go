package jsondoc

import (
	"iter"
	"math/bits"
	"sort"
)

// inlineColumns is the width up to which a container of scalars stays on one line.
const inlineColumns = 60

// Line is one line of a pretty-printed document.
type Line struct {
	Node   int32 // the value on the line; for a closing bracket its container; -1: there is no such line
	Number int32 // counted from 1 with nothing folded
	Depth  int   // containers around it
	Open   bool  // the opening bracket of a container, whose rest follows on other lines or is folded away
	Close  bool  // the closing bracket of a container
	Comma  bool  // a comma follows: the container has more
	Folded bool  // Open, with the inside and the closing bracket hidden
	Inline bool  // a whole container on this line: empty, or short and of scalars only
}

// Layout is a document pretty-printed into lines, some of them folded away. Building it takes time
// linear in the nodes, once; every question afterwards is logarithmic. It belongs to one goroutine.
type Layout struct {
	doc    *Document
	lines  []int32 // per line, nothing folded: the node, or ^node for its closing bracket
	starts []int32 // per node: its line, nothing folded; inside an inline container the container's
	folds  []uint64
	hidden []gap // outermost folded containers, in order
	stale  bool
	count  int // changes of folds
}

// gap is the run of lines that an outermost folded container hides: from..to, both in unfolded numbers.
type gap struct {
	from, to int32
	before   int32 // lines hidden by earlier gaps
}

// NewLayout lays d out with nothing folded.
func NewLayout(d *Document) *Layout {
	l := &Layout{doc: d, starts: make([]int32, len(d.Nodes))}
	l.lines = make([]int32, 0, len(d.Nodes)+len(d.Nodes)/8+1)
	open := int32(-1) // innermost container that spreads over lines
	for id := int32(0); int(id) < len(d.Nodes); {
		for open >= 0 && id >= d.Nodes[open].Next {
			l.lines = append(l.lines, ^open)
			open = d.Nodes[open].Parent
		}
		n := &d.Nodes[id]
		at := int32(len(l.lines))
		l.lines = append(l.lines, id)
		l.starts[id] = at
		if (n.Kind == Array || n.Kind == Object) && !d.inline(id) {
			open = id
			id++
			continue
		}
		for id++; id < n.Next; id++ {
			l.starts[id] = at
		}
	}
	for ; open >= 0; open = d.Nodes[open].Parent {
		l.lines = append(l.lines, ^open)
	}
	return l
}

// inline tells that the container is empty or that its scalars fit on one line.
func (d *Document) inline(id int32) bool {
	n := &d.Nodes[id]
	if n.Next == id+1 {
		return true
	}
	if int(n.Next-id) > inlineColumns/2 {
		return false
	}
	columns := int32(2)
	for c := id + 1; c < n.Next; c++ {
		m := &d.Nodes[c]
		if m.Kind == Array || m.Kind == Object {
			return false
		}
		columns += m.Key.To - m.Key.From + m.Value.To - m.Value.From + 2
		if n.Kind == Object {
			columns += 2
		}
		if columns > inlineColumns+2 {
			return false
		}
	}
	return true
}

// Document is the document laid out.
func (l *Layout) Document() *Document { return l.doc }

// Lines is the number of lines that are not folded away.
func (l *Layout) Lines() int {
	l.settle()
	if len(l.hidden) == 0 {
		return len(l.lines)
	}
	g := l.hidden[len(l.hidden)-1]
	return len(l.lines) - int(g.before+g.to-g.from)
}

// Line is the i-th line, counted from 0; its Node is -1 when there is no such line.
func (l *Layout) Line(i int) Line {
	l.settle()
	if i < 0 || i >= l.Lines() {
		return Line{Node: -1}
	}
	// The first gap that starts at or behind line i: everything hidden before it counts.
	k := sort.Search(len(l.hidden), func(k int) bool { return int(l.hidden[k].from-l.hidden[k].before) >= i })
	if k > 0 {
		g := l.hidden[k-1]
		i += int(g.before + g.to - g.from)
	}
	line := l.line(i)
	for p := l.doc.Nodes[line.Node].Parent; p >= 0; p = l.doc.Nodes[p].Parent {
		line.Depth++
	}
	return line
}

// line is the unfolded line u, without its depth.
func (l *Layout) line(u int) Line {
	line := Line{Node: l.lines[u], Number: int32(u + 1)}
	if line.Node < 0 {
		line.Node, line.Close = ^line.Node, true
	}
	n := &l.doc.Nodes[line.Node]
	line.Comma = n.Parent >= 0 && l.doc.Nodes[n.Parent].Next != n.Next
	switch {
	case line.Close:
	case n.Kind != Array && n.Kind != Object:
	case l.spreads(line.Node):
		line.Open = true
		line.Folded = l.Folded(line.Node)
		line.Comma = line.Comma && line.Folded
	default:
		line.Inline = true
	}
	return line
}

// All walks the lines that are not folded away, in order. It is faster than asking for each.
func (l *Layout) All() iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		l.settle()
		gaps, depth, i := l.hidden, 0, 0
		for u := 0; u < len(l.lines); u++ {
			line := l.line(u)
			if line.Close {
				depth--
			}
			line.Depth = depth
			if !yield(i, line) {
				return
			}
			i++
			if line.Open && !line.Folded {
				depth++
			}
			if len(gaps) > 0 && int(gaps[0].from) == u {
				u = int(gaps[0].to)
				gaps = gaps[1:]
			}
		}
	}
}

// Changes counts the changes of folds so far: while it stays, all lines stay.
func (l *Layout) Changes() int { return l.count }

// spreads tells that the node is a container over several lines, nothing folded.
func (l *Layout) spreads(node int32) bool {
	u := int(l.starts[node]) + 1
	return l.lines[u-1] == node && u < len(l.lines) && l.owns(node, u)
}

// owns tells that the unfolded line u is inside the node, its closing bracket included.
func (l *Layout) owns(node int32, u int) bool {
	at := l.lines[u]
	if at < 0 {
		at = ^at
	}
	return node <= at && at < l.doc.Nodes[node].Next
}

// last is the unfolded line of the node's closing bracket, or its only line.
func (l *Layout) last(node int32) int32 {
	from := int(l.starts[node])
	return int32(from + sort.Search(len(l.lines)-from, func(k int) bool { return !l.owns(node, from+k) }) - 1)
}

// LineOf is the line that shows the node, or the folded container that hides it; -1 for no node.
func (l *Layout) LineOf(node int32) int {
	if node < 0 || int(node) >= len(l.starts) {
		return -1
	}
	l.settle()
	u := l.starts[node]
	k := sort.Search(len(l.hidden), func(k int) bool { return l.hidden[k].from > u }) - 1
	if k < 0 {
		return int(u)
	}
	g := l.hidden[k]
	return int(u - g.before - min(u-g.from, g.to-g.from))
}

// Folded tells that the node is marked as folded, be it visible or inside another fold.
func (l *Layout) Folded(node int32) bool {
	return node >= 0 && int(node)/64 < len(l.folds) && l.folds[node/64]&(1<<(node%64)) != 0
}

// Fold folds a container or unfolds it. It does nothing to values that are on one line anyway.
func (l *Layout) Fold(node int32, folded bool) {
	if node < 0 || int(node) >= len(l.starts) || !l.spreads(node) {
		return
	}
	l.mark(node, folded)
}

func (l *Layout) changed() {
	l.stale = true
	l.count++
}

func (l *Layout) mark(node int32, folded bool) {
	if l.folds == nil {
		if !folded {
			return
		}
		l.folds = make([]uint64, len(l.starts)/64+1)
	}
	if folded {
		l.folds[node/64] |= 1 << (node % 64)
	} else {
		l.folds[node/64] &^= 1 << (node % 64)
	}
	l.changed()
}

// FoldDepth folds every container with depth or more containers around it and unfolds the others:
// 0 folds all into one line, 1 shows the root's members, a negative depth unfolds everything.
func (l *Layout) FoldDepth(depth int) {
	clear(l.folds)
	l.changed()
	if depth < 0 {
		return
	}
	around := 0
	for _, node := range l.lines {
		if node < 0 {
			around--
			continue
		}
		if l.spreads(node) {
			if around >= depth {
				l.mark(node, true)
			}
			around++
		}
	}
}

// settle recomputes what is hidden after folds have changed.
func (l *Layout) settle() {
	if !l.stale {
		return
	}
	l.stale = false
	l.hidden = l.hidden[:0]
	hidden, end := int32(0), int32(0)
	for w, word := range l.folds {
		for ; word != 0; word &= word - 1 {
			node := int32(w*64 + bits.TrailingZeros64(word))
			if node < end { // inside the fold before
				continue
			}
			from, to := l.starts[node], l.last(node)
			l.hidden = append(l.hidden, gap{from: from, to: to, before: hidden})
			hidden += to - from
			end = l.doc.Nodes[node].Next
		}
	}
}

// Reveal unfolds everything around the node, so that its line is visible. The node itself stays as it is.
func (l *Layout) Reveal(node int32) {
	if node < 0 || int(node) >= len(l.starts) {
		return
	}
	for p := l.doc.Nodes[node].Parent; p >= 0; p = l.doc.Nodes[p].Parent {
		if l.Folded(p) {
			l.mark(p, false)
		}
	}
}
