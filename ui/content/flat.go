package content

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/highlight"
	"mcploupe/themes"
)

// flat is drawn lines as one text, in which a paragraph is one line whatever it is broken into: what is looked for may go on behind the
// end of a line.
type flat struct {
	text []byte
	from []int // where each line begins in the text, and the text's length
	skip []int // cells before it that are not in the text
}

// flatten puts lines together. What they are set in from the left is left out, and so are styles.
func flatten(lines []string) *flat {
	f := &flat{from: make([]int, 0, len(lines)+1), skip: make([]int, 0, len(lines))}
	blank := true
	for _, line := range lines {
		line = strings.TrimRight(ansi.Strip(line), " ")
		text := strings.TrimLeft(line, " │")
		switch {
		case text == "" && len(f.text) > 0 && !blank:
			f.text = append(f.text, '\n')
		case text != "" && !blank:
			f.text = append(f.text, ' ')
		}
		blank = text == ""
		f.from = append(f.from, len(f.text))
		f.skip = append(f.skip, ansi.StringWidth(line[:len(line)-len(text)]))
		f.text = append(f.text, text...)
	}
	f.from = append(f.from, len(f.text))
	return f
}

// line is the line that holds a byte of the text.
func (f *flat) line(at int) int {
	return sort.Search(len(f.from)-1, func(i int) bool { return f.from[i] > at }) - 1
}

// linesFound is what was found in drawn lines.
type linesFound struct {
	flat *flat
	hits []highlight.Hit
	on   int
}

// look gives what looks for a query in lines.
func (l *linesFound) look(lines []string, query string) func() (int, func()) {
	return func() (int, func()) {
		f := flatten(lines)
		hits := highlight.FindText(f.text, query)
		return len(hits), func() { l.flat, l.hits, l.on = f, hits, -1 }
	}
}

func (l *linesFound) stand(i int)     { l.on = i }
func (l *linesFound) rowOf(i int) int { return l.flat.line(int(l.hits[i].From)) }
func (l *linesFound) forget()         { *l = linesFound{} }

// mark paints over a drawn line what was found in it.
func (l *linesFound) mark(line string, k int, s *themes.Styles) string {
	if len(l.hits) == 0 || k >= len(l.flat.skip) {
		return line
	}
	from, to := l.flat.from[k], l.flat.from[k+1]
	text := l.flat.text[from:to]
	for i := sort.Search(len(l.hits), func(i int) bool { return int(l.hits[i].To) > from }); i < len(l.hits) && int(l.hits[i].From) < to; i++ {
		a, b := max(int(l.hits[i].From), from), min(int(l.hits[i].To), to)
		left := l.flat.skip[k] + ansi.StringWidth(string(text[:a-from]))
		right := left + ansi.StringWidth(strings.TrimRight(string(text[a-from:b-from]), " \n"))
		style := &s.Match
		if i == l.on {
			style = &s.MatchOn
		}
		line = ansi.Cut(line, 0, left) + style.Render(ansi.Strip(ansi.Cut(line, left, right))) + ansi.TruncateLeft(line, right, "")
	}
	return line
}
