package question

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// Draw implements kit.Pane: what it is about, what is asked, the answer, and what of it will be sent.
func (p *Pane) Draw(w, h int, focused bool) string {
	s := p.env.Styles
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
			if problem := v.Problem(); problem != "" {
				lines = append(lines, s.Should.Render(kit.SignShould+" "+problem))
			}
		}
	}
	if room := h - len(lines) - 2; room >= 2 {
		lines = append(lines, "", p.env.Section("What is sent on "+p.yes(), w))
		lines = append(lines, p.look.Draw(w, min(room, p.look.Lines()), false)...)
	}
	return kit.Block(lines, w, h)
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
	if p.round.Request == "" {
		about = "by a request of its own"
	}
	if q != nil {
		about = kit.Escape(q.Method) + " " + about
		if q.Mode != "" {
			about = kit.Escape(q.Method) + " (" + kit.Escape(q.Mode) + ") " + strings.TrimPrefix(about, kit.Escape(q.Method)+" ")
		}
	}
	say(&s.Muted, about)
	switch {
	case q == nil:
		say(&s.Text, "It asks no question: it wants the same request again, with the requestState that it gave.")
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
	if p.round.State != nil {
		say(&s.Faint, fmt.Sprintf("requestState: %s, opaque, goes back unchanged", kit.Size(int64(len(p.round.State)))))
	}
	return append(out, "")
}

// address shows the whole of an address and its host. Nothing is opened.
func (p *Pane) address(q *Question, w int) []string {
	s := p.env.Styles
	text := q.Params.Get("url").Text()
	u, err := url.Parse(text)
	host := "no address that can be read"
	if err == nil && u.Host != "" {
		host = u.Host
		if u.Scheme != "https" {
			host += "  (" + u.Scheme + ", not https)"
		}
		if u.User != nil {
			host += "  (with credentials before the host)"
		}
	}
	out := []string{s.Muted.Render("host ") + s.Title.Render(kit.Cut(kit.Escape(host), w-5))}
	for rest := kit.Escape(text); rest != ""; {
		part := kit.Cut(rest, w)
		if kit.Width(rest) > w {
			part = prefix(rest, w)
		}
		out = append(out, s.String.Render(part))
		rest = strings.TrimPrefix(rest, part)
		if len(out) > 40 {
			return append(out, s.Faint.Render("…"))
		}
	}
	for _, l := range kit.Wrap("Nothing is opened here: y copies the address. ctrl+s only tells the server that you agree to go there.", w) {
		out = append(out, s.Muted.Render(l))
	}
	return out
}

// prefix is the longest beginning of a text that has at most w cells, at least one character.
func prefix(text string, w int) string {
	end := len(text)
	for i := range text {
		if i > 0 && kit.Width(text[:i]) > w {
			break
		}
		end = i
	}
	if end == 0 {
		return text[:1]
	}
	return text[:end]
}

// sent is the answer as it would go out: what stands in inputResponses under the key, or the result.
func (p *Pane) sent() []byte {
	q := p.asked()
	if q == nil {
		return append(append([]byte(`{"requestState":`), orNull(p.round.State)...), '}')
	}
	answer := []byte(`{"action":"` + mcp.ActionAccept + `"}`)
	if v := p.view(); v != nil {
		answer = v.Value()
		if q.elicitation() {
			answer = append(append([]byte(`{"action":"`+mcp.ActionAccept+`","content":`), answer...), '}')
		}
	}
	if q.Key == "" && p.round.N == 0 {
		return answer
	}
	out := append(jsondoc.AppendQuote([]byte("{"), q.Key), ':')
	return append(append(out, answer...), '}')
}

func orNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}

// Want is how many lines the dialog would like to have, within what there is.
func (p *Pane) Want(w int) int {
	n := len(p.introduction(w)) + 3 + jsonLines(p.sent())
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
