package editor

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// Problem is something wrong with the text: at a node of it (a schema's word), or at its bytes (not JSON).
type Problem struct {
	At   jsondoc.Span // bytes of the text
	Text string
	Soft bool // nothing is known to be wrong, as where the schema could not be applied: it keeps nobody from sending
}

// Editor is a Buffer on a screen: it scrolls, colours what is visible, and marks what is wrong while typing.
type Editor struct {
	buf  *Buffer
	top  int // first visible line
	left int // first visible column
	high int // lines of the last drawing, for page keys

	// Judge finds what is wrong with a valid JSON text beyond its syntax; nil finds nothing. It may be called on another
	// goroutine.
	Judge func(*jsondoc.Document) []Problem
	// Schema describes the text, for what can be written at the cursor; Missing: nothing is known.
	Schema jsondoc.Value
	// Later does work beside the screen and then, on it, what that gives back; nil: everything is done at once.
	Later func(work func() (then func()))

	check   check
	search  search
	hits    hits
	popup   *popup
	bytes   int // of the text
	sizeFor int // the version that bytes is for
}

// New is an editor of this text.
func New(text string) *Editor {
	e := &Editor{buf: NewBuffer(text)}
	e.check.version = -1
	e.buf.Changed = e.note
	return e
}

// Text is what has been typed, byte for byte.
func (e *Editor) Text() string { return e.buf.Text() }

// SetText replaces the text; that can be undone.
func (e *Editor) SetText(text string) {
	e.popup, e.search.open = nil, false
	before := e.buf.Version()
	if e.buf.SetText(text); e.buf.Version() != before {
		e.check.doc, e.check.problems = nil, nil // nothing of what was found holds for another text
	}
}

// Format lays the text out anew, two blanks a level, every token as it was spelled. Text that is no
// JSON stays as it is: formatting must not lose what somebody wrote. The cursor stays at its value.
func (e *Editor) Format() bool {
	doc := e.parsed()
	if !doc.Valid() {
		return false
	}
	node := e.here(doc)
	text, at := jsondoc.IndentTo(make([]byte, 0, len(doc.Text)+len(doc.Text)/4), doc.Root(), "", "  ", node)
	if e.SetText(string(text)); at >= 0 {
		e.Go(at + inside(doc.Value(node)))
	}
	return true
}

// parsed is the text as JSON without holding it against anything, which takes longer.
func (e *Editor) parsed() *jsondoc.Document {
	if e.settled() {
		return e.check.doc
	}
	return jsondoc.Parse([]byte(e.buf.Text()))
}

// Place leads to the value at the cursor, or the one that ends there.
func (e *Editor) Place() jsondoc.Pointer {
	doc := e.parsed()
	return doc.Pointer(e.here(doc))
}

// here is the value at the cursor, or the one that ends there.
func (e *Editor) here(doc *jsondoc.Document) int32 {
	at := e.buf.offset(e.buf.cur)
	return max(doc.NodeAt(at), doc.NodeAt(at-1)) // nodes stand in reading order: what is inside comes after what is around
}

// Seek moves the cursor to the value that a pointer leads to, if there is one: inside of its quotes or brackets.
func (e *Editor) Seek(at jsondoc.Pointer) {
	doc := e.parsed()
	v := doc.At(at)
	if !v.Exists() {
		return
	}
	e.Go(int(doc.Nodes[v.Node()].Value.From) + inside(v))
}

// inside is how many bytes behind the start of a value the cursor stands in it: inside of its quotes or brackets.
func inside(v jsondoc.Value) int {
	if v.Is(jsondoc.String) || v.Is(jsondoc.Object) || v.Is(jsondoc.Array) {
		return 1
	}
	return 0
}

// Key handles a key or a paste as editing; it tells whether it did. Keys with a meaning elsewhere
// (tab, esc, send) are not its own.
func (e *Editor) Key(msg tea.Msg) bool {
	b := e.buf
	if e.search.open {
		return e.searchKey(msg)
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		e.popup = nil
		b.Insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		if e.popup != nil && e.popupKey(msg) {
			return true
		}
		if msg.Text != "" && msg.Mod&^tea.ModShift == 0 {
			if !e.closes(msg.Text) {
				b.Insert(msg.Text)
			}
			e.suggest(false)
			return true
		}
		e.popup = nil
		move, ok := map[string]func(){
			"left": b.Left, "right": b.Right, "home": b.Home, "end": b.End, "ctrl+a": b.Home, "ctrl+e": b.End,
			"up": func() { b.Lines(-1) }, "down": func() { b.Lines(1) },
			"pgup": func() { b.Lines(-max(1, e.high-1)) }, "pgdown": func() { b.Lines(max(1, e.high-1)) },
			"ctrl+left": b.WordLeft, "ctrl+right": b.WordRight, "alt+b": b.WordLeft, "alt+f": b.WordRight,
			"ctrl+home": b.Top, "ctrl+end": b.Bottom,
			"enter": func() { b.Newline(); e.suggest(false) }, "backspace": func() { b.Backspace(); e.shrunk() }, "delete": b.Delete,
			"ctrl+w": b.DeleteWord, "alt+backspace": b.DeleteWord,
			"ctrl+k": b.DeleteToEnd, "ctrl+z": func() { b.Undo() }, "ctrl+_": func() { b.Undo() }, "ctrl+y": func() { b.Redo() },
			"ctrl+l": func() { e.Format() }, "ctrl+f": e.Find, "f3": func() { e.Next(1) }, "shift+f3": func() { e.Next(-1) },
			"ctrl+space": func() { e.suggest(true) },
		}[msg.String()]
		if ok {
			move()
		}
		return ok
	}
	return false
}

