// Package query is the words by which exchanges are found: m:tools/call tool:get_* is:err rt:task rule:cache-* dir:in. The
// panel of exchanges filters by them, and lessons notice by them that something was done. It must never know: screens, keys,
// and what is looked for as plain text.
package query

import (
	"slices"
	"strings"
	"unicode"
)

// Query is a line of words, taken apart: an exchange fits when every word does.
type Query struct {
	Words []Word
	Wrong []string // words that look like filter words and are none, and why; they are looked for as text
	Timed bool     // the answer changes with time alone
}

// Word is one of them.
type Word struct {
	Key   string // one of Keys, "" for text
	Value string // in lower case; * stands for anything
	Not   bool
}

// The words of the filter line. Those with a list take one of it; the others take a pattern.
const (
	Method = "m"
	Tool   = "tool"
	Is     = "is"
	Type   = "rt"
	Rule   = "rule"
	Dir    = "dir"
)

// Keys are the words before the colon.
func Keys() []string { return []string{Method, Tool, Is, Type, Rule, Dir} }

// Values are what a key takes; nil where it takes a pattern.
func Values(key string) []string {
	switch key {
	case Is:
		return []string{"ok", "err", "viol", "stale", "fresh", "run", "ask", "late", "edited", "mark"}
	case Dir:
		return []string{"in", "out"}
	}
	return nil
}

// Parse reads a filter line. It never fails: what is no filter word is text. A word that is only begun ("is:", "is:e")
// holds nobody back, so that the list does not jump while somebody types.
func Parse(line string) Query {
	var q Query
	tokens := split(line)
	for i, t := range tokens {
		w := Word{Value: strings.ToLower(t.text)}
		text := w.Value
		if rest, ok := strings.CutPrefix(text, "!"); ok && rest != "" && !t.quoted {
			w.Not, text = true, rest
			w.Value = rest
		}
		key, value, ok := strings.Cut(text, ":")
		if ok && !t.quoted {
			last := i == len(tokens)-1
			if why := known(key, value, last); why != "" {
				q.Wrong = append(q.Wrong, why)
			} else if slices.Contains(Keys(), key) {
				w.Key, w.Value = key, value
				if value == "" || begun(key, value) {
					continue
				}
			}
		}
		if w.Value == "" {
			continue
		}
		q.Timed = q.Timed || w.Key == Is && (w.Value == "stale" || w.Value == "fresh")
		q.Words = append(q.Words, w)
	}
	return q
}

// known says why a word with a colon in it is no filter word; "" when it is one, or plainly meant as text (a URI, JSON).
func known(key, value string, last bool) string {
	if !slices.Contains(Keys(), key) {
		if key == "" || strings.HasPrefix(value, "//") || strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return ""
		}
		return key + ": is no filter word"
	}
	list := Values(key)
	if list == nil || slices.Contains(list, value) || last && begun(key, value) || value == "" {
		return ""
	}
	return key + ":" + value + " is none of " + strings.Join(list, " ")
}

// begun tells that a value is the beginning of one that the key takes.
func begun(key, value string) bool {
	list := Values(key)
	return !slices.Contains(list, value) && slices.ContainsFunc(list, func(v string) bool { return strings.HasPrefix(v, value) })
}

// token is a word of the line; one with quotes around it is text whatever it says.
type token struct {
	text   string
	quoted bool
}

// split cuts a line at blanks. Quotes hold words together: "two words", tool:"get weather"; the closing one may be missing.
func split(line string) []token {
	var out []token
	var t token
	var b strings.Builder
	in, any := false, false
	end := func() {
		if any {
			t.text = b.String()
			out = append(out, t)
		}
		t, any = token{}, false
		b.Reset()
	}
	for _, r := range line {
		switch {
		case r == '"':
			if !any {
				t.quoted = true
			}
			in, any = !in, true
		case unicode.IsSpace(r) && !in:
			end()
		default:
			b.WriteRune(r)
			any = true
		}
	}
	end()
	return out
}

// Glob tells that text (in lower case) fits a pattern: with a * in it as a whole, else the pattern has to be somewhere in it.
func Glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return strings.Contains(text, pattern)
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, p := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(text, p)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}
