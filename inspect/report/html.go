package report

import (
	_ "embed"
	"fmt"
	"html"
	"strings"
)

//go:embed report.css
var style string

// HTML is the report as one page that needs nothing else: no script, no font, no address. It is written by hand rather than by
// html/template, which keeps the linker from leaving out what nobody calls: 4 MB of program and 2 MB of memory at every start.
func (r *Report) HTML() []byte {
	p := &page{}
	c, known := r.count()
	name := orElse(r.Server, "unnamed server")
	p.raw("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>MCP check: ")
	p.text(name)
	p.raw("</title>\n<style>\n" + style + "</style>\n<h1>")
	p.text(name)
	p.raw("</h1>\n<div class=\"muted\"><code>")
	p.text(r.Target)
	p.raw("</code> · ")
	p.text(fmt.Sprintf("%s · %d exchanges · judged by %s · mcploupe %s", r.speaks(), r.Exchanges, r.Profile, r.Version))
	p.raw("</div>\n<ul class=\"counts\">\n")
	for _, n := range []struct {
		class, words string
		n            int
		always       bool
	}{{"must", "must", c.Must, true}, {"should", "should", c.Should, true}, {"advice", "advice", c.Advice, true}, {"advice", "by SEP-2145 alone", c.SEP2145, false}, {"", "known", known, false}} {
		if n.always || n.n > 0 {
			p.raw(fmt.Sprintf("<li class=\"%s\"><b>%d</b>%s</li>\n", n.class, n.n, n.words))
		}
	}
	p.raw("</ul>\n")
	groups := r.groups()
	if len(groups) == 0 {
		p.raw("<p>Nothing found.</p>\n")
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
	p.raw("</html>\n")
	return []byte(p.b.String())
}

// page is HTML that grows.
type page struct{ b strings.Builder }

func (p *page) raw(s string)  { p.b.WriteString(s) }
func (p *page) text(s string) { p.b.WriteString(html.EscapeString(s)) }

// tag is a text within an element.
func (p *page) tag(name, s string) {
	p.raw("<" + name + ">")
	p.text(s)
	p.raw("</" + name + ">")
}

func (p *page) group(g group) {
	title, why, fix := pageOf(g.Rule)
	p.raw("<section id=\"")
	p.text(g.Rule.ID)
	p.raw("\">\n<h2><span class=\"" + g.Level() + "\">" + sign(g) + " " + g.Level() + "</span> · ")
	p.text(title)
	p.raw("</h2>\n<div class=\"muted\">")
	p.tag("code", g.Rule.ID)
	p.text(" · " + g.Rule.Source)
	if n := len(g.Items) - g.New(); n > 0 {
		p.text(fmt.Sprintf(" · %d known", n))
	}
	p.raw("</div>\n<ol>\n")
	items, more := g.tell()
	for _, i := range items {
		p.raw("<li class=\"place\">")
		p.text(sentence(i.Item))
		if i.Times > 1 {
			p.raw(fmt.Sprintf(" <span class=\"muted\">×%d</span>", i.Times))
		}
		if i.Known {
			p.raw(" <span class=\"muted\">(known)</span>")
		}
		if len(i.Excerpt) > 0 {
			p.raw("<pre>")
			for _, l := range i.Excerpt {
				if l.Marked {
					p.raw("<span class=\"bad\">")
				} else {
					p.raw("<span>")
				}
				p.text(l.Text)
				p.raw("</span>")
			}
			p.raw("</pre>")
		}
		p.raw("</li>\n")
	}
	p.raw("</ol>\n")
	if more > 0 {
		p.raw(fmt.Sprintf("<p class=\"muted\">… and %d more</p>\n", more))
	}
	p.raw("<details><summary>Why, and how to fix it</summary>\n")
	p.prose(why)
	p.raw("<p><b>How to fix it</b></p>\n")
	p.prose(fix)
	p.raw("</details>\n</section>\n")
}

// prose is the text of a page: paragraphs, and indented pieces that stay as they are.
func (p *page) prose(s string) {
	for piece := range strings.SplitSeq(s, "\n\n") {
		piece = strings.Trim(piece, "\n")
		switch {
		case strings.TrimSpace(piece) == "":
		case strings.HasPrefix(piece, "    ") || strings.HasPrefix(piece, "\t"):
			p.raw("<pre><span>")
			p.text(piece)
			p.raw("</span></pre>\n")
		default:
			p.tag("p", piece)
			p.raw("\n")
		}
	}
}

// list is a section of lines, nothing when there are none.
func (p *page) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.raw("<section>")
	p.tag("h2", title)
	p.raw("<ul>")
	for _, l := range lines {
		p.raw("<li>")
		p.tag("code", l)
		p.raw("</li>")
	}
	p.raw("</ul></section>\n")
}
