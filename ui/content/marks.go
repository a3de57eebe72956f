package content

import (
	"strings"

	"charm.land/lipgloss/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// Mark is what is to be said at the title of the part that holds a place in the message: why, the content does not know.
type Mark struct {
	Path  jsondoc.Pointer
	Sign  string
	Words string // escaped
	Style *lipgloss.Style
}

// SetMarks replaces all marks, the gravest first. They stay when other parts are shown: whoever sets those sets these.
func (v *View) SetMarks(marks []Mark) { v.marks = marks }

// marked are the marks in a block, as they stand behind its title: the first in words, the others as a number. At most w cells.
func (v *View) marked(b *block, w int) string {
	first, more := -1, 0
	for i := range v.marks {
		if rest, ok := strings.CutPrefix(string(v.marks[i].Path), string(b.path)); !ok || b.path == "" || rest != "" && rest[0] != '/' {
			continue
		}
		if first >= 0 {
			more++
		} else {
			first = i
		}
	}
	if first < 0 {
		return ""
	}
	m := &v.marks[first]
	words := m.Sign + " " + m.Words
	if more > 0 {
		words += " and " + kit.Number(more) + " more"
	}
	if kit.Width(words) > w {
		words = m.Sign
	}
	return " " + m.Style.Render(words)
}
