package highlight

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
)

// table renders a table that begins at line i, when one does and it fits: its head, the line of hyphens below it, its rows. It gives
// the line behind it; i when there is no table. Nothing is dropped: a row may have more cells than the head.
func (m *markdown) table(lines []string, i int) int {
	if i+1 >= len(lines) || i < m.flat {
		return i
	}
	right, ok := alignments(lines[i+1])
	if !ok || len(cellsOf(lines[i])) < 2 {
		return i
	}
	var rows [][][]piece
	end := i
	for ; end < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[end]), "|"); end++ {
		if end == i+1 {
			continue
		}
		var row [][]piece
		for _, c := range cellsOf(lines[end]) {
			row = append(row, inline(c))
		}
		rows = append(rows, row)
	}
	var widths []int
	for _, row := range rows {
		for k, cell := range row {
			if k == len(widths) {
				widths = append(widths, 1)
			}
			widths[k] = max(widths[k], colsOf(cell))
		}
	}
	total := gapColumns * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	if total > m.width {
		m.flat = end // nor is it tried from each of its lines on
		return i     // breaking it would help nobody
	}
	m.gap()
	for r, row := range rows {
		for len(row) > 0 && len(row[len(row)-1]) == 0 {
			row = row[:len(row)-1]
		}
		var out []piece
		for k, cell := range row {
			n := widths[k]
			pad := piece{strings.Repeat(" ", n-colsOf(cell)), inkText}
			if r == 0 {
				for j := range cell {
					cell[j].ink = inkTitle
				}
			}
			if k > 0 {
				out = append(out, piece{strings.Repeat(" ", gapColumns), inkText})
			}
			if k < len(right) && right[k] {
				out = append(append(out, pad), cell...)
			} else if out = append(out, cell...); k < len(row)-1 {
				out = append(out, pad)
			}
		}
		m.row(out...)
		if r == 0 {
			m.row(piece{strings.Repeat("─", total), inkFaint})
		}
	}
	return end
}

func colsOf(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += ansi.StringWidth(p.text)
	}
	return n
}

// alignments reads the line below a table's head: which columns stand at the right.
func alignments(line string) (right []bool, ok bool) {
	cells := cellsOf(strings.TrimSpace(line))
	for _, c := range cells {
		if strings.Trim(c, "-:") != "" || !strings.Contains(c, "-") {
			return nil, false
		}
		right = append(right, strings.HasSuffix(c, ":") && !strings.HasPrefix(c, ":"))
	}
	return right, len(cells) > 0
}

// cellsOf cuts a line at its strokes; \| is none.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var out []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '|':
			out = append(out, strings.TrimSpace(line[from:i]))
			from = i + 1
		case '\\':
			i++
		}
	}
	return append(out, strings.TrimSpace(line[from:]))
}

// maxCoded bounds the bytes between fences that are coloured in one text: all of them are read at once, and lexers are slow.
const maxCoded = 16 << 10

// coded renders the lines of a fence whose language is known, and tells whether it is.
func (m *markdown) coded(lines []string, language string) bool {
	language, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(language)), " ")
	text := []byte(strings.Join(lines, "\n"))
	if len(text) == 0 || m.lexed+len(text) > maxCoded {
		return false
	}
	var p *Painter
	if language == "json" {
		p = Raw(jsondoc.Parse(text), m.styles)
	} else if lexerNamed(language) != nil {
		p = Text(text, "text/"+language, "", m.styles)
	} else {
		return false
	}
	m.lexed += len(text)
	p.SetLook(Look{Width: m.width - 2, Wrap: true})
	for k := range p.Rows() {
		m.rows = append(m.rows, "  "+p.Row(k, 0).Text)
	}
	return true
}

// maxLooked is how much of a text is looked at to tell what it is.
const maxLooked = 16 << 10

// LooksLikeMarkdown tells that a text of no declared type is Markdown beyond doubt: by a fence, or by two kinds of marks of it. Text
// that merely has hyphens or stars in it keeps its line breaks.
func LooksLikeMarkdown(text string) bool {
	text = text[:min(len(text), maxLooked)]
	lines := strings.Split(text, "\n")
	var headings, items, fences, quotes, tables int
	for i, l := range lines {
		l = strings.TrimSpace(l)
		mark, rest := bullet(l)
		switch {
		case strings.HasPrefix(l, "```"):
			fences++
		case heading(l) > 0 && len(l) > heading(l)+1:
			headings++
		case mark != "" && rest != "":
			items++
		case strings.HasPrefix(l, "> "):
			quotes++
		case strings.HasPrefix(l, "|") && i+1 < len(lines):
			if _, ok := alignments(lines[i+1]); ok {
				tables++
			}
		}
	}
	kinds := 0
	for _, n := range []int{headings, items / 2, quotes, tables, strings.Count(text, "**") / 2, strings.Count(text, "](")} {
		if n > 0 {
			kinds++
		}
	}
	return fences >= 2 || tables > 0 || kinds >= 2
}
