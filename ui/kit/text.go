package kit

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"mcploupe/session/visible"
)

// Escape makes a text of anybody fit to stand on one line of a screen: no control, direction or
// invisible character survives, and a line break is a sign. Every text from a server goes through it
// before it meets a style.
func Escape(s string) string { return visible.Escape(s) }

// Width is the number of cells that s takes; escape sequences of styles take none.
func Width(s string) int {
	if plainASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Cut shortens s to at most w cells; what was shortened ends with "…". Styles stay whole.
func Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case Width(s) <= w:
		return s
	case plainASCII(s):
		return s[:w-1] + "…"
	}
	return ansi.Truncate(s, w, "…")
}

// CutLeft shortens s to at most w cells from the front: the end is what matters (paths, URLs).
func CutLeft(s string, w int) string {
	have := Width(s)
	switch {
	case w <= 0:
		return ""
	case have <= w:
		return s
	}
	cut := ansi.TruncateLeft(s, have-w+1, "…")
	if Width(cut) > w { // a wide character stood across the cut
		cut = ansi.TruncateLeft(s, have-w+2, "…")
	}
	return cut
}

// Fit makes s exactly w cells wide: cut or padded.
func Fit(s string, w int) string {
	have := Width(s)
	if have > w {
		s = Cut(s, w)
		have = Width(s) // a wide character at the edge may leave one cell
	}
	return s + Blank(w-have)
}

// Blank is n blanks.
func Blank(n int) string {
	const blanks = "                                                                                                                                "
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// Ends sets left and right at the two ends of w cells. When both do not fit, left is cut, and right only
// when left alone has no cell left.
func Ends(left, right string, w int) string {
	rw := Width(right)
	if rw == 0 {
		return Fit(left, w)
	}
	if rw >= w {
		return Fit(right, w)
	}
	return Fit(left, w-rw-min(1, w-rw)) + Blank(min(1, w-rw)) + right
}

// Under lays a style below a finished line: its background reaches under all w cells, its colour shows
// where the line has none of its own. It is how a selection bar lies under a coloured row.
func Under(s string, style lipgloss.Style, w int) string {
	const mark = "x"
	open, _, ok := strings.Cut(style.Render(mark), mark)
	s = Fit(s, w)
	if !ok || open == "" {
		return s
	}
	return open + strings.ReplaceAll(s, reset, reset+open) + reset
}

const reset = "\x1b[m" // as lipgloss ends every styled text

// Lines fits a block of text into h lines of w cells.
func Lines(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w)
		} else {
			out[i] = Blank(w)
		}
	}
	return out
}

// Block is Lines joined: exactly h lines of w cells.
func Block(lines []string, w, h int) string { return strings.Join(Lines(lines, w, h), "\n") }

// Wrap breaks plain text (no styles) into lines of at most w cells, at blanks where it can. Line breaks
// in the text stay. It never gives an empty slice.
func Wrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	var out []string
	for _, line := range strings.Split(s, "\n") {
		if Width(line) <= w {
			out = append(out, line)
			continue
		}
		for _, l := range strings.Split(ansi.Wrap(line, w, ""), "\n") {
			out = append(out, strings.TrimRight(l, " "))
		}
	}
	return out
}

// Paragraph is text of a server for several lines: escaped, then wrapped.
func Paragraph(s string, w int) []string { return Wrap(visible.EscapeText(s), w) }

// Steady replaces clusters that terminals measure differently (emoji joined into one, flags, emoji by
// variation selector) by what all measure alike, of the same width. Without it one such character moves
// the rest of its line, borders included. It changes only what is drawn, never what is copied.
func Steady(s string) string {
	if !unsteady(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for g := graphemes.FromString(s); g.Next(); {
		c := g.Value()
		if c[0] < utf8.RuneSelf {
			if len(c) == 1 || !unsteady(c) {
				b.WriteString(c)
				continue
			}
		}
		w := ansi.StringWidth(c)
		if w == ansi.StringWidthWc(c) {
			b.WriteString(c)
			continue
		}
		r, _ := utf8.DecodeRuneInString(c)
		first := string(r)
		if n := ansi.StringWidthWc(first); n > w || n != ansi.StringWidth(first) {
			first = strings.Repeat("?", w)
		}
		b.WriteString(first)
		b.WriteString(Blank(w - ansi.StringWidthWc(first)))
	}
	return b.String()
}

// unsteady tells that s may hold a cluster of more than one code point.
func unsteady(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x300:
		case r == 0x200d, r == 0xfe0f, r == 0xfe0e, 0x1f1e6 <= r && r <= 0x1f1ff, 0x1f3fb <= r && r <= 0x1f3ff, r == 0x20e3:
			return true
		case r < 0x2010 || r > 0x2bff: // outside punctuation, arrows, boxes and signs: letters of any script
			if ansi.StringWidth(string(r)) != ansi.StringWidthWc(string(r)) || combining(r) {
				return true
			}
		}
	}
	return false
}

func combining(r rune) bool { return ansi.StringWidthWc(string(r)) == 0 }

func repeat(s string, n int) string {
	if n <= 0 {
		return ""
	}
	return strings.Repeat(s, n)
}
