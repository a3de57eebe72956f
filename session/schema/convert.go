package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"mcploupe/session/jsondoc"
)

// ErrNotJSON says that a value holds text that is no JSON, so that no schema can be applied to it.
type ErrNotJSON struct {
	Pointer jsondoc.Pointer // relative to the value
	Text    string
}

func (e *ErrNotJSON) Error() string { return "not checked: no JSON" + at(e.Pointer) + ": " + e.Text }

// converter turns a document into the form that the library takes: maps, slices, strings, bools and
// numbers that keep their digits. Of members with the same name the last is taken, as readers do.
type converter struct {
	digits, exponent int
	depth            int // 0: no limit
	nodes            int // 0: no limit
	unique           bool

	seen  int
	level int
	path  []string // where an error was found, innermost first; built on the way out, as errors are rare
}

// convert converts a whole value. Its errors are *ErrTooComplex and *ErrNotJSON.
func (c *converter) convert(v jsondoc.Value) (any, error) {
	x, err := c.any(v)
	slices.Reverse(c.path)
	switch e := err.(type) {
	case *ErrNotJSON:
		e.Pointer = jsondoc.Join("", c.path...)
	case *ErrTooComplex:
		if e.What != tooMany && e.What != tooDeep { // those are about the whole
			e.Pointer = jsondoc.Join("", c.path...)
		}
	}
	return x, err
}

const (
	tooMany = "JSON values"
	tooDeep = "levels of nesting"
)

func (c *converter) any(v jsondoc.Value) (any, error) {
	if c.seen++; c.nodes > 0 && c.seen > c.nodes {
		return nil, &ErrTooComplex{What: tooMany, Got: c.seen, Max: c.nodes}
	}
	switch v.Kind() {
	case jsondoc.Null:
		return nil, nil
	case jsondoc.Bool:
		b, _ := v.Bool()
		return b, nil
	case jsondoc.String:
		return v.Text(), nil
	case jsondoc.Number:
		return c.number(v)
	case jsondoc.Array, jsondoc.Object:
		if c.level++; c.depth > 0 && c.level > c.depth {
			return nil, &ErrTooComplex{What: tooDeep, Got: c.level, Max: c.depth}
		}
		inner := c.object
		if v.Is(jsondoc.Array) {
			inner = c.array
		}
		x, err := inner(v)
		c.level--
		return x, err
	}
	return nil, &ErrNotJSON{Text: cut(string(v.Raw()), 40)}
}

func (c *converter) object(v jsondoc.Value) (any, error) {
	m := make(map[string]any, v.Len())
	for name, w := range v.Members() {
		x, err := c.any(w)
		if err != nil {
			c.path = append(c.path, name)
			return nil, err
		}
		m[name] = x
	}
	return m, nil
}

func (c *converter) array(v jsondoc.Value) (any, error) {
	a := make([]any, 0, v.Len())
	containers := 0
	for i, w := range v.Elements() {
		if w.Is(jsondoc.Array) || w.Is(jsondoc.Object) {
			containers++
		}
		x, err := c.any(w)
		if err != nil {
			c.path = append(c.path, strconv.Itoa(i))
			return nil, err
		}
		a = append(a, x)
	}
	if c.unique && containers > maxUniqueItems {
		// The library compares containers by a hash that can be made to collide.
		return nil, &ErrTooComplex{What: "objects and arrays to compare (uniqueItems)", Got: containers, Max: maxUniqueItems}
	}
	return a, nil
}

// number keeps the digits, and refuses what arithmetic would choke on: 1e999999999 is ten bytes of JSON
// and half a gigabyte as an integer.
func (c *converter) number(v jsondoc.Value) (any, error) {
	raw := v.Raw()
	if !strictNumber(raw) {
		return nil, &ErrNotJSON{Text: cut(string(raw), 40)}
	}
	if len(raw) > c.digits {
		return nil, &ErrTooComplex{What: "digits in a number", Got: len(raw), Max: c.digits}
	}
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(bytes.TrimPrefix(raw[i+1:], []byte("+"))))
		if err != nil || n > c.exponent || n < -c.exponent {
			return nil, &ErrTooComplex{What: fmt.Sprintf("the exponent of %s is beyond ±%d", cut(string(raw), 40), c.exponent)}
		}
	}
	return json.Number(raw), nil
}

// strictNumber is the number grammar of RFC 8259; the tolerant parser lets more through.
func strictNumber(t []byte) bool {
	t = bytes.TrimPrefix(t, []byte("-"))
	whole, rest := digits(t)
	if len(whole) == 0 || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if len(rest) > 0 && rest[0] == '.' {
		var frac []byte
		if frac, rest = digits(rest[1:]); len(frac) == 0 {
			return false
		}
	}
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		var exp []byte
		if exp, rest = digits(rest); len(exp) == 0 {
			return false
		}
	}
	return len(rest) == 0
}

func digits(t []byte) (run, rest []byte) {
	i := 0
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	return t[:i], t[i:]
}

func article(k jsondoc.Kind) string {
	switch k {
	case jsondoc.Null:
		return "null"
	case jsondoc.Bool:
		return "a boolean"
	case jsondoc.Number:
		return "a number"
	case jsondoc.String:
		return "a string"
	case jsondoc.Array:
		return "an array"
	case jsondoc.Object:
		return "an object"
	}
	return "something else"
}

// cut shortens text for people to about n characters, never inside one.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
