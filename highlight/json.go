package highlight

import (
	"bytes"
	"fmt"
	"strconv"

	"mcploupe/session/jsondoc"
)

const (
	indentColumns = 2
	maxIndent     = 80 // columns; what is nested deeper stands there too
)

// pretty is a source of a layout's lines, and behind them what follows the first value in the text.
type pretty struct {
	layout *jsondoc.Layout
	doc    *jsondoc.Document
	rest   []jsondoc.Span // lines behind the first value
	widths []int32        // per node that begins a line: as in text; nil until asked for
	ascii  bool
}

func newPretty(l *jsondoc.Layout) *pretty {
	s := &pretty{layout: l, doc: l.Document()}
	for _, f := range s.doc.Faults {
		if f.Kind != jsondoc.TrailingText && f.Kind != jsondoc.Empty {
			continue
		}
		for i := f.At.From; i < f.At.To; {
			end := f.At.To
			if n := bytes.IndexByte(s.doc.Text[i:end], '\n'); n >= 0 {
				end = i + int32(n)
			}
			s.rest = append(s.rest, jsondoc.Span{From: i, To: end})
			i = end + 1
		}
	}
	return s
}

func (s *pretty) lines() int   { return s.layout.Lines() + len(s.rest) }
func (s *pretty) version() int { return s.layout.Changes() }
func (s *pretty) tabs() bool   { return false }

func (s *pretty) number(line int) int { return int(s.layout.Line(line).Number) }
func (s *pretty) node(line int) int32 { return s.layout.Line(line).Node }

func (s *pretty) indent(line int) int { return indentOf(s.layout.Line(line).Depth) }

func indentOf(depth int) int { return min(depth*indentColumns, maxIndent) }

func (s *pretty) fold(line int) string {
	switch {
	case !s.layout.Line(line).Folded:
		return ""
	case s.ascii:
		return "+"
	}
	return "▸"
}

func (s *pretty) span(node int32, key bool) (jsondoc.Span, bool) { return nodeSpan(s.doc, node, key) }

func (s *pretty) line(off, node int32) int {
	if at := s.layout.LineOf(node); at >= 0 {
		return at
	}
	for i, r := range s.rest {
		if off < r.To {
			return s.layout.Lines() + i
		}
	}
	return s.lines() - 1
}

// look is never asked for: every seg has one look.
func (s *pretty) look(int32) (ink, int32) { return inkText, int32(len(s.doc.Text)) }

// Text of ours between the tokens.
var (
	blanks    = bytes.Repeat([]byte{' '}, maxIndent)
	colon     = []byte(": ")
	comma     = []byte(",")
	commaNext = []byte(", ")
	brackets  = []byte("[]{}")
)

func ours(t []byte, i ink) seg { return seg{text: t, at: -1, ink: i} }

func (s *pretty) segs(dst []seg, line int) []seg {
	if r := line - s.layout.Lines(); r >= 0 {
		span := s.rest[r]
		return append(dst, seg{text: s.doc.Text[span.From:span.To], at: span.From, ink: inkInvalid})
	}
	return s.lineSegs(dst, s.layout.Line(line))
}

func (s *pretty) lineSegs(dst []seg, l jsondoc.Line) []seg {
	n := &s.doc.Nodes[l.Node]
	if l.Depth > 0 {
		dst = append(dst, ours(blanks[:indentOf(l.Depth)], inkText))
	}
	if l.Close {
		dst = append(dst, s.bracket(n, true))
	} else {
		dst = s.key(dst, n)
		switch {
		case l.Folded:
			dst = append(dst, s.bracket(n, false), ours(s.count(l.Node), inkComment), s.bracket(n, true))
		case l.Open:
			dst = append(dst, s.bracket(n, false))
		case l.Inline:
			dst = s.inline(dst, l.Node)
		default:
			dst = append(dst, s.scalar(n))
		}
	}
	if l.Comma {
		dst = append(dst, ours(comma, inkPunct))
	}
	return dst
}

