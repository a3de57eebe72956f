package editor

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"mcploupe/session/visible"
)

// No token of JSON goes over the end of a line, so each line is coloured by itself, without the rest of the text: that is
// what makes a key in a megabyte cost what it costs in a kilobyte.

// sort is what a stretch of a line is.
type sort uint8

const (
	punct    sort = iota // brackets, commas, colons
	name                 // a string that a colon follows
	textSort             // any other string
	number
	literal // true, false, null
	odd     // what is no token of JSON
)

// token is a stretch of a line: bytes from and to; open tells that it is a string without its end.
type token struct {
	sort     sort
	from, to int
	open     bool
}

// lex gives the tokens of a line in order, until yield wants no more.
func lex(line string, yield func(token) bool) {
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '"':
			end, closed := stringEnd(line, i)
			t := token{textSort, i, end, !closed}
			if rest := skipBlank(line, end); closed && rest < len(line) && line[rest] == ':' {
				t.sort = name
			}
			if !yield(t) {
				return
			}
			i = end
			continue
		case strings.IndexByte("{}[],:", c) >= 0:
			if !yield(token{sort: punct, from: i, to: i + 1}) {
				return
			}
			i++
			continue
		}
		end := i
		for end < len(line) && strings.IndexByte("{}[],:\" \t\r", line[end]) < 0 {
			end++
		}
		t := token{odd, i, end, false}
		switch word := line[i:end]; {
		case word == "true" || word == "false" || word == "null":
			t.sort = literal
		case c == '-' || c >= '0' && c <= '9':
			t.sort = number
		}
		if !yield(t) {
			return
		}
		i = end
	}
}

// stringEnd is where the string that begins at from ends, behind its quote; closed tells that it has one.
func stringEnd(line string, from int) (end int, closed bool) {
	for i := from + 1; i < len(line); {
		q := strings.IndexByte(line[i:], '"')
		if q < 0 {
			return len(line), false
		}
		slashes := 0
		for k := i + q - 1; k > from && line[k] == '\\'; k-- {
			slashes++
		}
		i += q + 1
		if slashes%2 == 0 {
			return i, true
		}
	}
	return len(line), false
}

func skipBlank(line string, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
		i++
	}
	return i
}

// cluster is the first grapheme of s, as the screen shows it and in cells. Most are a letter of ASCII, and are found
// without looking on.
func cluster(s string) (n int, shown string, cells int) {
	if c := s[0]; c >= 0x20 && c < 0x7f && (len(s) == 1 || s[1] < 0x80) {
		return 1, s[:1], 1
	}
	g := graphemes.FromString(s)
	g.Next()
	shown = visible.Escape(g.Value())
	return g.End(), shown, ansi.StringWidth(shown)
}

// cells is how many cells a text takes on the screen.
func cells(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < 0x80) {
			i, n = i+1, n+1
			continue
		}
		size, _, w := cluster(s[i:])
		i, n = i+size, n+w
	}
	return n
}

// boundary is a place at or before i where graphemes certainly meet: between two printable letters of ASCII, or the start.
func boundary(s string, i int) int {
	i = min(i, len(s))
	for ; i > 0; i-- {
		if i < len(s) && plainByte(s[i]) && plainByte(s[i-1]) {
			return i
		}
	}
	return 0
}

func plainByte(c byte) bool { return c >= 0x20 && c < 0x7f }

// snap is the boundary between graphemes at or before col.
func snap(s string, col int) int {
	if col >= len(s) {
		return len(s)
	}
	at := boundary(s, col)
	for at < col {
		n, _, _ := cluster(s[at:])
		if at+n > col {
			break
		}
		at += n
	}
	return at
}
