package kit

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// The terminal's own cursor stands where text is typed: it blinks, or does not, as a person has it, input methods and screen
// readers follow it. A field marks its place in what it draws; the root takes the mark out again and sets the cursor there. The
// mark is a control sequence without meaning, so that it takes no cells and survives whatever cuts and pads lines. No text of a
// server can hold one: it is escaped.
const caretMark = "\x1b[7707z"

// Caret is a cell of a text field under the cursor: what stands there, in the field's style.
func Caret(style lipgloss.Style, at string) string { return caretMark + style.Render(at) }

// TakeCaret takes the marks out of a finished screen; x and y are the cell of the last one, ok is false where there is none.
func TakeCaret(screen string) (clean string, x, y int, ok bool) {
	i := strings.LastIndex(screen, caretMark)
	if i < 0 {
		return screen, 0, 0, false
	}
	before := screen[:i]
	y = strings.Count(before, "\n")
	x = Width(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.ReplaceAll(screen, caretMark, ""), x, y, true
}
