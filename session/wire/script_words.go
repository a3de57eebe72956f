package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words cuts the text of a script line: +mark, +mark=value, Name=value, word. Names and values may be
// quoted the Go way.
type words struct{ rest string }

type word struct {
	name, value    string
	mark, hasValue bool
}

func (w *words) end() bool {
	w.rest = strings.TrimLeft(w.rest, " \t")
	return w.rest == ""
}

// marked tells that a mark comes next.
func (w *words) marked() bool {
	rest := strings.TrimLeft(w.rest, " \t")
	if len(rest) < 2 || rest[0] != '+' || rest[1] < 'a' || rest[1] > 'z' {
		return false
	}
	w.rest = rest
	return true
}

func (w *words) next() (word, error) {
	var t word
	if w.end() {
		return t, errors.New("something is missing at the end of the line")
	}
	if w.marked() {
		t.mark = true
		w.rest = w.rest[1:]
	}
	var err error
	if t.name, err = w.part(" \t="); err != nil {
		return t, err
	}
	if strings.HasPrefix(w.rest, "=") {
		w.rest = w.rest[1:]
		t.hasValue = true
		t.value, err = w.part(" \t")
	}
	return t, err
}

func (w *words) part(stop string) (string, error) {
	if w.rest != "" && (w.rest[0] == '"' || w.rest[0] == '`') {
		q, err := strconv.QuotedPrefix(w.rest)
		if err != nil {
			return "", fmt.Errorf("reading the quoted text %.40q: %w", w.rest, err)
		}
		w.rest = w.rest[len(q):]
		if w.rest != "" && !strings.ContainsRune(stop, rune(w.rest[0])) {
			return "", fmt.Errorf("something stands right behind the quoted text %.40s", q)
		}
		return strconv.Unquote(q)
	}
	end := strings.IndexAny(w.rest, stop)
	if end < 0 {
		end = len(w.rest)
	}
	s := w.rest[:end]
	w.rest = w.rest[end:]
	return s, nil
}

// text is what remains of the line.
func (w *words) text() string { return strings.TrimSpace(w.rest) }

// marks reads the marks that come next and gives each to take, which tells whether it knows it.
func (w *words) marks(take func(name, value string) (bool, error)) error {
	for w.marked() {
		t, err := w.next()
		if err != nil {
			return err
		}
		known, err := take(t.name, t.value)
		if err != nil {
			return fmt.Errorf("reading +%s: %w", t.name, err)
		}
		if !known {
			return fmt.Errorf("+%s is no mark here", t.name)
		}
	}
	return nil
}

func number[T ~int | ~int64 | ~uint64](to *T, value string) (bool, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	*to = T(n)
	return true, err
}

// unescape reads text with Go escapes, in which quotes need none.
func unescape(s string) ([]byte, error) {
	out := make([]byte, 0, len(s))
	for s != "" {
		if s[0] != '\\' {
			out, s = append(out, s[0]), s[1:]
			continue
		}
		r, multi, tail, err := strconv.UnquoteChar(s, '"')
		if err != nil {
			return nil, fmt.Errorf("reading the escape %.6q: %w", s, err)
		}
		if s = tail; multi {
			out = utf8.AppendRune(out, r)
		} else {
			out = append(out, byte(r))
		}
	}
	return out, nil
}

// escape is the inverse of unescape; blanks at the ends are written as escapes, because editors drop them.
func escape(b []byte) string {
	var out strings.Builder
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1, r == ' ' && (i == 0 || i == len(b)-1), r == '+' && i == 0:
			fmt.Fprintf(&out, `\x%02x`, b[i])
		case r == '\\':
			out.WriteString(`\\`)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < utf8.RuneSelf && !unicode.IsPrint(r):
			fmt.Fprintf(&out, `\x%02x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&out, `\U%08x`, r)
		default:
			out.Write(b[i : i+n])
		}
		i += n
	}
	return out.String()
}

// printable tells that a text can stand in a script as it is.
func printable(s string) bool {
	if !utf8.ValidString(s) || s != strings.TrimSpace(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// quoted is a name or a value as a word can have it.
func quoted(s string) string {
	switch {
	case s != "" && printable(s) && !strings.ContainsAny(s, " \t=\"`+"):
		return s
	case printable(s) && strings.Contains(s, `"`) && !strings.Contains(s, "`"):
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
