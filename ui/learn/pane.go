// Package learn is how a lesson looks beside the live screen: its text, its task, what is done, the choice of an answer, and the
// list of lessons. It must never know: sessions, processes, where progress is kept, and what a condition means (ui/lesson).
package learn

import (
	"fmt"
	"strings"

	"mcploupe/highlight"
	"mcploupe/ui/kit"
	"mcploupe/ui/lesson"
)

// Pane is an open lesson. It keeps how it looks; how far somebody is is the Run's.
type Pane struct {
	env    *kit.Env
	run    *lesson.Run
	number int // in the list of lessons; 0 for a file of somebody's own

	Typing bool   // letters are text now: the keys that type nothing are shown
	InForm bool   // they are text in a field that esc leaves
	Next   string // what the next lesson is called, "" after the last one
	Beside bool   // other servers are open beside the lesson's own

	open   bool // it is shown, not only its line
	hint   bool
	before bool // the task of the page was done before the page was opened
	part   int  // of a page that does not fit as a whole, from 0
	of     int  // how many parts the page had in the last drawing

	needs needed // what lines was counted for: it is asked for several times a key
	lines int
}

// New shows a lesson.
func New(env *kit.Env, run *lesson.Run, number int) *Pane {
	return &Pane{env: env, run: run, number: number, open: true, of: 1}
}

// Run is the way through the lesson.
func (p *Pane) Run() *lesson.Run { return p.run }

// IsOpen tells that the lesson is shown, not only its line.
func (p *Pane) IsOpen() bool { return p.open }

// Toggle puts the lesson away, or shows it.
func (p *Pane) Toggle() { p.open = !p.open }

// Hint shows the hint of the task, or hides it. It tells whether there is one.
func (p *Pane) Hint() bool {
	page, _ := p.run.Page()
	if page.Task == nil || page.Task.Hint == "" {
		return false
	}
	p.hint = !p.hint
	p.open = true
	return true
}

// Rest goes on within a page that does not fit as a whole: false when its end is shown.
func (p *Pane) Rest(d int) bool {
	if to := p.part + d; to >= 0 && to < p.of {
		p.part = to
		return true
	}
	return false
}

// ShowDone shows that the task of the page is done, at the end of a page that does not fit as a whole. before tells that it was so
// already when the page was opened: then the page is shown from its beginning.
func (p *Pane) ShowDone(before bool) {
	if p.before = before; !before {
		p.part = 1 << 20
	}
}

// Turned begins a page: at its first part, without its hint.
func (p *Pane) Turned() { p.part, p.hint, p.before, p.of = 0, false, false, 1 }

// Sizes that decide.
const (
	sideFrom  = 150 // columns from which the lesson stands at the right
	sideWidth = 46
	twoFrom   = 100 // columns from which text and task stand side by side in the lower part
	taskWidth = 44
	least     = 10 // lines that the rest needs
	calmFrom  = 30 // lines of a screen from which the lesson has the same height on each page: on smaller ones the rest needs what it leaves
)

// Space is what the lesson takes of a screen: columns at the right, or lines in the lower part.
func (p *Pane) Space(w, h int) (side, below int) {
	switch {
	case !p.open || h < 2*least:
		return 0, min(1, max(h-least, 0))
	case w >= sideFrom:
		return sideWidth, 0
	case h >= 40:
		return 0, 14
	case h >= calmFrom:
		return 0, 12
	}
	most := min(12, h-least-2)
	return 0, min(max(p.need(w-4)+2, least-2), most)
}

// need is how many lines the page takes in w cells, also once its task or question is done: so nothing moves when it is.
func (p *Pane) need(w int) int {
	_, i := p.run.Page()
	as := needed{page: i, w: w, open: p.run.Open(), hint: p.hint, done: p.run.Done(i), before: p.before}
	if as == p.needs {
		return p.lines
	}
	n := 0
	for _, done := range []bool{as.done, true} {
		if w >= twoFrom {
			n = max(n, len(p.text(w-taskWidth-3)), len(p.aside(taskWidth, done, true)))
			continue
		}
		text, side := len(p.text(w)), len(p.aside(w, done, true))
		if text > 0 && side > 0 {
			text++ // a line between them
		}
		n = max(n, text+side)
	}
	p.needs, p.lines = as, n
	return n
}

// needed is what the lines of a page depend on.
type needed struct {
	page, w, open      int
	hint, done, before bool
}

