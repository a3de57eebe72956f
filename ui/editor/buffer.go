// Package editor is the raw JSON editor of a call's arguments: what is typed is what is sent, byte for
// byte, unless the person asks for formatting. It must never know: tools, sessions, or what the text is for.
package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pos is a place in the text: a line, and a byte offset in it that lies on a grapheme boundary.
type pos struct{ line, col int }

// edit is one replacement and what it takes to undo it: the text between at and after was `is`, and had been `was`.
type edit struct {
	at       pos
	was, is  string
	before   pos  // the cursor before
	together bool // typed on directly from the edit before: undone with it
}

// Buffer is text under a cursor, with undo. Lines end with LF; a CR stays part of its line.
type Buffer struct {
	lines      []string // at least one
	cur        pos
	goal       int // column to keep while moving up and down
	undo, redo []edit
	version    int // grows with every change
	stops      []stop
	widths     widths

	// Changed is told of every change: at a byte of the text, how many bytes were there and how many are; nil: nobody.
	Changed func(at, was, is int)
}

// NewBuffer holds text with the cursor at its start.
func NewBuffer(text string) *Buffer {
	b := &Buffer{}
	b.lines = strings.Split(text, "\n")
	return b
}

// Text is the whole text, byte for byte as typed.
func (b *Buffer) Text() string { return strings.Join(b.lines, "\n") }

// Version grows with every change, so that what was computed from the text can be kept until then.
func (b *Buffer) Version() int { return b.version }

// SetText replaces everything, as one change that can be undone.
func (b *Buffer) SetText(text string) {
	was := b.Text()
	if text == was {
		return
	}
	at := b.cur
	b.undo = append(b.undo, edit{was: was, is: text, before: at})
	b.redo = nil
	b.swap(pos{}, was, text)
	b.cur, b.goal = b.clamp(at), -1
}

// Insert puts text at the cursor and moves behind it. Line ends become LF.
func (b *Buffer) Insert(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	together := utf8.RuneCountInString(text) == 1 && text != "\n" && b.typedOn()
	b.replace(b.cur, b.cur, text, together)
}

