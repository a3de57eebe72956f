package report

import (
	"fmt"
	"strings"

	"mcploupe/inspect"
)

// shown is how many places of one rule a document for people lists.
const shown = 20

// Markdown is the report for a pull request or the summary of a build.
func (r *Report) Markdown() []byte {
	var b strings.Builder
	c, known := r.count()
	fmt.Fprintf(&b, "# MCP check: %s\n\n", markdownText(orElse(r.Server, "unnamed server")))
	fmt.Fprintf(&b, "%s · %s · judged by %s · mcploupe %s\n\n", code(r.Target), markdownText(r.speaks()), markdownText(r.Profile), markdownText(r.Version))
	fmt.Fprintf(&b, "| must | should | advice | SEP-2145 alone | known | exchanges |\n|---|---|---|---|---|---|\n| %d | %d | %d | %d | %d | %d |\n",
		c.Must, c.Should, c.Advice, c.SEP2145, known, r.Exchanges)
	groups := r.groups()
	if len(groups) == 0 {
		b.WriteString("\nNothing found.\n")
	}
	for _, g := range groups {
		title, why, fix := pageOf(g.Rule)
		fmt.Fprintf(&b, "\n## %s %s\n\n**%s.** %s\n\n", sign(g), markdownText(g.Rule.ID), markdownText(title), markdownText(g.Level()+" · "+g.Rule.Source))
		items, left := g.tell()
		for _, i := range items {
			mark := ""
			if i.Times > 1 {
				mark = fmt.Sprintf(" ×%d", i.Times)
			}
			if i.Known {
				mark += " (known)"
			}
			fmt.Fprintf(&b, "- %s — got %s, wanted %s%s%s\n", code(join(i.Subject, i.Where)), code(orElse(i.Got, "nothing")), markdownText(i.Want), more(i.Item), mark)
		}
		if left > 0 {
			fmt.Fprintf(&b, "- … and %d more\n", left)
		}
		fmt.Fprintf(&b, "\n<details><summary>Why, and how to fix it</summary>\n\n%s\n\n**How to fix it**\n\n%s\n\n</details>\n", markdownText(why), markdownText(fix))
	}
	if len(r.Fixed) > 0 {
		b.WriteString("\n## Gone since the baseline\n\n")
		for _, f := range r.Fixed {
			fmt.Fprintf(&b, "- %s\n", code(f))
		}
	}
	if len(r.Drift) > 0 {
		b.WriteString("\n## Changed since it was recorded\n\n")
		for _, c := range r.Drift {
			fmt.Fprintf(&b, "- %s\n", code(c.Text()))
		}
	}
	return []byte(b.String())
}

// speaks is the revision and the era in words.
func (r *Report) speaks() string {
	return strings.TrimSpace(orElse(r.Revision, "no revision known") + " " + r.Era)
}

func more(i *Item) string {
	s := ""
	if n := len(i.Also); n > 0 {
		s = fmt.Sprintf(", and %d more places", n)
	}
	if i.Confidence != inspect.Certain {
		s += " (" + i.Confidence.String() + ")"
	}
	return s
}

func sign(g group) string {
	switch g.Level() {
	case "must":
		return "✖"
	case "should":
		return "▲"
	}
	return "●"
}

// code is s as a code span, whatever backticks it holds.
func code(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.HasPrefix(s, " ") {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// markdownText is text of ours or of a server that must not be read as markup. Indented examples of a page stay code.
func markdownText(s string) string {
	var b strings.Builder
	for n, line := range strings.Split(s, "\n") {
		if n > 0 {
			b.WriteByte('\n')
		}
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			b.WriteString(line)
			continue
		}
		for _, r := range line {
			if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}