// Line is the lesson in one line: where one is, and what is to be done.
func (p *Pane) Line(w int) string {
	s := p.env.Styles
	page, i := p.run.Page()
	text := s.Accent.Render(kit.SignPointer+" ") + s.Text.Render(page.Title)
	if sign, words := p.standing(p.run.Done(i)); words != "" {
		text = sign + " " + s.Text.Render(words)
	}
	return " " + kit.Ends(text, p.dots()+"  "+s.Keycap.Render("f9")+" "+s.Muted.Render("lesson")+" ", w-1)
}

// standing is how it stands with the task or question of the page, in words; "" where there is none.
func (p *Pane) standing(done bool) (sign, words string) {
	s := p.env.Styles
	page, _ := p.run.Page()
	switch {
	case page.Task != nil && done:
		words = page.Task.Done
		if words == "" {
			words = page.Title
		}
		if p.before {
			words = "already done: " + words
		} else {
			words = "done: " + words
		}
		return s.OK.Bold(true).Render(kit.SignOK), plain(words)
	case page.Task != nil:
		return s.Accent.Render(kit.SignWaiting), page.Title
	case page.Question != nil && done:
		return s.OK.Bold(true).Render(kit.SignOK), "answered"
	case page.Question != nil:
		return s.Accent.Render(kit.SignQuestion), page.Title
	}
	return "", ""
}

// plain is a text of one style: without the marks of code.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// dots is a sign for each task and question.
func (p *Pane) dots() string {
	var b strings.Builder
	for _, i := range p.run.Lesson.Parts() {
		if p.run.Done(i) {
			b.WriteString(p.env.Styles.OK.Render(kit.SignReady))
		} else {
			b.WriteString(p.env.Styles.Muted.Render(kit.SignWaiting))
		}
	}
	return b.String()
}

// Draw is the lesson in a frame: h lines of w cells.
func (p *Pane) Draw(w, h int) []string {
	s := p.env.Styles
	page, i := p.run.Page()
	name := "Lesson"
	if p.number > 0 {
		name = fmt.Sprintf("Lesson %d", p.number)
	}
	f := kit.Frame{Top: true, Bottom: true, Overlaid: true}
	f.Title = s.Accent.Bold(true).Render(name)
	if page.Title != p.run.Lesson.Title || w >= 70 {
		f.Title += s.Muted.Render(" "+kit.SignDot+" ") + s.Title.Render(p.run.Lesson.Title)
	}
	of := "  %d of %d"
	if w < 70 {
		of = " %d/%d"
	}
	f.Right = p.dots() + s.Muted.Render(fmt.Sprintf(of, i+1, len(p.run.Lesson.Pages)))
	body := p.body(w-4, h-2)
	var words []string
	for _, h := range p.hints() {
		words = append(words, s.Keycap.Render(h.key)+" "+s.Muted.Render(h.words))
	}
	f.Foot = strings.Join(words, "  ")
	if p.of > 1 {
		f.FootEnd = s.Muted.Render(fmt.Sprintf("part %d of %d", p.part+1, p.of))
	}
	return f.Draw(s, body, w)
}

// hint is a key that stands in the lower line, and what it does.
type hint struct{ key, words string }

func (p *Pane) hints() []hint {
	page, i := p.run.Page()
	on, back := ".", ","
	if p.Typing {
		on, back = "f8", "f7"
	}
	out := []hint{{on, p.onward()}}
	if i > 0 || p.part > 0 {
		out = append(out, hint{back, "back"})
	}
	if page.Task != nil && page.Task.Hint != "" && !p.run.Done(i) {
		out = append(out, hint{"f6", "hint"})
	}
	out = append(out, hint{"f9", "away"})
	switch {
	case p.InForm:
		out = append(out, hint{"esc", "leave the field"})
	case p.Beside && !p.Typing:
		out = append(out, hint{"T", "your servers"})
	}
	return out
}

// KeyAt is the key whose words stand at a column of the lesson's lower line, "" for none.
func (p *Pane) KeyAt(x int) string {
	at := 3 // as kit.Frame sets what stands at the left end
	for _, h := range p.hints() {
		w := kit.Width(h.key) + 1 + kit.Width(h.words)
		if at <= x && x < at+w {
			return h.key
		}
		at += w + 2
	}
	return ""
}

// onward is what the next key does.
func (p *Pane) onward() string {
	page, i := p.run.Page()
	switch {
	case p.part+1 < p.of:
		return "more"
	case page.Question != nil && !p.run.Done(i):
		return "answer"
	case i+1 == len(p.run.Lesson.Pages):
		return "lessons"
	}
	return "next"
}

