// Package secret tells which parts of the words of a target are secrets: by their place (behind --api-key, in KEY=…, in
// https://user:password@host, behind Authorization:) or by their look (keys of well-known services). Words that a person typed
// for a process are shown and recorded in many places, and this is the one that decides what of them may be read there.
//
// It must never know: MCP, sessions, the wire, screens. It guesses by rules that are written down in its tests: a flag that says
// --max-tokens, and a path to a file, are no secrets.
package secret

import (
	"cmp"
	"slices"
	"strings"
)

// Stars stand for a secret whose length is nobody's business.
const Stars = "***"

// Part is a secret within a text: its bytes, and what they spell without the quotes and escapes of the text around it.
type Part struct {
	From, To int
	Value    string
}

// Words are the secrets in the words of a command, word by word; a flag makes the word behind it secret.
func Words(argv []string) [][]Part {
	out := make([][]Part, len(argv))
	for i, word := range argv {
		if at, ok := announced(argv[:i], word); ok {
			out[i] = []Part{{at, len(word), word[at:]}}
			continue
		}
		if i == 0 || !shell.MatchString(argv[i-1]) {
			if name, value, ok := strings.Cut(word, "="); ok && !strings.ContainsAny(name, " \t\r\n:;,") && strings.ContainsAny(value, " \t\r\n") {
				s := scan{} // one argument, blanks and all
				s.pairs(word, 0, 0)
				s.shapes(word)
				out[i] = tidy(s.parts, word)
				continue
			}
		}
		out[i] = Text(word)
	}
	return out
}

// Text is the secrets in one word on its own, or in a line of words; in order, none within another.
func Text(text string) []Part {
	s := scan{}
	s.word(text, 0, 0)
	s.shapes(text)
	return tidy(s.parts, text)
}

// URL is the secrets in an address: a password, a user without one (over HTTP: a token), and parameters of a secret's name.
func URL(raw string) []Part {
	s := scan{}
	s.url(raw, 0)
	s.shapes(raw)
	return tidy(s.parts, raw)
}

// tidy sorts parts, and joins those that overlap.
func tidy(parts []Part, text string) []Part {
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	out := parts[:0]
	for _, p := range parts {
		switch n := len(out); {
		case p.From >= p.To:
		case n > 0 && p.To <= out[n-1].To:
		case n > 0 && p.From < out[n-1].To:
			out[n-1].To = p.To
			out[n-1].Value = text[out[n-1].From:p.To]
		default:
			out = append(out, p)
		}
	}
	return slices.Clip(out)
}

// Cover is a text with something in the place of each part.
func Cover(text string, parts []Part, with string) string {
	if len(parts) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range parts {
		b.WriteString(text[at:p.From])
		b.WriteString(with)
		at = p.To
	}
	b.WriteString(text[at:])
	return b.String()
}

// Mask is the words of a command with stars for what is secret.
func Mask(argv []string) []string {
	out := make([]string, len(argv))
	for i, parts := range Words(argv) {
		out[i] = Cover(argv[i], parts, Stars)
	}
	return out
}

// MaskText is a text with stars for what is secret.
func MaskText(text string) string { return Cover(text, Text(text), Stars) }

// MaskURL is an address with stars for what is secret. It takes any text, readable as a URL or not; the rest stays as it is spelled.
func MaskURL(raw string) string { return Cover(raw, URL(raw), Stars) }

// Values are the secrets in the words of a command, to be looked for elsewhere: what a server repeats of them. Words that
// anybody uses are none (Common), nor is a plain word that stands in the clear beside it: in postgres://postgres:postgres@host
// the password tells nothing.
func Values(argv []string) []string {
	all := Words(argv)
	shown := make([]string, len(argv))
	for i, parts := range all {
		shown[i] = Cover(argv[i], parts, Stars)
	}
	rest := strings.Join(shown, "\n")
	var out []string
	for _, parts := range all {
		for _, p := range parts {
			for _, v := range spellings(p.Value) {
				if Common(v) || lower(v) && strings.Contains(rest, v) || slices.Contains(out, v) {
					continue
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// lower tells that a text is small letters alone.
func lower(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// Common tells that a value is a word that stands everywhere: to hide it wherever it stands would hide what is no secret.
func Common(value string) bool {
	switch strings.ToLower(value) {
	case "password", "passwort", "changeme", "change-me", "postgres", "postgresql", "localhost", "undefined", "disabled", "required", "optional",
		"username", "database", "production", "development", "anonymous", "administrator", "your-api-key", "your_api_key", "api-key", "127.0.0.1":
		return true
	}
	return false
}
