package report

import (
	_ "embed"
	"fmt"

	"mcploupe/inspect/report/markup"
)

//go:embed report.css
var style string

// HTML is the report as one page that needs nothing else: no script, no font, no address. It is written by hand (markup):
// html/template would be 4 MB of program and 2 MB of memory at every start.
func (r *Report) HTML() []byte {
	p := &page{}
	c, known := r.count()
	name := orElse(r.Server, "unnamed server")
	p.Raw("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>MCP check: ")
	p.Text(name)
	p.Raw("</title>\n<style>\n" + style + "</style>\n<h1>")
	p.Text(name)
	p.Raw("</h1>\n<div class=\"muted\"><code>")
	p.Text(r.Target)
	p.Raw("</code> · ")
	p.Text(fmt.Sprintf("%s · %d exchanges · judged by %s · mcploupe %s", r.speaks(), r.Exchanges, r.Profile, r.Version))
	p.Raw("</div>\n<ul class=\"counts\">\n")
	for _, n := range []struct {
		class, words string
		n            int
		always       bool
	}{{"must", "must", c.Must, true}, {"should", "should", c.Should, true}, {"advice", "advice", c.Advice, true}, {"advice", "by SEP-2145 alone", c.SEP2145, false}, {"", "known", known, false}} {
		if n.always || n.n > 0 {
			p.Raw(fmt.Sprintf("<li class=\"%s\"><b>%d</b>%s</li>\n", n.class, n.n, n.words))
		}
	}
	p.Raw("</ul>\n")
	groups := r.groups()
	if len(groups) == 0 {
		p.Raw("<p>Nothing found.</p>\n")
	}
	for _, g := range groups {
		p.group(g)
	}
	p.list("Gone since the baseline", r.Fixed)
	var drift []string
	for _, d := range r.Drift {
		drift = append(drift, d.Text())
	}
	p.list("Changed since it was recorded", drift)
	p.Raw("</html>\n")
	return []byte(p.String())
}

// page is the report as it is written.
type page struct{ markup.Page }

func (p *page) group(g group) {
	title, why, fix := pageOf(g.Rule)
	p.Raw("<section id=\"")
	p.Text(g.Rule.ID)
	p.Raw("\">\n<h2><span class=\"" + g.Level() + "\">" + sign(g) + " " + g.Level() + "</span> · ")
	p.Text(title)
	p.Raw("</h2>\n<div class=\"muted\">")
	p.Tag("code", g.Rule.ID)
	p.Text(" · " + g.Rule.Source)
	if n := len(g.Items) - g.New(); n > 0 {
		p.Text(fmt.Sprintf(" · %d known", n))
	}
	p.Raw("</div>\n<ol>\n")
	items, more := g.tell()
	for _, i := range items {
		p.Raw("<li class=\"place\">")
		p.Text(sentence(i.Item))
		if i.Times > 1 {
			p.Raw(fmt.Sprintf(" <span class=\"muted\">×%d</span>", i.Times))
		}
		if i.Known {
			p.Raw(" <span class=\"muted\">(known)</span>")
		}
		if len(i.Excerpt) > 0 {
			p.Raw("<pre>")
			for _, l := range i.Excerpt {
				if l.Marked {
					p.Raw("<span class=\"bad\">")
				} else {
					p.Raw("<span>")
				}
				p.Text(l.Text)
				p.Raw("</span>")
			}
			p.Raw("</pre>")
		}
		p.Raw("</li>\n")
	}
	p.Raw("</ol>\n")
	if more > 0 {
		p.Raw(fmt.Sprintf("<p class=\"muted\">… and %d more</p>\n", more))
	}
	p.Raw("<details><summary>Why, and how to fix it</summary>\n")
	p.Prose(why)
	p.Raw("<p><b>How to fix it</b></p>\n")
	p.Prose(fix)
	p.Raw("</details>\n</section>\n")
}

// list is a section of lines, nothing when there are none.
func (p *page) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.Raw("<section>")
	p.Tag("h2", title)
	p.Raw("<ul>")
	for _, l := range lines {
		p.Raw("<li>")
		p.Tag("code", l)
		p.Raw("</li>")
	}
	p.Raw("</ul></section>\n")
}