// body is what stands in the frame: h lines. What does not fit is cut into parts.
func (p *Pane) body(w, h int) []string {
	var main, aside []string
	_, i := p.run.Page()
	if w >= twoFrom {
		if side := p.aside(taskWidth, p.run.Done(i), p.Typing); len(side) > 0 && len(side) <= h {
			main, aside = p.text(w-taskWidth-3), side
		}
	}
	if aside == nil {
		main = p.text(w)
		if side := p.aside(w, p.run.Done(i), p.Typing); len(side) > 0 {
			if len(main)+1+len(side) > h && len(main) <= h { // the task is not torn apart when it need not be
				main = kit.Lines(main, w, h)
			} else if len(main) > 0 {
				main = append(main, "")
			}
			main = append(main, side...)
		}
	}
	p.of = max((len(main)+h-1)/max(h, 1), 1)
	p.part = min(p.part, p.of-1)
	main = main[min(p.part*h, len(main)):]
	if aside == nil {
		return kit.Lines(main, w, h)
	}
	out := make([]string, h)
	bar := p.env.Styles.Border.Render("│")
	left, right := kit.Lines(main, w-taskWidth-3, h), kit.Lines(aside, taskWidth, h)
	for i := range out {
		out[i] = left[i] + " " + bar + " " + right[i]
	}
	return out
}

// text is the page's own words.
func (p *Pane) text(w int) []string {
	s := p.env.Styles
	page, _ := p.run.Page()
	var out []string
	if page.Task == nil && page.Title != p.run.Lesson.Title {
		for _, l := range kit.Wrap(page.Title, w) {
			out = append(out, s.Title.Render(l))
		}
	}
	return append(out, highlight.Markdown(page.Text, min(w, 96), s)...)
}

// aside is what is to be done, and how it stands with it: done or not. Who is typing is told then which key goes on: by now the dot
// is a habit, and in a field it is text.
func (p *Pane) aside(w int, done, typing bool) []string {
	s := p.env.Styles
	page, _ := p.run.Page()
	var out []string
	put := func(sign, words string, style interface{ Render(...string) string }) {
		for k, l := range kit.Wrap(words, w-2) {
			if k > 0 {
				sign = " "
			}
			out = append(out, sign+" "+style.Render(l))
		}
	}
	switch {
	case page.Task != nil:
		if done {
			sign, words := p.standing(done)
			if typing {
				words += " f8 goes on."
			}
			put(s.OK.Render(kit.SignOK), page.Title, &s.Muted)
			out = append(out, "")
			put(sign, words, &s.OK)
			break
		}
		put(s.Accent.Render(kit.SignWaiting), page.Title, &s.Title)
		if n := len(page.Task.Steps); n > 1 {
			out = append(out, "  "+s.Muted.Render(fmt.Sprintf("%d of %d steps", p.run.Steps(), n)))
		}
		if p.hint {
			out = append(out, "")
			out = append(out, highlight.Markdown(page.Task.Hint, w, s)...)
		}
	case page.Question != nil:
		for k := range page.Question.Choices {
			c := &page.Question.Choices[k]
			if !done {
				put(s.Muted.Render(kit.SignWaiting), plain(c.Text), &s.Text)
			} else if c.Right {
				put(s.OK.Render(kit.SignOK), plain(c.Text), &s.Text)
				out = append(out, "")
				out = append(out, highlight.Markdown(c.Why, w, s)...)
			}
		}
	case page.Home:
		out = append(out, p.end(w)...)
	}
	return out
}

// end is what stands under what to take home.
func (p *Pane) end(w int) []string {
	s := p.env.Styles
	var out []string
	if open := p.run.Open(); open >= 0 {
		for _, l := range kit.Wrap(fmt.Sprintf("Still open: %s (page %d).", p.run.Lesson.Pages[open].Title, open+1), w) {
			out = append(out, s.Should.Render(l))
		}
		return out
	}
	n, _ := p.run.Count()
	what := kit.Number(n) + " parts done"
	if n == 1 {
		what = "one part done"
	}
	for _, l := range kit.Wrap(kit.SignOK+" That was the whole lesson: "+what+".", w) {
		out = append(out, s.OK.Render(l))
	}
	next := "Next comes: " + p.Next
	if p.Next == "" {
		next = "There are no more. Well done."
	}
	for _, l := range kit.Wrap(next, w) {
		out = append(out, s.Muted.Render(l))
	}
	return out
}
