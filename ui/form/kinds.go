package form

import (
	"bytes"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Where a value may have one of several forms, a person chooses which: the branches of a oneOf or anyOf, or one of
// several types. What was typed for one form is there again when it is chosen again.

// variant is one of the forms of a field.
type variant struct {
	label   string        // escaped
	field   schema.Field  // as it is by itself, see level.field
	schema  jsondoc.Value // of a branch
	branch  bool          // of a oneOf or anyOf, not one of several types
	bare    bool          // it has no name of its own
	index   int           // of a branch: its place in the union
	further bool          // a branch within which there are others
}

// branching tells that there are branches of a oneOf or anyOf to choose from.
func branching(variants []variant) bool { return len(variants) > 1 && variants[0].branch }

// describe is the field of a row before a form was chosen.
func (f *Form) describe(r *row) schema.Field {
	field := f.described(r.whole)
	field.Name, field.Pointer, field.Required = r.field.Name, r.at, r.field.Required
	return field
}

// take steps to another form of a row that stands for one choice.
func (f *Form) take(r *row, i int) {
	last := len(r.levels) - 1
	l := r.levels[last]
	to := way{picks: decisions(r.levels[:last]), label: l.variants[i].label, to: l.variants[i]}
	to.to.field = l.field(i)
	for _, outer := range r.levels[:last] {
		to.schemas = append(to.schemas, outer.variants[outer.chosen].schema)
	}
	to.picks, to.schemas = append(to.picks, decision{l.union, i}), append(to.schemas, to.to.schema)
	if inner := f.ways(to.to.field); len(inner) > 0 && inner[0].to.branch {
		// It offers further forms: which one is left open, but where none of them is an object the first one stands.
		if slices.ContainsFunc(inner, func(w way) bool { return w.to.field.Is("object") }) {
			to.to.field.Types = []string{"object"}
		} else {
			to.picks, to.schemas, to.to = append(to.picks, inner[0].picks...), append(to.schemas, inner[0].schemas...), inner[0].to
		}
	}
	f.goWay(r, to)
}

// goWay gives the value of a row another form.
func (f *Form) goWay(r *row, to way) {
	at, field := r.at, to.to.field
	f.remember()
	defer f.settle()
	if to.to.branch && (r.value.Is(jsondoc.Object) || !r.value.Exists()) && field.Is("object") {
		f.rebranch(r, to)
		return
	}
	raw := r.value.Raw()
	if r.value.Exists() {
		f.stash[stashed(at, decisions(r.levels))] = slices.Clone(raw)
	}
	f.decide(to)
	old, known := f.stash[stashed(at, to.picks)]
	typedText, isText := r.value.Text(), r.value.Is(jsondoc.String)
	switch {
	case r.value.Exists() && f.score(to.to, r.value) >= 0:
	case known:
		f.text = Set(f.text, at, old)
	case field.Is("string") && len(field.Choices) == 0 && !field.Const.Exists() && r.value.Exists() && !isText:
		f.text = Set(f.text, at, jsondoc.AppendQuote(nil, string(jsondoc.Compact(nil, raw))))
	case isText && f.score(to.to, literal(typedText)) >= 0:
		f.text = Set(f.text, at, bytes.TrimSpace([]byte(typedText)))
	default:
		f.text = Set(f.text, at, f.start(r.whole, to))
	}
}

// decide remembers what a person chose.
func (f *Form) decide(to way) {
	for _, p := range to.picks {
		f.kinds[p.union] = p.at
	}
}

// literal is text read as JSON, Missing for what is none.
func literal(text string) jsondoc.Value {
	d := jsondoc.Parse([]byte(text))
	if !d.Valid() {
		return jsondoc.Value{}
	}
	return d.Root()
}

// rebranch gives an object another of its forms. Members that only the old form knows, and those that cannot be what they
// are in the new one, are put aside, and are there again when their form is chosen again; constants that tell the forms apart
// are written; everything else stays as it is.
func (f *Form) rebranch(r *row, to way) {
	at, v := r.at, r.value
	before := f.shape(r.whole, v, at, nil)
	f.decide(to)
	after := f.shape(r.whole, v, at, to.picks)
	aside := func(field schema.Field) {
		if there := f.doc.At(field.Pointer); there.Exists() {
			f.stash[string(field.Pointer)] = slices.Clone(there.Raw())
			f.text = Remove(f.text, field.Pointer)
		}
	}
	for _, field := range before.fields {
		if _, stays := after.index[field.Name]; !stays {
			aside(field)
		}
	}
	for _, field := range after.fields {
		if len(field.Choices) > 1 && field.ChoiceOf(f.doc.At(field.Pointer)) < 0 {
			if i, known := before.index[field.Name]; known && before.fields[i].ChoiceOf(f.doc.At(field.Pointer)) >= 0 {
				aside(field)
			}
		}
	}
	made := at != "" && !v.Is(jsondoc.Object)
	if made {
		f.text = Set(f.text, at, schema.Skeleton(f.root, append([]jsondoc.Value{r.whole}, after.forced...)...))
	}
	doc := jsondoc.Parse(f.text)
	for _, s := range after.forced {
		for _, field := range f.fields(s, at) {
			if only := field.Only(); only.Exists() && !doc.At(field.Pointer).Same(only) {
				f.text = Set(f.text, field.Pointer, only.Raw())
			}
		}
	}
	for _, field := range after.fields {
		old, known := f.stash[string(field.Pointer)]
		if !known || field.Only().Exists() || doc.At(field.Pointer).Exists() && !made {
			continue
		}
		if len(field.Choices) > 0 && field.ChoiceOf(literal(string(old))) < 0 {
			continue
		}
		f.text = Set(f.text, field.Pointer, old)
		delete(f.stash, string(field.Pointer))
	}
}

// chooseKind opens the list of the forms of a row: of its level where it stands for one, else of all of them.
func (f *Form) chooseKind(r *row) {
	if r.kind == branch {
		l := r.levels[len(r.levels)-1]
		items := make([]item, len(l.variants))
		for i, v := range l.variants {
			items[i] = item{text: v.label, note: kit.Escape(firstLine(v.field.Description))}
		}
		f.show(items, l.chosen, func(i int) kit.Intent {
			if i != l.chosen {
				f.take(f.row(), i)
			}
			return nil
		})
		return
	}
	ways := f.ways(f.describe(r))
	now := wayOf(ways, r.levels)
	f.show(wayItems(ways), now, func(i int) kit.Intent {
		if i == now && f.row().value.Exists() {
			return nil
		}
		f.goWay(f.row(), ways[i])
		f.beginEmpty()
		return nil
	})
}

func wayItems(ways []way) []item {
	items := make([]item, len(ways))
	for i, w := range ways {
		items[i] = item{text: w.label}
		if w.to.branch {
			items[i].note = kit.Escape(firstLine(w.to.field.Description))
		}
	}
	return items
}
