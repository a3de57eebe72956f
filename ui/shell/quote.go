// Package shell spells an exchange as a line that a person may paste into a shell: as curl, or as a command of ours. Nothing
// that a server or an argument says can end a word, expand, or steer a terminal: what is not plain stands in single quotes, and
// control and invisible characters are spelled as octal numbers for printf. Secrets are not there to be spelled; names of
// variables stand in their place. It must never know: sessions, screens.
package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mcploupe/session/visible"
)

// Part is a piece of a word: text as it is, or the value of a variable.
type Part struct {
	Text string
	Env  string // "" for text
}

// Word is one word of a command line.
type Word []Part

// Text is a word that is nothing but text.
func Text(s string) Word { return Word{{Text: s}} }

// Texts are words of text.
func Texts(words ...string) []Word {
	out := make([]Word, len(words))
	for i, w := range words {
		out[i] = Text(w)
	}
	return out
}

// Masked is a word in which stars stand for secrets (three or more): each is replaced by the variable.
func Masked(s, env string) Word {
	var out Word
	for {
		at := strings.Index(s, "***")
		if at < 0 {
			break
		}
		if at > 0 {
			out = append(out, Part{Text: s[:at]})
		}
		out = append(out, Part{Env: env})
		s = strings.TrimLeft(s[at:], "*")
	}
	if s != "" || len(out) == 0 {
		out = append(out, Part{Text: s})
	}
	return out
}

// String is the word as sh reads it back, in one line but for newlines within quotes. A zero byte, which no word can hold,
// is left out.
func (w Word) String() string {
	var b strings.Builder
	for _, p := range w {
		if p.Env != "" {
			b.WriteString(`"$` + p.Env + `"`)
			continue
		}
		quote(&b, p.Text)
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

// Quote is a text as one word for sh.
func Quote(s string) string { return Text(s).String() }

// Line joins words with blanks.
func Line(words []Word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.String()
	}
	return strings.Join(out, " ")
}

func quote(b *strings.Builder, s string) {
	for s != "" {
		n := tame(s)
		switch text := s[:n]; {
		case n == 0:
		case plain(text):
			b.WriteString(text)
		default:
			b.WriteString("'" + strings.ReplaceAll(text, "'", `'\''`) + "'")
		}
		s = s[n:]
		n = wild(s)
		if octal := octals(s[:n], false); octal != "" {
			b.WriteString(`"$(printf '` + octal + `')"`)
		}
		s = s[n:]
	}
}

// plain tells that sh leaves a text as it is.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("%+,-./:=@_", c) >= 0) {
			return false
		}
	}
	return true
}

// tame is how many bytes from the start can stand in quotes as they are.
func tame(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if dangerous(r, n) {
			return i
		}
		i += n
	}
	return len(s)
}

// wild is how many bytes from the start cannot.
func wild(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !dangerous(r, n) {
			return i
		}
		i += n
	}
	return len(s)
}

// dangerous tells that a rune may steer a terminal, or that nobody sees it. Tabs are among them: a shell that somebody
// pastes into completes at one.
func dangerous(r rune, n int) bool {
	switch {
	case r == '\n':
		return false
	case r < 0x20, r == 0x7f, r == utf8.RuneError && n == 1:
		return true
	}
	return visible.ClassOf(r) != visible.Safe
}

// octals spells bytes for printf; zero bytes only where they are wanted.
func octals(s string, zero bool) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] != 0 || zero {
			fmt.Fprintf(&b, `\%03o`, s[i])
		}
	}
	return b.String()
}

// mostWord is the longest word that every system takes as an argument of a program.
const mostWord = 100 << 10

// printed is a text that cannot be an argument as a command that prints it, to be read from its standard output; ok is false
// where a word will do. (printf is built into every shell, so no limit of the system holds for its words.)
func printed(s string) (line string, ok bool) {
	if len(s) <= mostWord && !strings.Contains(s, "\x00") {
		return "", false
	}
	if !strings.Contains(s, "\x00") {
		return "printf %s " + Quote(s), true
	}
	var b strings.Builder
	for s != "" {
		n := tame(s)
		b.WriteString(strings.NewReplacer(`\`, `\\`, "%", "%%", "'", `'\''`).Replace(s[:n]))
		s = s[n:]
		n = wild(s)
		b.WriteString(octals(s[:n], true))
		s = s[n:]
	}
	return "printf '" + b.String() + "'", true
}

// Split takes a command line apart that was written with quotes as Quote and our own screens write them: single quotes,
// backslashes outside of them, and three stars or more for a secret. ok is false for anything else that a shell would read in its own way.
func Split(line string) (words []string, ok bool) {
	var b strings.Builder
	in, any := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case in && c == '\'':
			in = false
		case in:
			b.WriteByte(c)
		case c == '\'':
			in, any = true, true
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
			any = true
		case c == ' ':
			if any {
				words = append(words, b.String())
			}
			b.Reset()
			any = false
		case c >= 0x80 || plain(string(c)):
			b.WriteByte(c)
			any = true
		case strings.HasPrefix(line[i:], "***"): // a star of its own would be for the shell to read
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "*"))
			b.WriteString(line[i : i+n])
			i += n - 1
			any = true
		default:
			return nil, false
		}
	}
	if any {
		words = append(words, b.String())
	}
	return words, !in && len(words) > 0
}
