package highlight

import (
	"bytes"
	"sort"

	"mcploupe/session/jsondoc"
)

// seg is a stretch of a line. at is its offset in the document, -1 for text of ours, which is never
// marked. A seg with mixed set takes its looks from the source, byte by byte.
type seg struct {
	text  []byte
	at    int32
	ink   ink
	mixed bool
}

// source is a document as lines of segs.
type source interface {
	lines() int
	number(line int) int // what the gutter says; 0 for nothing
	node(line int) int32
	segs(dst []seg, line int) []seg
	indent(line int) int                 // columns before the line's first character
	look(off int32) (i ink, until int32) // of mixed segs
	line(off, node int32) int            // that shows the byte of the node; -1 for none
	fold(line int) string                // sign of a folded line, "" for none
	span(node int32, key bool) (s jsondoc.Span, ok bool)
	each(yield func(line, indent, cols int, plain bool))
	version() int
	tabs() bool
}

// text is a source of lines as they stand in the text.
type text struct {
	doc    *jsondoc.Document // of raw JSON; nil for other text
	t      []byte
	starts []int32 // of lines; one more at the end of the text
	lexing *lexing // looks of other text; nil for raw JSON
	prose  bool    // tabs are blanks, and a carriage return before a newline is part of it
	widths []int32 // per line: columns, ^columns when not plain; nil until asked for
}

func newText(t []byte, d *jsondoc.Document) *text {
	s := &text{doc: d, t: t, prose: d == nil}
	s.starts = make([]int32, 1, bytes.Count(t, []byte{'\n'})+2)
	for i := 0; i < len(t); {
		end := bytes.IndexByte(t[i:], '\n')
		if end < 0 {
			i = len(t)
		} else {
			i += end + 1
		}
		s.starts = append(s.starts, int32(i))
	}
	return s
}

func (s *text) lines() int          { return len(s.starts) - 1 }
func (s *text) number(line int) int { return line + 1 }
func (s *text) node(int) int32      { return -1 }
func (s *text) indent(int) int      { return 0 }
func (s *text) fold(int) string     { return "" }
func (s *text) version() int        { return 0 }
func (s *text) tabs() bool          { return s.prose }

func (s *text) bytes(line int) []byte {
	t := s.t[s.starts[line]:s.starts[line+1]]
	if len(t) > 0 && t[len(t)-1] == '\n' {
		t = t[:len(t)-1]
		if s.prose && len(t) > 0 && t[len(t)-1] == '\r' {
			t = t[:len(t)-1]
		}
	}
	return t
}

func (s *text) segs(dst []seg, line int) []seg {
	return append(dst, seg{text: s.bytes(line), at: s.starts[line], mixed: true})
}

func (s *text) line(off, _ int32) int {
	return min(sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > off })-1, s.lines()-1)
}

func (s *text) span(node int32, key bool) (jsondoc.Span, bool) {
	return nodeSpan(s.doc, node, key)
}

// nodeSpan is the bytes that a mark on the node means. Of a container it is the opening bracket: the
// rest is full of values of their own.
func nodeSpan(d *jsondoc.Document, node int32, key bool) (jsondoc.Span, bool) {
	if d == nil || node < 0 || int(node) >= len(d.Nodes) {
		return jsondoc.Span{}, false
	}
	n := &d.Nodes[node]
	switch {
	case key && n.Key.From < n.Key.To:
		return n.Key, true
	case n.Kind == jsondoc.Array || n.Kind == jsondoc.Object:
		return jsondoc.Span{From: n.Value.From, To: n.Value.From + 1}, true
	}
	return n.Value, true
}

func (s *text) each(yield func(line, indent, cols int, plain bool)) {
	if s.widths == nil {
		s.widths = make([]int32, s.lines())
		for i := range s.widths {
			cols, plain := width(s.bytes(i), s.prose)
			if s.widths[i] = int32(cols); !plain {
				s.widths[i] = ^int32(cols)
			}
		}
	}
	for i, w := range s.widths {
		if w < 0 {
			yield(i, 0, int(^w), false)
		} else {
			yield(i, 0, int(w), true)
		}
	}
}

func (s *text) look(off int32) (ink, int32) {
	if s.doc == nil {
		return s.lexing.look(off)
	}
	nodes := s.doc.Nodes
	next := sort.Search(len(nodes), func(i int) bool { return start(&nodes[i]) > off })
	until := int32(len(s.t))
	if next < len(nodes) {
		until = start(&nodes[next])
	}
	if next == 0 {
		return inkComment, until
	}
	if end := nodes[0].Value.To; off < end {
		until = min(until, end)
	}
	n := &nodes[next-1]
	scalar := n.Kind != jsondoc.Array && n.Kind != jsondoc.Object
	switch {
	case off < n.Key.To:
		return inkKey, n.Key.To
	case off < n.Value.From:
		return inkPunct, n.Value.From
	case scalar && off < n.Value.To:
		return inkOf(kindToken(n.Kind)), n.Value.To
	case off >= nodes[0].Value.To:
		return inkInvalid, until
	}
	return inkPunct, until
}

// start is where a node begins: at its name, if it has one.
func start(n *jsondoc.Node) int32 {
	if n.Key.From < n.Key.To {
		return n.Key.From
	}
	return n.Value.From
}
