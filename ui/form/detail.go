package form

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// detailLines is what stands below the rows: a line with the field's place, and what there is to know of it.
const detailLines = 4

// join puts words beside each other.
func join(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " "+kit.SignDot+" ")
}

// about is what the schema says of a field in its own words.
func about(field *schema.Field) string {
	if field.Description != "" {
		return strings.TrimSpace(field.Description)
	}
	return strings.TrimSpace(field.Title)
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text
}

// hint is what the schema says of a row in a few words, or what is wrong with it.
func (f *Form) hint(i int) string {
	s := f.env.Styles
	r := &f.rows[i]
	if m, bad := f.marks[i]; bad && !m.blank {
		style := &s.Must
		if m.soft {
			style = &s.Should
		}
		return f.sign(m) + style.Render(" "+m.text)
	}
	switch r.kind {
	case branch:
		return s.Muted.Render("one of " + kit.Count(len(r.levels[len(r.levels)-1].variants), "kind"))
	case member:
		if open, ok := schema.Additional(f.root, "", "", r.holds...); ok {
			return s.Muted.Render("of any name: " + strings.Join(open.Types, " | "))
		}
		return s.Muted.Render("of any name")
	case more, pick, batch:
		return ""
	}
	if r.unknown {
		return s.Faint.Render("not in the schema")
	}
	words, own := f.typeWords(r), firstLine(about(&r.field))
	if own == words || r.branched() && own == r.field.Title {
		own = ""
	}
	text := join(words, r.field.Limits(), defaultWords(&r.field), own)
	if text == words && r.field.Is("string") {
		text = join(text, f.formatWords(&r.field))
	}
	return s.Muted.Render(kit.Escape(text))
}

// typeWords says what a value may be: its choices, its format, its types, or the kinds to choose from.
func (f *Form) typeWords(r *row) string {
	field := &r.field
	allowed, decided := field.Schema.Bool()
	switch {
	case decided && !allowed:
		return "never allowed"
	case len(field.Choices) > 0:
		var names []string
		for _, c := range field.Choices {
			if c.Title != "" {
				names = append(names, c.Title)
			} else {
				names = append(names, choiceText(field, c.Value))
			}
		}
		if null := jsondoc.Parse([]byte("null")).Root(); field.Nullable && field.ChoiceOf(null) < 0 {
			names = append(names, "null")
		}
		return strings.Join(names, " | ")
	case field.Const.Exists():
		return "always " + plain(field.Const)
	}
	words, open := strings.Join(field.Types, " | "), r.openLevel()
	switch {
	case open != nil && branching(open.variants):
		var names []string
		for _, v := range open.variants {
			names = append(names, v.label)
		}
		words = strings.Join(names, " | ")
		if kind := r.kindWords(); kind != "" {
			words = kind + ": " + words
		}
		return words
	case open != nil && len(open.variants) == 5:
		words = "anything"
	case r.kind == container && r.branched():
		words = r.kindWords()
	case only(r.field, "array"):
		words = f.arrayWords(field)
	}
	if field.Format != "" && field.Is("string") {
		words = strings.Replace(words, "string", field.Format, 1)
	}
	if field.Nullable {
		words += " | null"
	}
	return words
}

// arrayWords says what an array is of, where that is one thing.
func (f *Form) arrayWords(field *schema.Field) string {
	item, ok := f.item(field.Schema, 0, field.Pointer)
	if kinds := f.ask(item); ok && branching(kinds.variants) {
		return "array, each one of " + kit.Count(len(kinds.variants), "kind")
	}
	if !ok || len(item.Types) != 1 || field.Schema.Get("prefixItems").Exists() || field.Schema.Get("items").Is(jsondoc.Array) {
		return "array"
	}
	if item.Format != "" && item.Is("string") {
		return "array of " + item.Format + " strings"
	}
	return "array of " + item.Types[0] + "s"
}

func defaultWords(field *schema.Field) string {
	if !field.Default.Exists() {
		return ""
	}
	return "default " + firstBytes(plain(field.Default), 60)
}

