package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// exchangeLine is one exchange as a line of --json. The messages stand in it as they crossed the wire, without the
// white space between their tokens; what is no JSON stands as a string under another name. state is what the result is
// worth now; the zero State leaves that to its own hints. kind is the transport, "" when nothing says which HTTP one it was.
func exchangeLine(x *wire.Exchange, v *inspect.Verdict, kind string, state fresh.State, now time.Time) []byte {
	o := object{}
	o.text("type", "exchange")
	o.number("seq", int64(x.Seq()))
	o.text("method", x.Method())
	o.text("name", x.Name())
	lone := x.Lone
	if isNotice(x) {
		lone = x.Request
	}
	if x.Request == nil || lone == x.Request {
		o.text("why", "")
		o.raw("request", "null")
		o.raw("response", "null")
		if x.Fetch != nil {
			o.raw("fetch", fetchOf(x.Fetch))
		}
		if lone != nil && (x.Fetch == nil || len(lone.Body) > 0) {
			o.message("message", lone)
		}
	} else {
		o.text("why", x.Request.Why)
		if x.Retries != 0 {
			o.number("retries", int64(x.Retries))
		}
		o.message("request", x.Request)
		o.message("response", x.Reply)
	}
	o.raw("notifications", notes(x))
	o.raw("transport", transportOf(x, kind))
	o.raw("ms", elapsed(x))
	if x.EndText != "" {
		o.text("reason", x.EndText)
	}
	o.any("verdict", v.JSON(state, now))
	o.any("findings", inspect.FindingsJSON(v.All()))
	return o.end()
}

// forTerminal spells what a terminal would obey, turn round or hide as JSON escapes: the line says the same. In JSON such
// characters can only stand in strings.
func forTerminal(line []byte) []byte {
	if !slices.ContainsFunc(line, func(b byte) bool { return b >= utf8.RuneSelf || b == 0x7f }) {
		return line
	}
	out := make([]byte, 0, len(line)+64)
	for _, r := range string(line) {
		switch {
		case visible.ClassOf(r) == visible.Safe:
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// isNotice tells whether an exchange is a notification or a reply of ours over HTTP: its status belongs to it, no answer does.
func isNotice(x *wire.Exchange) bool {
	if x.Request == nil {
		return false
	}
	k := x.Request.Kind
	return k == wire.Notification || k == wire.Result || k == wire.Error
}

// lastLine holds the findings that only the end of a session shows.
func lastLine(v *inspect.Verdict) []byte {
	o := object{}
	o.text("type", "exchange")
	o.number("seq", int64(v.Seq))
	o.text("method", "")
	o.raw("request", "null")
	o.raw("response", "null")
	o.raw("verdict", "null")
	o.any("findings", inspect.FindingsJSON(v.All()))
	return o.end()
}

// notes are the messages beside the answer. What came after the end says so, and how long after.
func notes(x *wire.Exchange) string {
	out := []byte{'['}
	one := func(m *wire.Message, late bool) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		o := object{}
		o.number("seq", int64(m.Seq))
		if late {
			o.raw("late", "true")
			o.raw("afterMs", milliseconds(m.At.Sub(x.Ended)))
		}
		o.message("message", m)
		out = append(out, o.end()...)
	}
	for i := range x.During {
		one(&x.During[i], false)
	}
	for i := range x.Late {
		one(&x.Late[i], true)
	}
	return string(append(out, ']'))
}

// kindFrom is a transport, and the entry from which on it was the one.
type kindFrom struct {
	from wire.Seq
	kind string
}

// kindAt is the transport of what has this number.
func (r *run) kindAt(seq wire.Seq) string {
	kind := ""
	for _, k := range r.kinds {
		if k.from <= seq {
			kind = k.kind
		}
	}
	return kind
}

func transportOf(x *wire.Exchange, kind string) string {
	o := object{}
	m := x.Request
	if m == nil {
		m = x.Lone
	}
	if x.Head == nil && x.Fetch == nil && (m == nil || m.Lane == 0) {
		o.text("kind", "stdio")
		return string(o.end())
	}
	if kind != "sse" {
		kind = "http"
	}
	o.text("kind", kind)
	if x.Head == nil {
		o.raw("status", "null")
		return string(o.end())
	}
	o.number("status", int64(x.Head.Status))
	h := object{}
	seen := map[string]bool{}
	for _, f := range x.Head.Header {
		name := strings.ToLower(f.Name)
		if !seen[name] {
			seen[name] = true
			h.text(name, x.Head.Get(name))
		}
	}
	o.raw("headers", string(h.end()))
	return string(o.end())
}

// fetchOf is what an HTTP exchange beside the protocol was for, and where it went.
func fetchOf(f *wire.Fetch) string {
	o := object{}
	o.text("for", f.For)
	if r := f.Request; r != nil {
		o.text("method", r.Method)
		o.text("url", r.URL)
	}
	if f.Text != "" {
		o.text("text", f.Text)
	}
	return string(o.end())
}

// elapsed is the time from the request to the last byte of its reply in milliseconds, null without a reply.
func elapsed(x *wire.Exchange) string {
	if x.Request == nil || x.Reply == nil {
		return "null"
	}
	return milliseconds(x.Reply.At.Sub(x.Request.At))
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 3, 64)
}

// object writes one JSON object on one line, members in the order of the calls.
type object struct{ out []byte }

func (o *object) name(name string) {
	if len(o.out) == 0 {
		o.out = append(o.out, '{')
	} else {
		o.out = append(o.out, ',')
	}
	o.out = jsondoc.AppendQuote(o.out, name)
	o.out = append(o.out, ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.out = jsondoc.AppendQuote(o.out, value)
}

func (o *object) number(name string, n int64) {
	o.name(name)
	o.out = strconv.AppendInt(o.out, n, 10)
}

func (o *object) raw(name, json string) {
	o.name(name)
	o.out = append(o.out, json...)
}

// any writes one of the shapes of the contract; they hold nothing that cannot be written.
func (o *object) any(name string, value any) {
	o.name(name)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		b.Reset()
		b.WriteString("null")
	}
	o.out = append(o.out, bytes.TrimRight(b.Bytes(), "\n")...)
}

// message writes what crossed the wire: raw when it is valid JSON, else as a string under the name with Text behind it.
func (o *object) message(name string, m *wire.Message) {
	switch {
	case m == nil:
		o.raw(name, "null")
	case m.Doc().Valid():
		o.name(name)
		o.out = jsondoc.Compact(o.out, m.Body)
	default:
		o.raw(name, "null")
		o.text(name+"Text", string(m.Body))
	}
}

func (o *object) end() []byte {
	if len(o.out) == 0 {
		return []byte("{}")
	}
	return append(o.out, '}')
}
