package form

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// mark is what is wrong with a row, in words; soft is advice, which does not keep anything from being sent. A field that nobody
// has filled in yet is blank: that is to be done, and no mistake of anybody's until it is sent so.
type mark struct {
	text        string
	soft, blank bool
}

// judge holds the value against the schema and finds the row of each problem: the one of its place, or the nearest
// around it that is shown.
func (f *Form) judge() {
	f.marks, f.first = map[int]mark{}, ""
	if !f.doc.Valid() {
		f.first = "this is not JSON yet"
		if len(f.doc.Faults) > 0 {
			f.first += ": " + kit.Escape(f.doc.Faults[0].Kind.String())
		}
		return
	}
	if !f.doc.Root().Is(jsondoc.Object) {
		f.first = "arguments are a JSON object"
		return
	}
	places := make(map[jsondoc.Pointer]int, len(f.rows))
	for i := range f.rows {
		if r := &f.rows[i]; r.kind == scalar || r.kind == container {
			places[r.at] = i
			if text := f.textFault(r); text != "" {
				f.marks[i] = mark{text: text, soft: true}
			}
		}
	}
	if f.compiled == nil {
		return
	}
	f.places = places
	if f.env.Aside != nil && len(f.text) >= heavy {
		f.checkLater()
	} else {
		f.found, f.failed = f.compiled.ValidateAs(f.doc.Root(), f.meant())
	}
	f.report()
}

// meant is which branches of unions stand, for the words about what does not fit them.
func (f *Form) meant() map[schema.Fork]int {
	out := map[schema.Fork]int{}
	for i := range f.rows {
		for _, l := range f.rows[i].levels {
			if !branching(l.variants) {
				continue
			}
			fork := schema.Fork{Instance: l.union.at, List: f.root.Document().Pointer(l.union.node)[len(f.root.Pointer()):]}
			if out[fork] = -1; l.chosen >= 0 {
				out[fork] = l.variants[l.chosen].index
			}
		}
	}
	return out
}

// What is large is held against the schema beside the screen, once nobody has typed for a moment; until then what was found
// before stands.
const (
	heavy = 128 << 10
	pause = 150 * time.Millisecond
)

func (f *Form) checkLater() {
	n, compiled, doc, meant := f.checks.Add(1), f.compiled, f.doc, f.meant()
	f.env.Later(func() func() {
		time.Sleep(pause)
		if f.checks.Load() != n { // somebody typed on
			return func() {}
		}
		found, err := compiled.ValidateAs(doc.Root(), meant)
		return func() {
			if f.checks.Load() == n {
				f.found, f.failed = found, err
				f.report()
			}
		}
	})
}

// Check implements kit.Checked.
func (f *Form) Check() {
	if f.compiled != nil && f.doc.Valid() && len(f.text) >= heavy {
		f.checks.Add(1)
		f.found, f.failed = f.compiled.ValidateAs(f.doc.Root(), f.meant())
		f.report()
	}
}

// report puts what was found to its rows.
func (f *Form) report() {
	for i, m := range f.marks {
		if !m.soft {
			delete(f.marks, i)
		}
	}
	f.first, f.unchecked = "", ""
	if f.failed != nil {
		f.unchecked = kit.Escape(f.failed.Error())
		return
	}
	blank := "" // the first problem of what is only to be filled in
	for _, p := range f.found {
		at, text := p.Instance, kit.Escape(p.Text)
		if p.Member != "" {
			at, text = jsondoc.Join(at, p.Member), "required"
		}
		open := -1
		if p.Keyword == "oneOf" || p.Keyword == "anyOf" {
			if open = f.undecided(p.Instance); open >= 0 {
				text = "choose one of its kinds"
			}
		}
		whole := text
		if at != "" {
			whole = kit.Escape(strings.TrimPrefix(string(at), "/")) + ": " + text
		}
		switch {
		case open >= 0:
			f.marks[open] = mark{text: text}
		case f.place(f.places, at, text):
			blank = cmp.Or(blank, whole)
			continue
		}
		f.first = cmp.Or(f.first, whole)
	}
	f.first = cmp.Or(f.first, blank)
}

// undecided is the row of the first choice of an object that is open, -1 for none.
func (f *Form) undecided(at jsondoc.Pointer) int {
	return slices.IndexFunc(f.rows, func(r row) bool { return r.kind == branch && r.at == at && r.openLevel() != nil })
}

// place marks the row of a problem; blank tells that the row is only to be filled in.
func (f *Form) place(places map[jsondoc.Pointer]int, at jsondoc.Pointer, text string) (blank bool) {
	for up := at; up != ""; up = up.Parent() {
		i, shown := places[up]
		if !shown {
			continue
		}
		i = f.groupOf(i, up, at)
		if up != at {
			text = kit.Escape(string(at[len(up)+1:])) + ": " + text
		}
		if old, marked := f.marks[i]; !marked || old.soft {
			f.marks[i] = mark{text: text, blank: up == at && f.isBlank(&f.rows[i])}
		}
		return f.marks[i].blank
	}
	return false
}

// isBlank tells that a field is as a form begins it, an empty text or nought, and that nobody has touched it or tried to send it so.
func (f *Form) isBlank(r *row) bool {
	raw := string(r.value.Raw())
	return !f.tried && r.kind == scalar && (raw == `""` || raw == "0") && !f.touched[r.at]
}

// toFillIn are the labels of the fields that are blank, in their order, when nothing else is wrong.
func (f *Form) toFillIn() (labels []string) {
	for _, i := range slices.Sorted(maps.Keys(f.marks)) {
		if m := f.marks[i]; m.blank {
			labels = append(labels, strings.TrimSuffix(f.rows[i].label, " *"))
		} else if !m.soft {
			return nil
		}
	}
	return labels
}

// groupOf is the row of the group below a container in which a place stands, else the container's.
func (f *Form) groupOf(i int, up, at jsondoc.Pointer) int {
	token, _, _ := strings.Cut(strings.TrimPrefix(string(at[len(up):]), "/"), "/")
	token = jsondoc.Pointer("/" + token).Last()
	for k := i + 1; k < len(f.rows) && f.rows[k].depth > f.rows[i].depth; k++ {
		if g := &f.rows[k]; g.kind == batch && g.at == up && g.includes(token) {
			i = k
		}
	}
	return i
}

// NextProblem goes to the next row with which something is wrong, from the cursor on and round.
func (f *Form) NextProblem() kit.Intent {
	n := len(f.rows)
	for d := 1; d <= n; d++ {
		i := (f.cur + d) % n
		if _, bad := f.marks[i]; bad {
			f.stop()
			f.cur = i
			return nil
		}
	}
	return kit.Say{Text: "nothing is known to be wrong"}
}

// ShowProblem goes to the first row that keeps the value from being sent. From now on what is blank is wrong.
func (f *Form) ShowProblem() {
	f.tried = true
	for i, m := range f.marks {
		m.blank = false
		f.marks[i] = m
	}
	for i := range f.rows {
		if m, bad := f.marks[i]; bad && !m.soft {
			if i != f.cur {
				f.stop()
				f.cur = i
			}
			return
		}
	}
}

// wrong counts the rows that are marked.
func (f *Form) wrong() string {
	hard := 0
	for _, m := range f.marks {
		if !m.soft {
			hard++
		}
	}
	if hard < 2 {
		return ""
	}
	return fmt.Sprintf("%d fields", hard)
}
