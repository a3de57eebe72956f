// Package form edits a JSON value by the fields of its schema. The text is the truth: every change is a splice
// into it, so unknown members stay, numbers keep their spelling, and the raw editor shows the very same value. It
// must never know: whose arguments they are, sessions, how they are sent.
package form

import (
	"bytes"
	"strconv"

	"mcploupe/session/jsondoc"
)

// Set gives the text in which the value at a pointer is raw: replaced where there is one, else added to its object or
// array, in the style of what stands around it. Containers on the way that are missing become objects. Everything
// else stays byte for byte. A text that is no JSON object or array becomes an object.
func Set(text []byte, at jsondoc.Pointer, raw []byte) []byte {
	return setIn(jsondoc.Parse(text), at, raw)
}

// setIn is Set for a text that has been parsed already.
func setIn(doc *jsondoc.Document, at jsondoc.Pointer, raw []byte) []byte {
	text := doc.Text
	if at == "" {
		return raw
	}
	if v := doc.At(at); v.Exists() {
		span := doc.Nodes[v.Node()].Value
		return splice(text, int(span.From), int(span.To), raw)
	}
	up := at.Parent()
	parent := doc.At(up)
	if up == "" {
		parent = doc.Root()
	}
	switch parent.Kind() {
	case jsondoc.Object:
		member := append(jsondoc.AppendQuote(nil, at.Last()), ": "...)
		return insert(text, parent, append(member, raw...))
	case jsondoc.Array:
		if i, err := strconv.Atoi(at.Last()); err == nil && i >= 0 {
			return insert(text, parent, raw)
		}
	}
	// Nothing there to add to, or a value that holds no members.
	member := append([]byte{'{'}, jsondoc.AppendQuote(nil, at.Last())...)
	member = append(append(append(member, ": "...), raw...), '}')
	if up == "" {
		return member
	}
	return Set(text, up, member)
}

// Remove gives the text without the member or element at a pointer, with the comma that belongs to it.
func Remove(text []byte, at jsondoc.Pointer) []byte {
	doc := jsondoc.Parse(text)
	v := doc.At(at)
	if !v.Exists() || at == "" {
		return text
	}
	n := doc.Nodes[v.Node()]
	from, to := int(n.Value.From), int(n.Value.To)
	if n.Key.To > n.Key.From {
		from = int(n.Key.From)
	}
	before := len(bytes.TrimRight(text[:from], " \t\r\n"))
	after := to + len(text[to:]) - len(bytes.TrimLeft(text[to:], " \t\r\n"))
	switch {
	case before > 0 && text[before-1] == ',':
		// the comma before it goes too; blanks behind it stay, they belong to what follows
		return splice(text, before-1, to, nil)
	case after < len(text) && text[after] == ',':
		after++
		next := after + len(text[after:]) - len(bytes.TrimLeft(text[after:], " \t\r\n"))
		return splice(text, from, next, nil)
	}
	// the only one: the brackets close up
	return splice(text, before, after, nil)
}

// insert adds a member or element at the end of a container, on a line of its own where the others have one.
func insert(text []byte, parent jsondoc.Value, piece []byte) []byte {
	span := parent.Document().Nodes[parent.Node()].Value
	end := int(span.To)
	if end > 0 && end <= len(text) && (text[end-1] == '}' || text[end-1] == ']') {
		end--
	}
	inside := bytes.TrimRight(text[span.From:end], " \t\r\n")
	at := int(span.From) + len(inside)
	if parent.Len() == 0 {
		return splice(text, at, end, piece)
	}
	lead := ", "
	if last, ok := lastChild(parent); ok {
		n := parent.Document().Nodes[last]
		from := n.Value.From
		if n.Key.To > n.Key.From {
			from = n.Key.From
		}
		gap := text[:from]
		gap = gap[len(bytes.TrimRight(gap, " \t\r\n")):]
		if bytes.IndexByte(gap, '\n') >= 0 {
			lead = "," + string(gap)
		}
	}
	if bytes.HasSuffix(inside, []byte(",")) {
		lead = lead[1:] // a trailing comma is there already
	}
	return splice(text, at, at, append([]byte(lead), piece...))
}

func lastChild(v jsondoc.Value) (id int32, ok bool) {
	for c := range v.Children() {
		id, ok = c.Node(), true
	}
	return id, ok
}

func splice(text []byte, from, to int, piece []byte) []byte {
	out := make([]byte, 0, len(text)+len(piece)-(to-from))
	out = append(out, text[:from]...)
	out = append(out, piece...)
	return append(out, text[to:]...)
}

// element is the pointer of an array's element.
func element(at jsondoc.Pointer, i int) jsondoc.Pointer {
	return jsondoc.Join(at, strconv.Itoa(i))
}

// Swap gives the text in which two elements or members of one container have changed places: their values with, in an
// object, their names. Everything else stays byte for byte.
func Swap(text []byte, a, b jsondoc.Pointer) []byte {
	doc := jsondoc.Parse(text)
	x, y := doc.At(a), doc.At(b)
	if !x.Exists() || !y.Exists() || a == b || x.Parent().Node() != y.Parent().Node() {
		return text
	}
	if x.Node() > y.Node() {
		x, y = y, x
	}
	p, q := whole(doc, x), whole(doc, y)
	out := make([]byte, 0, len(text))
	out = append(out, text[:p.From]...)
	out = append(out, text[q.From:q.To]...)
	out = append(out, text[p.To:q.From]...)
	out = append(out, text[p.From:p.To]...)
	return append(out, text[q.To:]...)
}

// Rename gives the text in which a member has another name.
func Rename(text []byte, at jsondoc.Pointer, name string) []byte {
	doc := jsondoc.Parse(text)
	v := doc.At(at)
	if !v.Exists() {
		return text
	}
	key := doc.Nodes[v.Node()].Key
	if key.To <= key.From {
		return text
	}
	return splice(text, int(key.From), int(key.To), jsondoc.AppendQuote(nil, name))
}

// whole is the span of a value with its name.
func whole(doc *jsondoc.Document, v jsondoc.Value) jsondoc.Span {
	n := doc.Nodes[v.Node()]
	if n.Key.To > n.Key.From {
		return jsondoc.Span{From: n.Key.From, To: n.Value.To}
	}
	return n.Value
}
