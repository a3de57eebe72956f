// Package timeline is the panel of exchanges: one row each, newest last, live. It must never know:
// sessions, or what an exchange looks like inside.
package timeline

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Panel is the list of exchanges.
type Panel struct {
	kit.ListPane
	env    *kit.Env
	book   *book.Book
	oldest time.Duration // age of the youngest row at the last drawing, which says how soon it changes
	live   bool          // a row at the last drawing was running or counting
	folded folded
	finder *finder
	marks  marks
	looks  looks
}

// looks is what the rows were last made of, and how often that changed.
type looks struct {
	folds, marks int
	second       int64 // where time alone changes which rows fit
	version      int
}

// New is the panel.
func New(env *kit.Env, b *book.Book) *Panel {
	p := &Panel{env: env, book: b}
	p.List = kit.NewList(env, source{p})
	p.finder = &finder{p: p}
	p.List.Finder = p.finder
	p.Follow = true
	p.Empty = "nothing was said yet"
	p.Heading = p.heading
	p.Keys = p.keys
	p.Moved = func() kit.Intent { return kit.Selected{Pane: "Exchanges"} }
	p.Opened = func() kit.Intent { return kit.Enter{} }
	return p
}

// Row is the exchange under the cursor, nil when there is none.
func (p *Panel) Row() *book.Row {
	if i := p.Selected(); i >= 0 {
		return source{p}.at(i)
	}
	return nil
}

// SelectRow puts the cursor on an exchange; where it was folded away, everything is unfolded.
func (p *Panel) SelectRow(ref wire.Ref) bool {
	if p.Select(key(ref)) {
		return true
	}
	if p.book.Timeline.Row(ref) == nil {
		return false
	}
	if p.folded.only != 0 {
		p.folded.follow(0)
		if p.Select(key(ref)) {
			return true
		}
	}
	if p.folded.all {
		return false
	}
	p.folded.toggle()
	return p.Select(key(ref))
}

// follow shows nothing but a request and what belongs to it, its newest in view; 0 shows all again, from where one is.
func (p *Panel) follow(only wire.Seq) kit.Intent {
	at := p.Row()
	p.folded.follow(only)
	if only != 0 {
		p.End()
	} else if at != nil {
		p.Select(key(at.Ref))
	}
	return kit.Selected{Pane: "Exchanges"}
}

func key(ref wire.Ref) string {
	return strconv.FormatUint(uint64(ref.Seq), 10) + "/" + strconv.Itoa(ref.Part)
}

func (p *Panel) keys() []kit.Row {
	r := p.Row()
	none := ""
	if r == nil {
		none = "there is no exchange yet"
	}
	mine := none
	if r != nil && r.Lone() {
		mine = "this was no request of ours"
	}
	var rows []kit.Row
	if r != nil && r.Running() {
		rows = append(rows, kit.Row{Keys: []string{"c"}, Words: "cancel", Group: "exchange", Do: func() kit.Intent { return kit.Cancel{Seq: r.Ref.Seq} }})
	}
	if r != nil && r.Asks() {
		rows = append(rows, kit.Row{Keys: []string{"a"}, Words: "answer", Group: "exchange", Do: func() kit.Intent { return kit.Answer{Ref: r.Ref} }})
	}
	rows = append(rows, kit.TaskRows(r)...)
	rows = append(rows, kit.Row{Keys: []string{"r"}, Words: "send again", Group: "exchange", Off: mine, Do: func() kit.Intent { return kit.SendAgain{Ref: r.Ref} }})
	if r != nil && (r.X.Method() == "tools/call" || r.X.Method() == "prompts/get") {
		rows = append(rows, kit.Row{Keys: []string{"e"}, Words: "edit and send again", Group: "exchange", Do: func() kit.Intent { return kit.Edit{Ref: r.Ref} }})
	}
	switch {
	case p.folded.only != 0:
		rows = append(rows, kit.Row{Keys: []string{"f"}, Words: "show all exchanges", Group: "list", Do: func() kit.Intent { return p.follow(0) }})
	case r != nil:
		rows = append(rows, kit.Row{Keys: []string{"f"}, Words: "follow: only it and what came for it", Group: "list", Quiet: true, Do: func() kit.Intent {
			if r.Lone() && r.X.Of != 0 {
				return p.follow(r.X.Of)
			}
			return p.follow(r.Ref.Seq)
		}})
	}
	rows = append(rows, kit.Row{Keys: []string{"P"}, Words: "play it slowly", Group: "exchange", Quiet: true, Off: none, Do: func() kit.Intent { return kit.OpenSlow{Ref: r.Ref} }})
	rows = append(rows, p.markKeys(r)...)
	if words := p.folded.words(); words != "" && p.Filter() == "" {
		rows = append(rows, kit.Row{Keys: []string{"z"}, Words: words, Group: "list", Quiet: true, Do: func() kit.Intent { p.folded.toggle(); return nil }})
	}
	rows = append(rows, kit.Row{Keys: []string{"i"}, Words: "what this method is", Group: "exchange", Quiet: true, Off: none, Do: func() kit.Intent {
		return kit.ExplainField{Row: r.Ref, Frame: r.Ref.Seq}
	}})
	return append(rows, kit.Row{Keys: []string{"y"}, Words: "copy…", Group: "copy", Quiet: true, Off: none, Do: func() kit.Intent { return kit.OpenCopy{Ref: r.Ref} }})
}