// key appends a member's name and its colon.
func (s *pretty) key(dst []seg, n *jsondoc.Node) []seg {
	if n.Key.From == n.Key.To {
		return dst
	}
	return append(dst, seg{text: s.doc.Text[n.Key.From:n.Key.To], at: n.Key.From, ink: inkKey}, ours(colon, inkPunct))
}

func (s *pretty) scalar(n *jsondoc.Node) seg {
	if n.Value.From == n.Value.To {
		if s.ascii {
			return ours([]byte("<no value>"), inkInvalid)
		}
		return ours([]byte("‹no value›"), inkInvalid)
	}
	return seg{text: s.doc.Text[n.Value.From:n.Value.To], at: n.Value.From, ink: inkOf(kindToken(n.Kind))}
}

func (s *pretty) bracket(n *jsondoc.Node, end bool) seg {
	pair := brackets[:2]
	if n.Kind == jsondoc.Object {
		pair = brackets[2:]
	}
	if end {
		return ours(pair[1:], inkPunct)
	}
	return seg{text: pair[:1], at: n.Value.From, ink: inkPunct}
}

// inline appends a container of scalars: { "a": 1, "b": 2 }, [1, 2].
func (s *pretty) inline(dst []seg, id int32) []seg {
	n := &s.doc.Nodes[id]
	dst = append(dst, s.bracket(n, false))
	pad := n.Kind == jsondoc.Object && n.Next > id+1
	for c := id + 1; c < n.Next; c++ {
		if c > id+1 {
			dst = append(dst, ours(commaNext, inkPunct))
		} else if pad {
			dst = append(dst, ours(blanks[:1], inkText))
		}
		m := &s.doc.Nodes[c]
		dst = s.key(dst, m)
		if m.Kind == jsondoc.Array || m.Kind == jsondoc.Object {
			dst = s.inline(dst, c)
			c = m.Next - 1
			continue
		}
		dst = append(dst, s.scalar(m))
	}
	if pad {
		dst = append(dst, ours(blanks[:1], inkText))
	}
	return append(dst, s.bracket(n, true))
}

// count says what a folded container holds: " … 3 members ".
func (s *pretty) count(id int32) []byte {
	v := s.doc.Value(id)
	what, n := "element", v.Len()
	if v.Is(jsondoc.Object) {
		what = "member"
	}
	if n != 1 {
		what += "s"
	}
	dots := "…"
	if s.ascii {
		dots = "..."
	}
	return fmt.Appendf(nil, " %s %s %s ", dots, thousands(n), what)
}

// thousands is n with a comma between groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (s *pretty) each(yield func(line, indent, cols int, plain bool)) {
	if s.widths == nil {
		s.widths = make([]int32, len(s.doc.Nodes))
	}
	lines := 0
	var segs []seg
	for i, l := range s.layout.All() {
		lines++
		indent := indentOf(l.Depth)
		extra := indent
		if l.Comma {
			extra++
		}
		if l.Close {
			yield(i, indent, extra+1, true)
			continue
		}
		w := s.widths[l.Node]
		if w == 0 || l.Folded { // no node is without width
			bare := l
			bare.Depth, bare.Comma = 0, false
			segs = s.lineSegs(segs[:0], bare)
			cols, plain := segsWidth(segs, false)
			if w = int32(cols); !plain {
				w = ^w
			}
			if !l.Folded {
				s.widths[l.Node] = w
			}
		}
		if w < 0 {
			yield(i, indent, extra+int(^w), false)
		} else {
			yield(i, indent, extra+int(w), true)
		}
	}
	for i, r := range s.rest {
		cols, plain := width(s.doc.Text[r.From:r.To], false)
		yield(lines+i, 0, cols, plain)
	}
}

// segsWidth is the columns of segs; plain tells that every byte is one.
func segsWidth(segs []seg, tabs bool) (cols int, plain bool) {
	plain = true
	for _, sg := range segs {
		c, p := width(sg.text, tabs)
		cols += c
		plain = plain && p
	}
	return cols, plain
}
