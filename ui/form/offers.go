package form

import (
	"mcploupe/ui/kit"
)

// offers are the suggestions below the field that is typed into.
type offers struct {
	values []string
	notes  []string // what each is, "" or none for what a server suggests
	note   string
	bad    bool
	at     int // the chosen one, -1 for none yet
	top    int
}

// offered is how many suggestions are in view.
const offered = 5

// Typed implements kit.Completing: only members of the value itself are completed, as prompts and templates have them.
func (f *Form) Typed() (name, text string, ok bool) {
	if !f.typing || f.naming || f.asJSON {
		return "", "", false
	}
	r := f.row()
	tokens := r.at.Tokens()
	if r.kind != scalar || len(tokens) != 1 {
		return "", "", false
	}
	return tokens[0], f.line.text, true
}

// Suggest implements kit.Completing. The chosen one stays chosen if it comes again. Where nobody else suggests anything,
// nil for one, the schema does.
func (f *Form) Suggest(s *kit.Suggestions) {
	if s == nil || len(s.Values) == 0 && s.Note == "" {
		f.offers = offers{at: -1}
		f.offers.values, f.offers.notes = f.own()
		return
	}
	chosen := ""
	if o := &f.offers; o.at >= 0 && o.at < len(o.values) {
		chosen = o.values[o.at]
	}
	f.offers = offers{values: s.Values, note: s.Note, bad: s.Bad, at: -1}
	for i, v := range s.Values {
		if v == chosen && chosen != "" {
			f.offers.walk(i + 1)
		}
	}
}

// walk goes on to another suggestion.
func (o *offers) walk(by int) {
	if len(o.values) == 0 {
		return
	}
	o.at = kit.Step(o.at, by, len(o.values))
	o.top = min(max(o.top, o.at-offered+1), o.at)
}

// accept puts the chosen suggestion, else the first one, into the field.
func (f *Form) accept() kit.Intent {
	o := &f.offers
	if len(o.values) == 0 {
		return nil
	}
	text := o.values[max(o.at, 0)]
	f.line = line{text: text, cur: len(text)}
	f.put()
	return nil
}

// rows are the keys while there are suggestions.
func (o *offers) rows(f *Form, group string) []kit.Row {
	if len(o.values) == 0 || !f.typing {
		return nil
	}
	walk := func(by int) func() kit.Intent { return func() kit.Intent { f.offers.walk(by); return nil } }
	next, before := []string{"ctrl+n", "ctrl+down"}, []string{"ctrl+p", "ctrl+up"}
	if len(o.notes) > 0 { // those of the schema are always there: ctrl+p stays for the arguments before
		next, before = next[1:], before[1:]
	}
	return []kit.Row{
		{Keys: []string{"tab"}, Words: "take", Group: group, Do: f.accept},
		{Keys: next, Words: "next", Group: group, Do: walk(1)},
		{Keys: before, Words: "suggestion before", Group: group, Quiet: true, Do: walk(-1)},
	}
}

// lines is how many lines they would like to have.
func (o *offers) lines() int {
	n := min(len(o.values), offered)
	if o.note != "" {
		n++
	}
	return n
}

// draw is at most h lines of w cells, set in by from cells: as the field above them is.
func (o *offers) draw(env *kit.Env, from, w, h int) []string {
	s := env.Styles
	n := min(len(o.values), offered, h)
	if o.note != "" && n == h && n > 1 {
		n--
	}
	room := max(w-from, 1)
	var out []string
	top := min(o.top, max(len(o.values)-n, 0))
	for i := top; i < top+n; i++ {
		text := kit.Cut(kit.Escape(o.values[i]), room-2)
		note := ""
		if i < len(o.notes) && o.notes[i] != "" {
			note = "  " + s.Muted.Render(o.notes[i])
		}
		if i == o.at {
			text = kit.Under(kit.SignPointer+" "+kit.Fit(text+note, room-2), s.Selected, room)
		} else {
			text = "  " + s.Text.Render(text) + note
		}
		out = append(out, kit.Blank(from)+text)
	}
	if o.note != "" && len(out) < h {
		style := &s.Muted
		if o.bad {
			style = &s.Should
		}
		out = append(out, kit.Blank(from)+"  "+style.Render(kit.Cut(o.note, room-2)))
	}
	for i := range out {
		out[i] = kit.Fit(out[i], w)
	}
	return out
}
