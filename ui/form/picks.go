package form

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
)

// An array whose elements are choices is a list of things to tick: one row for each. What is ticked is added at the end,
// what is not is taken out; the other elements stay as they are.

// maxPicks bounds how many things to tick a form shows; longer lists are arrays of choices like any other.
const maxPicks = 100

// picks are the choices of an array that can be ticked; nil for an array that is edited element by element: one that may
// hold a thing twice, or holds what is none of the choices.
func (f *Form) picks(field schema.Field, v jsondoc.Value) []schema.Choice {
	if twice, ok := field.Schema.Get("uniqueItems").Bool(); ok && !twice || field.Schema.Get("prefixItems").Exists() {
		return nil
	}
	item, ok := f.item(field.Schema, 0, field.Pointer)
	if !ok || len(item.Choices) == 0 || len(item.Choices) > maxPicks {
		return nil
	}
	seen := make([]int, len(item.Choices))
	for _, e := range v.Elements() {
		at := item.ChoiceOf(e)
		if at < 0 {
			return nil
		}
		if seen[at]++; seen[at] > 1 {
			return nil
		}
	}
	return item.Choices
}

// tick adds the choice of a row to its array, or takes it out.
func (f *Form) tick(r *row) {
	array := r.at
	if r.ticked >= 0 {
		f.remember()
		f.text = Remove(f.text, element(array, r.ticked))
		f.layout()
		return
	}
	v := f.doc.At(array)
	cur := f.cur
	defer func() { f.cur = min(cur, len(f.rows)-1) }()
	if !v.Is(jsondoc.Array) {
		f.set(array, append(append([]byte{'['}, r.choice.Value.Raw()...), ']'))
		return
	}
	f.set(element(array, v.Len()), r.choice.Value.Raw())
}

// tickable lays the choices of an array out as rows.
func (f *Form) tickable(choices []schema.Choice, field schema.Field, v jsondoc.Value, depth int) {
	for _, c := range choices {
		r := row{kind: pick, at: field.Pointer, label: " ", depth: depth, value: v, choice: c, ticked: -1, element: -1}
		n := 0
		for _, e := range v.Elements() {
			if c.Value.Same(e) {
				r.ticked = n
				break
			}
			n++
		}
		f.add(r)
	}
}
