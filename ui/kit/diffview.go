package kit

import (
	"bytes"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondiff"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/book"
)

// DiffView shows what changed, with - and + before the lines; what stayed is folded. It keeps which change is looked at.
type DiffView struct {
	env   *Env
	of    any // what is compared; another one begins anew
	what  Comparison
	whole bool
	turn  int  // grows with each comparing: what an earlier one brings is let go
	busy  bool // it is being compared beside the screen
	begun bool // the first change was brought into view

	sections []Section
	page     Page
	w        int
	styles   *themes.Styles
	places   []change
	at       int // index into places of the change that is looked at, -1
}

// change is where a change is shown.
type change struct {
	row  int // its first row
	path jsondoc.Pointer
}

// NewDiffView is a view of nothing yet.
func NewDiffView(env *Env) *DiffView { return &DiffView{env: env, at: -1} }

// Set shows what differs between two exchanges. of tells the comparison from others: while it stays, nothing is compared again.
func (v *DiffView) Set(of any, a, b *book.Row) {
	if v.of == of && v.of != nil {
		return
	}
	v.of, v.what, v.at, v.begun = of, Compared(a, b), -1, false
	v.page.Top()
	v.again()
}

// again compares; large messages beside the screen.
func (v *DiffView) again() {
	v.turn++
	turn, what, whole := v.turn, v.what, v.whole
	if what.Size() < Heavy {
		v.sections, v.w, v.busy = what.Sections(whole), 0, false
		return
	}
	v.sections, v.w, v.busy = nil, 0, true
	v.env.Later(func() func() {
		sections := what.Sections(whole)
		return func() {
			if v.turn == turn {
				v.sections, v.w, v.busy = sections, 0, false
			}
		}
	})
}

// Changes is the number of changes in all parts.
func (v *DiffView) Changes() int {
	n := 0
	for i := range v.sections {
		n += v.sections[i].Diff.Changes()
	}
	return n
}

// Rows is the keys of a difference.
func (v *DiffView) Rows() []Row {
	none := ""
	switch {
	case v.busy:
		none = "it is being compared"
	case v.Changes() == 0:
		none = "nothing changed"
	}
	words := "show what stayed"
	if v.whole {
		words = "fold what stayed"
	}
	return append([]Row{
		{Keys: []string{"n"}, Words: "next change", Group: "difference", Off: none, Do: func() Intent { v.walk(1); return nil }},
		{Keys: []string{"N"}, Words: "change before", Group: "difference", Off: none, Quiet: true, Do: func() Intent { v.walk(-1); return nil }},
		{Keys: []string{"z"}, Words: words, Group: "difference", Do: func() Intent { v.whole = !v.whole; v.again(); return nil }},
		{Keys: []string{"y"}, Words: "copy the difference", Group: "copy", Quiet: true, Do: func() Intent { return Copy{v.Text(), "difference"} }},
	}, v.page.Rows()...)
}

// walk goes to the next change.
func (v *DiffView) walk(d int) {
	if len(v.places) == 0 {
		return
	}
	v.at = Step(v.at, d, len(v.places))
	v.draw(v.w)
	v.page.Top()
	v.page.By(max(v.places[v.at].row-v.page.h/3, 0))
}

// Text is the difference as plain text, for the clipboard: escaped, as it stands on the screen.
func (v *DiffView) Text() string {
	var b strings.Builder
	for i := range v.sections {
		s := &v.sections[i]
		fmt.Fprintf(&b, "%s: %s\n", s.Title, v.head(s))
		for _, l := range s.Diff.Lines {
			text := Escape(l.Text)
			if l.Folded > 0 {
				text += folded(l.Folded)
			}
			fmt.Fprintf(&b, "%c %s\n", l.Op, text)
		}
	}
	return b.String()
}

