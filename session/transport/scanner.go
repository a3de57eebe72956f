package transport

import "bytes"

// scanner finds the end of one JSON object or array in text that comes in pieces. It follows the
// grammar closely enough that text which only looks like JSON at its beginning is refused at once, and
// not more closely: what stands in strings, how numbers are spelled and how deep things are nested is
// for others to judge. The zero scanner is ready; its text begins with the opening bracket.
type scanner struct {
	state scanState
	key   bool   // the string is a member name
	word  string // the rest of true, false or null
	depth int
	stack []uint64 // one bit a level: set for an object
}

type scanState uint8

const (
	scanValue scanState = iota // a value must come
	scanFirst                  // a value or ]
	scanName                   // a member name must come
	scanOpen                   // a member name or }
	scanColon
	scanComma // a comma or the end of the container
	scanString
	scanEscape // behind a backslash
	scanNumber
	scanWord
	scanDone
)

// progress of a scan.
type progress uint8

const (
	more     progress = iota // a beginning of JSON; it goes on
	complete                 // the value has ended
	invalid                  // no JSON, whatever follows
)

// clone is a scanner that goes on from here by itself.
func (s *scanner) clone() scanner {
	c := *s
	c.stack = append([]uint64(nil), s.stack...)
	return c
}

// inString says that the text so far ends inside a string.
func (s *scanner) inString() bool { return s.state == scanString || s.state == scanEscape }

func (s *scanner) push(object bool) {
	i, bit := s.depth/64, uint64(1)<<(s.depth%64)
	if i == len(s.stack) {
		s.stack = append(s.stack, 0)
	}
	if object {
		s.stack[i] |= bit
		s.state = scanOpen
	} else {
		s.stack[i] &^= bit
		s.state = scanFirst
	}
	s.depth++
}

func (s *scanner) inObject() bool {
	return s.depth > 0 && s.stack[(s.depth-1)/64]&(1<<((s.depth-1)%64)) != 0
}

func (s *scanner) pop() bool {
	s.depth--
	if s.depth == 0 {
		s.state = scanDone
		return true
	}
	s.state = scanComma
	return false
}

// scan reads on in b. n is how many bytes were taken: all of them for more, those up to and including
// the closing bracket for complete, those before the offending byte for invalid.
func (s *scanner) scan(b []byte) (n int, p progress) {
	for i := 0; i < len(b); {
		c := b[i]
		switch s.state {
		case scanString:
			if i = s.text(b, i); s.state != scanComma && s.state != scanColon {
				return i, more
			}
			continue
		case scanEscape:
			s.state = scanString
			i++
			continue
		case scanWord:
			if c != s.word[0] {
				return i, invalid
			}
			if s.word = s.word[1:]; s.word == "" {
				s.state = scanComma
			}
			i++
			continue
		case scanNumber:
			if '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-' {
				i++
				continue
			}
			s.state = scanComma
		case scanDone:
			return i, complete
		}
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			i++
			continue
		}
		if !s.token(c) {
			return i, invalid
		}
		i++
		if s.state == scanDone {
			return i, complete
		}
	}
	return len(b), more
}

// token takes the first byte of a token.
func (s *scanner) token(c byte) bool {
	switch s.state {
	case scanName, scanOpen:
		if c == '"' {
			s.state, s.key = scanString, true
			return true
		}
		if c == '}' && s.state == scanOpen {
			s.pop()
			return true
		}
		return false
	case scanColon:
		s.state = scanValue
		return c == ':'
	case scanComma:
		switch object := s.inObject(); {
		case c == ',' && object:
			s.state = scanName
		case c == ',':
			s.state = scanValue
		case c == '}' && object, c == ']' && !object:
			s.pop()
		default:
			return false
		}
		return true
	case scanFirst:
		if c == ']' {
			s.pop()
			return true
		}
	}
	switch c {
	case '{', '[':
		s.push(c == '{')
	case '"':
		s.state, s.key = scanString, false
	case 't':
		s.state, s.word = scanWord, "rue"
	case 'f':
		s.state, s.word = scanWord, "alse"
	case 'n':
		s.state, s.word = scanWord, "ull"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.state = scanNumber
	default:
		return false
	}
	return s.depth > 0
}

// text reads a string's text from b[i] on, and returns the index behind its closing quote, or len(b)
// when it goes on.
func (s *scanner) text(b []byte, i int) int {
	for from := i; ; {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			if odd(b[from:]) {
				s.state = scanEscape
			}
			return len(b)
		}
		i += q + 1
		if !odd(b[from : i-1]) {
			if s.state = scanComma; s.key {
				s.state = scanColon
			}
			return i
		}
	}
}

// odd says whether b ends in an odd number of backslashes, so that the next byte is escaped.
func odd(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
