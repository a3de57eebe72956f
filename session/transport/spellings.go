package transport

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"mcploupe/session/jsondoc"
)

// jsonLevels is how deep a value is looked for in JSON within strings of JSON.
const jsonLevels = 3

// patternsOf are the ways in which programs write a value.
func patternsOf(value string) []pattern {
	quoted := unquoted(jsondoc.Quote(value))
	all := []pattern{{value, quoted == value}}
	add := func(text string) {
		if p := (pattern{text, true}); len(text) >= MinSecret && !slices.Contains(all, p) && (text != value || quoted == value) {
			all = append(all, p)
		}
	}
	// The text of a result may be JSON itself, and a string of that too: each level escapes what the one before has written.
	for level, texts := 0, []string{value}; level < jsonLevels; level++ {
		var next []string
		for _, text := range texts {
			quoted := unquoted(jsondoc.Quote(text))
			for _, spelling := range append(jsonSpellings(quoted), quoted) {
				if add(spelling); spelling != text && !slices.Contains(next, spelling) {
					next = append(next, spelling)
				}
			}
		}
		texts = next
	}
	for _, u := range urlSpellings(value) {
		add(u)
	}
	for _, b := range base64Spellings(value) {
		add(b)
		add(strings.ReplaceAll(b, "/", `\/`))
	}
	return all
}

func unquoted(literal string) string { return literal[1 : len(literal)-1] }

// jsonSpellings are other ways in which programs write the text of a JSON string: with \/ (PHP), in
// ASCII alone (Python), safe for HTML (Go).
func jsonSpellings(quoted string) []string {
	ascii := asciiOnly(quoted)
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)
	var out []string
	for _, s := range []string{strings.ReplaceAll(quoted, "/", `\/`), ascii, strings.ReplaceAll(ascii, "/", `\/`), html.Replace(quoted)} {
		if s != quoted && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func asciiOnly(quoted string) string {
	var ascii strings.Builder
	for _, r := range quoted {
		if r < 0x80 {
			ascii.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&ascii, `\u%04x`, u)
		}
	}
	return ascii.String()
}

// urlSpellings are the ways in which a URL writes value, where they differ from it.
func urlSpellings(value string) []string {
	var out []string
	for _, s := range []string{url.QueryEscape(value), url.PathEscape(value), lowerEscapes(url.QueryEscape(value))} {
		if s != value && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// lowerEscapes writes the digits of percent escapes small.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(s[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// base64Spellings are value in Base64, as a whole and wherever it begins in something longer (user:value): of three places that there
// are for a byte, those characters that value alone decides.
func base64Spellings(value string) []string {
	var out []string
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		out = append(out, e.EncodeToString([]byte(value)))
		for before := range 3 {
			text := e.EncodeToString(append(make([]byte, before), value...))
			out = append(out, text[(before*8+5)/6:(before+len(value))*8/6])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
