package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Draw implements kit.Pane: label, value, and what the schema says of it, one row a field. What is wrong with a
// field stands in the place of what the schema says.
func (f *Form) Draw(w, h int, focused bool) string {
	f.height = h
	below := min(f.offers.lines(), max(h-1, 0)) // the suggestions stand under the field that they are for
	if f.cur < f.top {
		f.top = f.cur
	}
	if f.cur+below >= f.top+h {
		f.top = f.cur + below - h + 1
	}
	f.top = max(0, min(f.top, len(f.rows)+below-h))
	label, value, hint := f.columns(w)
	out := make([]string, 0, h)
	for i := f.top; i < len(f.rows) && len(out) < h; i++ {
		out = append(out, f.drawRow(i, label, value, hint, w, focused))
		if i == f.cur && below > 0 {
			out = append(out, f.offers.draw(f.env, label+2, w, below)...)
		}
	}
	if len(out) > h {
		out = out[:h]
	}
	return kit.Block(out, w, h)
}

// columns shares the width: labels as wide as they need within bounds, hints where there is room for them.
func (f *Form) columns(w int) (label, value, hint int) {
	for i := range f.rows {
		label = max(label, kit.Width(f.rows[i].label)+2*f.rows[i].depth)
	}
	label = min(max(label, 6), w/3)
	rest := w - label - 4
	if rest < 36 {
		return label, max(1, rest), 0
	}
	hint = min(rest*3/5, 72)
	return label, rest - hint - 2, hint
}

func (f *Form) drawRow(i, label, value, hint, w int, focused bool) string {
	s := f.env.Styles
	r := &f.rows[i]
	here := focused && i == f.cur
	pointer := "  "
	if here {
		pointer = s.Accent.Render(kit.SignPointer) + " "
	}
	if r.kind == send {
		text := s.Muted.Render("[ send ]")
		if here {
			text = s.Selected.Render("[ send ]")
		}
		if f.first != "" {
			text += "  " + s.Must.Render(kit.SignMust+" ") + s.Muted.Render(f.first)
		}
		return kit.Fit(pointer+text, w)
	}
	name := strings.Repeat("  ", r.depth) + r.label
	style := s.Text
	switch {
	case here:
		style = s.Title
	case r.kind == extra || r.kind == more:
		style = s.Muted
	}
	cell := f.value(r, value, here)
	if here && f.typing {
		cell = f.line.draw(s, value)
	}
	text := pointer + style.Render(kit.Fit(name, label)) + "  " + kit.Fit(cell, value)
	if hint == 0 {
		if _, bad := f.problems[r.at]; bad && r.kind != branch && r.kind != pick {
			text = pointer + style.Render(kit.Fit(name, label)) + "  " + kit.Fit(s.Must.Render(kit.SignMust)+" "+cell, value)
		}
		return kit.Fit(text, w)
	}
	return kit.Fit(text+"  "+f.hint(r), w)
}

// value is what stands in a field: one of absent, null, empty, or a value.
func (f *Form) value(r *row, w int, here bool) string {
	s := f.env.Styles
	switch r.kind {
	case branch:
		words := "‹not chosen›"
		if r.chosen >= 0 {
			words = kit.Escape(r.branches[r.chosen].Label)
		}
		return arrows(s.Accent.Render(kit.Cut(words, w-4)), here)
	case more:
		return s.Muted.Render("add an element")
	case pick:
		sign := "[ ] "
		if r.ticked >= 0 {
			sign = "[x] "
		}
		return s.Accent.Render(sign) + s.Text.Render(kit.Cut(choiceWords(r.choice), w-4))
	case container:
		if r.picked && r.value.Exists() {
			return s.Comment.Render(tally(r.value.Len()))
		}
		if !r.value.Exists() {
			return s.Ghost.Render("‹absent›")
		}
		sign, what := kit.SignUnfolded, "members"
		if f.closed[r.at] {
			sign = kit.SignFolded
		}
		if r.value.Is(jsondoc.Array) {
			what = "elements"
		}
		return s.Punct.Render(sign) + " " + s.Comment.Render(fmt.Sprintf("%d %s", r.value.Len(), what))
	}
	text := ""
	if at := choiceOf(r.field.Choices, r.value); r.kind == scalar && at >= 0 && r.field.Choices[at].Title != "" {
		return arrows(s.String.Render(kit.Cut(choiceWords(r.field.Choices[at]), w-4)), here)
	}
	switch r.value.Kind() {
	case jsondoc.Missing:
		text = s.Ghost.Render("‹absent›")
	case jsondoc.Null:
		text = s.Literal.Render("null")
	case jsondoc.Bool:
		text = s.Literal.Render(string(r.value.Raw()))
	case jsondoc.Number:
		text = s.Number.Render(kit.Cut(string(r.value.Raw()), w))
	case jsondoc.String:
		if r.value.Text() == "" {
			text = s.Ghost.Render("‹empty›")
		} else {
			text = s.String.Render(kit.Cut(kit.Escape(r.value.Text()), w))
		}
	default:
		text = s.Punct.Render(kit.Cut(kit.Escape(string(jsondoc.Compact(nil, r.value.Raw()))), w))
	}
	if len(r.options()) > 0 {
		return arrows(text, here)
	}
	return text
}

