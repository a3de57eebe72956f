package highlight

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/visible"
	"mcploupe/themes"
)

// Markdown renders the Markdown that descriptions and instructions are written in: headings, lists,
// quotes, code, tables that fit, emphasis, links, rules. It is made for text that nobody trusts: everything is escaped, a
// link's and a picture's address is always shown beside its text, nothing is hidden, and what is not
// understood (HTML) stands there as it was written. Rows have at most width columns and no newlines.
func Markdown(text string, width int, s *themes.Styles) []string {
	m := markdown{pal: newPalette(s), styles: s, width: max(width, 16)}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); {
		i = m.block(lines, i)
	}
	for len(m.rows) > 0 && m.rows[len(m.rows)-1] == "" {
		m.rows = m.rows[:len(m.rows)-1]
	}
	return m.rows
}

type markdown struct {
	pal    *palette
	styles *themes.Styles
	width  int
	rows   []string
	lexed  int // bytes between fences that were coloured
	flat   int // the line up to which a table that does not fit stands as it was written
	list   int // columns before the text of the list item that is gone on with, 0 outside of lists
	w      writer
}

// piece is text of one ink; the text is escaped already.
type piece struct {
	text string
	ink  ink
}

// block renders the block that starts at line i and gives the line behind it.
func (m *markdown) block(lines []string, i int) int {
	line := strings.TrimRight(lines[i], " \t")
	body := strings.TrimLeft(line, " \t")
	lead := ansi.StringWidth(strings.ReplaceAll(line[:len(line)-len(body)], "\t", "    "))
	if body == "" {
		m.gap()
		return i + 1
	}
	mark, rest := bullet(body)
	if mark == "" && lead < m.list {
		if m.list = lead; lead < 2 { // an item around it goes on, or none
			m.list = 0
		}
	}
	switch {
	case strings.HasPrefix(body, "```"), strings.HasPrefix(body, "~~~"):
		return m.fence(lines, i, body[:3])
	case lead >= 4 && (m.list == 0 || lead >= m.list+4):
		m.code(strings.TrimPrefix(strings.TrimPrefix(line, "\t"), "    "))
		return i + 1
	case heading(body) > 0:
		m.gap()
		level := heading(body)
		m.flow([]piece{{visible.Escape(strings.TrimSpace(strings.Trim(body[level:], "#"))), inkTitle}}, "", "", inkText)
		return i + 1
	case rule(body):
		m.row(piece{strings.Repeat("─", min(m.width, 24)), inkFaint})
		return i + 1
	case body[0] == '>':
		var inner []string
		for ; i < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[i], " "), ">"); i++ {
			inner = append(inner, strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(lines[i], " "), ">"), " "))
		}
		m.flow(inline(strings.Join(inner, " ")), "│ ", "│ ", inkFaint)
		return i
	case strings.HasPrefix(body, "|"): // a table, or a row of none: breaking it would help nobody
		if end := m.table(lines, i); end > i {
			return end
		}
		m.flow([]piece{{visible.Escape(body), inkText}}, "", "  ", inkText)
		return i + 1
	}
	if mark != "" {
		m.list = lead + len(mark)
	}
	indent := strings.Repeat(" ", min(m.list-len(mark), m.width/3)+len(mark))
	first := indent[len(mark):] + mark
	paragraph := []string{rest}
	for i++; i < len(lines) && continues(lines[i]); i++ {
		paragraph = append(paragraph, strings.TrimSpace(lines[i]))
	}
	m.flow(inline(strings.Join(paragraph, " ")), strings.Replace(strings.Replace(first, "* ", "• ", 1), "- ", "• ", 1), indent, inkFaint)
	return i
}

// continues tells that a line goes on with the paragraph above it.
func continues(line string) bool {
	body := strings.TrimSpace(line)
	if body == "" || heading(body) > 0 || rule(body) || strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") || body[0] == '>' || body[0] == '|' {
		return false
	}
	mark, _ := bullet(body)
	return mark == ""
}

// heading is the level of a heading, 0 for none.
func heading(body string) int {
	n := len(body) - len(strings.TrimLeft(body, "#"))
	if n == 0 || n > 6 || n < len(body) && body[n] != ' ' {
		return 0
	}
	return n
}

