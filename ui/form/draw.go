package form

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// below is how many lines the list or the suggestions below the row would like to have.
func (f *Form) below() int {
	if f.menu != nil {
		return f.menu.lines()
	}
	return f.offers.lines()
}

// Draw implements kit.Pane: label, value, and what the schema says of it, one row a field. What is wrong with a
// field stands in the place of what the schema says. Where there is room, all about the field under the cursor stands
// below a line.
func (f *Form) Draw(w, h int, focused bool) string {
	var details []string
	if h >= min(len(f.rows)+f.below(), 7)+detailLines {
		details = f.detail(w, focused)
		h -= detailLines
	}
	below := min(f.below(), max(h-1, 0)) // a list stands under the field that it is for
	if f.cur < f.top {
		f.top = f.cur
	}
	if f.cur+below >= f.top+h {
		f.top = f.cur + below - h + 1
	}
	f.top = max(0, min(f.top, len(f.rows)+below-h))
	f.scroll = kit.Scroll{From: f.top, Shown: h, Total: len(f.rows) + below}
	label, value, hint := f.columns(w)
	out := make([]string, 0, h+detailLines)
	for i := f.top; i < len(f.rows) && len(out) < h; i++ {
		out = append(out, f.drawRow(i, label, value, hint, w, focused))
		if i != f.cur || below == 0 {
			continue
		}
		from := min(label+2, max(w-30, 0)) // at least some thirty cells for the list
		if f.menu != nil {
			out = append(out, f.menu.draw(f.env, from, w, below)...)
		} else {
			out = append(out, f.offers.draw(f.env, from, w, below)...)
		}
	}
	out = kit.Lines(out, w, h)
	return kit.Block(append(out, details...), w, h+len(details))
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
	switch r.kind {
	case send:
		text := s.Muted.Render("[ send ]")
		if here {
			text = s.Selected.Render("[ send ]")
		}
		switch blank := f.toFillIn(); {
		case blank != nil:
			text += "  " + s.Muted.Render("to fill in: "+strings.Join(blank, ", "))
		case f.first != "":
			text += "  " + s.Must.Render(kit.SignMust+" ") + s.Muted.Render(f.first)
		case f.unchecked != "":
			text += "  " + s.Muted.Render(f.unchecked)
		}
		return kit.Fit(pointer+text, w)
	case rest:
		return kit.Fit(pointer+s.Muted.Render("… there is more; ctrl+t shows all of it as JSON"), w)
	}
	name := strings.Repeat("  ", r.depth) + r.label
	style := s.Text
	switch {
	case here:
		style = s.Title
	case r.unknown || r.kind == more || r.kind == member || r.kind == batch:
		style = s.Muted
	}
	if here && f.typing && f.naming && r.kind != member {
		indent := kit.Blank(2 * r.depth)
		name, style = indent+f.line.draw(s, max(label-2*r.depth, 1)), s.Text
	}
	cell := f.value(r, value, here)
	switch {
	case here && f.typing && f.asJSON:
		cell = s.Muted.Render("= ") + f.line.draw(s, value-2)
	case here && f.typing && !(f.naming && r.kind != member):
		cell = f.line.draw(s, value)
	}
	words := ""
	if hint > 0 {
		words = "  " + f.hint(i)
	} else if m, bad := f.marks[i]; bad && !m.blank {
		cell = f.sign(m) + " " + cell
	}
	return kit.Fit(pointer+style.Render(kit.Fit(name, label))+"  "+kit.Fit(cell, value)+words, w)
}

func (f *Form) sign(m mark) string {
	if m.soft {
		return f.env.Styles.Should.Render(kit.SignShould)
	}
	return f.env.Styles.Must.Render(kit.SignMust)
}

