package question

import (
	"bytes"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// Draw implements kit.Pane: what it is about, what is asked, the answer, and what of it will be sent.
func (p *Pane) Draw(w, h int, focused bool) string {
	s := p.env.Styles
	if p.whole != nil {
		return p.drawWhole(w, h, focused)
	}
	p.intro.SetLines(p.introduction(w))
	most := h
	if p.view() != nil {
		most = max(h*2/5, 3)
	}
	var lines []string
	if p.long = p.intro.Len() > most; p.long {
		lines = append(p.intro.Draw(w, most-1), s.Faint.Render("pgdn and pgup read all of it"))
	} else {
		lines = p.intro.Draw(w, most)
	}
	sent := p.sent()
	if !bytes.Equal(p.shown, sent) {
		p.shown = sent
		p.look.SetJSON(jsondoc.Parse(sent), nil)
	}
	if p.about != nil {
		n := min(p.about.Lines(), max(h/4, 2))
		lines = append(append(lines, p.env.Section("What it asks", w)), p.about.Draw(w, n, false)...)
	}
	p.input = len(lines)
	if v := p.view(); v != nil {
		n := v.Lines()
		if p.raw {
			n = max(n, 6)
		}
		lines = append(lines, strings.Split(v.Draw(w, max(min(n, h-len(lines)), 1), focused), "\n")...)
		if p.raw && len(lines) < h {
			if in, ok := v.(kit.Stating); ok {
				lines = append(lines, in.Status(w))
			} else if problem := v.Problem(); problem != "" {
				lines = append(lines, s.Should.Render(kit.SignShould+" "+problem))
			}
		}
	}
	if room := h - len(lines) - 2; room >= 2 && !p.round.Again {
		lines = append(lines, "", p.env.Section("What is sent on "+p.yes(), w))
		lines = append(lines, p.look.Draw(w, min(room, p.look.Lines()), false)...)
	}
	return kit.Block(lines, w, h)
}

// drawWhole is the editor of the whole answer, and below it what of it a faithful client would not send.
func (p *Pane) drawWhole(w, h int, focused bool) string {
	s := p.env.Styles
	lines := strings.Split(p.whole.Draw(w, max(h-2, 1), focused), "\n")
	state := s.OK.Render(kit.SignOK) + s.Muted.Render(" as a faithful client answers")
	if words := p.altered(p.whole.Value()); words != "" {
		state = s.Should.Render(kit.SignShould + " on purpose: " + words)
	}
	if problem := p.whole.Problem(); problem != "" {
		state = s.Must.Render(kit.SignMust + " " + problem)
	}
	return kit.Block(append(lines, "", kit.Cut(state, w)), w, h)
}

func (p *Pane) yes() string {
	if p.asked() == nil {
		return "enter"
	}
	return "ctrl+s"
}

// introduction is who asks for what, in the server's words.
func (p *Pane) introduction(w int) []string {
	s := p.env.Styles
	var out []string
	say := func(style interface{ Render(...string) string }, text string) {
		for _, l := range kit.Wrap(text, w) {
			out = append(out, style.Render(l))
		}
	}
	q := p.asked()
	about := "for " + kit.Escape(p.round.Request)
	if p.round.Task != "" {
		about = "for the task " + kit.Escape(p.round.Task)
		if p.round.Request != "" {
			about += " of " + kit.Escape(p.round.Request)
		}
	}
	if p.round.Request == "" && p.round.Task == "" {
		about = "by a request of its own"
	}
	if q != nil {
		about = kit.Escape(q.Method) + " " + about
		if q.Mode != "" {
			about = kit.Escape(q.Method) + " (" + kit.Escape(q.Mode) + ") " + strings.TrimPrefix(about, kit.Escape(q.Method)+" ")
		}
	}
	say(&s.Muted, about)
	if p.round.Problem != "" {
		say(&s.Must, kit.SignMust+" "+kit.Escape(p.round.Problem)+". Whatever is sent is written by hand.")
	}
	switch {
	case q == nil && p.round.Problem == "":
		say(&s.Text, "It asks no question: it wants the same request again, with the requestState that it gave.")
	case q == nil:
	case q.sampling():
		out = append(append(out, ""), p.conversation(q.Params, w)...)
	case q.Method == mcp.RootsList:
		say(&s.Text, "It wants the list of folders and files that you let it know of.")
	case q.Mode == "url":
		say(&s.Text, kit.Escape(q.Params.Get("message").Text()))
		out = append(out, "")
		out = append(out, p.address(q, w)...)
	case q.elicitation():
		say(&s.Text, kit.Escape(q.Params.Get("message").Text()))
		if !q.Params.Get("requestedSchema").Is(jsondoc.Object) {
			say(&s.Must, kit.SignMust+" there is no requestedSchema: the answer is written as JSON")
		}
	}
	if n := p.leftOut(); n != "" {
		say(&s.Should, kit.SignShould+" left out on purpose: "+n)
	}
	if p.round.State != nil {
		say(&s.Faint, fmt.Sprintf("requestState: %s, opaque, goes back unchanged", kit.Size(int64(len(p.round.State)))))
	}
	return append(out, "")
}

// sent is the answer as it would go out: what stands in inputResponses under the key, or the result.
func (p *Pane) sent() []byte {
	q := p.asked()
	if q == nil {
		return append(append([]byte(`{"requestState":`), orNull(p.round.State)...), '}')
	}
	answer := p.answer()
	if q.Key == "" && p.round.N == 0 {
		return answer
	}
	out := append(jsondoc.AppendQuote([]byte("{"), q.Key), ':')
	return append(append(out, answer...), '}')
}

// leftOut are the questions that are not answered on purpose.
func (p *Pane) leftOut() string {
	var keys []string
	for _, a := range p.list {
		if a.LeftOut {
			keys = append(keys, a.Key)
		}
	}
	return kit.Escape(strings.Join(keys, ", "))
}

func orNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}

// Want is how many lines the dialog would like to have, within what there is.
func (p *Pane) Want(w int) int {
	if p.whole != nil {
		return max(p.whole.Lines(), 8) + 2
	}
	n := len(p.introduction(w))
	if !p.round.Again {
		n += 3 + jsonLines(p.sent())
	}
	if v := p.view(); v != nil {
		n += max(v.Lines(), 6)
	}
	if p.about != nil {
		n += p.about.Lines() + 1
	}
	return n
}

func jsonLines(raw []byte) int {
	return min(2+bytes.Count(raw, []byte(",")), 14) + bytes.Count(raw, []byte("{"))
}
