package exchange

import (
	"cmp"
	"fmt"
	"slices"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/content"
	"mcploupe/ui/kit"
)

// marks turns the findings of the exchange into marks on its documents.
func (p *Pane) marks() {
	x := &p.row.X
	main := p.main()
	var onMain, onRequest []highlight.Mark
	p.places = make([]place, len(p.row.Findings))
	for i := range p.row.Findings {
		f := &p.row.Findings[i]
		at := place{tab: p.Tabs()[0], mark: -1}
		inText := f.At.Part.InText()
		switch {
		case main != nil && f.At.Frame == main.Seq && inText:
			onMain = at.add(onMain, main.Doc(), f)
		case x.Request != nil && f.At.Frame == x.Request.Seq && inText:
			at.tab = tabRequest
			onRequest = at.add(onRequest, x.Request.Doc(), f)
		case f.At.Part == inspect.Header || f.At.Part == inspect.Status:
			at.tab = p.or(tabHeaders)
		case f.At.Part == inspect.Timing:
			if at.tab = p.or(tabHeaders); at.tab != tabHeaders {
				at.tab = tabStory
			}
		case inText && p.between(f.At.Frame):
			at.tab = tabBetween
		}
		p.places[i] = at
	}
	if main != nil {
		p.show(p.answer, main, onMain)
	}
	p.parts.SetMarks(p.signs())
	if x.Request != nil {
		p.show(p.request, x.Request, onRequest)
	}
}

// add adds the marks of a finding to those of its document.
func (at *place) add(marks []highlight.Mark, d *jsondoc.Document, f *inspect.Finding) []highlight.Mark {
	if m, ok := kit.MarkOf(d, f); ok {
		at.mark = len(marks)
		marks = append(marks, m)
	}
	for _, m := range kit.MarksAgain(d, f) {
		at.again = append(at.again, len(marks))
		marks = append(marks, m)
	}
	return marks
}

// gravestFirst are the findings by their level, else in their order: where they do not stand in the text.
func (p *Pane) gravestFirst() []int {
	out := make([]int, len(p.row.Findings))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(p.row.Findings[b].Level(), p.row.Findings[a].Level()) })
	return out
}

// signs are the findings in the answer, for the titles of its parts.
func (p *Pane) signs() []content.Mark {
	var out []content.Mark
	for _, i := range p.gravestFirst() {
		f := &p.row.Findings[i]
		if main := p.main(); main == nil || f.At.Frame != main.Seq || !f.At.Part.InText() {
			continue
		}
		sign, style := p.env.Level(f.Level())
		if s := kit.SignOf(f); s != "" {
			sign = s
		}
		for _, at := range f.Places() {
			out = append(out, content.Mark{Path: at.Path, Sign: sign, Words: f.Rule.ID, Style: style})
		}
	}
	return out
}

// or is the tab where the exchange has it, else the first one.
func (p *Pane) or(tab string) string {
	tabs := p.Tabs()
	for _, t := range tabs {
		if t == tab {
			return t
		}
	}
	return tabs[0]
}

func (p *Pane) between(frame wire.Seq) bool {
	for _, list := range [2][]wire.Message{p.row.X.During, p.row.X.Late} {
		for i := range list {
			if list[i].Seq == frame {
				return true
			}
		}
	}
	return false
}

// show puts a message into a view: as JSON when there is any in it, else as text of its type.
func show(v *kit.View, m *wire.Message, marks []highlight.Mark) {
	if foreign(m) {
		mime := ""
		if m.HTTP != nil {
			mime = m.HTTP.Get("Content-Type")
		}
		v.SetText(m.Body, mime)
		return
	}
	v.SetJSON(m.Doc(), marks)
}

// foreign tells that the message is no JSON and was not meant to be.
func foreign(m *wire.Message) bool {
	return (m.Kind == wire.NotJSON || m.Kind == wire.Document) && !m.Doc().Valid() && !highlight.LooksLikeJSON(m.Body)
}

// elsewhere is the findings that the tab does not show in its text, at most n lines.
func (p *Pane) elsewhere(w, n int) []string {
	var out []string
	hidden := 0
	for _, i := range p.gravestFirst() {
		at := p.places[i]
		// Without an answer its tab shows what came so far.
		shown := at.mark >= 0 && at.tab == p.tab || (at.tab == tabHeaders || at.tab == tabStory) && p.tab == at.tab ||
			at.tab == tabBetween && (p.tab == tabBetween || p.tab == tabAnswer && p.row.X.Reply == nil)
		if shown {
			continue
		}
		if len(out) == n {
			hidden++
			continue
		}
		f := &p.row.Findings[i]
		sign, style := p.env.Level(f.Level())
		if s := kit.SignOf(f); s != "" {
			sign = s
		}
		where := ""
		if at.tab != p.tab {
			where = "[" + at.tab + "] "
		}
		line := style.Render(sign) + " " + p.env.Styles.Muted.Render(where) + style.Render(book.Note(f))
		if i == p.finding {
			line = kit.Under(kit.Cut(line, w), p.env.Styles.SelectedUp, w)
		}
		out = append(out, line)
	}
	if hidden > 0 {
		out[len(out)-1] = p.env.Styles.Muted.Render(fmt.Sprintf("and %d more findings elsewhere; ] goes to them", hidden+1))
	}
	return out
}
