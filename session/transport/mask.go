package transport

import (
	"bytes"
	"slices"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/secret"
	"mcploupe/session/wire"
)

// What a header field holds, by its name.
type headerKind uint8

const (
	headerPlain     headerKind = iota
	headerAuth                 // a scheme and credentials
	headerCookie               // Cookie: names and values
	headerSetCookie            // one name and value, then attributes
	headerSession              // a session id: its beginning tells sessions apart and opens nothing
	headerSecret               // anything else whose name says so
)

const stars = secret.Stars

func headerClass(name string) headerKind {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization":
		return headerAuth
	case "cookie":
		return headerCookie
	case "set-cookie", "set-cookie2":
		return headerSetCookie
	case "mcp-session-id":
		return headerSession
	}
	if strings.HasPrefix(strings.ToLower(name), strings.ToLower(mcp.HeaderParamPrefix)) {
		return headerPlain // mirrors an argument; known secrets in it are masked like in a body
	}
	if secret.Named(name) {
		return headerSecret
	}
	return headerPlain
}

// MaskHeader is the value of a header as it may be shown, by what its name says that it holds.
func MaskHeader(name, value string) string { return maskHeader(name, value) }

func maskHeader(name, value string) string {
	switch headerClass(name) {
	case headerAuth:
		if scheme, rest, ok := strings.Cut(value, " "); ok && strings.TrimSpace(rest) != "" {
			return scheme + " " + stars
		}
		if value == "" {
			return value
		}
		return stars
	case headerCookie:
		parts := strings.Split(value, ";")
		for i, p := range parts {
			parts[i] = maskCookie(p)
		}
		return strings.Join(parts, ";")
	case headerSetCookie:
		first, rest, more := strings.Cut(value, ";")
		if first = maskCookie(first); more {
			return first + ";" + rest
		}
		return first
	case headerSession:
		return MaskSession(value)
	case headerSecret:
		if value != "" {
			return stars
		}
	}
	return value
}

func maskCookie(pair string) string {
	if name, _, ok := strings.Cut(pair, "="); ok {
		return name + "=" + stars
	}
	if strings.TrimSpace(pair) == "" {
		return pair
	}
	return stars
}

// MaskSession keeps the first eight characters (of a short id, the first half) and the length; only
// visible ASCII is replaced, so that a character that may not be in an id can still be seen.
func MaskSession(id string) string {
	b := []byte(id)
	for i := min(8, len(b)/2); i < len(b); i++ {
		if 0x21 <= b[i] && b[i] <= 0x7E {
			b[i] = '*'
		}
	}
	return string(b)
}

// MaskURL is an address as it may be shown: see secret.URL; of the id of a session the beginning stays, as in MaskSession. It takes
// any text, readable as a URL or not; the rest stays as it is spelled.
func MaskURL(raw string) string {
	raw = secret.MaskURL(raw)
	head, query, ok := strings.Cut(raw, "?")
	if !ok || strings.Contains(head, "#") {
		return raw
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	parts := strings.Split(query, "&")
	for i, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if value != "" && strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) == "sessionid" {
			parts[i] = name + "=" + MaskSession(value)
		}
	}
	if raw = head + "?" + strings.Join(parts, "&"); hasFragment {
		raw += "#" + fragment
	}
	return raw
}

// Text masks the known secrets in text for people.
func (s *Secrets) Text(text string) string {
	if b, hit := s.bytes([]byte(text), false); hit {
		return string(b)
	}
	return text
}

// Words is the words of a command as they may be shown: without what is secret by its place or look (see secret.Words), and
// without what is known.
func (s *Secrets) Words(argv []string) []string {
	out := s.texts(secret.Mask(argv))
	for i := range out {
		for long := strings.Repeat("*", MinSecret); strings.Contains(out[i], long); { // as long as they are: not here
			from := strings.Index(out[i], long)
			out[i] = out[i][:from] + stars + strings.TrimLeft(out[i][from:], "*")
		}
		for _, short := range s.shorts() {
			out[i] = strings.ReplaceAll(out[i], short, stars)
		}
	}
	return out
}