// value is what stands in a field: one of absent, null, empty, or a value.
func (f *Form) value(r *row, w int, here bool) string {
	s := f.env.Styles
	switch r.kind {
	case branch:
		words := open("not chosen", here)
		if l := r.levels[len(r.levels)-1]; l.chosen >= 0 {
			words = l.variants[l.chosen].label
		}
		return arrows(s.Accent.Render(kit.Cut(words, w-4)), here)
	case more:
		return s.Muted.Render("add an element")
	case member:
		return s.Muted.Render("add a member")
	case batch:
		sign := kit.SignFolded
		if f.opened[r.group] {
			sign = kit.SignUnfolded
		}
		return s.Punct.Render(sign) + " " + s.Comment.Render(kit.Number(r.group.to-r.group.from)+" more")
	case pick:
		sign := "[ ] "
		if r.ticked >= 0 {
			sign = "[x] "
		}
		return s.Accent.Render(sign) + s.Text.Render(kit.Cut(choiceWords(r.choice), w-4))
	case container:
		if !r.value.Exists() {
			text := s.Ghost.Render("‹absent›")
			if r.openLevel() != nil {
				return arrows(text, false)
			}
			return text
		}
		if r.picked {
			return s.Comment.Render(kit.Number(r.items) + " chosen")
		}
		sign, what := kit.SignUnfolded, "member"
		if f.isClosed(r.at) {
			sign = kit.SignFolded
		}
		if r.value.Is(jsondoc.Array) {
			what = "element"
		}
		words := kit.Count(r.items, what)
		if r.items == 0 {
			words = "‹empty›"
		}
		return s.Punct.Render(sign) + " " + s.Comment.Render(words)
	}
	text := ""
	at := r.field.ChoiceOf(r.value)
	if at >= 0 && r.field.Choices[at].Title != "" {
		return arrows(s.String.Render(kit.Cut(choiceWords(r.field.Choices[at]), w-4)), here)
	}
	switch r.value.Kind() {
	case jsondoc.Missing:
		text = s.Ghost.Render(open("absent", here && len(r.options()) > 0))
	case jsondoc.Null:
		text = s.Literal.Render("null")
	case jsondoc.Bool:
		text = s.Literal.Render(string(r.value.Raw()))
	case jsondoc.Number:
		text = s.Number.Render(kit.Cut(string(r.value.Raw()), w))
	case jsondoc.String:
		shown := kit.Escape(firstBytes(r.value.Text(), 4*w))
		switch {
		case r.value.Text() == "":
			text = s.Ghost.Render("‹empty›")
		case ambiguous(r), at >= 0 && choiceText(&r.field, r.value) != r.value.Text():
			text = s.String.Render(kit.Cut(kit.Escape(string(r.value.Raw())), w))
		default:
			text = s.String.Render(kit.Cut(shown, w))
		}
	default:
		text = s.Punct.Render(kit.Cut(kit.Escape(string(jsondoc.Compact(nil, r.value.Raw()))), w))
	}
	if len(r.options()) > 0 || r.several() && !r.typable() {
		return arrows(text, here && len(r.options()) > 0)
	}
	return text
}

// ambiguous tells that a text reads like a number, a boolean or null, where it could as well be one: its quotes are shown.
func ambiguous(r *row) bool {
	if only(r.field, "string") && !r.several() {
		return false
	}
	text := r.value.Text()
	return len(text) < 100 && literal(text).Exists()
}

// firstBytes is the beginning of a text, no shorter than n bytes, cut between characters.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && n < len(text) && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}

// choiceText is a choice as people read it: a text without its quotes, unless another choice would read the same.
func choiceText(field *schema.Field, v jsondoc.Value) string {
	if v.Is(jsondoc.String) && slices.ContainsFunc(field.Choices, func(c schema.Choice) bool { return !c.Value.Is(jsondoc.String) && plain(c.Value) == v.Text() }) {
		return string(v.Raw())
	}
	return plain(v)
}

// choiceWords is a choice as people read it: its title, and the value behind it.
func choiceWords(c schema.Choice) string {
	if c.Title == "" || c.Title == plain(c.Value) {
		return kit.Escape(plain(c.Value))
	}
	return kit.Escape(c.Title) + " " + kit.SignDot + " " + kit.Escape(plain(c.Value))
}

// open is the word for what is not there; between arrows it has no signs of its own.
func open(word string, between bool) string {
	if between {
		return word
	}
	return "‹" + word + "›"
}

// arrows shows that a value is chosen, not typed.
func arrows(text string, here bool) string {
	if here {
		return "‹ " + text + " ›"
	}
	return text + " ▾"
}

// plain is a value as a person would write it: a string without its quotes.
func plain(v jsondoc.Value) string {
	if v.Is(jsondoc.String) {
		return v.Text()
	}
	return string(jsondoc.Compact(nil, v.Raw()))
}