// Newline breaks the line and indents the next one: as the line was, one step deeper behind an opening
// bracket; and a closing bracket right behind the cursor moves to a line of its own.
func (b *Buffer) Newline() {
	line := b.lines[b.cur.line]
	head, tail := line[:b.cur.col], line[b.cur.col:]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if len(indent) > b.cur.col {
		indent = indent[:b.cur.col]
	}
	trimmed := strings.TrimRight(head, " \t")
	opens := strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[")
	if !opens {
		b.replace(b.cur, b.cur, "\n"+indent, false)
		return
	}
	after := strings.TrimLeft(tail, " \t")
	if strings.HasPrefix(after, "}") || strings.HasPrefix(after, "]") {
		end := pos{b.cur.line, b.cur.col + len(tail) - len(after)}
		b.replace(b.cur, end, "\n"+indent+"  \n"+indent, false)
		b.cur = pos{b.cur.line - 1, len(indent) + 2}
		return
	}
	b.replace(b.cur, b.cur, "\n"+indent+"  ", false)
}

// Backspace removes the grapheme before the cursor, or joins with the line above.
func (b *Buffer) Backspace() {
	from := b.left(b.cur)
	if from != b.cur {
		b.replace(from, b.cur, "", false)
	}
}

// Delete removes the grapheme behind the cursor, or joins with the line below.
func (b *Buffer) Delete() {
	to := b.right(b.cur)
	if to != b.cur {
		b.replace(b.cur, to, "", false)
	}
}

// DeleteWord removes back to the start of the word before the cursor.
func (b *Buffer) DeleteWord() {
	from := b.wordLeft(b.cur)
	if from != b.cur {
		b.replace(from, b.cur, "", false)
	}
}

// DeleteToEnd removes the rest of the line, or the line break when nothing is left of it.
func (b *Buffer) DeleteToEnd() {
	end := pos{b.cur.line, len(b.lines[b.cur.line])}
	if end == b.cur {
		end = b.right(b.cur)
	}
	b.replace(b.cur, end, "", false)
}

// Undo takes back the last change (a run of typed letters is one); it tells whether there was any.
func (b *Buffer) Undo() bool {
	if len(b.undo) == 0 {
		return false
	}
	for {
		e := b.undo[len(b.undo)-1]
		b.undo = b.undo[:len(b.undo)-1]
		b.swap(e.at, e.is, e.was)
		b.cur = e.before
		b.redo = append(b.redo, e)
		if !e.together || len(b.undo) == 0 {
			return true
		}
	}
}

// Redo does again what Undo took back.
func (b *Buffer) Redo() bool {
	if len(b.redo) == 0 {
		return false
	}
	for {
		e := b.redo[len(b.redo)-1]
		b.redo = b.redo[:len(b.redo)-1]
		b.swap(e.at, e.was, e.is)
		b.cur = advance(e.at, e.is)
		b.undo = append(b.undo, e)
		if len(b.redo) == 0 || !b.redo[len(b.redo)-1].together {
			return true
		}
	}
}

// replace puts text in the place of what stands between two places, moves behind it, and remembers how to undo it.
func (b *Buffer) replace(from, to pos, text string, together bool) {
	was := b.slice(from, to)
	if was == text {
		return
	}
	e := edit{at: from, was: was, is: text, before: b.cur, together: together}
	b.undo = append(b.undo, e)
	b.redo = nil
	b.swap(from, was, text)
	b.cur = advance(from, text)
	b.goal = -1
}

// typedOn tells whether the last change ended where the cursor is and was typing too.
func (b *Buffer) typedOn() bool {
	if len(b.undo) == 0 {
		return false
	}
	e := b.undo[len(b.undo)-1]
	return e.was == "" && utf8.RuneCountInString(e.is) == 1 && e.is != "\n" && advance(e.at, e.is) == b.cur
}

func (b *Buffer) swap(at pos, was, is string) {
	if b.Changed != nil {
		b.Changed(b.offset(at), len(was), len(is))
	}
	b.version++
	b.changed(at)
	b.widths.changed(at)
	end := advance(at, was)
	if end.line == at.line && !strings.Contains(is, "\n") {
		line := b.lines[at.line]
		b.lines[at.line] = line[:at.col] + is + line[end.col:]
		return
	}
	if at == (pos{}) && end.line == len(b.lines)-1 && end.col == len(b.lines[end.line]) {
		b.lines = strings.Split(is, "\n") // all of it: nothing is copied
		return
	}
	text := b.lines[at.line][:at.col] + is + b.lines[end.line][end.col:]
	fresh := strings.Split(text, "\n")
	rest := b.lines[end.line+1:]
	lines := make([]string, 0, at.line+len(fresh)+len(rest))
	lines = append(lines, b.lines[:at.line]...)
	lines = append(lines, fresh...)
	b.lines = append(lines, rest...)
}

func (b *Buffer) slice(from, to pos) string {
	if from.line == to.line {
		return b.lines[from.line][from.col:to.col]
	}
	var s strings.Builder
	s.WriteString(b.lines[from.line][from.col:])
	for i := from.line + 1; i < to.line; i++ {
		s.WriteByte('\n')
		s.WriteString(b.lines[i])
	}
	s.WriteByte('\n')
	s.WriteString(b.lines[to.line][:to.col])
	return s.String()
}

func advance(at pos, text string) pos {
	n := strings.Count(text, "\n")
	if n == 0 {
		return pos{at.line, at.col + len(text)}
	}
	return pos{at.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

func (b *Buffer) clamp(p pos) pos {
	p.line = max(0, min(p.line, len(b.lines)-1))
	return pos{p.line, snap(b.lines[p.line], max(p.col, 0))}
}

// Left, Right, Up, Down, Home, End, WordLeft, WordRight, Top, Bottom move the cursor.

// Left moves one grapheme back, over the line's start to the end of the line above.
func (b *Buffer) Left() { b.move(b.left(b.cur)) }

// Right moves one grapheme on, over the line's end to the start of the line below.
func (b *Buffer) Right() { b.move(b.right(b.cur)) }

// WordLeft moves to the start of the word before the cursor.
func (b *Buffer) WordLeft() { b.move(b.wordLeft(b.cur)) }

// WordRight moves behind the word behind the cursor.
func (b *Buffer) WordRight() { b.move(b.wordRight(b.cur)) }

// Home moves to the first character that is no blank; from there to the line's start.
func (b *Buffer) Home() {
	line := b.lines[b.cur.line]
	first := len(line) - len(strings.TrimLeft(line, " \t"))
	if b.cur.col == first {
		first = 0
	}
	b.move(pos{b.cur.line, first})
}

// End moves to the end of the line.
func (b *Buffer) End() { b.move(pos{b.cur.line, len(b.lines[b.cur.line])}) }

// Top moves to the start of the text.
func (b *Buffer) Top() { b.move(pos{}) }

// Bottom moves to the end of the text.
func (b *Buffer) Bottom() { b.move(pos{len(b.lines) - 1, len(b.lines[len(b.lines)-1])}) }

// Lines moves n lines down (up when negative), keeping the column where lines are long enough.
func (b *Buffer) Lines(n int) {
	if b.goal < 0 {
		b.goal = b.cur.col
	}
	goal := b.goal
	b.cur = b.clamp(pos{b.cur.line + n, goal})
	b.goal = goal
}

// Go moves to a byte of the text.
func (b *Buffer) Go(offset int) { b.move(b.clamp(b.at(offset))) }

func (b *Buffer) move(p pos) { b.cur, b.goal = p, -1 }

func (b *Buffer) left(p pos) pos {
	if p.col == 0 {
		if p.line == 0 {
			return p
		}
		return pos{p.line - 1, len(b.lines[p.line-1])}
	}
	return pos{p.line, snap(b.lines[p.line], p.col-1)}
}

func (b *Buffer) right(p pos) pos {
	line := b.lines[p.line]
	if p.col >= len(line) {
		if p.line == len(b.lines)-1 {
			return p
		}
		return pos{p.line + 1, 0}
	}
	n, _, _ := cluster(line[p.col:])
	return pos{p.line, p.col + n}
}

func (b *Buffer) wordLeft(p pos) pos {
	if p.col == 0 {
		return b.left(p)
	}
	head := strings.TrimRightFunc(b.lines[p.line][:p.col], isNoWord)
	head = strings.TrimRightFunc(head, isWord)
	return pos{p.line, len(head)}
}

func (b *Buffer) wordRight(p pos) pos {
	line := b.lines[p.line]
	if p.col >= len(line) {
		return b.right(p)
	}
	tail := strings.TrimLeftFunc(line[p.col:], isNoWord)
	tail = strings.TrimLeftFunc(tail, isWord)
	return pos{p.line, len(line) - len(tail)}
}

func isWord(r rune) bool   { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
func isNoWord(r rune) bool { return !isWord(r) }

// offset is the byte offset of a place in Text, at the inverse of it.
func (b *Buffer) offset(p pos) int {
	n := 0
	for _, line := range b.lines[:p.line] {
		n += len(line) + 1
	}
	return n + p.col
}

func (b *Buffer) at(offset int) pos {
	for i, line := range b.lines {
		if offset <= len(line) {
			return pos{i, max(0, offset)}
		}
		offset -= len(line) + 1
	}
	return pos{len(b.lines) - 1, len(b.lines[len(b.lines)-1])}
}