// detail is all about the row under the cursor, in detailLines lines.
func (f *Form) detail(w int, focused bool) []string {
	s := f.env.Styles
	r := f.row()
	title := kit.Escape(strings.TrimPrefix(string(r.at), "/"))
	if r.at == "/" {
		title = `""`
	}
	var lines []string
	add := func(sign string, text string) {
		if text == "" {
			return
		}
		for i, l := range kit.Paragraph(text, max(w-2, 1)) {
			if i > 0 || sign == "" {
				sign = s.Muted.Render(l)
			} else {
				sign += s.Muted.Render(" " + l)
			}
			lines = append(lines, sign)
		}
	}
	if m, bad := f.marks[f.cur]; bad && !m.blank {
		add(f.sign(m), m.text)
	}
	field := &r.field
	switch r.kind {
	case send:
		title = "send"
		switch blank := f.toFillIn(); {
		case blank != nil:
			add("", "to fill in: "+strings.Join(blank, ", ")+" — ctrl+x sends it anyway, n goes there")
		case f.first != "":
			add(f.env.Styles.Must.Render(kit.SignMust), join(f.first, f.wrong())+" — ctrl+x sends it anyway, n goes there")
		case f.unchecked != "":
			add("", f.unchecked)
		default:
			add(s.OK.Render(kit.SignOK), "fits the schema")
		}
	case branch:
		title = "kind"
		if r.at != "" {
			title = kit.Escape(string(r.at[1:])) + ", kind"
		}
		l := r.levels[len(r.levels)-1]
		kinds := "one of " + kit.Count(len(l.variants), "kind") + "; enter lists them"
		if l.chosen >= 0 {
			kinds = l.variants[l.chosen].label + ", " + kinds + ". " + kit.Escape(strings.TrimSpace(l.variants[l.chosen].field.Description))
		}
		add("", kinds)
	case more:
		title = "a new element"
		add("", "enter adds one; K and J move an element, x removes it")
	case member:
		title = "a new member"
		add("", "enter, then its name and its value; r renames a member, x removes it")
	case batch:
		add("", "a form shows "+kit.Number(groupSize)+" of many at once; enter shows these too, / finds one by its number")
	case pick:
		add("", choiceWords(r.choice))
	case rest:
		title = "more"
		add("", "A form shows 20,000 rows; ctrl+t shows all as JSON.")
	default:
		facts := join(f.typeWords(r), field.Limits(), patternWords(field), f.formatWords(field), defaultWords(field), exampleWords(field))
		switch {
		case r.unknown && len(lines) == 0:
			add("", "not in the schema; it is sent as it stands")
		case field.Required:
			facts = join("required", facts)
		}
		if field.Deprecated {
			facts = join("deprecated", facts)
		}
		add("", kit.Escape(facts))
		if own := strings.Join(strings.Fields(about(field)), " "); own != f.typeWords(r) && !(r.branched() && own == field.Title) {
			add("", kit.Escape(own))
		}
		if r.branched() {
			words := "t chooses another of its "
			if r.openLevel() != nil {
				words = "t lists its "
			}
			add("", words+kit.Count(len(f.ways(f.describe(r))), "kind"))
		}
	}
	rule := s.Muted.Render(kit.Cut(title, w*2/3)) + " "
	out := []string{rule + s.Border.Render(strings.Repeat("─", max(w-kit.Width(rule), 0)))}
	out = append(out, lines...)
	if len(out) > detailLines {
		out = out[:detailLines]
		out[detailLines-1] = kit.Cut(out[detailLines-1], max(w-2, 1)) + s.Faint.Render(" …")
	}
	return kit.Lines(out, w, detailLines)
}

func patternWords(field *schema.Field) string {
	if field.Pattern == "" {
		return ""
	}
	return "matches " + firstBytes(field.Pattern, 80)
}

func (f *Form) formatWords(field *schema.Field) string {
	if e := schema.FormatExample(field.Format); e != "" {
		return "such as " + e
	}
	return ""
}

func exampleWords(field *schema.Field) string {
	var words []string
	for _, e := range field.Examples[:min(len(field.Examples), 3)] {
		if e.Exists() && !e.Is(jsondoc.Invalid) {
			words = append(words, firstBytes(plain(e), 40))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "for example " + strings.Join(words, ", ")
}
