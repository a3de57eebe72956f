package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcploupe/session/visible"
)

// inline cuts a paragraph of Markdown into pieces: `code`, **strong**, *emphasis*, [links](to) and
// ![pictures](of). Marks without their partner stay as they are. Escapes are undone (\* is a star).
func inline(text string) []piece {
	var out []piece
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			out = append(out, piece{visible.Escape(plain.String()), inkText})
			plain.Reset()
		}
	}
	before := ' '
	for i := 0; i < len(text); {
		rest := text[i:]
		if p, n := span(rest, before); n > 0 {
			flush()
			out = append(out, p...)
			before = rune(text[i+n-1])
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		if r == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|<>~", rest[1]) >= 0 {
			i++
			n = 1
			r = rune(rest[1])
		} else if strings.IndexByte("`*_", rest[0]) >= 0 { // a whole run without partner, at once
			n = len(rest) - len(strings.TrimLeft(rest, rest[:1]))
		}
		plain.WriteString(text[i : i+n])
		before = r
		i += n
	}
	flush()
	return out
}

// maxSpan bounds how far the partner of a mark is looked for: without it, text made of opening marks
// takes time without end.
const maxSpan = 2000

// span reads what starts with a mark, and its length; 0 when there is nothing.
func span(text string, before rune) ([]piece, int) {
	near := text[:min(len(text), maxSpan)]
	switch text[0] {
	case '`':
		ticks := near[:len(near)-len(strings.TrimLeft(near, "`"))]
		if end := strings.Index(near[len(ticks):], ticks); end > 0 {
			return []piece{{visible.Escape(strings.TrimSpace(near[len(ticks) : len(ticks)+end])), inkString}}, end + 2*len(ticks)
		}
	case '*', '_':
		if text[0] == '_' && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			return nil, 0 // snake_case
		}
		mark, look := near[:1], inkEmph
		if strings.HasPrefix(near[1:], mark) {
			mark, look = near[:2], inkStrong
		}
		body := near[len(mark):]
		if body == "" || body[0] == ' ' || body[0] == mark[0] {
			return nil, 0
		}
		end := strings.Index(body, mark)
		if end <= 0 || body[end-1] == ' ' {
			return nil, 0
		}
		return []piece{{visible.Escape(body[:end]), look}}, end + 2*len(mark)
	case '!', '[':
		start := 0
		if text[0] == '!' {
			start = 1
		}
		if start >= len(near) || near[start] != '[' {
			return nil, 0
		}
		label, after, ok := strings.Cut(near[start+1:], "](")
		if !ok || strings.Contains(label, "[") {
			return nil, 0
		}
		target, _, ok := strings.Cut(after, ")")
		if !ok {
			return nil, 0
		}
		n := start + 1 + len(label) + 2 + len(target) + 1
		shown := visible.Escape(label)
		if start == 1 {
			shown = "picture: " + shown
		}
		if strings.TrimSpace(target) == strings.TrimSpace(label) {
			return []piece{{shown, inkKey}}, n
		}
		return []piece{{shown, inkKey}, {" (" + visible.Escape(target) + ")", inkFaint}}, n
	}
	return nil, 0
}