func (v *DiffView) head(s *Section) string {
	if s.Note != "" && len(s.Diff.Lines) == 0 {
		return s.Note
	}
	text := Summary(&s.Diff)
	if s.Note != "" {
		text += "; " + s.Note
	}
	return text
}

func folded(n int) string { return "… " + Number(n) + " the same" }

// clipLine bounds how much of one line is shown.
const clipLine = 4000

// draw makes the rows for w cells.
func (v *DiffView) draw(w int) {
	s := v.env.Styles
	var rows []string
	v.places = v.places[:0]
	for i := range v.sections {
		part := &v.sections[i]
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, v.env.Section(part.Title+s.Muted.Render(" "+SignDot+" "+v.head(part)), w))
		if part.Diff.Changes() == 0 && !v.whole {
			continue
		}
		last := 0
		for j := range part.Diff.Lines {
			l := &part.Diff.Lines[j]
			sign := "  "
			if l.Change > 0 && l.Change != last {
				last = l.Change
				if len(v.places) == v.at {
					sign = s.Accent.Render(SignPointer) + " "
				}
				v.places = append(v.places, change{len(rows), l.Path})
			}
			rows = v.line(rows, sign, l, w)
		}
		if part.Diff.Cut {
			rows = append(rows, s.Should.Render("… the lines after these are left out"))
		}
	}
	if v.busy {
		rows = []string{s.Muted.Render("Comparing " + Size(int64(v.what.Size())) + " …")}
	}
	v.page.SetLines(rows)
	v.w, v.styles = w, s
}

// line appends a line of the difference, wrapped behind its indent.
func (v *DiffView) line(rows []string, sign string, l *jsondiff.Line, w int) []string {
	s := v.env.Styles
	style := &s.Muted
	switch {
	case l.Op == jsondiff.Added:
		style = &s.OK
	case l.Op == jsondiff.Removed:
		style = &s.Must
	case l.Folded > 0:
		style = &s.Faint
	}
	text := strings.TrimLeft(l.Text, " ")
	indent := min(len(l.Text)-len(text), max(w/2-4, 0))
	if l.Folded > 0 {
		text = folded(l.Folded)
	}
	if len(text) > clipLine {
		text = string(bytes.ToValidUTF8([]byte(text[:clipLine]), nil)) + "…"
	}
	mark := string(rune(l.Op)) + " "
	for k, part := range Wrap(Escape(text), max(w-indent-4, 8)) {
		if k == 1 {
			indent, sign, mark = min(indent+2, w/2), "  ", "  "
			if l.Op != jsondiff.Kept {
				mark = "│ "
			}
		}
		rows = append(rows, sign+style.Render(mark+Blank(indent)+part))
	}
	return rows
}

// Draw is h lines of w cells or fewer.
func (v *DiffView) Draw(w, h int) []string {
	if w != v.w || v.styles != v.env.Styles {
		v.draw(w)
	}
	if !v.begun && !v.busy {
		v.begun = true
		if len(v.places) > 0 && v.places[0].row >= h-2 {
			v.page.h = h
			v.page.By(v.places[0].row - h/3)
		}
	}
	return v.page.Draw(w, h)
}

// Foot is where the change is that is looked at, and which one it is.
func (v *DiffView) Foot() (left, right string) {
	s := v.env.Styles
	if v.at < 0 || v.at >= len(v.places) {
		if n := v.Changes(); n > 0 {
			right = s.Muted.Render(Count(n, "change"))
		}
		return "", right
	}
	path := string(v.places[v.at].path)
	if path == "" {
		path = "/"
	}
	return s.Muted.Render(Escape(path)), s.Text.Render(fmt.Sprintf("change %s of %s", Number(v.at+1), Number(len(v.places))))
}

// Scroll is the part in view after a drawing.
func (v *DiffView) Scroll() Scroll { return v.page.Scroll() }

// Click scrolls by the wheel.
func (v *DiffView) Click(msg tea.MouseMsg) { v.page.Click(msg) }
