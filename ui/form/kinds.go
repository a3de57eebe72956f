package form

import (
	"bytes"
	"slices"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Where a value may have one of several forms, a person chooses which: the branches of a oneOf or anyOf, or one of
// several types. What was typed for one form is there again when it is chosen again.

// variant is one of the forms of a field.
type variant struct {
	label  string // escaped
	field  schema.Field
	schema jsondoc.Value // of a branch
	branch bool          // of a oneOf or anyOf, not one of several types
}

// variants are the forms that a field may have; none when there is nothing to choose.
func (f *Form) variants(field schema.Field) []variant {
	if len(field.Choices) > 0 || field.Const.Exists() {
		return nil
	}
	var out []variant
	for _, b := range schema.Branches(f.root, field.Schema) {
		made := schema.Describe(f.root, b.Schema)
		made.Name, made.Pointer, made.Required, made.Nullable = field.Name, field.Pointer, field.Required, field.Nullable
		if made.Description == "" {
			made.Description = field.Description
		}
		if !made.Default.Exists() {
			made.Default = field.Default
		}
		if len(made.Types) == 0 {
			made.Types = field.Types
		}
		out = append(out, variant{label: kit.Escape(b.Label), field: made, schema: b.Schema, branch: true})
	}
	if out != nil {
		return out
	}
	types := field.Types
	switch {
	case len(types) == 0:
		types = []string{"string", "number", "boolean", "object", "array"}
	case len(types) == 1, len(types) == 2 && field.Is("integer") && field.Is("number"):
		return nil
	}
	for _, t := range types {
		made := field
		made.Types = []string{t}
		out = append(out, variant{label: t, field: made})
	}
	return out
}

// branching tells that there are branches of a oneOf or anyOf to choose from.
func branching(variants []variant) bool { return len(variants) > 1 && variants[0].branch }

// typesOf are the types that any of the forms has.
func typesOf(variants []variant) []string {
	var out []string
	for _, v := range variants {
		for _, t := range v.field.Types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// chosen is the form that stands: what the person chose while nothing in the value speaks against it, else the one that
// the value fits best; -1 while that is open.
func (f *Form) chosen(at jsondoc.Pointer, variants []variant, v jsondoc.Value) int {
	if i, ok := f.kinds[at]; ok && i < len(variants) {
		typed := f.typing && f.typed == at // half a number is still meant to be one
		if typed || !v.Exists() || v.Is(jsondoc.Null) || f.score(variants[i], v) >= 0 {
			return i
		}
	}
	if len(variants) == 1 {
		return 0
	}
	best, most := -1, 0
	if v.Exists() {
		for i := range variants {
			if s := f.score(variants[i], v); s > most {
				best, most = i, s
			}
		}
	}
	return best
}

func (f *Form) score(a variant, v jsondoc.Value) int {
	if a.branch {
		return schema.Score(f.root, schema.Branch{Schema: a.schema}, v)
	}
	if schema.OfType(v, a.field.Types) {
		return 5
	}
	return -1
}

// plainly tells that all forms of a row are single values, so that typing decides between them.
func (r *row) plainly() bool {
	for _, v := range r.variants {
		if v.field.Is("object") || v.field.Is("array") || len(v.field.Choices) > 0 || v.field.Const.Exists() || len(v.field.Types) == 0 {
			return false
		}
	}
	return true
}

// take chooses a form for a row.
func (f *Form) take(r *row, i int) {
	at, was, to := r.at, r.chosen, r.variants[i]
	f.remember()
	defer f.settle()
	if to.branch && (r.value.Is(jsondoc.Object) || !r.value.Exists()) && to.field.Is("object") {
		f.rebranch(r, i)
		return
	}
	raw := r.value.Raw()
	if r.value.Exists() {
		if was < 0 {
			was = len(r.variants)
		}
		f.stash[stashed(at, was)] = slices.Clone(raw)
	}
	f.kinds[at] = i
	old, known := f.stash[stashed(at, i)]
	typedText, isText := r.value.Text(), r.value.Is(jsondoc.String)
	switch {
	case r.value.Exists() && f.score(to, r.value) >= 0:
	case known:
		f.text = Set(f.text, at, old)
	case to.field.Is("string") && len(to.field.Choices) == 0 && !to.field.Const.Exists() && r.value.Exists() && !isText:
		f.text = Set(f.text, at, jsondoc.AppendQuote(nil, string(jsondoc.Compact(nil, raw))))
	case isText && f.score(to, literal(typedText)) >= 0:
		f.text = Set(f.text, at, bytes.TrimSpace([]byte(typedText)))
	default:
		f.text = Set(f.text, at, blank(f.root, to.field))
	}
}

func stashed(at jsondoc.Pointer, i int) string { return string(at) + "\x00" + strconv.Itoa(i) }

// literal is text read as JSON, Missing for what is none.
func literal(text string) jsondoc.Value {
	d := jsondoc.Parse([]byte(text))
	if !d.Valid() {
		return jsondoc.Value{}
	}
	return d.Root()
}

// rebranch gives an object another of its forms. Members that only the old form knows are put aside, and are there again
// when it is chosen again; constants that tell the forms apart are written; everything else stays as it is.
func (f *Form) rebranch(r *row, i int) {
	at := r.at
	names := func(s jsondoc.Value) map[string]bool {
		out := map[string]bool{}
		for _, field := range schema.Fields(f.root, s, at) {
			out[field.Name] = true
		}
		return out
	}
	if r.chosen >= 0 && r.chosen != i {
		stays, next := names(r.whole), names(r.variants[i].schema)
		for _, field := range schema.Fields(f.root, r.variants[r.chosen].schema, at) {
			v := f.doc.At(field.Pointer)
			if v.Exists() && !stays[field.Name] && !next[field.Name] {
				f.stash[string(field.Pointer)] = slices.Clone(v.Raw())
				f.text = Remove(f.text, field.Pointer)
			}
		}
	}
	f.kinds[at] = i
	made := at != "" && !f.doc.At(at).Is(jsondoc.Object)
	if made {
		f.text = Set(f.text, at, schema.Skeleton(f.root, r.whole, r.variants[i].schema))
	}
	doc := jsondoc.Parse(f.text)
	for _, field := range schema.Fields(f.root, r.variants[i].schema, at) {
		there := doc.At(field.Pointer)
		old, known := f.stash[string(field.Pointer)]
		switch {
		case field.Const.Exists():
			if !there.Same(field.Const) {
				f.text = Set(f.text, field.Pointer, field.Const.Raw())
			}
		case (made || !there.Exists()) && known:
			f.text = Set(f.text, field.Pointer, old)
		}
	}
}

// chooseKind opens the list of the forms of a row.
func (f *Form) chooseKind(r *row) {
	items := make([]item, len(r.variants))
	for i, v := range r.variants {
		items[i] = item{text: v.label}
		if v.branch {
			items[i].note = kit.Escape(firstLine(schema.Describe(f.root, v.schema).Description))
		}
	}
	now := r.chosen
	f.show(items, now, func(i int) kit.Intent {
		if i == now && f.row().value.Exists() {
			return nil
		}
		f.take(f.row(), i)
		f.beginEmpty()
		return nil
	})
}
