package jsondiff

import (
	"strings"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// inside compares two texts by what is in them: JSON, or several lines, or one long one of which a part changed. It tells
// whether there was anything of that kind.
func (d *differ) inside(e *entry, indent string) bool {
	if len(e.a.Raw())+len(e.b.Raw()) > maxInside {
		return false
	}
	a, b := e.a.Text(), e.b.Text()
	path := e.path()
	if x, y := document(a), document(b); x.Exists() && y.Exists() && !x.Same(y) {
		d.add(Line{Op: Kept, Text: indent + e.key + "JSON in a text", Path: path})
		outer, was := d.outer, d.indent
		d.outer, d.indent = path, indent+"  "
		d.values(x, y)
		d.outer, d.indent = outer, was
		return true
	}
	if strings.Contains(a, "\n") || strings.Contains(b, "\n") {
		d.add(Line{Op: Kept, Text: indent + e.key + "a text of several lines", Path: path})
		d.texts(a, b, indent+"  ", path)
		return true
	}
	if len(a)+len(b) > longText {
		d.out.Changed++
		a, b = differing(string(e.a.Raw()), string(e.b.Raw()))
		d.add(Line{Op: Removed, Text: indent + e.key + a + comma(e.lastA), Path: path, Change: d.out.Changes()})
		d.add(Line{Op: Added, Text: indent + e.key + b + comma(e.lastB), Path: path, Change: d.out.Changes()})
		return true
	}
	return false
}

// document is the JSON object or array that a text is; Missing when it is none.
func document(text string) jsondoc.Value {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return jsondoc.Value{}
	}
	if doc := jsondoc.Parse([]byte(text)); doc.Valid() {
		return doc.Root()
	}
	return jsondoc.Value{}
}

const (
	longText = 320 // two texts of together so many bytes are shown around what changed in them
	beside   = 60  // so many bytes of what they begin and end with alike
)

// differing cuts two long texts to where they differ, and a little beside it.
func differing(a, b string) (string, string) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(0, head-beside)
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	cut := func(s string) string {
		to := min(len(s), len(s)-tail+beside)
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		s = s[:to]
		rest := ""
		if tail > beside {
			rest = "…"
		}
		if from > 0 {
			return "…" + s[from:] + rest
		}
		return s + rest
	}
	return cut(a), cut(b)
}

// texts compares line by line.
func (d *differ) texts(a, b, indent string, path jsondoc.Pointer) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	pairs := Align(x, y)
	near := make([]bool, len(pairs))
	for i, p := range pairs {
		if p.I >= 0 && p.J >= 0 && !d.o.Whole {
			continue
		}
		for j := max(0, i-around); j <= min(len(pairs)-1, i+around); j++ {
			near[j] = true
		}
	}
	for i := 0; i < len(pairs) && !d.full(); {
		p := pairs[i]
		switch {
		case p.I < 0 || p.J < 0:
			i = d.hunk(pairs, i, x, y, indent, path)
		case near[i]:
			d.add(Line{Op: Kept, Text: indent + y[p.J], Path: path})
			i++
		default:
			n := i
			for n < len(pairs) && !near[n] {
				n++
			}
			d.add(Line{Op: Kept, Text: indent, Path: path, Folded: n - i})
			i = n
		}
	}
}

// hunk is a run of lines that are in one text only: one change. It gives the index behind them.
func (d *differ) hunk(pairs []Pair, from int, x, y []string, indent string, path jsondoc.Pointer) int {
	to, gone, came := from, 0, 0
	for to < len(pairs) && (pairs[to].I < 0 || pairs[to].J < 0) {
		if pairs[to].J < 0 {
			gone++
		} else {
			came++
		}
		to++
	}
	switch {
	case gone > 0 && came > 0:
		d.out.Changed++
	case gone > 0:
		d.out.Removed++
	default:
		d.out.Added++
	}
	for _, p := range pairs[from:to] {
		l := Line{Path: path, Change: d.out.Changes()}
		if p.J < 0 {
			l.Op, l.Text = Removed, indent+x[p.I]
		} else {
			l.Op, l.Text = Added, indent+y[p.J]
		}
		d.add(l)
	}
	return to
}
