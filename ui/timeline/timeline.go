// Package timeline is the panel of exchanges: one row each, newest last, live. It must never know:
// sessions, or what an exchange looks like inside.
package timeline

import (
	"fmt"
	"strconv"
	"time"

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