// rule tells that the line is a horizontal rule: three or more of one of - * _.
func rule(body string) bool {
	body = strings.ReplaceAll(body, " ", "")
	return len(body) >= 3 && strings.Contains("-*_", body[:1]) && strings.Trim(body, body[:1]) == ""
}

// bullet splits the mark of a list item, "- ", "* ", "+ " or "12. ", from its text.
func bullet(body string) (mark, rest string) {
	if len(body) > 1 && strings.Contains("-*+", body[:1]) && body[1] == ' ' {
		return body[:2], strings.TrimSpace(body[2:])
	}
	number, text, ok := strings.Cut(body, " ")
	if ok && len(number) > 1 && len(number) < 6 && strings.Contains(".)", number[len(number)-1:]) {
		if _, err := strconv.ParseUint(number[:len(number)-1], 10, 32); err == nil {
			return number + " ", strings.TrimSpace(text)
		}
	}
	return "", body
}

// fence renders a block between fences.
func (m *markdown) fence(lines []string, i int, fence string) int {
	from := i + 1
	end := from
	for end < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[end]), fence) {
		end++
	}
	if !m.coded(lines[from:end], strings.TrimLeft(strings.TrimSpace(lines[i]), "`~")) {
		for _, l := range lines[from:end] {
			m.code(l)
		}
	}
	return min(end+1, len(lines))
}

// code renders a line of code, broken where it must be.
func (m *markdown) code(line string) {
	line = visible.EscapeText(line)
	for _, part := range strings.Split(ansi.Hardwrap(line, m.width-2, true), "\n") {
		m.row(piece{"  ", inkText}, piece{part, inkString})
	}
}

// gap puts an empty row between blocks.
func (m *markdown) gap() {
	if n := len(m.rows); n > 0 && m.rows[n-1] != "" {
		m.rows = append(m.rows, "")
	}
}

func (m *markdown) row(pieces ...piece) {
	m.w.reset(&m.pal.off)
	for _, p := range pieces {
		m.w.use(p.ink)
		m.w.string(p.text, 0)
	}
	m.rows = append(m.rows, m.w.done())
}

// flow breaks text at blanks into rows, the first behind first, the others behind hang.
func (m *markdown) flow(pieces []piece, first, hang string, lead ink) {
	row := []piece{{first, lead}}
	room := m.width - ansi.StringWidth(first)
	used := 0
	next := func() {
		m.row(row...)
		row, room, used = []piece{{hang, lead}}, m.width-ansi.StringWidth(hang), 0
	}
	for _, w := range words(pieces) {
		blank := 0
		if used > 0 && w.blank {
			blank = 1
		}
		if used > 0 && used+blank+w.cols > room {
			next()
			blank = 0
		}
		if blank > 0 {
			look := inkText
			if row[len(row)-1].ink == w.pieces[0].ink {
				look = w.pieces[0].ink
			}
			row = append(row, piece{" ", look})
			used++
		}
		for _, p := range w.pieces {
			parts := []string{p.text}
			if w.cols > room { // a word longer than a row
				parts = strings.Split(ansi.Hardwrap(p.text, max(room, 4), true), "\n")
			}
			for k, part := range parts {
				cols := ansi.StringWidth(part)
				if k > 0 || used > 0 && used+cols > room {
					next()
				}
				row = append(row, piece{part, p.ink})
				used += cols
			}
		}
	}
	if used > 0 || first != "" {
		m.row(row...)
	}
}

// word is what must not be broken at its inside: pieces without blanks between them.
type word struct {
	pieces []piece
	cols   int
	blank  bool // a blank stands before it
}

func words(pieces []piece) []word {
	var all []word
	blank := false
	for _, p := range pieces {
		for k, text := range strings.Split(p.text, " ") {
			blank = blank || k > 0
			if text == "" {
				continue
			}
			cols := ansi.StringWidth(text)
			if n := len(all); n > 0 && !blank {
				all[n-1].pieces = append(all[n-1].pieces, piece{text, p.ink})
				all[n-1].cols += cols
			} else {
				all = append(all, word{[]piece{{text, p.ink}}, cols, blank})
			}
			blank = false
		}
	}
	return all
}
