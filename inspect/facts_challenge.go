package inspect

import (
	"strings"

	"mcploupe/session/wire"
)

// challenge is what the WWW-Authenticate fields of a response say (RFC 9110 §11.6.1), read leniently.
type challenge struct {
	text   string            // as it stood there; "" when there is none
	bearer bool              // there is a challenge of the scheme Bearer
	params map[string]string // of the first Bearer challenge, names in lower case
}

// scopes are the scopes that the challenge names.
func (c *challenge) scopes() []string { return strings.Fields(c.params["scope"]) }

// readChallenge reads the challenges of a response. Of several Bearer challenges the first counts.
func readChallenge(h *wire.Head) challenge {
	c := challenge{text: h.Get("WWW-Authenticate"), params: map[string]string{}}
	mine := false
	rest := c.text
	for {
		rest = strings.TrimLeft(rest, ", \t")
		if rest == "" {
			return c
		}
		n := strings.IndexAny(rest, " \t,=\"")
		if n < 0 {
			n = len(rest)
		}
		if n == 0 { // no token: pass over it
			rest = rest[1:]
			continue
		}
		word := rest[:n]
		rest = strings.TrimLeft(rest[n:], " \t")
		if !strings.HasPrefix(rest, "=") { // a scheme, or credentials in one word
			mine = strings.EqualFold(word, "Bearer") && !c.bearer
			c.bearer = c.bearer || mine
			continue
		}
		var value string
		value, rest = challengeValue(strings.TrimLeft(rest[1:], " \t"))
		name := strings.ToLower(word)
		if _, twice := c.params[name]; mine && !twice {
			c.params[name] = value
		}
	}
}

// challengeValue takes a value off the front: a quoted string, or everything up to the next blank or comma.
func challengeValue(text string) (value, rest string) {
	if !strings.HasPrefix(text, `"`) {
		n := strings.IndexAny(text, ", \t")
		if n < 0 {
			n = len(text)
		}
		return text[:n], text[n:]
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '"':
			return b.String(), text[i+1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
