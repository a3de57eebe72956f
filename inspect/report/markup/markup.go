// Package markup writes HTML by hand: what is ours as it is, and words as words, whoever said them. It must never know what is
// written: findings, messages, styles. html/template would keep the linker from leaving out what nobody calls.
package markup

import (
	"html"
	"strings"

	"mcploupe/session/visible"
)

// Escape makes words that may come from a server fit to stand in HTML or SVG, between tags or in a quoted attribute: dangerous
// characters and ends of lines as their signs, then whatever means something in markup as entities.
func Escape(s string) string { return html.EscapeString(visible.Escape(s)) }

// Page is HTML that grows. The zero Page is empty. Raw is for what stands in this program alone; all other words go through the rest.
type Page struct{ b strings.Builder }

// String is what was written.
func (p *Page) String() string { return p.b.String() }

// Raw writes markup.
func (p *Page) Raw(s string) { p.b.WriteString(s) }

// Text writes words, escaped.
func (p *Page) Text(s string) { p.b.WriteString(Escape(s)) }

// Tag writes words within an element.
func (p *Page) Tag(name, s string) {
	p.Raw("<" + name + ">")
	p.Text(s)
	p.Raw("</" + name + ">")
}

// Class writes words in a span of a class of the page's style, nothing when there are none.
func (p *Page) Class(name, s string) {
	if s == "" {
		return
	}
	p.Raw("<span class=\"" + name + "\">")
	p.Text(s)
	p.Raw("</span>")
}

// Prose writes text as rules have it in their pages: paragraphs with empty lines between them, and indented pieces that stay as they
// are, each of their lines in a span.
func (p *Page) Prose(s string) {
	for piece := range strings.SplitSeq(s, "\n\n") {
		piece = strings.Trim(piece, "\n")
		switch {
		case strings.TrimSpace(piece) == "":
		case strings.HasPrefix(piece, "    ") || strings.HasPrefix(piece, "\t"):
			p.Raw("<pre>")
			for line := range strings.SplitSeq(piece, "\n") {
				p.Tag("span", line)
			}
			p.Raw("</pre>\n")
		default:
			p.Tag("p", strings.ReplaceAll(piece, "\n", " "))
			p.Raw("\n")
		}
	}
}
