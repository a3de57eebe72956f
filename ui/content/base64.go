package content

import (
	"encoding/base64"
	"strings"
)

// decoded is what a text of Base64 means, also where servers write it otherwise than plain Base64: odd says how, in words.
func decoded(text string) (raw []byte, odd string, err error) {
	if !strings.ContainsAny(text, "\r\n") { // the decoder passes over them
		if raw, err = base64.StdEncoding.DecodeString(text); err == nil {
			return raw, "", nil
		}
	}
	_, first := base64.StdEncoding.DecodeString(text)
	var how []string
	t := text
	const end = ";base64,"
	if i := strings.Index(t[:min(len(t), 200)], end); i > 0 && strings.HasPrefix(t, "data:") {
		how, t = append(how, "a data: URL stands around it"), t[i+len(end):]
	}
	if strings.ContainsAny(t, " \t\r\n") {
		how, t = append(how, "blanks or line breaks are in it"), strings.Join(strings.Fields(t), "")
	}
	if strings.ContainsAny(t, "-_") && !strings.ContainsAny(t, "+/") {
		how, t = append(how, "it has the alphabet of URLs (- and _)"), strings.NewReplacer("-", "+", "_", "/").Replace(t)
	}
	if n := len(t) % 4; n > 1 && !strings.HasSuffix(t, "=") {
		how, t = append(how, "its padding with = is missing"), t+"=="[n-2:]
	}
	if raw, err = base64.StdEncoding.DecodeString(t); err != nil {
		if first != nil {
			err = first
		}
		return nil, "", err
	}
	return raw, strings.Join(how, ", "), nil
}
