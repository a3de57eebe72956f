package inspect

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// oddText is a string of a message, or the name of a member, that holds dangerous characters.
type oddText struct {
	at   jsondoc.Value
	key  bool
	text string
	hits []visible.Hit
}

// oddMemory is where the rules about characters share what they found: a rule by its address only. It is never changed.
var oddMemory = new(Rule)

type oddKept struct {
	of  *wire.Message
	odd []oddText
}

// odd is every string of the message judged that holds dangerous characters, found once for all rules. Nearly all messages are
// plain, and one look at their bytes tells.
func (p *Pass) odd() []oddText {
	if p.m == nil {
		return nil
	}
	k, ok := p.in.kept[oddMemory].(*oddKept)
	if !ok {
		k = new(oddKept)
		p.in.kept[oddMemory] = k
	}
	if k.of == p.m {
		return k.odd
	}
	k.of, k.odd = p.m, nil
	if plainBytes(p.m.Body) {
		return nil
	}
	doc := p.Root().Document()
	if doc == nil {
		return nil
	}
	for i := range doc.Nodes {
		n := &doc.Nodes[i]
		v := doc.Value(int32(i))
		if n.Key.To > n.Key.From && !plainBytes(doc.Text[n.Key.From:n.Key.To]) {
			if hits := visible.Find(v.Name()); len(hits) > 0 {
				k.odd = append(k.odd, oddText{v, true, v.Name(), hits})
			}
		}
		if n.Kind == jsondoc.String && !plainBytes(doc.Text[n.Value.From:n.Value.To]) {
			if text := v.Text(); len(text) > 0 {
				if hits := visible.Find(text); len(hits) > 0 {
					k.odd = append(k.odd, oddText{v, false, text, hits})
				}
			}
		}
	}
	return k.odd
}

// plainBytes tells whether JSON text holds printable ASCII only, and no escape that could stand for anything else.
func plainBytes(text []byte) bool {
	for len(text) > 0 {
		if len(text) >= 8 { // eight bytes at once while none is above 0x7e, below 0x20, or a backslash
			const ones, tops = 0x0101010101010101, 0x8080808080808080
			w := binary.LittleEndian.Uint64(text)
			if (w|(w+ones)|(w-ones*0x20)|((w^ones*'\\')-ones))&tops == 0 {
				text = text[8:]
				continue
			}
		}
		switch c := text[0]; {
		case c >= 0x7f, c < 0x20 && c != '\n' && c != '\r' && c != '\t':
			return false
		case c == '\\' && len(text) > 1:
			if text[1] == 'u' || text[1] == 'b' {
				return false
			}
			text = text[2:]
			continue
		}
		text = text[1:]
	}
	return true
}

// place is where an odd string stands.
func (o *oddText) place(p *Pass) Place {
	if o.key {
		return p.Key(o.at)
	}
	return p.At(o.at)
}

// controls shows the control characters in the string that a terminal may obey, "" when there are none. Form feed, vertical tab
// and next line are everyday in files and printouts.
func (o *oddText) controls() string {
	var b strings.Builder
	for _, h := range o.hits {
		switch h.Class {
		case visible.C0, visible.C1, visible.DEL:
			if h.Rune != '\f' && h.Rune != '\v' && h.Rune != 0x85 && b.Len() < displayMax {
				b.WriteString(visible.Sign(h.Rune))
			}
		}
	}
	return b.String()
}

// hidden shows the invisible characters in the string, "" when there are none to wonder about. In what a server says of itself
// none belong, but for those that scripts need; in data that it returns only forms that are never innocent count.
func (o *oddText) hidden(data bool) string {
	var b strings.Builder
	n := 0
	show := func(r rune) {
		n++
		if b.Len() < displayMax {
			b.WriteString(visible.Sign(r))
		}
	}
	flag := false // within the flag of a part of a country, which is written with tags
	var before visible.Hit
	for i, h := range o.hits {
		follows := i > 0 && before.Offset+len(string(before.Rune)) == h.Offset
		switch h.Class {
		case visible.Tag:
			flag = flag && follows || strings.HasSuffix(o.text[:h.Offset], "\U0001F3F4")
			if !flag {
				show(h.Rune)
			}
		case visible.Bidi:
			override := 0x202a <= h.Rune && h.Rune <= 0x202e
			if override && !rightToLeft(o.text) || h.Rune == 0x202d || h.Rune == 0x202e || !data && !rightToLeft(o.text) {
				show(h.Rune)
			}
		case visible.ZeroWidth:
			joiner := (h.Rune == 0x200c || h.Rune == 0x200d) && needsJoiners(o.text)
			if !joiner && !data || follows && before.Class == visible.ZeroWidth && !joiner {
				show(h.Rune)
			}
		case visible.Variation:
			if follows && before.Class == visible.Variation {
				show(h.Rune)
			}
		case visible.Format:
			if !data && h.Rune != 0xad {
				show(h.Rune)
			}
		}
		before = h
	}
	if n == 0 {
		return ""
	}
	if tags := visible.TagText(o.text); tags != "" && !flag {
		b.WriteString(" spells " + quoted(tags))
	}
	return b.String()
}

func rightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
	})
}

// needsJoiners tells whether a text is in a script in which invisible joiners shape letters.
func needsJoiners(text string) bool {
	return rightToLeft(text) || strings.ContainsFunc(text, func(r rune) bool { return 0x0900 <= r && r <= 0x0dff || 0x1780 <= r && r <= 0x18af })
}

// returned tells whether a result is data that was asked for, rather than what the server says of itself.
func (p *Pass) returned() bool {
	switch p.Method() {
	case mcp.ToolsCall, mcp.ResourcesRead, mcp.PromptsGet, mcp.Complete:
		return true
	}
	return false
}

// definitions is the part of a result in which tools, prompts or resources are described, in lower case.
func (p *Pass) definitions() []byte { return bytes.ToLower(p.Result().Raw()) }
