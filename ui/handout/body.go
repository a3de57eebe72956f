package handout

import (
	"fmt"
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// Bounds of what is shown of one message: lines of JSON, and bytes of other text.
const (
	mostLines = 2000
	mostText  = 64 << 10
)

// body is the text of a message: JSON laid out with what was found under its lines, other text as it is.
func (p *page) body(m *wire.Message, found []*inspect.Finding) {
	if !m.Doc().Valid() {
		text := string(m.Body[:min(len(m.Body), mostText)])
		p.Raw("<pre>")
		for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
			p.Tag("span", strings.TrimSuffix(line, "\r"))
		}
		p.left(len(m.Body)-len(text), "bytes")
		p.Raw("</pre>\n")
		return
	}
	d := m.Doc()
	at := map[int32][]*inspect.Finding{}
	for _, f := range found {
		n := d.At(f.At.Path).Node()
		at[n] = append(at[n], f)
	}
	layout := jsondoc.NewLayout(d)
	p.Raw("<pre>")
	shown := 0
	for i, l := range layout.All() {
		notes := inside(d, &l, at)
		if i >= mostLines && len(notes) == 0 {
			continue // what was found is shown wherever it stands
		}
		shown++
		class := ""
		if len(notes) > 0 {
			class = " class=\"here\""
		}
		p.Raw("<span" + class + ">")
		p.Text(lineOf(d, &l))
		p.Raw("</span>")
		for _, f := range notes {
			p.Raw("<span class=\"note\">" + strings.Repeat("  ", l.Depth+1) + "└ ")
			p.note(f)
			p.Raw("</span>")
		}
	}
	p.left(layout.Lines()-shown, "lines")
	p.Raw("</pre>\n")
}

func (p *page) left(n int, what string) {
	if n > 0 {
		p.Raw("<span class=\"note\">")
		p.Text(fmt.Sprintf("… %d %s are left out", n, what))
		p.Raw("</span>")
	}
}

// inside are the findings about the values that stand on a line: its own, and those of a container that is set on one line.
func inside(d *jsondoc.Document, l *jsondoc.Line, at map[int32][]*inspect.Finding) []*inspect.Finding {
	if l.Close || len(at) == 0 {
		return nil
	}
	if !l.Inline {
		return at[l.Node]
	}
	var out []*inspect.Finding
	for n := l.Node; n < d.Nodes[l.Node].Next; n++ {
		out = append(out, at[n]...)
	}
	return out
}

// lineOf is a line of laid-out JSON as it was spelled: keys, numbers and texts byte for byte, before anything is escaped.
func lineOf(d *jsondoc.Document, l *jsondoc.Line) string {
	n := &d.Nodes[l.Node]
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", l.Depth))
	comma := ""
	if l.Comma {
		comma = ","
	}
	first, last := "{", "}"
	if n.Kind == jsondoc.Array {
		first, last = "[", "]"
	}
	if l.Close {
		return b.String() + last + comma
	}
	if n.Key.To > n.Key.From {
		b.Write(d.Text[n.Key.From:n.Key.To])
		b.WriteString(": ")
	}
	if l.Open {
		return b.String() + first
	}
	if l.Inline {
		return b.String() + flat(d, l.Node, first, last) + comma
	}
	b.Write(d.Text[n.Value.From:n.Value.To])
	return b.String() + comma
}

// flat is a container of scalars on one line, however it was spread in the text.
func flat(d *jsondoc.Document, node int32, first, last string) string {
	var inner []string
	for n := node + 1; n < d.Nodes[node].Next; n++ {
		x := &d.Nodes[n]
		text := string(d.Text[x.Value.From:x.Value.To])
		if x.Key.To > x.Key.From {
			text = string(d.Text[x.Key.From:x.Key.To]) + ": " + text
		}
		inner = append(inner, text)
	}
	if len(inner) == 0 {
		return first + last
	}
	return first + " " + strings.Join(inner, ", ") + " " + last
}
