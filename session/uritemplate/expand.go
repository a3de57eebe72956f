package uritemplate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Value is the value of a variable: a text, a list of texts, or pairs of name and text. The zero Value is
// undefined, and so are an empty list and no pairs: they leave no trace in the URI.
type Value struct {
	text  string
	list  []string
	pairs [][2]string
	kind  uint8
}

const (
	undefined = iota
	text
	list
	pairs
)

// Text is a value of one text; the empty text is defined.
func Text(s string) Value { return Value{kind: text, text: s} }

// List is a value of several texts.
func List(s ...string) Value { return Value{kind: list, list: s} }

// Pairs is a value of names and texts, in their order.
func Pairs(p ...[2]string) Value { return Value{kind: pairs, pairs: p} }

func (v Value) defined() bool {
	switch v.kind {
	case text:
		return true
	case list:
		return len(v.list) > 0
	case pairs:
		return len(v.pairs) > 0
	}
	return false
}

// rule is what an operator does (RFC 6570, appendix A).
type rule struct {
	first, sep string
	named      bool
	ifEmpty    string
	reserved   bool // reserved characters and encoded bytes stay
}

func ruleOf(op byte) rule {
	switch op {
	case '+':
		return rule{"", ",", false, "", true}
	case '#':
		return rule{"#", ",", false, "", true}
	case '.':
		return rule{".", ".", false, "", false}
	case '/':
		return rule{"/", "/", false, "", false}
	case ';':
		return rule{";", ";", true, "", false}
	case '?':
		return rule{"?", "&", true, "=", false}
	case '&':
		return rule{"&", "&", true, "=", false}
	}
	return rule{"", ",", false, "", false}
}

// Expand makes the URI. Variables that values does not hold are undefined. The error says that a prefix
// (":3") stands on a list or on pairs, where RFC 6570 gives it no meaning; the URI then has the whole
// value there.
func (t *Template) Expand(values map[string]Value) (string, error) {
	var b []byte
	var err error
	for _, p := range t.parts {
		if !p.expr {
			b = encode(b, p.literal, true)
			continue
		}
		r := ruleOf(p.op)
		begun := false
		for _, v := range p.vars {
			value := values[v.Name]
			if !value.defined() {
				continue
			}
			if v.Prefix > 0 && value.kind != text && err == nil {
				err = fmt.Errorf("expanding the URI template %q: at %d: a prefix of %q, which is not one text", t.text, v.At, v.Name)
			}
			if begun {
				b = append(b, r.sep...)
			} else {
				b = append(b, r.first...)
			}
			begun = true
			b = r.variable(b, v, value)
		}
	}
	return string(b), err
}

func (r rule) variable(b []byte, v Variable, value Value) []byte {
	if value.kind == text {
		if r.named {
			b = r.name(b, v.Name, value.text == "")
		}
		return encode(b, firstCharacters(value.text, v.Prefix, r.reserved), r.reserved)
	}
	if !v.Explode {
		if r.named {
			b = r.name(b, v.Name, false)
		}
		for i, s := range value.flat() {
			if i > 0 {
				b = append(b, ',')
			}
			b = encode(b, s, r.reserved)
		}
		return b
	}
	for i, s := range value.list {
		if i > 0 {
			b = append(b, r.sep...)
		}
		if r.named {
			b = r.name(b, v.Name, s == "")
		}
		b = encode(b, s, r.reserved)
	}
	for i, p := range value.pairs {
		if i > 0 {
			b = append(b, r.sep...)
		}
		b = encode(b, p[0], r.reserved)
		if p[1] == "" && r.named {
			b = append(b, r.ifEmpty...)
			continue
		}
		b = append(b, '=')
		b = encode(b, p[1], r.reserved)
	}
	return b
}

// name writes a variable's name and what joins it to its value.
func (r rule) name(b []byte, name string, empty bool) []byte {
	b = encode(b, name, true)
	if empty {
		return append(b, r.ifEmpty...)
	}
	return append(b, '=')
}

func (v Value) flat() []string {
	if v.kind == list {
		return v.list
	}
	var out []string
	for _, p := range v.pairs {
		out = append(out, p[0], p[1])
	}
	return out
}

// encode writes text with everything but unreserved characters as its UTF-8 bytes in percent notation;
// with reserved, reserved characters and bytes that are encoded already stay as they are.
func encode(b []byte, s string, reserved bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case unreserved(c), reserved && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0:
			b = append(b, c)
		case reserved && triplet(s, i):
			b = append(b, s[i:i+3]...)
			i += 2
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}

func unreserved(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// firstCharacters cuts a text to its first n characters; 0 is all of it. Where encoded bytes stay as
// they are, one encoded character counts as one and is never cut in two.
func firstCharacters(s string, n int, encoded bool) string {
	if n <= 0 {
		return s
	}
	i := 0
	for count := 0; i < len(s) && count < n; count++ {
		if !encoded || !triplet(s, i) {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		i += 3
		for triplet(s, i) && (s[i+1] == '8' || s[i+1] == '9' || s[i+1]|0x20 == 'a' || s[i+1]|0x20 == 'b') {
			i += 3 // a continuation byte of the same character
		}
	}
	return s[:i]
}
