// Package uritemplate is RFC 6570, all four levels: templates of resources are parsed with the places of
// their faults, named variables become a form, and values make a URI.
//
// It is our own because the library that everybody uses percent-encodes the number of a character
// instead of its UTF-8 bytes ("é" as %E9). It must never know: MCP, the network, screens; it imports
// nothing of ours.
package uritemplate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Template is a parsed template. It is immutable.
type Template struct {
	text  string
	parts []part
}

// part is a run of literal text or one expression.
type part struct {
	literal string
	op      byte // 0 for none
	vars    []Variable
	expr    bool
	at      int
}

// Variable is one variable in an expression. The same name may occur several times.
type Variable struct {
	Name     string
	Operator string // "", "+", "#", ".", "/", ";", "?" or "&"
	Explode  bool   // with *
	Prefix   int    // with :N, else 0
	At       int    // byte offset of the name in the template
}

// Fault is one departure from the grammar.
type Fault struct {
	From, To int // byte offsets in the template
	Text     string
}

// Error holds everything that is wrong with a template, in reading order, at least one fault.
type Error struct {
	Template string
	Faults   []Fault
}

func (e *Error) Error() string {
	text := fmt.Sprintf("parsing the URI template %q: at %d: %s", e.Template, e.Faults[0].From, e.Faults[0].Text)
	if n := len(e.Faults) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// Parse parses a template. A faulty one gives an *Error and, all the same, a template that makes the
// best of it: names with characters that the grammar forbids ("user-id", which many servers write) are
// variables, an expression that cannot be read is literal text.
func Parse(text string) (*Template, error) {
	p := parser{text: text}
	p.run()
	t := &Template{text: text, parts: p.parts}
	if len(p.faults) > 0 {
		return t, &Error{Template: text, Faults: p.faults}
	}
	return t, nil
}

// String is the template as it was written.
func (t *Template) String() string { return t.text }

// Variables lists the variables as they occur.
func (t *Template) Variables() []Variable {
	var out []Variable
	for _, p := range t.parts {
		out = append(out, p.vars...)
	}
	return out
}

// Names lists the names of the variables, each once, in the order of their first occurrence.
func (t *Template) Names() []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range t.Variables() {
		if !seen[v.Name] {
			seen[v.Name] = true
			out = append(out, v.Name)
		}
	}
	return out
}

type parser struct {
	text   string
	parts  []part
	faults []Fault
}

func (p *parser) fault(from, to int, format string, args ...any) {
	p.faults = append(p.faults, Fault{From: from, To: to, Text: fmt.Sprintf(format, args...)})
}

func (p *parser) run() {
	from := 0
	for i := 0; i < len(p.text); {
		if p.text[i] != '{' {
			i += p.literal(i)
			continue
		}
		end := strings.IndexAny(p.text[i+1:], "{}")
		if end < 0 || p.text[i+1+end] == '{' {
			p.fault(i, i+1, "an expression that is not closed")
			i++
			continue
		}
		end += i + 1
		if e, ok := p.expression(i, end); ok {
			if from < i {
				p.parts = append(p.parts, part{literal: p.text[from:i], at: from})
			}
			p.parts = append(p.parts, e)
			from = end + 1
		}
		i = end + 1
	}
	if from < len(p.text) {
		p.parts = append(p.parts, part{literal: p.text[from:], at: from})
	}
}

// literal checks one character of literal text and gives its length.
func (p *parser) literal(i int) int {
	c := p.text[i]
	if c >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(p.text[i:])
		if r == utf8.RuneError && n == 1 || r < 0xA0 {
			p.fault(i, i+n, "bytes that are no text")
		}
		return n
	}
	switch {
	case c == '}':
		p.fault(i, i+1, "a closing brace without an opening one")
	case c == '%' && !triplet(p.text, i):
		p.fault(i, i+1, "a percent sign that does not begin an encoded byte")
	case c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`|", c) >= 0:
		p.fault(i, i+1, "the character %q, which a URI cannot hold", c)
	}
	return 1
}

// expression reads what stands between the braces at from and to.
func (p *parser) expression(from, to int) (part, bool) {
	e := part{expr: true, at: from}
	i := from + 1
	if i < to && strings.IndexByte("+#./;?&", p.text[i]) >= 0 {
		e.op = p.text[i]
		i++
	} else if i < to && strings.IndexByte("=,!@|", p.text[i]) >= 0 {
		p.fault(i, i+1, "the operator %q, which is reserved", p.text[i])
		return e, false
	}
	if i == to {
		p.fault(from, to+1, "an expression without a variable")
		return e, false
	}
	for i <= to {
		end := strings.IndexByte(p.text[i:to], ',')
		if end < 0 {
			end = to
		} else {
			end += i
		}
		v, ok := p.variable(i, end)
		if !ok {
			return e, false
		}
		if e.op != 0 {
			v.Operator = string(e.op)
		}
		e.vars = append(e.vars, v)
		i = end + 1
	}
	return e, true
}

func (p *parser) variable(from, to int) (Variable, bool) {
	v := Variable{At: from}
	end := to
	switch spec := p.text[from:to]; {
	case strings.HasSuffix(spec, "*"):
		v.Explode, end = true, to-1
	case strings.IndexByte(spec, ':') >= 0:
		end = from + strings.IndexByte(spec, ':')
		n, ok := prefix(p.text[end+1 : to])
		if !ok {
			p.fault(end, to, "a prefix length that is no number from 1 to 9999")
		}
		v.Prefix = n
	}
	v.Name = p.text[from:end]
	if v.Name == "" {
		p.fault(from, max(to, from+1), "a variable without a name")
		return v, false
	}
	for i := from; i < end; i++ {
		switch c := p.text[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		case c == '.' && i > from && i < end-1 && p.text[i-1] != '.':
		case c == '%' && triplet(p.text[:end], i):
			i += 2
		default:
			_, n := utf8.DecodeRuneInString(p.text[i:end])
			p.fault(i, i+n, "the character %q, which a variable's name cannot hold", p.text[i:i+n])
			i += n - 1
		}
	}
	return v, true
}

func prefix(s string) (int, bool) {
	if len(s) == 0 || len(s) > 4 || s[0] == '0' {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// triplet says whether a percent-encoded byte begins at i.
func triplet(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && isHex(s[i+1]) && isHex(s[i+2])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
