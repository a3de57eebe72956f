package exchange

import (
	"fmt"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/content"
	"mcploupe/ui/kit"
)

// What the answer holds for people, and the bytes of the exchange.

// hasContent tells that the answer holds something made for people to read.
func hasContent(r *book.Row) bool {
	return r.X.Reply != nil && r.X.Reply.Kind == wire.Result && content.Has(brought(r))
}

// sheet is the content that the tab shows, nil when it shows something else.
func (p *Pane) sheet() *content.View {
	if p.row == nil {
		return nil
	}
	switch {
	case p.tab == tabContent:
		if p.partsFor != p.state {
			// What was found later about the same answer changes nothing in it.
			if p.partsFor.ref != p.state.ref || p.partsFor.reply != p.state.reply {
				p.parts.Set(brought(p.row))
			}
			p.partsFor = p.state
		}
		return p.parts
	case p.tab == tabRaw && p.inHex:
		if p.bytesFor != p.state {
			p.bytesFor = p.state
			p.bytes.SetBytes(bytesIn(&p.row.X))
		}
		return p.bytes
	}
	return nil
}

// bytesIn are the messages of an exchange as they crossed the wire, without what HTTP had around them.
func bytesIn(x *wire.Exchange) (parts []content.Bytes) {
	one := func(m *wire.Message, what string) {
		if m == nil {
			return
		}
		b := m.Body
		switch {
		case m.Event != nil && m.Event.Raw != nil:
			b = m.Event.Raw
		case len(m.Before) > 0:
			b = append(append([]byte(nil), m.Before...), m.Body...)
		}
		sign := kit.SignReceived
		if m.Dir == wire.Sent {
			sign = kit.SignSent
		}
		title := fmt.Sprintf("%s #%d %s, %s", sign, m.Seq, what, kit.Size(int64(len(b))))
		if m.Dropped > 0 {
			title += ", and " + kit.Size(m.Dropped) + " that were let go"
		}
		parts = append(parts, content.Bytes{Title: title, Data: b})
	}
	one(x.Request, "request")
	if f := x.Fetch; f != nil && len(f.Sent) > 0 {
		parts = append(parts, content.Bytes{Title: kit.SignSent + " request, " + kit.Size(int64(len(f.Sent))), Data: f.Sent})
	}
	for i := range x.During {
		one(&x.During[i], named(&x.During[i]))
	}
	one(x.Reply, "answer")
	one(x.Lone, "message")
	for i := range x.Late {
		one(&x.Late[i], "late")
	}
	return parts
}

// fillRaw brings the view of the raw text up to date. It is a copy of all bytes: only for whoever looks at it.
func (p *Pane) fillRaw() {
	if p.rawFor != p.state {
		p.rawFor = p.state
		p.raw.SetText(rawText(&p.row.X), "")
	}
}

// sheetRows are the keys of the content, and of the bytes.
func (p *Pane) sheetRows() []kit.Row {
	switch p.tab {
	case tabContent:
		rows := p.sheet().Rows()
		path := p.sheet().Path()
		off := ""
		if path == "" {
			off = "there is nothing"
		}
		return append(rows, kit.Row{Keys: []string{"enter"}, Words: "show it in the response", Group: "content", Quiet: true, Off: off, Do: func() kit.Intent {
			p.tab = tabAnswer
			p.answer.Goto(path)
			return nil
		}})
	case tabRaw:
		words := "bytes in hex"
		var rows []kit.Row
		if v := p.sheet(); v != nil {
			words, rows = "bytes as text", v.Rows()
		}
		return append([]kit.Row{{Keys: []string{"x"}, Words: words, Group: "document", Do: func() kit.Intent { p.inHex = !p.inHex; return nil }}}, rows...)
	}
	return nil
}
