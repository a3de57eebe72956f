package exchange

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// timing is when what crossed, and how much: from being sent to the end, with what came between.
func (p *Pane) timing(w int) []string {
	s := p.env.Styles
	x := &p.row.X
	start := p.row.At()
	const clock = "15:04:05.000"
	out := []string{p.env.Section("Timing", w)}
	if x.Request == nil {
		what := "came"
		if x.Lone != nil && x.Lone.Dir == wire.Sent {
			what = "sent"
		}
		return append(append(out, p.env.Labelled([][2]string{{what, start.Format(clock)}, {"bytes", bytesOf(x.Lone, nil)}}, w)...), p.timed(w)...)
	}
	pairs := [][2]string{{"sent", start.Format(clock)}}
	if n := p.others(); n > 0 {
		words := kit.Count(n, "other request") + " had no answer yet"
		if x.Request.HTTP == nil {
			words += "; on one pipe, a server may answer in turn"
		}
		pairs = append(pairs, [2]string{"", words})
	}
	first := start
	if head := x.Answered(); head != nil && head.Waited > 0 {
		words := "+" + kit.Took(head.Waited) + fmt.Sprintf("  status %d", head.Status)
		if head.Dialed > 0 {
			words += ", over a connection that was made for it in " + kit.Took(head.Dialed)
		}
		pairs = append(pairs, [2]string{"head", words})
		first = start.Add(head.Waited)
	}
	if d := x.During; len(d) > 0 {
		if first == start {
			first = d[0].At
		}
		pairs = append(pairs, [2]string{"first", after(start, d[0].At) + "  " + named(&d[0])})
		if n := len(d); n > 1 {
			pause := time.Duration(0)
			for i := 1; i < n; i++ {
				pause = max(pause, d[i].At.Sub(d[i-1].At))
			}
			pairs = append(pairs, [2]string{"between", fmt.Sprintf("%s until %s, the longest pause %s", kit.Count(n, "message"), after(start, d[n-1].At), kit.Took(pause))})
		}
	}
	switch {
	case x.Reply != nil:
		pairs = append(pairs, [2]string{"answer", after(start, x.Reply.At) + "  " + x.Reply.At.Format(clock)})
	case x.End != wire.Open:
		pairs = append(pairs, [2]string{"ended", after(start, x.Ended) + "  without an answer"})
	default:
		pairs = append(pairs, [2]string{"answer", "none yet"})
	}
	if n := len(x.Late); n > 0 {
		pairs = append(pairs, [2]string{"late", kit.Count(n, "message") + " after the end, the last " + after(start, x.Late[n-1].At)})
	}
	pairs = append(pairs, [2]string{"bytes out", bytesOf(x.Request, x.Request.HTTP)}, [2]string{"bytes in", p.received()})
	out = append(out, p.env.Labelled(pairs, w)...)
	if x.Reply != nil && x.Reply.At.After(start) && first.After(start) {
		out = append(out, p.course(first.Sub(start), x.Reply.At.Sub(start), w))
	}
	for i, l := range out[1:] {
		out[i+1] = s.Text.Render(l)
	}
	return append(out, p.timed(w)...)
}

// course draws how the time was spent: waiting for the first message, and from there to the answer.
func (p *Pane) course(first, whole time.Duration, w int) string {
	s := p.env.Styles
	n := min(w-2, 60)
	if n < 8 || whole <= 0 {
		return ""
	}
	at := min(max(int(int64(n)*int64(first)/int64(whole)), 1), n-1)
	return s.Muted.Render(strings.Repeat("╌", at)) + s.Received.Render(strings.Repeat("━", n-at))
}

// timed is the findings about times.
func (p *Pane) timed(w int) []string {
	var out []string
	for i := range p.row.Findings {
		f := &p.row.Findings[i]
		if f.At.Part != inspect.Timing {
			continue
		}
		sign, style := p.env.Level(f.Level())
		line := style.Render(kit.Cut(sign+" "+book.Note(f), w))
		if i == p.finding {
			line = kit.Under(line, p.env.Styles.SelectedUp, w)
		}
		out = append(out, line)
	}
	return out
}

// after is how long after the start something was.
func after(start, at time.Time) string { return "+" + kit.Took(max(at.Sub(start), 0)) }

// named is what a message between is called. Escaped.
func named(m *wire.Message) string {
	if m.Method != "" {
		return kit.Escape(m.Method)
	}
	return "a message without method"
}

// others is the number of requests of ours that were open when this one was sent.
func (p *Pane) others() (n int) {
	at := p.row.At()
	for _, r := range p.book.Timeline.Rows {
		if r == p.row || r.X.Request == nil || r.Listens() || r.Ref.Seq > p.ref.Seq {
			continue
		}
		if r.X.End == wire.Open || r.X.Ended.After(at) {
			n++
		}
	}
	return n
}

// received is what came in, with the head over HTTP.
func (p *Pane) received() string {
	x := &p.row.X
	n, messages := int64(0), 0
	count := func(m *wire.Message) {
		if m.Dir == wire.Received {
			n += int64(len(m.Body)) + m.Dropped
			messages++
		}
	}
	for i := range x.During {
		count(&x.During[i])
	}
	if x.Reply != nil {
		count(x.Reply)
	}
	for i := range x.Late {
		count(&x.Late[i])
	}
	words := kit.Size(n)
	if messages > 1 {
		words += " in " + kit.Count(messages, "message")
	}
	if size := headSize(x.Answered()); size > 0 {
		words += ", and a head of about " + kit.Size(size)
	}
	return words
}

// bytesOf is the size of a message, with its head over HTTP.
func bytesOf(m *wire.Message, h *wire.Head) string {
	if m == nil {
		return ""
	}
	words := kit.Size(int64(len(m.Body)) + m.Dropped)
	if n := headSize(h); n > 0 {
		words += ", and a head of about " + kit.Size(n)
	}
	return words
}

// headSize is how large a head is as HTTP/1.1 writes it.
func headSize(h *wire.Head) (n int64) {
	if h == nil {
		return 0
	}
	n = int64(len(h.Method) + len(h.URL) + len(h.Proto) + 8)
	for _, f := range h.Header {
		n += int64(len(f.Name) + len(f.Value) + 4)
	}
	return n
}
