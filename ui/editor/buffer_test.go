package editor

import (
	"strings"
	"testing"
)

// at sets the cursor where | stands in text and removes it.
func at(text string) *Buffer {
	before, after, _ := strings.Cut(text, "|")
	b := NewBuffer(before + after)
	b.Go(len(before))
	return b
}

func shown(b *Buffer) string {
	t, o := b.Text(), b.offset(b.cur)
	return t[:o] + "|" + t[o:]
}

func TestEditing(t *testing.T) {
	for _, story := range []struct {
		name, from, to string
		do             func(*Buffer)
	}{
		{"typing", `{|}`, `{"a"|}`, func(b *Buffer) { b.Insert(`"`); b.Insert("a"); b.Insert(`"`) }},
		{"a break between brackets opens a line between them", "{|}", "{\n  |\n}", (*Buffer).Newline},
		{"a break behind an opening bracket goes deeper", "  [| 1", "  [\n    | 1", (*Buffer).Newline},
		{"a break keeps the indent", "  \"a\": 1,|", "  \"a\": 1,\n  |", (*Buffer).Newline},
		{"pasted CRLF becomes LF", "|", "a\nb|", func(b *Buffer) { b.Insert("a\r\nb") }},
		{"backspace takes a whole grapheme", "x👨‍👩‍👧|y", "x|y", (*Buffer).Backspace},
		{"backspace joins lines", "a\n|b", "a|b", (*Buffer).Backspace},
		{"backspace at the start does nothing", "|ab", "|ab", (*Buffer).Backspace},
		{"delete takes a combining mark with its letter", "|e\u0301x", "|x", (*Buffer).Delete},
		{"delete at the end does nothing", "ab|", "ab|", (*Buffer).Delete},
		{"delete joins lines", "a|\nb", "a|b", (*Buffer).Delete},
		{"delete word", `"foo bar|"`, `"foo |"`, (*Buffer).DeleteWord},
		{"delete to the end", "ab|cd\ne", "ab|\ne", (*Buffer).DeleteToEnd},
		{"home goes to the first character", "   ab|c", "   |abc", (*Buffer).Home},
		{"home twice goes to the start", "   |abc", "|   abc", (*Buffer).Home},
		{"down keeps the column over a short line", "abc|d\n\nabcd", "abcd\n\nabc|d", func(b *Buffer) { b.Lines(1); b.Lines(1) }},
		{"word right", "|foo, bar", "foo|, bar", (*Buffer).WordRight},
	} {
		t.Run(story.name, func(t *testing.T) {
			b := at(story.from)
			story.do(b)
			if got := shown(b); got != story.to {
				t.Errorf("got %q, want %q", got, story.to)
			}
		})
	}
}

func TestUndoTakesBackARunOfTypingAtOnce(t *testing.T) {
	b := at("{|}")
	for _, r := range `"ab"` {
		b.Insert(string(r))
	}
	b.Newline()
	b.Insert("x")
	for _, want := range []string{"{\"ab\"\n|}", `{"ab"|}`, "{|}"} {
		if !b.Undo() {
			t.Fatalf("nothing to undo, want %q", want)
		}
		if got := shown(b); got != want {
			t.Errorf("after undo %q, want %q", got, want)
		}
	}
	if b.Undo() {
		t.Error("undo went on past the beginning")
	}
	for b.Redo() {
	}
	if got, want := shown(b), "{\"ab\"\nx|}"; got != want {
		t.Errorf("after redo %q, want %q", got, want)
	}
}

func TestTheTextIsKeptByteForByte(t *testing.T) {
	text := "{ \"n\" : 1.50e+3,\t\"x\":\"\\u00e9\\/\" }\n\n"
	b := NewBuffer(text)
	if b.Text() != text {
		t.Errorf("got %q", b.Text())
	}
	b.SetText("other")
	b.Undo()
	if b.Text() != text {
		t.Errorf("after undo %q", b.Text())
	}
}

// Whatever is typed, undoing all of it leads back to the start, and the cursor never leaves the text.
func FuzzBuffer(f *testing.F) {
	f.Add("{\"a\": [1, 2]}", []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"))
	f.Add("é\n👨‍👩‍👧\xff", []byte{1, 1, 5, 3, 3, 2, 0, 11, 12})
	f.Fuzz(func(t *testing.T, text string, ops []byte) {
		b := NewBuffer(text)
		do := []func(){
			func() { b.Insert("x") }, b.Right, b.Left, b.Backspace, b.Delete, b.Newline, b.WordLeft, b.WordRight, b.Home, b.End,
			b.DeleteWord, func() { b.Lines(1) }, func() { b.Lines(-1) }, func() { b.Insert("[\n{") }, func() { b.SetText("{}") },
		}
		for _, op := range ops {
			do[int(op)%len(do)]()
			if b.cur.line < 0 || b.cur.line >= len(b.lines) || b.cur.col < 0 || b.cur.col > len(b.lines[b.cur.line]) {
				t.Fatalf("cursor %v outside the text", b.cur)
			}
			if b.at(b.offset(b.cur)) != b.cur {
				t.Fatalf("place %v does not lead back", b.cur)
			}
		}
		last := b.Text()
		for b.Undo() {
		}
		if b.Text() != text {
			t.Fatalf("undo led to %q, not %q", b.Text(), text)
		}
		for b.Redo() {
		}
		if b.Text() != last {
			t.Fatalf("redo led to %q, not %q", b.Text(), last)
		}
	})
}
