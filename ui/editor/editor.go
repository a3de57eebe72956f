package editor

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
)

// Problem is something wrong with the text: at a node of it (a schema's word), or at its bytes (not JSON).
type Problem struct {
	At   jsondoc.Span // bytes of the text
	Text string
}

// Editor is a Buffer on a screen: it scrolls, colours what is visible, and marks what is wrong while typing.
type Editor struct {
	buf  *Buffer
	top  int // first visible line
	left int // first visible column
	high int // lines of the last drawing, for page keys

	// Judge finds what is wrong with a valid JSON text beyond its syntax; nil finds nothing.
	Judge func(*jsondoc.Document) []Problem

	doc      *jsondoc.Document
	problems []Problem
	version  int
}

// New is an editor of this text.
func New(text string) *Editor { return &Editor{buf: NewBuffer(text), version: -1} }

// Text is what has been typed, byte for byte.
func (e *Editor) Text() string { return e.buf.Text() }

// SetText replaces the text; that can be undone.
func (e *Editor) SetText(text string) { e.buf.SetText(text) }

// Document is the text as JSON; it is parsed once for each change.
func (e *Editor) Document() *jsondoc.Document {
	e.read()
	return e.doc
}

// Problems lists what is wrong, syntax first.
func (e *Editor) Problems() []Problem {
	e.read()
	return e.problems
}

// Rejudge forgets the findings, for when Judge means something else now.
func (e *Editor) Rejudge() { e.version = -1 }

// Format lays the text out anew, two blanks a level, every token as it was spelled. Text that is no
// JSON stays as it is: formatting must not lose what somebody wrote.
func (e *Editor) Format() bool {
	doc := e.Document()
	if !doc.Valid() {
		return false
	}
	e.buf.SetText(string(jsondoc.Indent(nil, doc.Root(), "", "  ")))
	return true
}

func (e *Editor) read() {
	if e.version == e.buf.Version() {
		return
	}
	e.version = e.buf.Version()
	e.doc = jsondoc.Parse([]byte(e.buf.Text()))
	e.problems = nil
	for _, f := range e.doc.Faults {
		text := f.Kind.String()
		if f.Detail != "" {
			text += ": " + f.Detail
		}
		e.problems = append(e.problems, Problem{f.At, text})
	}
	if e.Judge != nil && e.doc.Valid() {
		e.problems = append(e.problems, e.Judge(e.doc)...)
	}
}

// Key handles a key or a paste as editing; it tells whether it did. Keys with a meaning elsewhere
// (tab, esc, send) are not its own.
func (e *Editor) Key(msg tea.Msg) bool {
	b := e.buf
	switch msg := msg.(type) {
	case tea.PasteMsg:
		b.Insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^tea.ModShift == 0 {
			b.Insert(msg.Text)
			return true
		}
		move, ok := map[string]func(){
			"left": b.Left, "right": b.Right, "home": b.Home, "end": b.End, "ctrl+a": b.Home, "ctrl+e": b.End,
			"up": func() { b.Lines(-1) }, "down": func() { b.Lines(1) },
			"pgup": func() { b.Lines(-max(1, e.high-1)) }, "pgdown": func() { b.Lines(max(1, e.high-1)) },
			"ctrl+left": b.WordLeft, "ctrl+right": b.WordRight, "alt+b": b.WordLeft, "alt+f": b.WordRight,
			"ctrl+home": b.Top, "ctrl+end": b.Bottom,
			"enter": b.Newline, "backspace": b.Backspace, "delete": b.Delete, "ctrl+w": b.DeleteWord, "alt+backspace": b.DeleteWord,
			"ctrl+k": b.DeleteToEnd, "ctrl+z": func() { b.Undo() }, "ctrl+_": func() { b.Undo() }, "ctrl+y": func() { b.Redo() },
			"ctrl+l": func() { e.Format() },
		}[msg.String()]
		if ok {
			move()
		}
		return ok
	}
	return false
}

// Go moves the cursor to a byte of the text.
func (e *Editor) Go(offset int) { e.buf.Go(offset) }

// Draw is exactly h lines of w cells.
func (e *Editor) Draw(w, h int, focused bool, s *themes.Styles) string {
	e.read()
	e.high = h
	b := e.buf
	gutter := max(2, len(strconv.Itoa(len(b.lines)))) + 2
	wide := max(1, w-gutter)
	e.scroll(wide, h)
	marked := e.markedLines()
	match := e.bracket()
	out := make([]string, h)
	offset := b.offset(pos{e.top, 0})
	for i := range h {
		n := e.top + i
		if n >= len(b.lines) {
			out[i] = s.Faint.Render(pad("~", w))
			continue
		}
		number := fmt.Sprintf("%*d ", gutter-2, n+1)
		sign, style := " ", s.Faint
		if marked[n] {
			sign, style = "✖", s.Must
		}
		line := e.line(n, offset, wide, focused, match, s)
		out[i] = style.Render(sign) + s.Faint.Render(number) + line
		offset += len(b.lines[n]) + 1
	}
	return strings.Join(out, "\n")
}

