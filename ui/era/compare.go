// Package era puts one request under two revisions of the protocol side by side: what would be sent, where that differs,
// and why. Comparing is a pure function of the messages; the pane shows it. It must never know: sessions, or how a request
// is spelled.
package era

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Message is one message that would be sent.
type Message struct {
	What   string // its method, or in words what it is for
	HTTP   string // the HTTP method; "" on stdio
	Header []wire.Field
	Body   []byte
}

// Side is what would be sent under one revision, in order.
type Side struct {
	Version  string
	Messages []Message
}

// Line is one line of a side, not escaped.
type Line struct {
	Text   string
	Title  bool // names a message
	Reason int  // number of the reason why the other side has no such line, from 1; 0 where it has
}

// Comparison is two sides and why they differ.
type Comparison struct {
	Versions [2]string
	Lines    [2][]Line
	Reasons  []string // by number, from 1
	Answer   []string // what differs in what comes back
}

// Compare puts the spellings of a request side by side.
func Compare(method string, a, b Side) Comparison {
	c := Comparison{Versions: [2]string{a.Version, b.Version}}
	sides := [2]Side{a, b}
	for i, s := range sides {
		other := sides[1-i]
		if why := missing(method, s.Version); why != "" {
			c.Lines[i] = append(c.Lines[i], Line{Text: why, Reason: c.reason(why)}, Line{})
		}
		for j := range s.Messages {
			if j > 0 {
				c.Lines[i] = append(c.Lines[i], Line{})
			}
			c.message(i, &s.Messages[j], find(other.Messages, s.Messages[j].What), other.Version)
		}
	}
	c.Answer = answer(method, a.Version, b.Version)
	return c
}

// reason is the number of a reason.
func (c *Comparison) reason(text string) int {
	for i, r := range c.Reasons {
		if r == text {
			return i + 1
		}
	}
	c.Reasons = append(c.Reasons, text)
	return len(c.Reasons)
}

func find(list []Message, what string) *Message {
	for i := range list {
		if list[i].What == what {
			return &list[i]
		}
	}
	return nil
}

func (c *Comparison) message(side int, m, other *Message, against string) {
	add := func(text string, why string) {
		n := 0
		if why != "" {
			n = c.reason(why)
		}
		c.Lines[side] = append(c.Lines[side], Line{Text: text, Reason: n})
	}
	whole := ""
	if other == nil {
		whole = whyMessage(m.What, against)
		other = &Message{}
	}
	n := 0
	if whole != "" {
		n = c.reason(whole)
	}
	title := m.What
	if m.HTTP != "" {
		title = m.HTTP + "  " + title
	}
	c.Lines[side] = append(c.Lines[side], Line{Text: title, Title: true, Reason: n})
	if n > 0 {
		whole = ""
	}
	for _, f := range m.Header {
		why := ""
		if value, has := header(other.Header, f.Name); n == 0 && (!has || value != f.Value) {
			why = whyHeader(f.Name, has)
		}
		add(f.Name+": "+f.Value, why)
	}
	if len(m.Body) == 0 {
		return
	}
	body, theirs := jsondoc.Parse(m.Body).Root(), jsondoc.Parse(other.Body).Root()
	if !body.Is(jsondoc.Object) {
		add(string(m.Body), whole)
		return
	}
	add("{", "")
	c.members(side, body, theirs, "  ", "", n == 0)
	add("}", "")
}

// members are the members of an object, one a line; params and _meta are opened.
func (c *Comparison) members(side int, v, other jsondoc.Value, indent, path string, compare bool) {
	i, last := 0, v.Len()-1
	for name, m := range v.Members() {
		comma := ","
		if i == last {
			comma = ""
		}
		i++
		theirs := other.Get(name)
		at := path + "/" + name
		key := indent + string(jsondoc.AppendQuote(nil, name)) + ": "
		if (at == "/params" || at == "/params/_meta") && m.Is(jsondoc.Object) && m.Len() > 0 {
			n := 0
			if compare && !theirs.Exists() {
				n = c.reason(whyMember(at))
			}
			c.Lines[side] = append(c.Lines[side], Line{Text: key + "{", Reason: n})
			c.members(side, m, theirs, indent+"  ", at, compare && n == 0)
			c.Lines[side] = append(c.Lines[side], Line{Text: indent + "}" + comma})
			continue
		}
		n := 0
		if compare && !m.Same(theirs) {
			n = c.reason(whyMember(at))
		}
		c.Lines[side] = append(c.Lines[side], Line{Text: key + string(jsondoc.Compact(nil, m.Raw())) + comma, Reason: n})
	}
}

func header(list []wire.Field, name string) (string, bool) {
	for _, f := range list {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

// missing says that a revision has no such method, "" where it has, or where nobody knows the method.
func missing(method, version string) string {
	m, ok := mcp.Lookup(method)
	if !ok || m.In(version) {
		return ""
	}
	text := fmt.Sprintf("%s has no %s", version, method)
	switch {
	case m.Since > version:
		text += fmt.Sprintf(": it came with %s", m.Since)
		if method == mcp.Listen {
			text += "; before, changes come unasked, and single resources by resources/subscribe"
		} else if method == mcp.Discover {
			text += "; before, initialize told the same"
		}
	case m.InExtension(version):
		text += ": it is part of the extension " + m.Extension
	case m.Instead != "":
		text += ": instead there is " + m.Instead
	}
	return text
}
