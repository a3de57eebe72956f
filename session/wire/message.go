package wire

import (
	"strconv"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
)

// Read reads a frame as JSON-RPC. It cannot fail, compares member names exactly, and takes the last of
// several members with one name.
//
// A message with an id and a result or an error is an answer, whatever else it has. Otherwise a method
// makes it a Request (with an id, null included) or a Notification (without). A broken text counts as
// what it was meant to be as far as it can be told: an object with any of these four members is a
// message, its faults are for a rule to report. Other text with faults is NotJSON.
func Read(seq Seq, at time.Time, f *Frame) Message {
	m := Message{Seq: seq, At: at, Frame: f}
	if !m.fast(f.Body) {
		m.slow(f.Doc())
	}
	return m
}

// has collects which of the members that decide the kind are there.
type has struct{ id, method, result, err bool }

func (h has) kind() Kind {
	switch {
	case h.result && (h.id || !h.method):
		return Result
	case h.err && (h.id || !h.method):
		return Error
	case h.method && h.id:
		return Request
	case h.method:
		return Notification
	}
	return Odd
}

// fast reads strict JSON objects and blank text without building a document.
func (m *Message) fast(text []byte) bool {
	if blank(text) {
		m.Kind = NotJSON
		return true
	}
	var id, method []byte
	var h has
	ok := object(text, func(name, value []byte) {
		switch string(name) {
		case "id":
			id, h.id = value, true
		case "method":
			method, h.method = value, true
		case "result":
			h.result = true
		case "error":
			h.err = true
		}
	})
	if !ok {
		return false
	}
	if h.method && method[0] == '"' {
		text, isPlain := plain(method)
		if !isPlain {
			return false
		}
		m.Method = text
	}
	m.ID, m.Kind = string(id), h.kind()
	return true
}

// slow reads anything, by way of the document.
func (m *Message) slow(d *jsondoc.Document) {
	root := d.Root()
	switch root.Kind() {
	case jsondoc.Object:
		id, method := root.Get("id"), root.Get("method")
		h := has{id.Exists(), method.Exists(), root.Get("result").Exists(), root.Get("error").Exists()}
		m.ID, m.Method, m.Kind = string(id.Raw()), method.Text(), h.kind()
		if h == (has{}) && !readable(d) {
			m.Kind = NotJSON
		}
	case jsondoc.Missing, jsondoc.Invalid:
		m.Kind = NotJSON
	case jsondoc.Array:
		if m.Kind = NotJSON; readable(d) || root.Index(0).Get("jsonrpc").Exists() { // not "[info] listening"
			m.Kind = Batch
		}
	default:
		if m.Kind = Odd; !readable(d) { // "2026-01-01 started"
			m.Kind = NotJSON
		}
	}
}

// readable tells that the document is JSON but for faults that leave its structure beyond doubt.
func readable(d *jsondoc.Document) bool {
	for _, f := range d.Faults {
		switch f.Kind {
		case jsondoc.DuplicateKey, jsondoc.BadUTF8, jsondoc.ByteOrderMark, jsondoc.TooDeep,
			jsondoc.LoneSurrogate, jsondoc.BadEscape, jsondoc.ControlInText:
		default:
			return false
		}
	}
	return true
}

func blank(text []byte) bool {
	for _, b := range text {
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return false
		}
	}
	return true
}

// maxParts is how many elements of a batch are read as messages; a longer array stays one message.
const maxParts = 1000

// parts are the elements of a batch as messages of their own; nil when it has none, too many, or
// elements that are no objects only.
func (m *Message) parts() []Message {
	if m.Kind != Batch {
		return nil
	}
	root := m.Root()
	if n := root.Len(); n == 0 || n > maxParts {
		return nil
	}
	var out []Message
	for i, v := range root.Elements() {
		if !v.Is(jsondoc.Object) {
			continue
		}
		f := *m.Frame
		f.Body, f.read = v.Raw(), nil
		part := Read(m.Seq, m.At, f.Seal())
		part.Part = i + 1
		out = append(out, part)
	}
	return out
}

// Ref names the message.
func (m *Message) Ref() Ref { return Ref{m.Seq, m.Part} }

// Root is the root of the message's document.
func (m *Message) Root() jsondoc.Value { return m.Doc().Root() }

// Result is the result member; Missing when there is none.
func (m *Message) Result() jsondoc.Value { return m.Root().Get("result") }

// Err is the error member; Missing when there is none.
func (m *Message) Err() jsondoc.Value { return m.Root().Get("error") }

// Params is the params member; Missing when there is none.
func (m *Message) Params() jsondoc.Value { return m.Root().Get("params") }

// Name is what a row shows beside the method: the tool, prompt, resource or reference that the request
// (or the lone frame) names; "" when it names none.
func (x *Exchange) Name() string {
	m := x.Request
	if m == nil {
		m = x.Lone
	}
	if m == nil || m.Method == "" {
		return ""
	}
	return m.name()
}

func (m *Message) name() string {
	for _, path := range [][]string{{"params", "name"}, {"params", "uri"}, {"params", "ref", "name"}, {"params", "ref", "uri"}, {"params", "taskId"}} {
		if t := token(m.Body, path...); strings.HasPrefix(t, `"`) {
			return unquote(t)
		}
	}
	return ""
}

// unquote is the text of a JSON string token.
func unquote(token string) string {
	if s, ok := plain([]byte(token)); ok {
		return s
	}
	return jsondoc.Parse([]byte(token)).Root().Text()
}

// key is a token in the spelling under which equal tokens are equal: a server may send a string back
// with other escapes, or 1 for 1.0. A string is never equal to a number. "" and "null" are no key.
func key(token string) string {
	if token == "" || token == "null" {
		return ""
	}
	switch token[0] {
	case '"':
		if strings.IndexByte(token, '\\') >= 0 {
			return jsondoc.Quote(unquote(token))
		}
	case '{', '[', 't', 'f':
	default:
		if strings.ContainsAny(token, ".eE") || token == "-0" {
			if n, ok := jsondoc.Parse([]byte(token)).Root().Int(); ok {
				return strconv.FormatInt(n, 10)
			}
		}
	}
	return token
}
