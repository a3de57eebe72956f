package jsondoc

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// blanks is the first offset from i on that is not JSON white space.
func blanks(t []byte, i int) int {
	for i < len(t) && (t[i] == ' ' || t[i] == '\n' || t[i] == '\r' || t[i] == '\t') {
		i++
	}
	return i
}

// space steps over white space and comments.
func (p *parser) space(i int) int {
	t := p.t
	for {
		if i < len(t) && t[i] > ' ' && t[i] != '/' {
			return i
		}
		if i = blanks(t, i); i+1 >= len(t) || t[i] != '/' {
			return i
		}
		end := -1
		switch t[i+1] {
		case '/':
			if end = bytes.IndexByte(t[i:], '\n'); end < 0 {
				end = len(t) - i
			}
		case '*':
			if p.noStar {
				return i
			}
			if end = bytes.Index(t[i+2:], []byte("*/")); end < 0 {
				p.noStar = true
				return i
			}
			end += 4
		default:
			return i
		}
		p.fault(BadToken, i, i+end, p.cur, "comment")
		i += end
	}
}

// Constants of the eight-bytes-at-a-time search.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// textEnd is the first offset from i on of a quote, a backslash or a control character, or len(t).
func textEnd(t []byte, i int) int {
	for i+8 <= len(t) {
		w := binary.LittleEndian.Uint64(t[i:])
		q, b := w^(ones*'"'), w^(ones*'\\')
		// The lowest set bit of each term is exact; only bits above a true hit may be false.
		m := ((w-ones*0x20)&^w | (q-ones)&^q | (b-ones)&^b) & highs
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(t) && t[i] != '"' && t[i] != '\\' && t[i] >= 0x20 {
		i++
	}
	return i
}

// str reads the string that opens at i. It gives the offset behind it, and 1 when its text must be decoded.
func (p *parser) str(i int) (end int, coded uint8) {
	t, j := p.t, i+1
	for {
		if j = textEnd(t, j); j >= len(t) {
			p.fault(Unterminated, i, len(t), int32(len(p.nodes)), "text ends inside a string")
			j = len(t)
			coded = 1
			break
		}
		if t[j] == '"' {
			j++
			break
		}
		if t[j] == '\\' {
			coded = 1
			j = p.escape(j)
			continue
		}
		p.fault(ControlInText, j, j+1, int32(len(p.nodes)), "control character inside a string")
		j++
	}
	if p.bad && coded == 0 && !utf8.Valid(t[i:j]) {
		coded = 1
	}
	return j, coded
}

// escape judges the backslash at i and gives the offset behind the escape.
func (p *parser) escape(i int) int {
	t, node := p.t, int32(len(p.nodes))
	if i+1 >= len(t) {
		p.fault(BadEscape, i, i+1, node, "escape is cut off")
		return i + 1
	}
	switch t[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		u, ok := hex4(t, i+2)
		if !ok {
			p.fault(BadEscape, i, i+2, node, "\\u without four hexadecimal digits")
			return i + 2
		}
		if !isSurrogate(u) {
			return i + 6
		}
		if low, ok := lowSurrogate(t, i+6); ok && u < 0xdc00 && low != 0 {
			return i + 12
		}
		p.fault(LoneSurrogate, i, i+6, node, "half of a surrogate pair")
		return i + 6
	}
	p.fault(BadEscape, i, i+1, node, "unknown escape")
	if t[i+1] < 0x20 { // judged on its own, as a control character
		return i + 1
	}
	return i + 2
}

// plain reads a value that is no string and no container: literals, numbers, and what is neither.
func (p *parser) plain(i int, key member) int {
	t := p.t
	switch c := t[i]; {
	case c == 't' && literal(t, i, "true"):
		p.add(Bool, key, i, i+4, 0)
		return i + 4
	case c == 'f' && literal(t, i, "false"):
		p.add(Bool, key, i, i+5, 0)
		return i + 5
	case c == 'n' && literal(t, i, "null"):
		p.add(Null, key, i, i+4, 0)
		return i + 4
	case c == '-' || '0' <= c && c <= '9':
		if end := strictNumber(t, i); end > i && (end == len(t) || delimits(t[end])) {
			p.add(Number, key, i, end, 0)
			return end
		}
	}
	return p.bare(i, key)
}

func literal(t []byte, i int, word string) bool {
	end := i + len(word)
	return end <= len(t) && string(t[i:end]) == word && (end == len(t) || delimits(t[end]))
}

// delimits tells that a bare word ends before c.
func delimits(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ':', '[', ']', '{', '}', '"':
		return true
	}
	return false
}

// bare adds a leaf for text at i that is no JSON token: a misspelt number or an Invalid.
func (p *parser) bare(i int, key member) int {
	t, node := p.t, int32(len(p.nodes))
	end := p.word(i)
	kind, fault, detail := Invalid, BadToken, "not a JSON value"
	c := t[i]
	if c == '\'' && end-i >= 2 && t[end-1] == '\'' {
		detail = "text in single quotes"
	}
	if n, ok := readNumber(t[i:end]); ok {
		kind, fault, detail = Number, BadNumber, n.fault()
	} else if '0' <= c && c <= '9' || (c == '-' || c == '+' || c == '.') && end-i > 1 && '0' <= t[i+1] && t[i+1] <= '9' {
		fault, detail = BadNumber, "not a number"
	}
	if p.cur < 0 && kind == Invalid { // a line of prose is one leaf, not a word and a rest
		if end = bytes.IndexByte(t[i:], '\n'); end < 0 {
			end = len(t) - i
		}
		end = i + len(bytes.TrimRight(t[i:i+end], " \t\r"))
	}
	p.fault(fault, i, end, node, detail)
	p.add(kind, key, i, end, 0)
	return end
}

// word is the offset behind the bare word or single-quoted text at i; it is always beyond i.
func (p *parser) word(i int) int {
	t := p.t
	if t[i] == '\'' && i >= p.single {
		for j := i + 1; ; j++ {
			if j >= len(t) || t[j] == '\n' {
				p.single = j // every later quote on this line would find none either
				break
			}
			if t[j] == '\'' {
				return j + 1
			}
			if t[j] == '\\' && j+1 < len(t) && t[j+1] != '\n' {
				j++
			}
		}
	}
	j := i + 1
	for j < len(t) && !delimits(t[j]) {
		j++
	}
	return j
}

// skip is the offset behind the container that opens at i, its inside unread.
func (p *parser) skip(i int) int {
	t, depth := p.t, 0
	for i < len(t) {
		switch t[i] {
		case '"':
			for i = textEnd(t, i+1); i < len(t) && t[i] != '"'; i = textEnd(t, i+1) {
				if t[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(t)
}
