package exchange

import (
	"bytes"
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// fill makes the page of the tab.
func (p *Pane) fill(w int) {
	key := pageKey{p.state, p.tab, w, p.env.Styles, p.finding, p.heads.at}
	if p.tab == tabStory {
		p.told()
		key.at = p.tale.version
	}
	if key == p.pageFor {
		return
	}
	p.pageFor = key
	switch p.tab {
	case tabHeaders:
		p.page.SetLines(append(append(p.timing(w), ""), p.headers(w)...))
	case tabRounds:
		p.page.SetLines(p.rounds(w))
	case tabStory:
		lines := p.env.StoryLines(&p.tale.story, w)
		if p.or(tabHeaders) != tabHeaders { // else the times stand there
			lines = append(append(lines, ""), p.timing(w)...)
		}
		p.page.SetLines(lines)
	case tabBetween:
		p.page.SetLines(p.messages(w))
	default:
		p.page.SetLines(p.noAnswer(w))
	}
}

// noAnswer says why there is none: it is awaited, or what ended it.
func (p *Pane) noAnswer(w int) []string {
	s := p.env.Styles
	x := &p.row.X
	var out []string
	if p.row.Running() {
		text := "The answer has not come yet."
		if p.listens() {
			text = "It is open. What it brings stands here as it comes:"
		}
		out = append(out, s.Muted.Render(text), "")
		return append(out, p.messages(w)...)
	}
	if x.EndText != "" {
		for _, l := range kit.Paragraph(x.EndText, w) {
			out = append(out, s.Text.Render(l))
		}
		out = append(out, "")
	}
	if x.Exit != nil {
		out = append(out, p.env.Exit(x.Exit, w)...)
	}
	if len(x.During)+len(x.Late) > 0 || p.listens() {
		out = append(out, "")
		out = append(out, p.messages(w)...)
	}
	return out
}

// mostBrought is how many notifications of a subscription are shown beside it: the newest.
const mostBrought = 200

// listens tells that the exchange is a subscription, whose notifications are rows of their own.
func (p *Pane) listens() bool { return p.row.Listens() }

// messages is what came beside the answer, in order.
func (p *Pane) messages(w int) []string {
	s := p.env.Styles
	var out []string
	start := p.row.At()
	one := func(m *wire.Message, late bool) {
		dir, style := kit.SignReceived, &s.Received
		if m.Dir == wire.Sent {
			dir, style = kit.SignSent, &s.Sent
		}
		what := kit.Escape(m.Method)
		switch {
		case what != "":
		case m.Kind == wire.Result, m.Kind == wire.Error:
			what = "the answer"
		default:
			what = "a message without method"
		}
		if late {
			what += ", late: " + kit.Took(m.At.Sub(p.row.X.Ended)) + " after " + endWord(p.row.X.End)
		}
		out = append(out, kit.Ends(style.Render(dir)+" "+s.Title.Render(what), s.Muted.Render("+"+kit.Took(m.At.Sub(start))), w))
		v := m.Params()
		text := m.Body
		if v.Exists() {
			text = v.Raw()
		}
		body := kit.Escape(string(jsondoc.Compact(nil, text[:min(len(text), 4096)])))
		for _, l := range kit.Wrap(body, w-2) {
			out = append(out, "  "+s.Text.Render(l))
		}
		for i := range p.row.Findings {
			if f := &p.row.Findings[i]; f.At.Frame == m.Seq {
				sign, style := p.env.Level(f.Level())
				out = append(out, "  "+style.Render(kit.Cut("└ "+sign+" "+book.Note(f), w-2)))
			}
		}
	}
	const most = 500
	during := p.row.X.During
	if n := len(during) - most; n > 0 {
		out = append(out, s.Muted.Render(fmt.Sprintf("%s earlier ones are left out here", kit.Number(n))))
		during = during[n:]
	}
	for i := range during {
		one(&during[i], false)
	}
	if p.listens() {
		rows, earlier := p.book.Timeline.Brought(p.ref.Seq, mostBrought)
		if earlier > 0 {
			out = append(out, s.Muted.Render(kit.Number(earlier)+" earlier ones are left out here"))
		}
		for _, r := range rows {
			one(r.X.Lone, false)
			for i := range r.Findings {
				sign, style := p.env.Level(r.Findings[i].Level())
				out = append(out, "  "+style.Render(kit.Cut("└ "+sign+" "+book.Note(&r.Findings[i]), w-2)))
			}
		}
	}
	for i := range p.row.X.Late {
		one(&p.row.X.Late[i], true)
	}
	return out
}

// endWord names the end of an exchange that something came after.
func endWord(e wire.End) string {
	switch e {
	case wire.Cancelled:
		return "the cancel"
	case wire.TimedOut:
		return "the timeout"
	}
	return "the end"
}

// rawText is the exchange as it crossed the wire.
func rawText(x *wire.Exchange) []byte {
	var b bytes.Buffer
	head := func(h *wire.Head) {
		if h == nil {
			return
		}
		if h.Method != "" {
			fmt.Fprintf(&b, "%s %s %s\n", h.Method, h.URL, h.Proto)
		} else {
			fmt.Fprintf(&b, "%s %d\n", h.Proto, h.Status)
		}
		for _, f := range h.Header {
			fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
		}
		b.WriteByte('\n')
	}
	one := func(m *wire.Message, h *wire.Head) {
		if m == nil {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		head(h)
		if m.Event != nil && m.Event.Raw != nil {
			b.Write(m.Event.Raw)
			return
		}
		b.Write(m.Before)
		b.Write(m.Body)
		if m.Dropped > 0 {
			fmt.Fprintf(&b, "\n… %d bytes were let go …", m.Dropped)
		}
	}
	if x.Request != nil {
		one(x.Request, x.Request.HTTP)
	}
	if f := x.Fetch; f != nil && f.Request != nil {
		one(&wire.Message{Frame: &wire.Frame{Body: f.Sent}}, f.Request)
	}
	headed := false
	for i := range x.During {
		h := x.Head
		if headed || x.During[i].Dir == wire.Sent {
			h = nil
		} else {
			headed = true
		}
		one(&x.During[i], h)
	}
	for _, m := range []*wire.Message{x.Reply, x.Lone} {
		if m == nil {
			continue
		}
		h := m.HTTP
		if h == nil && !headed {
			h = x.Head
		}
		one(m, h)
	}
	for i := range x.Late {
		one(&x.Late[i], nil)
	}
	return b.Bytes()
}
