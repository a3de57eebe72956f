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
	cut      bool // there may be more of them, too far away to be looked at
}

// context tells where the cursor is; ok is false where nothing could be written, as behind the end of the text.
func (b *Buffer) context() (w where, ok bool) {
	from := b.near(b.cur)
	walk := from.copied()
	w.from, w.to = b.cur, b.cur
	b.tokens(from.at, func(line string, n int, t token) bool {
		if n > b.cur.line || n == b.cur.line && t.from >= b.cur.col {
			return false
		}
		if n == b.cur.line && (b.cur.col < t.to || b.cur.col == t.to && t.sort != punct && (t.open || t.sort != textSort && t.sort != name)) {
			w.quoted = t.sort == textSort || t.sort == name
			w.from, w.to = pos{n, t.from}, pos{n, wordEnd(line, b.cur.col, w.quoted)}
			w.typed = line[t.from:b.cur.col]
			if w.quoted {
				w.typed = line[t.from+1 : b.cur.col]
			}
			return false
		}
		walk.take(line, n, t)
		return true
	})
	stack := walk.stack
	if w.last = walk.last; len(stack) == 0 {
		return w, false
	}
	for i := range stack[:len(stack)-1] {
		w.place = jsondoc.Join(w.place, b.step(&stack[i]))
	}
	top := &stack[len(stack)-1]
	switch {
	case walk.expect == wantName, walk.expect == wantComma && !top.array:
		w.name, w.comma = true, walk.expect == wantComma
	case walk.expect == wantValue:
		w.place = jsondoc.Join(w.place, b.step(top))
	default:
		return w, false
	}
	w.members = map[string]string{}
	for _, m := range top.members[max(len(top.members)-maxBehind, 0):] {
		w.members[unquote(b.lines[m.line][m.from:m.to])] = b.lines[m.vline][m.vfrom:m.vto]
	}
	b.gather(&w)
	return w, true
}

func (b *Buffer) step(l *level) string {
	if l.array {
		return strconv.Itoa(l.index)
	}
	if len(l.members) == 0 {
		return ""
	}
	m := l.members[len(l.members)-1]
	return unquote(b.lines[m.line][m.from:m.to])
}

// maxBehind bounds how many members before the cursor are told apart.
const maxBehind = 2000

// gather reads the members behind the cursor, as far as it reaches: their names, and the values of single tokens. It ends with
// the object, and also tells what comes first.
func (b *Buffer) gather(w *where) {
	depth, first, expect := 0, true, ""
	seen, at := -w.to.col, w.to.line
	b.tokens(w.to, func(line string, n int, t token) bool {
		for ; at < n; at++ {
			seen += len(b.lines[at]) + 1
		}
		word := line[t.from:t.to]
		if first {
			first = false
			w.colon, w.more = word == ":", t.sort != punct
		}
		switch {
		case t.sort == punct && (word == "{" || word == "["):
			depth++
		case t.sort == punct && (word == "}" || word == "]"):
			if depth--; depth < 0 {
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
		w.cut = seen+t.to > reach
		return !w.cut
	})
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
