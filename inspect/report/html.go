package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"mcploupe/inspect"
)

//go:embed report.html
var page string

type htmlGroup struct {
	ID, Level, Sign, Area, Title, Source string
	Why, Fix                             []paragraph
	Items                                []told
	More, Known                          int
}

// paragraph is a piece of a page's text: prose, or lines to keep as they are.
type paragraph struct {
	Text string
	Code bool
}

// HTML is the report as one page that needs nothing else: no script, no font, no address.
func (r *Report) HTML() ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{
		"sentence": func(i told) string { return sentence(i.Item) },
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	c, known := r.count()
	data := struct {
		*Report
		Count  inspect.Count
		Known  int
		Speaks string
		Groups []htmlGroup
	}{r, c, known, r.speaks(), nil}
	for _, g := range r.groups() {
		title, why, fix := pageOf(g.Rule)
		h := htmlGroup{
			ID: g.Rule.ID, Level: g.Level(), Sign: sign(g), Area: g.Rule.Area, Title: title, Source: g.Rule.Source,
			Why: paragraphs(why), Fix: paragraphs(fix), Known: len(g.Items) - g.New(),
		}
		h.Items, h.More = g.tell()
		data.Groups = append(data.Groups, h)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// paragraphs cuts a page's text at blank lines; indented pieces are code.
func paragraphs(s string) []paragraph {
	var out []paragraph
	for piece := range strings.SplitSeq(s, "\n\n") {
		piece = strings.Trim(piece, "\n")
		if strings.TrimSpace(piece) == "" {
			continue
		}
		out = append(out, paragraph{piece, strings.HasPrefix(piece, "    ") || strings.HasPrefix(piece, "\t")})
	}
	return out
}
