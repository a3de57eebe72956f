package report

import (
	"strings"
	"unicode/utf8"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

func subject(x *wire.Exchange) string {
	if x == nil {
		return ""
	}
	s := x.Method()
	if name := x.Name(); name != "" {
		s += " " + name
	}
	return clip(visible.Escape(s), 120)
}

// messages finds the messages that places lie in.
type messages struct {
	x   *wire.Exchange // where most are; may be nil
	get func(wire.Seq) (wire.Entry, bool)
}

func (m messages) message(frame wire.Seq) *wire.Message {
	if m.x != nil {
		if message := m.x.Message(frame); message != nil {
			return message
		}
	}
	if e, ok := m.get(frame); ok && e.Frame != nil {
		message := wire.Read(e.Seq, e.At, e.Frame)
		return &message
	}
	return nil
}

// root is the message that came as this frame; Missing when it is not to be had or no JSON.
func (m messages) root(frame wire.Seq) jsondoc.Value {
	if message := m.message(frame); message != nil {
		return message.Root()
	}
	return jsondoc.Value{}
}

// where spells a place. An element of an array is named by its name, uri or uriTemplate where it has one: its index changes as
// soon as something is added before it.
func (m messages) where(p inspect.Place) string {
	switch p.Part {
	case inspect.Header:
		return "header " + visible.Escape(string(p.Path))
	case inspect.Status, inspect.Timing, inspect.Stream:
		return p.Part.String()
	}
	var b strings.Builder
	if p.Part == inspect.Key {
		b.WriteString("key ")
	}
	at := m.root(p.Frame)
	for n, token := range p.Path.Tokens() {
		next := at.Step(token)
		if at.Is(jsondoc.Array) {
			b.WriteString("[" + label(next, token) + "]")
		} else {
			if n > 0 {
				b.WriteByte('.')
			}
			b.WriteString(visible.Escape(token))
		}
		at = next
	}
	if len(p.Path) == 0 {
		b.WriteString("message")
	}
	return clip(b.String(), 240)
}

func label(v jsondoc.Value, index string) string {
	for _, name := range []string{"name", "uri", "uriTemplate"} {
		if text := v.Get(name).Text(); text != "" {
			return clip(visible.Escape(text), 60)
		}
	}
	return index
}

// around is how many members are shown before and after the offending one.
const around = 2

// excerpt is the offending value among its neighbours, each on one line and shortened.
func (m messages) excerpt(p inspect.Place) []Line {
	switch p.Part {
	case inspect.Header:
		if message := m.message(p.Frame); message != nil {
			var out []Line
			for _, f := range m.headers(message) {
				if strings.EqualFold(f.Name, string(p.Path)) {
					out = append(out, Line{clip(visible.Escape(f.Name+": "+f.Value), 160), true})
				}
			}
			return out
		}
		return nil
	case inspect.Body, inspect.Key:
	default:
		return nil
	}
	root := m.root(p.Frame)
	if root.Document() == nil {
		return nil
	}
	v := root.Document().At(p.Path)
	if !v.Exists() {
		return nil
	}
	parent := v.Parent()
	if !parent.Exists() {
		return []Line{{line("", v), true}}
	}
	var all []jsondoc.Value
	mark := 0
	for c := range parent.Children() {
		if c.Node() == v.Node() {
			mark = len(all)
		}
		all = append(all, c)
		if len(all) > mark+around && mark > 0 || len(all) > 10_000 {
			break
		}
	}
	from, to := max(0, mark-around), min(len(all), mark+around+1)
	open, end := "{", "}"
	if parent.Is(jsondoc.Array) {
		open, end = "[", "]"
	}
	out := []Line{{Text: open}}
	if from > 0 {
		out = append(out, Line{Text: "  …"})
	}
	for n := from; n < to; n++ {
		out = append(out, Line{"  " + line(all[n].Name(), all[n]), n == mark})
	}
	if to < parent.Len() {
		out = append(out, Line{Text: "  …"})
	}
	return append(out, Line{Text: end})
}

func line(name string, v jsondoc.Value) string {
	raw := v.Raw()
	if len(raw) > 400 { // only the beginning is shown; a large value is not copied for it
		raw = raw[:400]
	}
	text := string(jsondoc.Compact(nil, raw))
	if name != "" {
		text = jsondoc.Quote(name) + ": " + text
	}
	return clip(visible.Escape(text), 120)
}

// headers are those of the HTTP message that a frame came in.
func (m messages) headers(message *wire.Message) []wire.Field {
	switch {
	case message.HTTP != nil:
		return message.HTTP.Header
	case m.x != nil && m.x.Head != nil && message.Dir == wire.Received:
		return m.x.Head.Header
	}
	return nil
}

func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
