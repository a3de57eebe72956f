package wire

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// The envelope of a message (id, method, which of result and error) is needed for every frame, at once,
// while the document with its table of nodes is needed when somebody looks. So the envelope is read by a
// scanner that builds nothing. It understands strict JSON with plain member names only; for every other
// text it gives up, and the tolerant parser decides. So there is one opinion about odd texts, not two.

// maxScan is the nesting that the scanner follows before it gives up.
const maxScan = 256

type scanner struct {
	text []byte
	at   int
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// name is a member name or another string without escapes; the cursor stands on its quote.
func (s *scanner) name() (inner []byte, ok bool) {
	from := s.at + 1
	if s.peek() != '"' || !s.str() {
		return nil, false
	}
	inner = s.text[from : s.at-1]
	return inner, bytes.IndexByte(inner, '\\') < 0
}

// str passes a string; the cursor stands on its quote.
func (s *scanner) str() bool {
	text := s.text
	for i := s.at + 1; i < len(text); {
		if i+8 <= len(text) && !special(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
			continue
		}
		switch b := text[i]; {
		case b == '"':
			s.at = i + 1
			return true
		case b == '\\':
			if i++; i == len(text) || text[i] < 0x20 {
				return false
			}
		case b < 0x20:
			return false
		}
		i++
	}
	return false
}

// special tells that one of eight bytes is a quote, a backslash or a control character. (It may also say
// so of a harmless one behind such a byte, never the other way round.)
func special(x uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := x^ones*'"', x^ones*'\\'
	return ((quote-ones)&^quote|(slash-ones)&^slash|(x-ones*0x20)&^x)&high != 0
}

// members passes an object and calls each with every member; the cursor stands on its brace.
func (s *scanner) members(depth int, each func(name, value []byte)) bool {
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return true
	}
	for {
		var name []byte
		if each != nil {
			inner, ok := s.name()
			if !ok {
				return false
			}
			name = inner
		} else if s.peek() != '"' || !s.str() {
			return false
		}
		s.space()
		if s.peek() != ':' {
			return false
		}
		s.at++
		s.space()
		from := s.at
		if !s.value(depth) {
			return false
		}
		if each != nil {
			each(name, s.text[from:s.at])
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case '}':
			s.at++
			return true
		default:
			return false
		}
	}
}

func (s *scanner) elements(depth int) bool {
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return true
	}
	for {
		if !s.value(depth) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case ']':
			s.at++
			return true
		default:
			return false
		}
	}
}

// value passes one value, or gives up.
func (s *scanner) value(depth int) bool {
	if depth > maxScan {
		return false
	}
	switch s.peek() {
	case '{':
		return s.members(depth+1, nil)
	case '[':
		return s.elements(depth + 1)
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) word(w string) bool {
	if end := s.at + len(w); end <= len(s.text) && string(s.text[s.at:end]) == w {
		s.at = end
		return true
	}
	return false
}

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return false
		}
	}
	if b := s.peek(); b == 'e' || b == 'E' {
		s.at++
		if b := s.peek(); b == '+' || b == '-' {
			s.at++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for b := s.peek(); b >= '0' && b <= '9'; b = s.peek() {
		s.at++
	}
	return s.at > from
}

// object calls each with every member of the object that text is, in order; false when text is
// anything but one strict JSON object with plain names and valid UTF-8 in them.
func object(text []byte, each func(name, value []byte)) bool {
	s := scanner{text: text}
	s.space()
	if s.peek() != '{' || !s.members(0, each) {
		return false
	}
	s.space()
	return s.at == len(text)
}

// token is the raw text of the member that the names lead to ("" when there is none); of several members
// with the same name the last one counts.
func token(text []byte, names ...string) string {
	at := text
	for i, want := range names {
		var found []byte
		ok := object(at, func(name, value []byte) {
			if string(name) == want {
				found = value
			}
		})
		if !ok {
			return slowToken(text, names)
		}
		if at = found; at == nil || i < len(names)-1 && at[0] != '{' {
			return ""
		}
	}
	return string(at)
}

func slowToken(text []byte, names []string) string {
	v := jsondoc.Parse(text).Root()
	for _, name := range names {
		v = v.Get(name)
	}
	return string(v.Raw())
}

// plain is the text of a JSON string token without escapes and with valid UTF-8.
func plain(token []byte) (string, bool) {
	if len(token) < 2 || token[0] != '"' || !utf8.Valid(token) {
		return "", false
	}
	inner := token[1 : len(token)-1]
	return string(inner), bytes.IndexByte(inner, '\\') < 0
}
