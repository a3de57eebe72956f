package editor

import (
	"strconv"

	"mcploupe/session/jsondoc"
)

// where says what could be written at the cursor: found by one walk over the tokens before it, so that it is known for
// text that is no JSON yet.
type where struct {
	place    jsondoc.Pointer // of the object whose name is written, or of the value
	name     bool            // a name is expected, not a value
	comma    bool            // a value ends right before: what is written needs a comma first
	last     pos             // where that value ends
	from, to pos             // what is written over: the word at the cursor
	typed    string          // that word up to the cursor, without its quotes, escapes as they stand
	quoted   bool            // it is a string
	colon    bool            // a colon follows it already
	more     bool            // another member or element follows
	members  map[string]string
}

// level is an open container on the way to the cursor.
type level struct {
	array bool
	index int
	open  pos // its bracket
	line  int // where its last name stands
	name  token
}

// What the grammar wants next.
const (
	wantValue = iota
	wantName
	wantColon
	wantComma
)

// context tells where the cursor is; ok is false where nothing could be written, as behind the end of the text. The walk to
// the cursor allocates nothing but the levels: there may be a megabyte before it.
func (b *Buffer) context() (w where, ok bool) {
	stack := make([]level, 0, 16)
	expect, found := wantValue, false
	w.from, w.to = b.cur, b.cur
	for n := 0; n <= b.cur.line && !found; n++ {
		line := b.lines[n]
		lex(line, func(t token) bool {
			if n == b.cur.line {
				if t.from >= b.cur.col {
					return false
				}
				if b.cur.col < t.to || b.cur.col == t.to && t.sort != punct && (t.open || t.sort != textSort && t.sort != name) {
					found = true
					w.quoted = t.sort == textSort || t.sort == name
					w.from, w.to = pos{n, t.from}, pos{n, wordEnd(line, b.cur.col, w.quoted)}
					w.typed = line[t.from:b.cur.col]
					if w.quoted {
						w.typed = line[t.from+1 : b.cur.col]
					}
					return false
				}
			}
			w.last = pos{n, t.to}
			if t.sort != punct {
				if expect != wantName || len(stack) == 0 {
					expect = wantComma
					return true
				}
				top := &stack[len(stack)-1]
				top.line, top.name, expect = n, t, wantColon
				return true
			}
			switch c := line[t.from]; {
			case c == '{':
				stack, expect = append(stack, level{open: pos{n, t.from}}), wantName
			case c == '[':
				stack, expect = append(stack, level{open: pos{n, t.from}, array: true}), wantValue
			case c == ':':
				expect = wantValue
			case len(stack) == 0:
			case c != ',':
				stack, expect = stack[:len(stack)-1], wantComma
			case stack[len(stack)-1].array:
				stack[len(stack)-1].index++
				expect = wantValue
			default:
				expect = wantName
			}
			return true
		})
	}
	if len(stack) == 0 {
		return w, false
	}
	for i := range stack[:len(stack)-1] {
		w.place = jsondoc.Join(w.place, b.step(&stack[i]))
	}
	top := &stack[len(stack)-1]
	switch {
	case expect == wantName, expect == wantComma && !top.array:
		w.name, w.comma = true, expect == wantComma
	case expect == wantValue:
		w.place = jsondoc.Join(w.place, b.step(top))
	default:
		return w, false
	}
	w.members = map[string]string{}
	if !top.array {
		b.gather(&w, pos{top.open.line, top.open.col + 1}, w.from)
	}
	b.gather(&w, w.to, pos{len(b.lines), 0})
	return w, true
}

func (b *Buffer) step(l *level) string {
	if l.array {
		return strconv.Itoa(l.index)
	}
	return unquote(b.lines[l.line][l.name.from:l.name.to])
}

// maxAhead bounds how many lines are looked at for names that are there already.
const maxAhead = 20_000

// gather reads the members of an object between two places, of which the first is directly inside of it: their names, and
// the values of single tokens. It ends with the object. Behind the cursor it also tells what comes first.
func (b *Buffer) gather(w *where, from, to pos) {
	depth, first, expect, done := 0, from == w.to, "", false
	for n := from.line; n < len(b.lines) && n <= to.line && n < from.line+maxAhead && !done; n++ {
		line, skip := b.lines[n], 0
		if n == from.line {
			skip = from.col
		}
		if n == to.line {
			line = line[:to.col]
		}
		lex(line[skip:], func(t token) bool {
			word := line[skip+t.from : skip+t.to]
			if first {
				first = false
				w.colon, w.more = word == ":", t.sort != punct
			}
			switch {
			case t.sort == punct && (word == "{" || word == "["):
				depth++
			case t.sort == punct && (word == "}" || word == "]"):
				if depth--; depth < 0 {
					done = true
					return false
				}
			case depth > 0:
			case t.sort == name:
				expect = unquote(word)
				w.members[expect] = ""
			case t.sort != punct && expect != "":
				w.members[expect] = word
				expect = ""
			}
			return true
		})
	}
}

// wordEnd is the end of the word at the cursor. A string without its end reaches to the next quote, wherever that is: only
// what could be the rest of the word belongs to it.
func wordEnd(line string, at int, quoted bool) int {
	for at < len(line) && (isWord(rune(line[at])) || line[at] == '-' || line[at] == '.' || line[at] == '$' || line[at] >= 0x80) {
		at++
	}
	if quoted && at < len(line) && line[at] == '"' {
		at++
	}
	return at
}

// unquote is what a name says; what is no string stands for itself.
func unquote(word string) string {
	if v := jsondoc.Parse([]byte(word)).Root(); v.Is(jsondoc.String) {
		return v.Text()
	}
	return word
}
