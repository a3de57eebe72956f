package visible

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Escape makes s fit to stand on one line of a terminal: every dangerous code point becomes its Sign,
// newline and tab become ␊ and ␉, a byte that is not UTF-8 becomes ‹xFF›. Joiners and variation
// selectors stay where they hold an emoji together. The result is valid UTF-8; its width may differ from s.
func Escape(s string) string {
	if plain(s) {
		return s
	}
	return string(appendEscaped(make([]byte, 0, len(s)+16), []byte(s), false))
}

// EscapeText is Escape for text of several lines: newlines stay, and a tab becomes four blanks.
func EscapeText(s string) string {
	if plain(s) {
		return s
	}
	return string(appendEscaped(make([]byte, 0, len(s)+16), []byte(s), true))
}

// AppendEscaped appends Escape(s).
func AppendEscaped(dst, s []byte) []byte { return appendEscaped(dst, s, false) }

// plain tells that s is printable ASCII all through.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func appendEscaped(dst, s []byte, lines bool) []byte {
	var before rune // the code point before i, when it stands in dst as it is
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && 0x20 <= s[i] && s[i] < 0x7f {
			i++
		}
		if i > from {
			dst = append(dst, s[from:i]...)
			before = rune(s[i-1])
			continue
		}
		if lines && (s[i] == '\n' || s[i] == '\t') {
			if s[i] == '\n' {
				dst = append(dst, '\n')
			} else {
				dst = append(dst, "    "...)
			}
			before = 0
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, "‹x%02X›", s[i])
			before = 0
		case ClassOf(r) == Safe, holdsEmoji(before, r, s[i+n:]):
			dst = append(dst, s[i:i+n]...)
			before = r
		default:
			dst = append(dst, Sign(r)...)
			before = 0
		}
		i += n
	}
	return dst
}

const (
	zwj    = 0x200d
	vs15   = 0xfe0e // text presentation
	vs16   = 0xfe0f // emoji presentation
	keycap = 0x20e3
)

// holdsEmoji tells that r, a joiner or a variation selector, is part of an emoji: it stands behind one,
// and a joiner also before one.
func holdsEmoji(before, r rune, rest []byte) bool {
	switch r {
	case vs15, vs16:
		if isPictograph(before) {
			return true
		}
		next, _ := utf8.DecodeRune(rest)
		return next == keycap && ('0' <= before && before <= '9' || before == '#' || before == '*')
	case zwj:
		next, _ := utf8.DecodeRune(rest)
		return (isPictograph(before) || before == vs16) && isPictograph(next)
	}
	return false
}

// isPictograph tells that r is in a block of symbols that emoji are made of (Unicode's emoji-data.txt,
// rounded to whole blocks: a letter or a digit is never among them).
func isPictograph(r rune) bool {
	switch {
	case 0x1f000 <= r && r <= 0x1faff, 0x2190 <= r && r <= 0x21ff, 0x2300 <= r && r <= 0x27bf, 0x2900 <= r && r <= 0x297f, 0x2b00 <= r && r <= 0x2bff:
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}

// Hit is one dangerous code point in a text.
type Hit struct {
	Offset int // in bytes
	Rune   rune
	Class  Class
}

// Find lists what is dangerous in s, in order. Newline, carriage return and tab are everyday text and
// not listed, nor is what holds an emoji together. A byte that is not UTF-8 has the class BadByte.
func Find(s string) []Hit {
	var hits []Hit
	var before rune
	for i, r := range s {
		if 0x20 <= r && r < 0x7f || r == '\n' || r == '\r' || r == '\t' {
			before = r
			continue
		}
		class, n := ClassOf(r), utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			hits = append(hits, Hit{Offset: i, Rune: r, Class: BadByte})
			before = 0
			continue
		}
		if class != Safe && !holdsEmoji(before, r, head(s[i+n:])) {
			hits = append(hits, Hit{Offset: i, Rune: r, Class: class})
			r = 0
		}
		before = r
	}
	return hits
}

func head(s string) []byte { return []byte(s[:min(len(s), utf8.UTFMax)]) }

// TagText is the text that the tag characters of s spell out, "" when there are none. A model may read
// it while nobody sees it.
func TagText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if 0xe0020 <= r && r < 0xe007f {
			b.WriteRune(r - 0xe0000)
		}
	}
	return b.String()
}
