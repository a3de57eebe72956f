package editor

import (
	"strings"

	"charm.land/lipgloss/v2"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// pen is what lines are painted with: worked out once for a drawing.
type pen struct {
	styles   *themes.Styles
	focused  bool
	pair     [2]pos
	paired   bool
	spans    []Problem    // what is wrong, of what is in view
	marked   map[int]bool // lines where something wrong begins
	hits     []pos        // places found, of what is in view
	hitBytes int
}

// pen gathers what matters to the lines in view, which begin at byte offset.
func (e *Editor) pen(offset, h int, focused bool, s *themes.Styles) *pen {
	p := &pen{styles: s, focused: focused, marked: map[int]bool{}}
	p.pair[0], p.pair[1], p.paired = e.buf.bracket()
	starts := []int{offset}
	for i := e.top; i < e.top+h && i < len(e.buf.lines); i++ {
		starts = append(starts, starts[len(starts)-1]+len(e.buf.lines[i])+1)
	}
	end := starts[len(starts)-1]
	for _, q := range e.check.problems {
		if q.Soft {
			continue
		}
		if int(q.At.From) < end && int(q.At.To) >= offset {
			p.spans = append(p.spans, q)
		}
		for i := len(starts) - 2; i >= 0; i-- {
			if from := int(q.At.From); from >= starts[i] && from < starts[i+1] {
				p.marked[e.top+i] = true
			}
		}
	}
	if e.search.open {
		p.hitBytes = len(e.search.what)
		for _, at := range e.found() {
			if at.line >= e.top && at.line < e.top+h {
				p.hits = append(p.hits, at)
			}
		}
	}
	return p
}

// The looks beyond those of tokens.
const (
	hiddenLook = 100 + iota
	pairLook
	wrongLook
	hitLook
	hitOnLook
	cursorLook
)

// line paints the visible part of line n, which begins at a byte of the text: a run of cells of one look is rendered at once.
func (e *Editor) line(n, offset, wide int, p *pen) string {
	line, s, b := e.buf.lines[n], p.styles, e.buf
	var out, run strings.Builder
	var style lipgloss.Style
	last := -1
	flush := func() {
		if run.Len() > 0 {
			out.WriteString(style.Render(run.String()))
			run.Reset()
		}
	}
	from, skipped := b.start(n, e.left)
	// The tokens that reach into the part in view.
	var tokens []token
	between := b.between(n, from)
	lex(line[between:], func(t token) bool {
		if t.from, t.to = t.from+between, t.to+between; t.to > from {
			tokens = append(tokens, t)
		}
		return t.from < from+8*wide // a cell has 8 bytes at most, but for rare clusters, which then have no colour
	})
	k, used := 0, skipped-e.left
	if used > 0 {
		out.WriteString(strings.Repeat(" ", used)) // half of a wide letter
	}
	for i := from; i < len(line) && used < wide; {
		size, text, cw := cluster(line[i:])
		for k < len(tokens) && tokens[k].to <= i {
			k++
		}
		key, look := int(punct), s.Punct
		if k < len(tokens) && tokens[k].from <= i {
			key, look = int(tokens[k].sort)+1, e.look(tokens[k].sort, s)
		}
		if text != line[i:i+size] {
			key, look = hiddenLook, s.Hidden
		}
		here := pos{n, i}
		if p.paired && (here == p.pair[0] || here == p.pair[1]) {
			key, look = pairLook, look.Underline(true).Bold(true)
		}
		for _, q := range p.spans {
			if at := offset + i; at >= int(q.At.From) && at < int(q.At.To) {
				key, look = wrongLook, s.Mark
				break
			}
		}
		for _, h := range p.hits {
			if h.line == n && i >= h.col && i < h.col+p.hitBytes {
				key, look = hitLook, s.Match
				if h == b.cur {
					key, look = hitOnLook, s.MatchOn
				}
				break
			}
		}
		if p.focused && b.cur == here && !e.search.open {
			flush()
			key, last = cursorLook, -1
			out.WriteString(kit.Caret(look, ""))
		}
		if used+cw > wide {
			break
		}
		if key != last {
			flush()
			style, last = look, key
		}
		run.WriteString(text)
		used, i = used+cw, i+size
	}
	flush()
	if used < wide && p.focused && b.cur == (pos{n, len(line)}) && !e.search.open {
		out.WriteString(kit.Caret(s.Text, " "))
		used++
	}
	out.WriteString(strings.Repeat(" ", max(0, wide-used)))
	return out.String()
}

func (e *Editor) look(s sort, styles *themes.Styles) lipgloss.Style {
	switch s {
	case name:
		return styles.Key
	case textSort:
		return styles.String
	case number:
		return styles.Number
	case literal:
		return styles.Literal
	case odd:
		return styles.Must
	}
	return styles.Punct
}
