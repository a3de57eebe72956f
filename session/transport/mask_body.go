package transport

import (
	"bytes"

	"mcploupe/session/jsondoc"
)

// bytes is b with every occurrence of a known secret replaced, same length. With json, b keeps its
// structure if it is JSON. b itself is not changed.
func (s *Secrets) bytes(b []byte, json bool) (masked []byte, hit bool) {
	f := s.find()
	if f == nil || len(b) < MinSecret {
		return b, false
	}
	masked = b
	quotes := quotes{text: b}
	sure := false // that it is JSON, which is asked when it matters
	f.each(b, func(i int, p pattern) {
		// What JSON would have to escape can only stand outside a string, where it is structure.
		if json && !p.escaped {
			if !sure && !jsondoc.Parse(b).Valid() {
				json = false
			}
			if sure = true; json {
				return
			}
		}
		if !hit {
			masked, hit = bytes.Clone(b), true
		}
		switch dst := masked[i : i+len(p.text)]; {
		case !json:
			fill(dst, '*')
		case quotes.inside(i):
			fill(dst[min(len(dst), escapeRest(b, i)):], '*')
		default:
			coverOutside(dst)
		}
	})
	return masked, hit
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// coverOutside masks text outside of strings: digits stay digits, and structure stays, so that JSON
// stays JSON. Other text cannot stand there in JSON, so there is nothing to keep.
func coverOutside(b []byte) {
	if len(bytes.Trim(b, "0123456789+-.eE,:[]{} \t\r\n")) > 0 {
		fill(b, '*')
		return
	}
	for i, c := range b {
		if '0' <= c && c <= '9' {
			b[i] = '9'
		}
	}
}

// quotes tells for rising positions whether they lie inside a JSON string.
type quotes struct {
	text    []byte
	at      int
	in, esc bool
}

func (q *quotes) inside(to int) bool {
	for ; q.at < to; q.at++ {
		switch c := q.text[q.at]; {
		case q.esc:
			q.esc = false
		case c == '"':
			q.in = !q.in
		case c == '\\':
			q.esc = q.in
		}
	}
	return q.in
}

// escapeRest is how many bytes from b[at] on belong to an escape that began before.
func escapeRest(b []byte, at int) int {
	for k := 1; k <= 5 && k <= at; k++ {
		if b[at-k] != '\\' || !odd(b[:at-k+1]) {
			continue
		}
		switch {
		case at-k+1 < len(b) && b[at-k+1] == 'u':
			return 6 - k
		case k == 1:
			return 1
		}
		return 0
	}
	return 0
}
