package exchange

import (
	"fmt"
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// heads is the page of the headers with a cursor on one of its lines: a status, or a header field.
type heads struct {
	items []headItem
	at    int
	shown int // the item that was last brought into view
}

// headItem is something on the page that the cursor can stand on: the first line of a head, or a field of it.
type headItem struct {
	ours   bool   // of the request
	name   string // of the field; "" for the first line
	status int    // of a response's first line
	from   int    // its first line on the page
	lines  int
}

// headRows is the keys of the cursor, in the place of those that scroll.
func (p *Pane) headRows() []kit.Row {
	move := func(d int) func() kit.Intent { return func() kit.Intent { p.headTo(p.heads.at + d); return nil } }
	rows := p.page.Rows()
	for i := range rows {
		switch rows[i].Keys[0] {
		case "up":
			rows[i].Do = move(-1)
		case "down":
			rows[i].Do = move(1)
		case "g":
			rows[i].Do = move(-1 << 20)
		case "G":
			rows[i].Do = move(1 << 20)
		}
	}
	return rows
}

// headTo puts the cursor on an item and brings it into view.
func (p *Pane) headTo(i int) {
	p.listHeads()
	p.heads.at = max(min(i, len(p.heads.items)-1), 0)
	p.heads.shown = -1
}

// headInView brings the item under the cursor into view once it is drawn; to is the height of the view.
func (p *Pane) headInView(h int) {
	if p.heads.at >= len(p.heads.items) || p.heads.shown == p.heads.at {
		return
	}
	p.heads.shown = p.heads.at
	it, from := p.heads.items[p.heads.at], p.page.Scroll().From
	switch {
	case p.heads.at == 0:
		p.page.ScrollTo(0)
	case it.from < from:
		p.page.ScrollTo(it.from)
	case it.from+it.lines > from+h:
		p.page.ScrollTo(it.from + it.lines - h)
	}
}

// listHeads makes sure that there are items, also where keys come before the page was drawn.
func (p *Pane) listHeads() {
	if p.tab == tabHeaders {
		p.fill(max(p.pageFor.w, 40))
	}
}

// headAt is the item under the cursor, nil when there is none.
func (p *Pane) headAt() *headItem {
	p.listHeads()
	if p.tab != tabHeaders || p.heads.at >= len(p.heads.items) {
		return nil
	}
	return &p.heads.items[p.heads.at]
}

// headUnder puts the cursor on what stands in a line of the page.
func (p *Pane) headUnder(line int) bool {
	for i, it := range p.heads.items {
		if it.from <= line && line < it.from+it.lines {
			p.heads.at, p.heads.shown = i, i
			return true
		}
	}
	return false
}

// sentSeq is the number of the request's frame, 0 without one.
func (p *Pane) sentSeq() wire.Seq {
	if p.row.X.Request == nil {
		return 0
	}
	return p.row.X.Request.Seq
}

// onHead tells that a finding is about this item.
func (p *Pane) onHead(f *inspect.Finding, it *headItem) bool {
	switch {
	case (f.At.Frame == p.sentSeq()) != it.ours: // whatever is not about our own head is about the answer's, whichever frame it came with
		return false
	case it.name == "":
		return f.At.Part == inspect.Status
	}
	return f.At.Part == inspect.Header && strings.EqualFold(string(f.At.Path), it.name)
}

// headers is the heads of request and response, with what is wrong in them.
func (p *Pane) headers(w int) []string {
	s := p.env.Styles
	x := &p.row.X
	var out []string
	p.heads.items = p.heads.items[:0]
	add := func(it headItem, lines []string) {
		if len(p.heads.items) == p.heads.at {
			for i := range lines {
				lines[i] = kit.Under(lines[i], s.SelectedUp, w)
			}
		}
		it.from, it.lines = len(out), len(lines)
		p.heads.items = append(p.heads.items, it)
		out = append(out, lines...)
	}
	one := func(h *wire.Head, ours bool, first string) {
		if h == nil {
			return
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		add(headItem{ours: ours, status: h.Status}, []string{p.env.Section(first, w)})
		lw := 0
		for _, f := range h.Header {
			lw = max(lw, kit.Width(kit.Escape(f.Name)))
		}
		lw = min(lw, max(w*2/5, 6))
		for _, f := range h.Header {
			label := s.Muted.Render(kit.Fit(kit.Escape(f.Name), lw)) + "  "
			var lines []string
			for _, l := range kit.Wrap(kit.Escape(f.Value), max(w-lw-2, 10)) {
				lines = append(lines, label+l)
				label = kit.Blank(lw + 2)
			}
			if len(lines) == 0 {
				lines = []string{label}
			}
			add(headItem{ours: ours, name: f.Name}, lines)
		}
		for i := range p.row.Findings {
			f := &p.row.Findings[i]
			if (f.At.Frame == p.sentSeq()) != ours || f.At.Part != inspect.Header && f.At.Part != inspect.Status {
				continue
			}
			sign, style := p.env.Level(f.Level())
			line := style.Render(kit.Cut(sign+" "+kit.Escape(string(f.At.Path))+" "+book.Note(f), w))
			if i == p.finding {
				line = kit.Under(line, s.SelectedUp, w)
			}
			out = append(out, line)
		}
	}
	if m := x.Request; m != nil && m.HTTP != nil {
		one(m.HTTP, true, strings.TrimSpace(kit.Escape(m.HTTP.Method+" "+m.HTTP.URL)))
	}
	if f := x.Fetch; f != nil && f.Request != nil {
		one(f.Request, true, strings.TrimSpace(kit.Escape(f.Request.Method+" "+f.Request.URL)))
	}
	if head := p.row.X.Answered(); head != nil {
		one(head, false, strings.TrimSpace(fmt.Sprintf("%s %d", kit.Escape(head.Proto), head.Status)))
	}
	if len(out) == 0 {
		out = append(out, s.Ghost.Render("no headers here"))
	}
	return out
}
