package timeline

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// source is the rows of the book for the list.
type source struct{ p *Panel }

func (s source) Len() int         { s.fold(); return len(s.p.folded.rows) }
func (s source) Version() int     { s.fold(); return s.p.version() }
func (s source) Key(i int) string { return key(s.at(i).Ref) }

func (s source) fold()              { s.p.folded.fold(&s.p.book.Timeline, s.p.Filter() != "") }
func (s source) at(i int) *book.Row { return s.p.folded.rows[i].row }

func (s source) Text(i int) string {
	r := s.at(i)
	text := label(r)
	if n := s.p.folded.rows[i].more; n > 0 {
		text += " ×" + kit.Number(n+1)
	}
	if t := r.Task; t != nil && t.Row != r {
		return text + " " + taskText(r)
	}
	if r.Method == mcp.Complete && !r.Lone() {
		if argument := r.X.Request.Params().Get("argument").Get("name").Text(); argument != "" {
			text += " " + kit.Escape(argument) + " " + kit.SignDot
		}
	}
	if r.Name != "" {
		text += " " + r.Name
	}
	return text
}

// label is the method as a row shows it: what names the thing may stand without it.
func label(r *book.Row) string {
	switch r.Method {
	case "tools/call":
		return "call"
	case "resources/read":
		return "read"
	case "prompts/get":
		return "get"
	case "completion/complete":
		return "complete"
	case mcp.TasksGet:
		return "task"
	case mcp.TasksUpdate:
		return "answer task"
	case mcp.TasksCancel:
		return "end task"
	case "resources/templates/list":
		return "templates/list"
	case "":
		if f := r.X.Fetch; f != nil {
			return fetchLabel(f)
		}
		if r.X.Lone != nil {
			switch r.X.Lone.Kind {
			case wire.NotJSON:
				return "not JSON"
			case wire.Result, wire.Error:
				return "stray answer"
			case wire.Batch:
				return "batch"
			}
		}
		return "a message without method"
	}
	return strings.TrimPrefix(r.Method, "notifications/")
}

// fetchLabel is an HTTP exchange beside the protocol as a row shows it: what was asked for, and the status that came.
func fetchLabel(f *wire.Fetch) string {
	what := f.For
	if f.Request != nil && (f.For == wire.ForStream || f.For == wire.ForSession) {
		what = f.Request.Method + " " + f.For
	}
	if f.Response != nil {
		what += " " + strconv.Itoa(f.Response.Status)
	}
	return kit.Escape(what)
}

func (s source) Line(i, w int, match []int) string {
	p := s.p
	st := p.env.Styles
	r := s.at(i)
	number := strconv.FormatUint(uint64(r.Ref.Seq), 10)
	last := p.book.Timeline.Rows[len(p.book.Timeline.Rows)-1].Ref.Seq
	digits := len(strconv.FormatUint(uint64(last), 10))
	left := st.Faint.Render(kit.Blank(digits-len(number))+number) + " "
	base := &st.Text
	if p.env.Present {
		base = &st.Title
	}
	switch {
	case r.Lone() && r.Sent():
		left += st.Sent.Render(kit.SignSent) + " "
		base = &st.Muted
	case r.Lone():
		left += st.Received.Render(kit.SignReceived) + " "
		base = &st.Muted
	case r.X.Request.Aside():
		base = &st.Muted
	}
	if p.marks.has(r.Ref) {
		left += st.Accent.Render(kit.SignMark) + " "
	}
	if r.Altered() {
		left += st.Should.Render("altered ")
	}
	if r.Round > 1 && w < 44 {
		left += st.Muted.Render(fmt.Sprintf("round %d ", r.Round))
	}
	from, edited := r.EditedFrom()
	if edited && w < 44 {
		left += st.Should.Render(fmt.Sprintf("└#%d ", from))
	} else if edited {
		left += st.Should.Render("└ ")
	}
	left += p.env.Matched(s.Text(i), match, base)
	if edited && w >= 44 {
		left += st.Should.Render(fmt.Sprintf(" edited from #%d", from))
	}
	if r.Round > 1 && w >= 44 {
		left += st.Faint.Render(fmt.Sprintf(" round %d of #%d", r.Round, r.First.Seq))
	}
	right := p.right(r, w)
	if args := with(r, w-kit.Width(left)-kit.Width(right)-2); args != "" && !p.env.Present {
		left += " " + st.Faint.Render(args)
	}
	return kit.Ends(left, right, w)
}