func (e *Editor) scroll(wide, h int) {
	b := e.buf
	e.top = max(0, min(e.top, len(b.lines)-1))
	if b.cur.line < e.top {
		e.top = b.cur.line
	}
	if b.cur.line >= e.top+h {
		e.top = b.cur.line - h + 1
	}
	col := ansi.StringWidth(visible.Escape(b.lines[b.cur.line][:b.cur.col]))
	if col < e.left {
		e.left = max(0, col-wide/4)
	}
	if col >= e.left+wide {
		e.left = col - wide + 1 + wide/4
	}
}

// line paints the visible part of one line: a run of cells of one style is rendered at once.
func (e *Editor) line(n, offset, wide int, focused bool, match [2]int, s *themes.Styles) string {
	text := e.buf.lines[n]
	var out, run strings.Builder
	var style lipgloss.Style
	last := -1
	flush := func() {
		if run.Len() > 0 {
			out.WriteString(style.Render(run.String()))
			run.Reset()
		}
	}
	painter := painter{doc: e.doc, styles: s, node: -1}
	col, used := 0, 0
	for g := graphemes.FromString(text); used < wide && g.Next(); {
		cells := visible.Escape(g.Value())
		cw := ansi.StringWidth(cells)
		if col += cw; col <= e.left {
			continue
		}
		at := offset + g.Start()
		key, look := painter.at(at)
		if cells != g.Value() {
			key, look = 100, s.Hidden
		}
		if at == match[0] || at == match[1] {
			key, look = 101, look.Underline(true).Bold(true)
		}
		for _, p := range e.problems {
			if at >= int(p.At.From) && at < int(p.At.To) {
				key, look = 102, s.Mark
				break
			}
		}
		if focused && e.buf.cur == (pos{n, g.Start()}) {
			key, look = 103, look.Reverse(true)
		}
		if used+cw > wide {
			break
		}
		if key != last {
			flush()
			style, last = look, key
		}
		run.WriteString(cells)
		used += cw
	}
	flush()
	if used < wide && focused && e.buf.cur == (pos{n, len(text)}) {
		out.WriteString(s.Text.Reverse(true).Render(" "))
		used++
	}
	out.WriteString(strings.Repeat(" ", max(0, wide-used)))
	return out.String()
}

func (e *Editor) markedLines() map[int]bool {
	marked := map[int]bool{}
	for _, p := range e.problems {
		marked[e.buf.at(int(p.At.From)).line] = true
	}
	return marked
}

// bracket is where the bracket at the cursor and its partner are, -1 when the cursor is at none.
func (e *Editor) bracket() [2]int {
	at := e.buf.offset(e.buf.cur)
	for _, o := range []int{at, at - 1} {
		if o < 0 || o >= len(e.doc.Text) || !strings.ContainsRune("{}[]", rune(e.doc.Text[o])) {
			continue
		}
		id := e.doc.NodeAt(o)
		if id < 0 {
			continue
		}
		n := e.doc.Nodes[id]
		first, last := int(n.Value.From), int(n.Value.To)-1
		if (n.Kind == jsondoc.Object || n.Kind == jsondoc.Array) && (o == first || o == last) {
			return [2]int{first, last}
		}
	}
	return [2]int{-1, -1}
}

// painter answers the style of a byte, for rising offsets: from one node to the next is one step.
type painter struct {
	doc    *jsondoc.Document
	styles *themes.Styles
	node   int32
}

func (p *painter) at(offset int) (int, lipgloss.Style) {
	if p.node < 0 {
		p.node = max(0, p.doc.NodeAt(offset))
	}
	for int(p.node)+1 < len(p.doc.Nodes) && start(p.doc.Nodes[p.node+1]) <= offset {
		p.node++
	}
	if int(p.node) >= len(p.doc.Nodes) {
		return 0, p.styles.Text
	}
	n := p.doc.Nodes[p.node]
	o := int32(offset)
	switch {
	case n.Key.From <= o && o < n.Key.To:
		return 1, p.styles.Key
	case o < n.Value.From || o >= n.Value.To:
		return 2, p.styles.Punct
	}
	switch n.Kind {
	case jsondoc.String:
		return 3, p.styles.String
	case jsondoc.Number:
		return 4, p.styles.Number
	case jsondoc.Bool, jsondoc.Null:
		return 5, p.styles.Literal
	case jsondoc.Invalid:
		return 6, p.styles.Must
	}
	return 2, p.styles.Punct
}

func start(n jsondoc.Node) int {
	if n.Key.To > n.Key.From {
		return int(n.Key.From)
	}
	return int(n.Value.From)
}

func pad(s string, w int) string { return s + strings.Repeat(" ", max(0, w-ansi.StringWidth(s))) }

// Point moves the cursor to a cell of the last drawing.
func (e *Editor) Point(x, y int) {
	b := e.buf
	line := min(max(e.top+y, 0), len(b.lines)-1)
	want := max(0, x-max(2, len(strconv.Itoa(len(b.lines))))-2) + e.left
	col, width := 0, 0
	for g := graphemes.FromString(b.lines[line]); g.Next(); {
		width += ansi.StringWidth(visible.Escape(g.Value()))
		if width > want {
			break
		}
		col = g.End()
	}
	b.move(pos{line, col})
}
