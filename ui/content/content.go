// Package content shows what an answer holds for people, block by block, as what it is: text, Markdown, code, JSON, tables, pictures,
// recordings, other bytes. Finding out what a block is may take long, so that is a function of its own that the root lets run beside
// the screen; drawing costs what is in view. The package must never know: sessions, verdicts, where on the screen it stands, or how
// a terminal is made to show a picture otherwise than in cells.
package content

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// source says where the bytes of a block come from.
type source uint8

const (
	fromText   source = iota + 1 // a JSON string that is the text
	fromBase64                   // a JSON string of Base64
	fromValue                    // any JSON value, as it stands
	fromBytes                    // bytes that stand in no JSON
	fromCard                     // there is nothing but the card
)

// block is one part of an answer.
type block struct {
	title string      // escaped
	card  [][2]string // labels and values, escaped
	notes []string    // what is wrong, escaped
	mime  string      // declared, as the server wrote it
	uri   string
	link  string // what a link leads to, "" for what is none
	from  source
	v     jsondoc.Value
	raw   []byte          // of fromBytes
	path  jsondoc.Pointer // of the block in its message
	inner jsondoc.Pointer // of v in its message
	inset bool            // v is a part of the message itself: what is inside has a path too

	state  state
	made   made
	at     int // index into made.forms
	folded bool

	lines     []string // of the card
	linesFor  cardKey
	cardFound *cardFound

	laid struct{ lead, rows int } // at the last arrangement
}

// state is how far a block is prepared.
type state uint8

const (
	waiting state = iota
	working
	ready
)

// maxBlocks bounds how many blocks are shown; the message has them all.
const maxBlocks = 500

// Has tells that a result holds something made for people to read.
func Has(result jsondoc.Value) bool {
	return result.Get("content").Is(jsondoc.Array) || result.Get("contents").Is(jsondoc.Array) || result.Get("messages").Is(jsondoc.Array) || result.Get("structuredContent").Exists()
}

// blocksOf takes a result apart. Nothing is decoded here.
func blocksOf(result jsondoc.Value) (blocks []*block, left int) {
	add := func(title string, v jsondoc.Value) {
		if len(blocks) == maxBlocks {
			left++
			return
		}
		blocks = append(blocks, newBlock(title, v))
	}
	for i, v := range result.Get("content").Elements() {
		add(fmt.Sprint(i+1), v)
	}
	for i, v := range result.Get("contents").Elements() {
		add(fmt.Sprint(i+1), v)
	}
	for _, v := range result.Get("messages").Elements() {
		role := v.Get("role").Text()
		if c := v.Get("content"); c.Is(jsondoc.Array) {
			for _, e := range c.Elements() {
				add(role, e)
			}
		} else {
			add(role, c)
		}
	}
	if v := result.Get("structuredContent"); v.Exists() {
		b := &block{title: "structuredContent", from: fromValue, v: v, inset: true}
		b.path = v.Pointer()
		b.inner = b.path
		blocks = append(blocks, b)
	}
	return blocks, left
}

// newBlock reads a block of content, a resource's contents, or anything else that stands in their place.
func newBlock(title string, v jsondoc.Value) *block {
	b := &block{path: v.Pointer()}
	kind := v.Get("type").Text()
	holder := v
	if r := v.Get("resource"); kind == "resource" && r.Is(jsondoc.Object) {
		holder = r
	}
	b.mime, b.uri = holder.Get("mimeType").Text(), holder.Get("uri").Text()
	b.title = kit.Escape(strings.TrimSpace(title + " " + kind))
	if kind == "" && b.uri != "" {
		b.title = kit.Escape(b.uri)
	}
	if b.mime != "" {
		b.title += " " + kit.Escape(b.mime)
	}
	take := func(name string, s source) bool {
		if b.from == 0 && holder.Get(name).Is(jsondoc.String) {
			b.from, b.v = s, holder.Get(name)
		}
		return b.from != 0
	}
	switch {
	case kind == "resource_link":
		b.from, b.link = fromCard, v.Get("uri").Text()
		b.describe(v, "uri", "name", "title", "description", "mimeType", "size")
	case take("text", fromText), take("blob", fromBase64), take("data", fromBase64):
		if holder != v {
			b.describe(holder, "uri", "mimeType", "size")
		} else if kind == "" {
			b.describe(holder, "name", "title", "size")
		}
	default:
		b.from, b.v, b.inset = fromValue, v, true
	}
	b.annotations(v.Get("annotations"))
	if holder != v {
		b.annotations(holder.Get("annotations"))
	}
	b.inner = b.v.Pointer()
	if !b.v.Exists() {
		b.inner = b.path
	}
	return b
}

// labels of members in a card.
var labels = map[string]string{"uri": "URI", "mimeType": "type"}

// describe puts members into the card.
func (b *block) describe(v jsondoc.Value, names ...string) {
	for _, name := range names {
		m := v.Get(name)
		if !m.Exists() {
			continue
		}
		label := labels[name]
		if label == "" {
			label = name
		}
		text := m.Text()
		if n, ok := m.Int(); ok && name == "size" {
			text = kit.Size(n)
		} else if !m.Is(jsondoc.String) {
			text = string(m.Raw())
		}
		b.card = append(b.card, [2]string{label, kit.Escape(beginning(text))})
	}
}

// annotations puts what a server says of the block into the card.
func (b *block) annotations(a jsondoc.Value) {
	for name, m := range a.Members() {
		text := string(m.Raw())
		switch {
		case m.Is(jsondoc.String):
			text = m.Text()
		case m.Is(jsondoc.Array):
			var words []string
			for _, e := range m.Elements() {
				if !e.Is(jsondoc.String) {
					words = nil
					break
				}
				words = append(words, e.Text())
			}
			if words != nil {
				text = strings.Join(words, ", ")
			}
		}
		b.card = append(b.card, [2]string{kit.Escape(beginning(name)), kit.Escape(beginning(text))})
	}
}

// beginning bounds what a card shows of a text.
func beginning(text string) string {
	const most = 2000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// size is how many bytes the block takes in the message.
func (b *block) size() int {
	if b.from == fromBytes {
		return len(b.raw)
	}
	return len(b.v.Raw())
}
