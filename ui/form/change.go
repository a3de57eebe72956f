package form

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// set puts raw JSON at a place; nil takes the member away. It is one change for undo.
func (f *Form) set(at jsondoc.Pointer, raw []byte) {
	f.remember()
	f.write(at, raw)
}

// write is set as part of a change that is remembered already.
func (f *Form) write(at jsondoc.Pointer, raw []byte) {
	f.touched[at] = true
	switch v := f.doc.At(at); {
	case raw == nil:
		f.text = Remove(f.text, at)
	case v.Exists() && at != "": // what a letter does: the rest of the text is not read again
		f.doc = f.doc.Replace(v.Node(), raw)
		f.text = f.doc.Text
	default:
		f.text = setIn(f.doc, at, raw)
	}
	f.settle()
}

// settle lays the form out anew, and keeps the cursor on its row.
func (f *Form) settle() {
	here := f.row().spot()
	f.layout()
	if here.kind != send {
		f.goTo(here)
	}
}

// leaveOut takes a member or element away.
func (f *Form) leaveOut() kit.Intent {
	r := f.row()
	at := r.at
	if r.kind == pick {
		f.tick(r)
		return nil
	}
	cur, stays := f.cur, r.element < 0 && !r.own // the row is another's once the form is laid out anew
	f.remember()
	f.forget(r)
	f.write(at, nil)
	if !stays {
		f.cur = min(cur, len(f.rows)-1)
	}
	return nil
}

// forget drops what was chosen for a row that is taken away; of an element also what was chosen, typed and closed in those
// behind it, which come to stand in each other's places.
func (f *Form) forget(r *row) {
	maps.DeleteFunc(f.kinds, func(u union, _ int) bool { return u.at == r.at })
	if r.element < 0 {
		return
	}
	around := string(r.at.Parent()) + "/"
	behind := func(at string) bool {
		rest, inside := strings.CutPrefix(at, around)
		if end := strings.IndexAny(rest, "/\x00"); end >= 0 {
			rest = rest[:end]
		}
		i, err := strconv.Atoi(rest)
		return inside && err == nil && i >= r.element
	}
	maps.DeleteFunc(f.kinds, func(u union, _ int) bool { return behind(string(u.at)) })
	maps.DeleteFunc(f.closed, func(at jsondoc.Pointer, _ bool) bool { return behind(string(at)) })
	maps.DeleteFunc(f.stash, func(at string, _ []byte) bool { return behind(at) })
}

// empty is what an empty value of the row's type is; nil where no value is empty.
func (f *Form) empty(r *row) []byte {
	if r.kind != scalar && r.kind != container {
		return nil
	}
	for _, t := range r.field.Types {
		switch t {
		case "string":
			return []byte(`""`)
		case "array":
			return []byte("[]")
		case "object":
			return []byte("{}")
		}
	}
	return nil
}

// shift moves an element up or down among its siblings; only the two change places, byte for byte.
func (f *Form) shift(by int) kit.Intent {
	r := f.row()
	if r.element < 0 {
		return nil
	}
	at, to := r.at.Parent(), r.element+by
	if to < 0 || to >= f.doc.At(at).Len() {
		return kit.Say{Text: map[bool]string{true: "it is the first one", false: "it is the last one"}[by < 0]}
	}
	f.remember()
	here, there, k := r.at, element(at, to), r.kind
	f.text = Swap(f.text, here, there)
	f.dropKinds(here, there)
	f.reveal(there)
	f.find(there, k)
	return nil
}

// dropKinds forgets which forms were chosen at these places: what stands there is another value, which tells by itself.
func (f *Form) dropKinds(places ...jsondoc.Pointer) {
	for u := range f.kinds {
		for _, p := range places {
			if u.at == p || strings.HasPrefix(string(u.at), string(p)+"/") {
				delete(f.kinds, u)
			}
		}
	}
}

// addTo is the row that adds to the array or object that the cursor stands on, else to the nearest one around it; -1 when
// nothing is added there.
func (f *Form) addTo() int {
	here := f.row()
	from := here.depth
	if here.kind == container && here.value.Exists() && !f.isClosed(here.at) {
		from++
	}
	for d := from; d >= 0; d-- {
		for i := f.cur; i < len(f.rows); i++ {
			r := &f.rows[i]
			if i > f.cur && (r.depth < d || r.depth <= here.depth && d > here.depth) {
				break
			}
			if (r.kind == more || r.kind == member) && r.depth == d {
				return i
			}
		}
	}
	return -1
}

