package story

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown is the story as a Markdown document with a Mermaid sequence diagram. No text of a server can end the diagram, make
// another statement of it, or become Markdown or HTML.
func (s *Story) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s.\n\n```mermaid\nsequenceDiagram\n", inMarkdown(s.Title), inMarkdown(s.Summary()))
	b.WriteString("    participant C as mcploupe\n")
	fmt.Fprintf(&b, "    participant S as %s\n", inMermaid(s.Server))
	peers := map[string]string{}
	for i := range s.Rows {
		if p := s.Rows[i].Peer; p != "" && peers[p] == "" {
			peers[p] = fmt.Sprintf("A%d", len(peers)+1)
			fmt.Fprintf(&b, "    participant %s as %s\n", peers[p], inMermaid(p))
		}
	}
	for i := range s.Rows {
		if s.Left > 0 && i == firstRows {
			fmt.Fprintf(&b, "    Note over C,S: %d rows are left out here\n", s.Left)
		}
		r := &s.Rows[i]
		to := "S"
		if r.Peer != "" {
			to = peers[r.Peer]
		}
		label := s.label(r)
		switch r.Way {
		case ToServer:
			fmt.Fprintf(&b, "    C%s%s: %s\n", arrowOf(r), to, label)
		case ToClient:
			fmt.Fprintf(&b, "    %s%sC: %s\n", to, arrowOf(r), label)
		case Both:
			fmt.Fprintf(&b, "    C->>%s: %s\n    %s-->>C: %s\n", to, inMermaid("+"+clock(r.At)+" asked"+times(r.Count)), to, label)
		default:
			fmt.Fprintf(&b, "    Note over C,%s: %s\n", to, label)
		}
	}
	b.WriteString("```\n")
	return b.String()
}

func arrowOf(r *Row) string {
	if r.Answer {
		return "-->>"
	}
	return "->>"
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" ×%d", n)
}

// label is what stands on an arrow in Mermaid: its lines joined by the one tag that Mermaid reads as a line end.
func (s *Story) label(r *Row) string {
	words := []string{"+" + clock(r.At)}
	for _, w := range []string{r.Head, r.Verdict} {
		if w != "" {
			words = append(words, w)
		}
	}
	if r.Count > 1 {
		words = append(words, fmt.Sprintf("×%d until +%s", r.Count, clock(r.Until)))
	}
	if r.Number != "" {
		words = append(words, r.Number)
	}
	lines := []string{inMermaid(strings.Join(words, " "))}
	for i, d := range r.Detail {
		if i == 4 {
			lines = append(lines, inMermaid("…"))
			break
		}
		for _, l := range chunks(d, 60, 3) {
			lines = append(lines, inMermaid(l))
		}
	}
	return strings.Join(lines, "<br/>")
}

// chunks cuts a text into pieces of so many characters, at most n; Mermaid does not break lines of messages.
func chunks(text string, size, n int) []string {
	var out []string
	for text != "" {
		if len(out) == n {
			out[n-1] += "…"
			break
		}
		end := 0
		for i := 0; i < size && end < len(text); i++ {
			_, k := utf8.DecodeRuneInString(text[end:])
			end += k
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

// inMermaid spells a text so that Mermaid takes it as words alone: whatever is no letter, digit or harmless sign is written as
// the entity code that Mermaid knows (#59; is a semicolon), and so is the first letter of a word with a meaning of its own.
func inMermaid(text string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(text, " ") {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		hide := reserved(word)
		for i, r := range word {
			switch {
			case hide && i == 0, !harmless(r) && !joins(word, i):
				fmt.Fprintf(&b, "#%d;", r)
			default:
				b.WriteRune(r)
			}
		}
	}
	if b.Len() == 0 || strings.TrimSpace(text) == "" {
		return "#45;"
	}
	return b.String()
}

func harmless(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("./_,=?!+()", r)
	}
	if r == 'ﬂ' || r == '¶' { // Mermaid's own spelling of entities within itself
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// joins tells that the byte is the hyphen of a compound word.
func joins(word string, i int) bool {
	return word[i] == '-' && i > 0 && i+1 < len(word) && isWord(word[i-1]) && isWord(word[i+1])
}

func isWord(c byte) bool {
	return c < utf8.RuneSelf && c != '-' && harmless(rune(c)) && !strings.ContainsRune("./_,=?!+()", rune(c))
}

// reserved tells that a word begins or ends something in a sequence diagram.
func reserved(word string) bool {
	switch strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })) {
	case "end", "loop", "alt", "else", "opt", "par", "and", "rect", "critical", "option", "break", "box", "note", "participant",
		"actor", "activate", "deactivate", "autonumber", "create", "destroy", "title", "links", "link", "style", "classdef", "over":
		return true
	}
	return false
}

// inMarkdown spells a text so that Markdown takes it as words alone.
func inMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r < utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
