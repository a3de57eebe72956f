package oauth

import "strings"

// Demand is what the Bearer challenge of a 401 or 403 says (RFC 6750 §3, RFC 9728 §5.1).
type Demand struct {
	Bearer           bool   // there is a challenge of this scheme
	ResourceMetadata string // address of the resource metadata, "" for none
	Scopes           []string
	Error            string // "invalid_token", "insufficient_scope"
	Description      string
	Fault            string // what is wrong with how it is written, "" for nothing
}

// ReadChallenge reads the WWW-Authenticate fields of an answer (RFC 9110 §11.6.1). It cannot fail: what
// is wrong is told in Fault, and what can be read around it is read. Of several Bearer challenges the
// first counts.
func ReadChallenge(fields []string) Demand {
	var d Demand
	for _, f := range fields {
		r := challengeReader{rest: f}
		for {
			c, ok := r.next()
			if !ok {
				break
			}
			if !strings.EqualFold(c.scheme, "Bearer") || d.Bearer {
				continue
			}
			d.Bearer = true
			d.ResourceMetadata, d.Scopes = c.params["resource_metadata"], strings.Fields(c.params["scope"])
			d.Error, d.Description = c.params["error"], c.params["error_description"]
		}
		if d.Fault == "" {
			d.Fault = r.fault
		}
	}
	return d
}

// challenge is one scheme with its parameters, names in lower case.
type challenge struct {
	scheme string
	params map[string]string
}

// challengeReader takes challenges off the front of a field's value.
type challengeReader struct{ rest, fault string }

func (r *challengeReader) wrong(what string) {
	if r.fault == "" {
		r.fault = what
	}
}

// next is the next challenge. A comma separates challenges as well as parameters: a token that no equals
// sign follows begins a challenge.
func (r *challengeReader) next() (challenge, bool) {
	c := challenge{params: map[string]string{}}
	for {
		r.rest = strings.TrimLeft(r.rest, ", \t")
		if r.rest == "" {
			return challenge{}, false
		}
		if c.scheme = r.token(); c.scheme != "" {
			break
		}
		r.wrong("a scheme is missing")
		r.rest = r.rest[1:]
	}
	for {
		before := r.rest
		r.rest = strings.TrimLeft(r.rest, ", \t")
		name := r.token()
		if name == "" {
			if r.rest == "" {
				return c, true
			}
			r.wrong("there is text that is no parameter")
			r.rest = r.rest[1:]
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(r.rest, " \t"), "=")
		if !ok {
			if strings.Contains(before[:len(before)-len(strings.TrimLeft(before, ", \t"))], ",") {
				r.rest = before
				return c, true
			}
			continue // credentials in one word, which Bearer does not have
		}
		if word := strings.TrimLeft(value, "="); word == "" || word[0] == ',' {
			r.rest = word // the padding of credentials in one word
			continue
		}
		r.rest = strings.TrimLeft(value, " \t")
		name = strings.ToLower(name)
		text := r.value()
		if _, twice := c.params[name]; twice {
			r.wrong("the parameter " + name + " stands twice")
			continue
		}
		c.params[name] = text
	}
}

// token takes a token off the front, "" when there is none.
func (r *challengeReader) token() string {
	n := 0
	for n < len(r.rest) && (r.rest[n] > ' ' && r.rest[n] < 0x7F && !strings.ContainsRune(`()<>@,;:\"/[]?={}`, rune(r.rest[n]))) {
		n++
	}
	word := r.rest[:n]
	r.rest = r.rest[n:]
	return word
}

// value takes a token or a quoted string off the front. Unquoted values may hold more than they should:
// addresses and lists of scopes are often left without quotes.
func (r *challengeReader) value() string {
	if !strings.HasPrefix(r.rest, `"`) {
		n := strings.IndexAny(r.rest, ", \t")
		if n < 0 {
			n = len(r.rest)
		}
		word := r.rest[:n]
		r.rest = r.rest[n:]
		if strings.ContainsAny(word, `()<>@;:\"/[]?={}`) {
			r.wrong("a value that needs quotes has none")
		}
		return word
	}
	var b strings.Builder
	for i := 1; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '\\' && i+1 < len(r.rest):
			i++
			b.WriteByte(r.rest[i])
		case c == '"':
			r.rest = r.rest[i+1:]
			return b.String()
		default:
			b.WriteByte(c)
		}
	}
	r.rest = ""
	r.wrong("a quoted value does not end")
	return b.String()
}