// addable tells that a row is an absent array or object to which something could be added.
func (f *Form) addable(r *row) bool {
	return r.kind == container && !r.value.Exists() && !r.several() &&
		(only(r.field, "array") || schema.Openness(f.root, r.whole) == schema.Map)
}

// another adds an element or a member where the cursor is.
func (f *Form) another() kit.Intent {
	if f.addable(f.row()) {
		f.open()
	}
	i := f.addTo()
	if i < 0 {
		return nil
	}
	f.cur = i
	return f.open()
}

// addElement adds an element at the end of an array.
func (f *Form) addElement(r *row) {
	it, _ := f.item(r.field.Schema, r.items, r.at.Parent())
	it.Pointer = r.at
	f.enter(it)
}

// enter puts a new value at the place of a field, of the form that is chosen first where there are several, and begins to
// type where it is text or a number.
func (f *Form) enter(field schema.Field) {
	at := field.Pointer
	write := func(raw []byte) {
		f.wanted = at
		f.closed[at] = false
		f.write(at, slices.Clone(raw))
		f.find(at, scalar)
		f.beginEmpty()
	}
	if ways := f.ways(field); len(ways) > 1 && ways[0].to.branch {
		f.show(wayItems(ways), -1, func(i int) kit.Intent {
			f.remember()
			f.decide(ways[i])
			write(f.start(field.Schema, ways[i]))
			return nil
		})
		return
	}
	f.remember()
	write(blank(f.root, field))
}

// start is the value that a form begins with: an object has its constants.
func (f *Form) start(whole jsondoc.Value, to way) []byte {
	if only(to.to.field, "object") && to.to.branch {
		return schema.Skeleton(f.root, append([]jsondoc.Value{whole}, to.schemas...)...)
	}
	return blank(f.root, to.to.field)
}

// nameMember begins to type the name of a new member.
func (f *Form) nameMember() {
	f.typing, f.naming, f.line = true, true, line{}
	f.typed = f.row().at
}

// rename begins to change the name of a member.
func (f *Form) rename() {
	r := f.row()
	f.typing, f.naming = true, true
	f.typed = r.at
	f.line = line{text: r.at.Last(), cur: len(r.at.Last())}
}

// named ends the typing of a name: the member is added, or has it now.
func (f *Form) named() kit.Intent {
	r := f.row()
	name := f.line.text
	f.typing, f.naming = false, false
	if r.kind != member {
		to := jsondoc.Join(r.at.Parent(), name)
		if to == r.at {
			return nil
		}
		if f.doc.At(to).Exists() {
			f.rename()
			f.line = line{text: name, cur: len(name)}
			return kit.Say{Text: fmt.Sprintf("%s is there already", kit.Escape(jsondoc.Quote(name))), Bad: true}
		}
		f.remember()
		f.text = Rename(f.text, r.at, name)
		f.dropKinds(r.at)
		f.reveal(to)
		f.find(to, r.kind)
		return nil
	}
	at := jsondoc.Join(r.at, name)
	if f.doc.At(at).Exists() {
		f.find(at, scalar)
		return kit.Say{Text: fmt.Sprintf("%s is there already", kit.Escape(jsondoc.Quote(name))), Bad: true}
	}
	field, _ := schema.Additional(f.root, name, at, r.holds...)
	field.Pointer = at
	f.enter(field)
	return nil
}

// blank is the value that a new element or member begins with.
func blank(root jsondoc.Value, it schema.Field) []byte {
	switch {
	case it.Const.Exists():
		return it.Const.Raw()
	case it.Default.Exists():
		return it.Default.Raw()
	case len(it.Choices) > 0:
		return it.Choices[0].Value.Raw()
	case it.Is("object") && len(it.Types) > 0:
		return schema.Skeleton(root, it.Schema)
	case it.Is("array") && len(it.Types) > 0:
		return schema.Blank(root, it)
	case it.Is("string") || len(it.Types) == 0:
		return []byte(`""`)
	case it.Is("boolean"):
		return []byte("false")
	}
	return []byte("0")
}
