package exchange

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// The difference between what a resource held the last time and what it holds now, line by line.

// maxDiff bounds the lines that are compared one by one; beyond, the middle counts as replaced as a whole.
const maxDiff = 1500

// edit is a line of a difference: ' ' is in both, '-' only in the old text, '+' only in the new one.
type edit struct {
	op   byte
	line string
}

// diff is how a text became another, line by line. What both begin and end with is cut off first, so that a small change in
// a large text costs little.
func diff(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []edit
	add := func(op byte, lines []string) {
		for _, l := range lines {
			out = append(out, edit{op, l})
		}
	}
	add(' ', a[:head])
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) > maxDiff || len(y) > maxDiff {
		add('-', x)
		add('+', y)
	} else {
		out = append(out, longest(x, y)...)
	}
	add(' ', a[len(a)-tail:])
	return out
}

// longest compares by the longest common subsequence.
func longest(a, b []string) []edit {
	w := len(b) + 1
	common := make([]uint16, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*w+j] >= common[i*w+j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

// contentsOf is what a read brought, as lines; ok is false when it brought nothing that can be compared.
func contentsOf(r *book.Row) (lines []string, ok bool) {
	if r == nil || r.X.Reply == nil || r.X.Request == nil || r.X.Request.Method != "resources/read" {
		return nil, false
	}
	contents := r.X.Reply.Result().Get("contents")
	for _, c := range contents.Elements() {
		text := c.Get("text")
		if !text.Is(jsondoc.String) {
			text = c.Get("blob")
		}
		plain := text.Text()
		if d := jsondoc.Parse([]byte(plain)); len(plain) <= maxProse && d.Valid() && (d.Root().Is(jsondoc.Object) || d.Root().Is(jsondoc.Array)) {
			plain = string(jsondoc.Indent(nil, d.Root(), "", "  ")) // a line for each member: what changed is then easy to see
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(plain, "\n"), "\n")...)
	}
	return lines, contents.Is(jsondoc.Array)
}

// earlier is the read of the same resource before this one, nil when there is none that can be compared.
func (p *Pane) earlier() *book.Row {
	if p.row == nil || p.row.Before == p.ref {
		return nil
	}
	r := p.book.Timeline.Row(p.row.Before)
	if _, ok := contentsOf(p.row); !ok || r == nil {
		return nil
	}
	if _, ok := contentsOf(r); !ok {
		return nil
	}
	return r
}

// compare makes the difference to the read before, once.
func (p *Pane) compare() (edits []edit, added, removed int) {
	if p.diffFor != p.state {
		p.diffFor, p.edits = p.state, nil
		if before := p.earlier(); before != nil {
			old, _ := contentsOf(before)
			now, _ := contentsOf(p.row)
			if !slices.Equal(old, now) {
				p.edits = diff(old, now)
			}
		}
	}
	for _, e := range p.edits {
		switch e.op {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return p.edits, added, removed
}

// changed is a line that says that the content is another than the last time; "" when it is not, or nobody knows.
func (p *Pane) changed(w int) string {
	edits, added, removed := p.compare()
	if len(edits) == 0 {
		return ""
	}
	s := p.env.Styles
	return kit.Cut(s.Should.Render(kit.SignUpdated+" changed")+s.Muted.Render(fmt.Sprintf(" since #%d: %s added, %s removed", p.row.Before.Seq, kit.Count(added, "line"), kit.Count(removed, "line"))), w)
}

// around is how many lines that stayed are shown beside those that changed.
const around = 3

// changes is the page of the difference.
func (p *Pane) changes(w int) []string {
	s := p.env.Styles
	edits, _, _ := p.compare()
	if len(edits) == 0 {
		return []string{s.Muted.Render(fmt.Sprintf("nothing changed since #%d", p.row.Before.Seq))}
	}
	near := make([]bool, len(edits))
	for i, e := range edits {
		if e.op != ' ' {
			for j := max(0, i-around); j <= min(len(edits)-1, i+around); j++ {
				near[j] = true
			}
		}
	}
	var out []string
	for i, e := range edits {
		if !near[i] {
			if i > 0 && near[i-1] || i == 0 {
				out = append(out, s.Faint.Render("…"))
			}
			continue
		}
		style := &s.Muted
		switch e.op {
		case '+':
			style = &s.OK
		case '-':
			style = &s.Must
		}
		for k, l := range kit.Wrap(kit.Escape(e.line), max(w-2, 1)) {
			mark := string(e.op) + " "
			if k > 0 {
				mark = "  "
			}
			out = append(out, style.Render(mark+l))
		}
	}
	return out
}