// mask is the entry as the log may have it: the same when nothing in it is secret, else a copy.
func (s *Secrets) mask(e wire.Entry) wire.Entry {
	switch {
	case e.Frame != nil:
		e.Frame = s.frame(e.Frame)
	case e.Lane != nil:
		l := *e.Lane
		l.Text = s.Text(l.Text)
		l.HTTP, _ = s.head(l.HTTP)
		if l.Exit != nil {
			x := *l.Exit
			x.Argv, x.Stderr, x.Dir = s.Words(x.Argv), s.texts(x.Stderr), s.Text(x.Dir)
			l.Exit = &x
		}
		e.Lane = &l
	case e.State != nil:
		st := *e.State
		st.Text, st.Target, st.Server = s.Text(st.Text), s.Text(st.Target), s.json(st.Server)
		e.State = &st
	case e.Ask != nil:
		a := *e.Ask
		a.Params, a.Answer = s.json(a.Params), s.json(a.Answer)
		e.Ask = &a
	case e.Note != nil:
		n := *e.Note
		n.Text = s.Text(n.Text)
		e.Note = &n
	case e.Ending != nil:
		x := *e.Ending
		x.Text = s.Text(x.Text)
		e.Ending = &x
	case e.Fetch != nil:
		f := *e.Fetch
		f.Request, _ = s.head(f.Request)
		f.Response, _ = s.head(f.Response)
		f.Sent, _ = s.bytes(f.Sent, false)
		f.Body, _ = s.bytes(f.Body, looksJSON(f.Body))
		f.Text = s.Text(f.Text)
		e.Fetch = &f
	}
	return e
}

func (s *Secrets) texts(list []string) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = s.Text(t)
	}
	return out
}

func (s *Secrets) json(text string) string {
	if b, hit := s.bytes([]byte(text), true); hit {
		return string(b)
	}
	return text
}

func (s *Secrets) frame(f *wire.Frame) *wire.Frame {
	head, hit := s.head(f.HTTP)
	body, hitBody := s.bytes(f.Body, looksJSON(f.Body))
	before, hitBefore := s.bytes(f.Before, false)
	event, hitEvent := s.event(f.Event)
	if !hit && !hitBody && !hitBefore && !hitEvent {
		return f
	}
	return &wire.Frame{
		Dir: f.Dir, Lane: f.Lane, HTTP: head, Event: event, Why: f.Why, Shape: f.Shape, Before: before,
		Lines: f.Lines, Dropped: f.Dropped, Masked: true, Body: body,
	}
}

func (s *Secrets) event(e *wire.Event) (*wire.Event, bool) {
	if e == nil {
		return nil, false
	}
	m := *e
	raw, hit := s.bytes(e.Raw, true)
	m.Raw = raw
	m.Name, m.ID, m.Retry, m.Comments = s.Text(e.Name), s.Text(e.ID), s.Text(e.Retry), s.texts(e.Comments)
	if !hit && m.Name == e.Name && m.ID == e.ID && m.Retry == e.Retry && slices.Equal(m.Comments, e.Comments) {
		return e, false
	}
	return &m, true
}

func (s *Secrets) head(h *wire.Head) (*wire.Head, bool) {
	if h == nil {
		return nil, false
	}
	m := *h
	m.URL = s.Text(MaskURL(h.URL))
	m.Header = slices.Clone(h.Header)
	hit := m.URL != h.URL
	for i, f := range m.Header {
		v := f.Value
		if strings.EqualFold(f.Name, "Location") || strings.EqualFold(f.Name, "Referer") {
			v = MaskURL(v)
		}
		m.Header[i].Value = s.Text(maskHeader(f.Name, v))
		hit = hit || m.Header[i].Value != f.Value
	}
	if !hit {
		return h, false
	}
	return &m, true
}

func looksJSON(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}