// choiceWords is a choice as people read it: its title, and the value behind it.
func choiceWords(c schema.Choice) string {
	if c.Title == "" || c.Title == plain(c.Value) {
		return kit.Escape(plain(c.Value))
	}
	return kit.Escape(c.Title) + " " + kit.SignDot + " " + kit.Escape(plain(c.Value))
}

// arrows shows that a value is chosen, not typed.
func arrows(text string, here bool) string {
	if here {
		return "‹ " + text + " ›"
	}
	return text + " ▾"
}

// hint is what the schema says of a field, or what is wrong with it.
func (f *Form) hint(r *row) string {
	s := f.env.Styles
	if p, bad := f.problems[r.at]; bad && r.kind != branch && r.kind != pick {
		return s.Must.Render(kit.SignMust + " " + p)
	}
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, kit.Escape(text))
		}
	}
	switch r.kind {
	case extra:
		return s.Faint.Render("not in the schema")
	case branch:
		return s.Muted.Render(fmt.Sprintf("one of %d forms", len(r.branches)))
	case more, pick:
		return ""
	}
	field := &r.field
	switch {
	case len(field.Choices) > 0:
		var names []string
		for _, c := range field.Choices {
			if c.Title != "" {
				names = append(names, c.Title)
			} else {
				names = append(names, plain(c.Value))
			}
		}
		add(strings.Join(names, " | "))
	case field.Const.Exists():
		add("always " + plain(field.Const))
	default:
		add(strings.Join(field.Types, " | "))
	}
	add(field.Limits())
	if field.Default.Exists() {
		add("default " + plain(field.Default))
	}
	about := field.Description
	if about == "" {
		about = field.Title
	}
	about, _, _ = strings.Cut(strings.TrimSpace(about), "\n")
	add(about)
	return s.Muted.Render(strings.Join(parts, " "+kit.SignDot+" "))
}

// plain is a value as a person would write it: a string without its quotes.
func plain(v jsondoc.Value) string {
	if v.Is(jsondoc.String) {
		return v.Text()
	}
	return string(jsondoc.Compact(nil, v.Raw()))
}

// Click implements kit.Pane: a press goes to the row, one more on the same row is enter; the wheel moves.
func (f *Form) Click(_, y int, msg tea.MouseMsg) kit.Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		by := 1
		if m.Button == tea.MouseWheelUp {
			by = -1
		}
		f.move(by)
	case tea.MouseClickMsg:
		i := f.top + y
		if below := f.offers.lines(); below > 0 && i > f.cur {
			if i <= f.cur+below { // a suggestion
				if at := f.offers.top + i - f.cur - 1; at < len(f.offers.values) {
					f.offers.at = at
					return f.accept()
				}
				return nil
			}
			i -= below
		}
		if i >= len(f.rows) {
			return nil
		}
		again := i == f.cur
		f.move(i - f.cur)
		if again {
			return f.open()
		}
	}
	return nil
}