// shrunk narrows or widens the list after a letter was taken away, while a word is left.
func (e *Editor) shrunk() {
	if e.suggest(false); e.popup != nil && e.popup.where.typed == "" {
		e.popup = nil
	}
}

// closes types over what stands there already: a quote at the end of its string; and a closing bracket on a line that holds
// nothing else goes back to the level of the one that it closes.
func (e *Editor) closes(text string) bool {
	b := e.buf
	line := b.lines[b.cur.line]
	switch text {
	case `"`:
		if b.cur.col < len(line) && line[b.cur.col] == '"' && b.cur.col > 0 {
			closing, from := false, b.between(b.cur.line, b.cur.col)
			lex(line[from:], func(t token) bool {
				closing = closing || !t.open && (t.sort == name || t.sort == textSort) && from+t.to == b.cur.col+1
				return from+t.to <= b.cur.col
			})
			if closing {
				b.Right()
				return true
			}
		}
	case "}", "]":
		if head := line[:b.cur.col]; head != "" && strings.Trim(head, " \t") == "" && strings.Trim(line, " \t") == "" {
			if open, ok := b.opener(b.cur); ok {
				up := b.lines[open.line]
				indent := up[:len(up)-len(strings.TrimLeft(up, " \t"))]
				b.replace(pos{b.cur.line, 0}, pos{b.cur.line, len(line)}, indent+text, false)
				return true
			}
		}
	}
	return false
}

// Go moves the cursor to a byte of the text.
func (e *Editor) Go(offset int) { e.buf.Go(offset) }

// Draw is exactly h lines of w cells.
func (e *Editor) Draw(w, h int, focused bool, s *themes.Styles) string {
	e.read()
	foot := ""
	if e.search.open && h > 1 {
		h--
		foot = "\n" + e.searchLine(w, s)
	}
	e.high = h
	b := e.buf
	gutter := e.gutter()
	wide := max(1, w-gutter)
	x := e.scroll(wide, h)
	offset := b.offset(pos{e.top, 0})
	p := e.pen(offset, h, focused, s)
	out := make([]string, h)
	for i := range h {
		n := e.top + i
		if n >= len(b.lines) {
			out[i] = s.Faint.Render(kit.Fit("~", w))
			continue
		}
		number := fmt.Sprintf("%*d ", gutter-2, n+1)
		sign, style := " ", s.Faint
		if p.marked[n] {
			sign, style = "✖", s.Must
		}
		line := e.line(n, offset, wide, p)
		numbers := s.Faint
		if n == b.cur.line && focused {
			numbers = s.Muted
		}
		out[i] = style.Render(sign) + numbers.Render(number) + line
		offset += len(b.lines[n]) + 1
	}
	if e.popup != nil && focused {
		e.lay(out, gutter+x-cells(visible.Escape(e.popup.where.typed)), w, s)
	}
	return strings.Join(out, "\n") + foot
}

// gutter is the cells before the text: a sign and the number of the line.
func (e *Editor) gutter() int { return max(2, len(strconv.Itoa(len(e.buf.lines)))) + 2 }

// scroll keeps the cursor in view, and gives its column there.
func (e *Editor) scroll(wide, h int) int {
	b := e.buf
	e.top = max(0, min(e.top, len(b.lines)-1))
	if b.cur.line < e.top {
		e.top = b.cur.line
	}
	if b.cur.line >= e.top+h {
		e.top = b.cur.line - h + 1
	}
	col := b.column(b.cur)
	if col < e.left {
		e.left = max(0, col-wide/4)
	}
	if col >= e.left+wide {
		e.left = col - wide + 1 + wide/4
	}
	return col - e.left
}

// Point moves the cursor to a cell of the last drawing.
func (e *Editor) Point(x, y int) {
	b := e.buf
	line := min(max(e.top+y, 0), len(b.lines)-1)
	want := max(0, x-e.gutter()) + e.left
	col, width := 0, 0
	for text := b.lines[line]; col < len(text); {
		n, _, w := cluster(text[col:])
		if width += w; width > want {
			break
		}
		col += n
	}
	e.popup = nil
	b.move(pos{line, col})
}
