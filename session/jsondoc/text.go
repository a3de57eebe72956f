package jsondoc

import (
	"unicode/utf16"
	"unicode/utf8"
)

func isSurrogate(u rune) bool { return 0xd800 <= u && u < 0xe000 }

// hex4 reads the four hexadecimal digits at i.
func hex4(t []byte, i int) (rune, bool) {
	if i+4 > len(t) {
		return 0, false
	}
	var u rune
	for _, c := range t[i : i+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// lowSurrogate reads an escaped low surrogate at i.
func lowSurrogate(t []byte, i int) (rune, bool) {
	if i+6 > len(t) || t[i] != '\\' || t[i+1] != 'u' {
		return 0, false
	}
	u, ok := hex4(t, i+2)
	return u, ok && 0xdc00 <= u && u < 0xe000
}

// decodeName appends what a member name says: a string with or without its quotes, or nothing.
func decodeName(dst, t []byte, exact bool) []byte {
	if len(t) == 0 {
		return dst
	}
	if t[0] == '"' || t[0] == '\'' && len(t) >= 2 && t[len(t)-1] == '\'' {
		return decode(dst, t, exact)
	}
	return decode(dst, append([]byte{0}, t...), exact)
}

// decode appends what the string t says. t starts with its quote, and ends with the same one unless the
// text ended before. Unless exact, bad UTF-8 and half surrogate pairs become U+FFFD; else bad bytes stay
// and half pairs become their three bytes, so that different texts stay different.
func decode(dst, t []byte, exact bool) []byte {
	quote := t[0]
	for i := 1; i < len(t); {
		c := t[i]
		switch {
		case c == quote && quote != 0:
			return dst
		case c == '\\':
			dst, i = decodeEscape(dst, t, i, exact)
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(t[i:])
			if r == utf8.RuneError && n <= 1 && exact {
				dst = append(dst, c)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			i += n
		}
	}
	return dst
}

func decodeEscape(dst, t []byte, i int, exact bool) ([]byte, int) {
	if i+1 >= len(t) {
		return append(dst, '\\'), i + 1
	}
	c := t[i+1]
	switch c {
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case '"', '\\', '/', '\'':
	case 'u':
		u, ok := hex4(t, i+2)
		if !ok {
			return append(dst, '\\', 'u'), i + 2
		}
		if !isSurrogate(u) {
			return utf8.AppendRune(dst, u), i + 6
		}
		if low, ok := lowSurrogate(t, i+6); ok && u < 0xdc00 {
			return utf8.AppendRune(dst, utf16.DecodeRune(u, low)), i + 12
		}
		if exact {
			return append(dst, 0xed, byte(0x80|u>>6&0x3f), byte(0x80|u&0x3f)), i + 6
		}
		return utf8.AppendRune(dst, utf8.RuneError), i + 6
	default: // an unknown escape stays as it stands
		return append(dst, '\\'), i + 1
	}
	return append(dst, c), i + 2
}

// Quote is s as a JSON string literal. Bytes that are not UTF-8 become U+FFFD.
func Quote(s string) string { return string(AppendQuote(make([]byte, 0, len(s)+2), s)) }

// AppendQuote appends s as a JSON string literal: quote, backslash and control characters are escaped,
// everything else stays as it is. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