func (p *Panel) heading(focused bool) (title, right string) {
	s := p.env.Styles
	style := &s.Text
	if focused {
		style = &s.Accent
	}
	t := &p.book.Timeline
	title = s.Keycap.Render("5") + " " + style.Bold(focused).Render("Exchanges")
	if p.folded.only != 0 {
		title += " " + s.Should.Render(fmt.Sprintf("only #%d", p.folded.only))
	} else if n := len(t.Rows) + t.Dropped; n > 0 {
		title += " " + s.Muted.Render(kit.Number(n))
	}
	if n := len(p.marks.rows(t)); n > 0 {
		title += " " + s.Accent.Render(kit.SignMark+" "+kit.Number(n)+" marked")
	}
	if n := len(t.Open); n > 0 {
		right = s.Running.Render(kit.Spinner(p.env.Frame) + " " + kit.Number(n) + " running")
	}
	return title, right
}

// Want is how many lines the panel could fill. A filter does not make it smaller: what is around it would jump at every letter.
func (p *Panel) Want() int {
	n := max(source{p}.Len(), 1)
	if p.Typing() || p.Filter() != "" {
		n += 3
	}
	return n
}

// Draw implements kit.Pane.
func (p *Panel) Draw(w, h int, focused bool) string {
	p.oldest, p.live = time.Hour, false
	return p.ListPane.Draw(w, h, focused)
}

// Beat implements kit.Lively: ages count, and what runs turns.
func (p *Panel) Beat() time.Duration {
	switch {
	case len(p.book.Timeline.Open) > 0:
		return 100 * time.Millisecond
	case p.live || p.finder.q.Timed && p.Filter() != "" || p.book.Subs.Running() > 0 || p.oldest < time.Minute:
		return time.Second
	case len(p.book.Timeline.Rows) > 0:
		return 20 * time.Second // ages in minutes
	}
	return 0
}

// version grows with every change of what the rows show, or of which of them fit the filter.
func (p *Panel) version() int {
	now := looks{folds: p.folded.version, marks: p.marks.version, version: p.looks.version}
	if p.Filter() != "" && p.finder.q.Timed {
		now.second = p.env.Now().Unix()
	}
	if now != p.looks {
		now.version++
		p.looks = now
	}
	return p.looks.version
}

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
	return kit.Ends(left, p.right(r, w), w)
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
	sign := p.sign(r)
	word := ""
	switch {
	case r.Worst > inspect.Advice && r.Count.Must+r.Count.Should == 0:
		word = "SEP-2145"
	case r.Worst > inspect.Advice:
		word = r.Worst.String()
	case r.Lone():
		return ""
	case r.X.End == wire.Cancelled:
		word = "cancelled"
	case r.V.Outcome.Class == inspect.Success, r.X.End == wire.Posted:
		word = "fine"
	case r.V.Outcome.Class == inspect.InputRequired:
		word = "asks"
	case r.V.Outcome.Class == inspect.TaskCreated:
		word = "task"
	default:
		word = "error"
	}
	return sign + " " + p.env.Styles.Title.Render(word)
}

// sign is how it went: what was found outweighs how it ended.
func (p *Panel) sign(r *book.Row) string {
	st := p.env.Styles
	if r.Worst > inspect.Advice {
		sign, style := p.env.Level(r.Worst)
		if r.Count.Must+r.Count.Should == 0 {
			sign = kit.SignSEP
		}
		return style.Render(sign)
	}
	if r.Lone() {
		return " "
	}
	switch {
	case r.X.End == wire.Cancelled:
		return st.Muted.Render(kit.SignOff)
	case r.V.Outcome.Class == inspect.Success && r.Worst > 0:
		return st.Advice.Render(kit.SignAdvice)
	case r.V.Outcome.Class == inspect.Success, r.X.End == wire.Posted:
		return st.OK.Render(kit.SignOK)
	case r.V.Outcome.Class == inspect.InputRequired:
		return st.Should.Render(kit.SignQuestion)
	case r.V.Outcome.Class == inspect.TaskCreated && r.V.Outcome.Kind == task.Cancelled:
		return st.Muted.Render(kit.SignOff)
	case r.V.Outcome.Class == inspect.TaskCreated:
		return st.Running.Render(kit.SignTask)
	case r.V.Outcome.Class == inspect.ToolError:
		return st.Should.Render("!")
	}
	return st.Must.Render("!")
}