// right is the end of a row: how it went, how long it keeps, how long it took, how large, how old. The
// narrower the panel the fewer; the order stays.
func (p *Panel) right(r *book.Row, w int) string {
	if p.env.Present && !r.Running() {
		return p.told(r)
	}
	st := p.env.Styles
	now := p.env.Now()
	var b strings.Builder
	if r.Running() {
		p.live = true
		return p.runs(r, w)
	}
	if state := p.book.FreshnessOf(r, now); state.Name == fresh.Fresh && w >= 30 {
		p.live = true
		b.WriteString(st.Fresh.Render(kit.SignFresh+" "+p.env.LeftIn(state.Left, r.V.Freshness.TTL)) + " ")
	}
	if r.X.End == wire.Dropped {
		b.WriteString(st.Must.Render("lost") + " ")
	}
	if after, ok := r.LateAnswer(); ok {
		b.WriteString(st.Should.Render("late "+kit.Took(after)) + " ")
	}
	if t := r.Task; t != nil && t.Row == r && t.Now.Status != "" {
		b.WriteString(p.taskSign(t, w))
	} else {
		b.WriteString(p.sign(r))
	}
	if d, ok := r.Took(); w >= 44 {
		if ok {
			b.WriteString(st.Muted.Render(fmt.Sprintf(" %7s", kit.Took(d))))
		} else {
			b.WriteString(kit.Blank(8))
		}
	}
	if w >= 54 {
		b.WriteString(st.Faint.Render(fmt.Sprintf(" %7s", kit.Size(r.Size()))))
	}
	age := now.Sub(r.At())
	p.oldest = min(p.oldest, age)
	b.WriteString(st.Faint.Render(" " + p.env.Age(age)))
	return b.String()
}

// runs is the end of a row that awaits an answer: how far, and for how long. It leaves the words of the row a third of w.
func (p *Panel) runs(r *book.Row, w int) string {
	st := p.env.Styles
	took := p.env.Now().Sub(r.At())
	if took < kit.Slow {
		return ""
	}
	if sub := p.book.Subs.Sub(r.Ref.Seq); r.Listens() && sub != nil { // it stays: nothing to turn for
		open := st.OK.Render(kit.SignReady)
		if sub.Count > 0 {
			open = st.Text.Render(kit.Number(sub.Count)+kit.SignReceived) + " " + open
		}
		return open + " " + st.Muted.Render(p.env.Open(took))
	}
	turns := st.Running.Render(kit.Spinner(p.env.Frame))
	since := " " + st.Muted.Render(p.env.For(took))
	room := w - w/3 - kit.Width(since) - 4
	far := st.Running.Render(p.env.Percent(r.Shown))
	if room >= 18 {
		far = p.env.Far(r.Shown, room)
	}
	if far != "" {
		turns += " " + far
	}
	return turns + since
}

// told is how it went in a sign and a word, for a screen that is shown to others; what else there is to say is left out.
func (p *Panel) told(r *book.Row) string {
	sign, style, word := p.how(r)
	if sign == "" {
		return ""
	}
	return style.Render(sign) + " " + p.env.Styles.Title.Render(word)
}

// sign is how it went.
func (p *Panel) sign(r *book.Row) string {
	sign, style, _ := p.how(r)
	if sign == "" {
		return " "
	}
	return style.Render(sign)
}

// how is how it went, as a sign and in a word: what was found outweighs how it ended. Of what is no exchange of ours and without a
// finding there is nothing to say.
func (p *Panel) how(r *book.Row) (sign string, style *lipgloss.Style, word string) {
	st := p.env.Styles
	outcome := r.V.Outcome
	switch {
	case r.Worst > inspect.Advice:
		sign, style = p.env.Level(r.Worst)
		if r.Count.Must+r.Count.Should == 0 {
			return kit.SignSEP, style, "SEP-2145"
		}
		return sign, style, r.Worst.String()
	case r.Lone():
		return "", nil, ""
	case r.X.End == wire.Cancelled:
		return kit.SignOff, &st.Muted, "cancelled"
	case outcome.Class == inspect.Success && r.Worst > 0:
		return kit.SignAdvice, &st.Advice, "fine"
	case outcome.Class == inspect.Success, r.X.End == wire.Posted:
		return kit.SignOK, &st.OK, "fine"
	case outcome.Class == inspect.InputRequired:
		return kit.SignQuestion, &st.Should, "asks"
	case outcome.Class == inspect.TaskCreated && outcome.Kind == task.Cancelled:
		return kit.SignOff, &st.Muted, "task"
	case outcome.Class == inspect.TaskCreated:
		return kit.SignTask, &st.Running, "task"
	case outcome.Class == inspect.ToolError:
		return "!", &st.Should, "error"
	}
	return "!", &st.Must, "error"
}
