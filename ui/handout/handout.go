// Package handout makes stories of exchanges a document to hand out: one HTML page that needs nothing else, no script, no font,
// no address. Each story has its diagram, its messages with what was found under the values, and the rules that were broken are
// explained at the end. Whatever a server said stands there as text alone. The package is pure, and must never know: sessions,
// screens, clocks, how a verdict is reached.
package handout

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/inspect/report/markup"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/story"
)

//go:embed handout.css
var style string

// Chapter is a story with the exchanges that it is made of.
type Chapter struct {
	Story  story.Story // for the diagram
	Frames story.Story // the same with every message in a row of its own
	Rows   []*book.Row
}

// Handout is what goes onto the page.
type Handout struct {
	Server   string // who it was about, in a few words; "" when nobody knows
	Version  string // of this program; may be left out
	Chapters []Chapter
}

// openUpTo is how many messages a page may have so that all of them are unfolded.
const openUpTo = 40

// HTML is the page.
func (h *Handout) HTML() string {
	p := &page{broken: map[string]*inspect.Rule{}}
	title := "A recorded conversation"
	messages := 0
	for i := range h.Chapters {
		messages += len(h.Chapters[i].Frames.Rows)
	}
	if len(h.Chapters) == 1 {
		title = h.Chapters[0].Story.Title
	}
	p.open = messages <= openUpTo
	p.Raw("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	p.Tag("title", title)
	p.Raw("\n<style>\n" + style + "</style>\n")
	p.Tag("h1", title)
	p.Raw("\n<p class=\"muted\">")
	p.Text(cmp.Or(h.Server, "an unnamed server"))
	p.Raw("</p>\n")
	if len(h.Chapters) > 1 {
		p.Raw("<ol>\n")
		for i := range h.Chapters {
			c := &h.Chapters[i].Story
			p.Raw(fmt.Sprintf("<li><a href=\"#story-%d\">", i+1))
			p.Text(c.Title)
			p.Raw("</a> <span class=\"muted\">")
			p.Text(c.Summary())
			p.Raw("</span></li>\n")
		}
		p.Raw("</ol>\n")
	}
	for i := range h.Chapters {
		if len(h.Chapters) > 1 {
			p.Raw(fmt.Sprintf("<h2 id=\"story-%d\">", i+1))
			p.Text(h.Chapters[i].Story.Title)
			p.Raw("</h2>\n")
		}
		p.chapter(&h.Chapters[i])
	}
	p.rules()
	p.Raw("<footer><p>")
	p.Text(strings.TrimSpace("Made by mcploupe "+h.Version) + ". Times count from the first message of each story, as they were recorded.")
	p.Raw("</p></footer>\n</html>\n")
	return p.String()
}

// page is the handout as it is written.
type page struct {
	markup.Page
	open   bool
	broken map[string]*inspect.Rule
}

func (p *page) chapter(c *Chapter) {
	p.Raw("<p class=\"muted\">")
	p.Text(c.Story.Summary())
	p.Raw("</p>\n<div class=\"diagram\">\n<div class=\"at\"></div><div class=\"names\"><span>mcploupe</span>")
	p.Tag("span", c.Story.Server)
	p.Raw("</div>\n")
	for i := range c.Story.Rows {
		p.step(&c.Story.Rows[i])
	}
	p.Raw("</div>\n")
	for i := range c.Frames.Rows {
		p.message(c, &c.Frames.Rows[i])
	}
}

// since is a time within a story.
func since(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("+%.4g ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("+%.1f s", d.Seconds())
}

// side is the classes of where a row goes.
func side(r *story.Row) string {
	class := map[story.Way]string{story.ToServer: "to", story.Both: "to", story.ToClient: "from", story.Aside: "aside"}[r.Way]
	if r.Answer {
		class += " answer"
	}
	return class
}

func tone(t story.Tone) string {
	return map[story.Tone]string{story.Good: "good", story.Warn: "warn", story.Bad: "bad"}[t]
}

// step is one row of the diagram.
func (p *page) step(r *story.Row) {
	p.Raw("<div class=\"at\">")
	p.Text(since(r.At))
	p.Raw("</div><div class=\"step " + side(r) + "\"><div class=\"said\">")
	head := r.Head
	if r.Peer != "" {
		head = "[" + r.Peer + "] " + head
	}
	p.Text(head)
	if r.Count > 1 {
		p.Text(fmt.Sprintf(" ×%d", r.Count))
	}
	if r.Verdict != "" {
		p.Raw(" ")
		p.Class(tone(r.Tone), r.Verdict)
	}
	if r.Number != "" {
		p.Raw(" ")
		if r.Frame != 0 {
			p.Raw(fmt.Sprintf("<a href=\"#m%d\">", r.Frame))
		}
		p.Class("muted", r.Number)
		if r.Frame != 0 {
			p.Raw("</a>")
		}
	}
	p.Raw("</div>")
	if r.Way != story.Aside {
		p.Raw("<div class=\"shaft\"></div>")
	}
	for _, d := range r.Detail {
		p.Raw("<div class=\"detail\">")
		p.Text(d)
		p.Raw("</div>")
	}
	p.Raw("</div>\n")
}

// message is one message in full, with what was found in it.
func (p *page) message(c *Chapter, r *story.Row) {
	row, m := book.MessageIn(c.Rows, r.Frame)
	if m == nil {
		return
	}
	who := c.Story.Server
	if m.Dir == wire.Sent {
		who = "mcploupe"
	}
	p.Raw(fmt.Sprintf("<section class=\"message %s\" id=\"m%d\">\n<h3>", side(r), m.Seq))
	p.Text(who + ": " + r.Name())
	if r.Verdict != "" {
		p.Raw(" ")
		p.Class(tone(r.Tone), r.Verdict)
	}
	p.Raw("</h3>\n<div class=\"muted\">")
	p.Text(strings.Join(about(r, m), " · "))
	p.Raw("</div>\n")
	var here, beside []*inspect.Finding
	for i := range row.Findings {
		f := &row.Findings[i]
		if f.At.Frame != m.Seq {
			continue
		}
		p.broken[f.Rule.ID] = f.Rule
		if f.At.Part.InText() && m.Doc().Valid() && m.Doc().At(f.At.Path).Exists() {
			here = append(here, f)
		} else {
			beside = append(beside, f)
		}
	}
	p.beside(beside)
	if len(m.Body) > 0 {
		open := ""
		if p.open || len(here) > 0 {
			open = " open"
		}
		p.Raw("<details" + open + "><summary>")
		p.Text(fmt.Sprintf("%d bytes", int64(len(m.Body))+m.Dropped))
		p.Raw("</summary>\n")
		p.body(m, here)
		p.Raw("</details>\n")
	}
	p.Raw("</section>\n")
}

// about is what is to be said of a message beside its text.
func about(r *story.Row, m *wire.Message) []string {
	out := []string{fmt.Sprintf("#%d", m.Seq), since(r.At)}
	if m.HTTP == nil {
		return out
	}
	if m.HTTP.Status != 0 {
		return append(out, fmt.Sprintf("HTTP %d", m.HTTP.Status))
	}
	return append(out, strings.TrimSpace(m.HTTP.Method+" "+m.HTTP.URL))
}

// beside is what was found in headers, status and timing.
func (p *page) beside(found []*inspect.Finding) {
	if len(found) == 0 {
		return
	}
	p.Raw("<ul>\n")
	for _, f := range found {
		p.Raw("<li>")
		p.Text(strings.TrimSpace(f.At.Part.String()+" "+string(f.At.Path)) + ": ")
		p.note(f)
		p.Raw("</li>\n")
	}
	p.Raw("</ul>\n")
}

// note is a finding in one line, with a link to its rule.
func (p *page) note(f *inspect.Finding) {
	p.Raw("<span class=\"" + f.Level().String() + "\"><a href=\"#" + f.Rule.ID + "\">")
	p.Text(f.Rule.ID)
	p.Raw("</a>: want ")
	p.Text(f.Want)
	if f.Got != "" {
		p.Text(", got " + f.Got)
	}
	p.Text(" (" + f.Word() + ")")
	p.Raw("</span>")
}

// rules explains what was broken.
func (p *page) rules() {
	if len(p.broken) == 0 {
		return
	}
	ids := make([]string, 0, len(p.broken))
	for id := range p.broken {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if d := int(p.broken[b].Level) - int(p.broken[a].Level); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	p.Raw("<h2>Rules that were broken</h2>\n")
	for _, id := range ids {
		rule := p.broken[id]
		p.Raw("<section class=\"rule\" id=\"" + id + "\">\n<h3>")
		p.Class(rule.Level.String(), rule.Level.String())
		p.Text(" · " + inspect.Title(rule))
		p.Raw("</h3>\n<div class=\"muted\">")
		p.Tag("code", id)
		p.Text(" · " + rule.Source)
		p.Raw("</div>\n")
		if page, ok, err := inspect.Explain(id); ok && err == nil {
			p.Prose(page.Why)
			p.Raw("<p><b>How to fix it</b></p>\n")
			p.Prose(page.Fix)
		}
		p.Raw("</section>\n")
	}
}
