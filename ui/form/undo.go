package form

import (
	"maps"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// state is what undo goes back to.
type state struct {
	text  []byte
	kinds map[union]int
	spot
}

// spot tells a row apart from the others, whatever is laid out around it.
type spot struct {
	at   jsondoc.Pointer
	kind kind
	node int32 // of the union of a branch, 0 for any
	from int   // of a group: its first child
}

func (r *row) spot() spot {
	s := spot{at: r.at, kind: r.kind, from: r.group.from}
	if r.kind == branch {
		s.node = r.levels[len(r.levels)-1].union.node
	}
	return s
}

// Bounds of what is kept for undo: arguments are small as a rule, but a megabyte may be pasted.
const (
	maxUndo      = 500
	maxUndoBytes = 16 << 20
)

func (f *Form) now() state {
	return state{text: f.text, kinds: maps.Clone(f.kinds), spot: f.row().spot()}
}

// remember keeps how things are, before they change.
func (f *Form) remember() {
	f.undo = append(f.undo, f.now())
	f.redo = nil
	size := 0
	for i := len(f.undo) - 1; i >= 0; i-- {
		if size += len(f.undo[i].text); size > maxUndoBytes || len(f.undo)-i > maxUndo {
			f.undo = append([]state(nil), f.undo[i+1:]...)
			return
		}
	}
}

// back takes the last change back, or does it again.
func (f *Form) back(from, to *[]state, none string) kit.Intent {
	f.stop()
	n := len(*from)
	for n > 0 && string((*from)[n-1].text) == string(f.text) && maps.Equal((*from)[n-1].kinds, f.kinds) {
		n-- // nothing came of it
	}
	if *from = (*from)[:n]; n == 0 {
		return kit.Say{Text: none}
	}
	s := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, f.now())
	f.text, f.kinds = s.text, s.kinds
	f.reveal(s.at)
	f.goTo(s.spot)
	return nil
}

// Undo takes back the last change; what was typed into one field is one.
func (f *Form) Undo() kit.Intent { return f.back(&f.undo, &f.redo, "there is nothing to take back") }

// Redo does again what was taken back.
func (f *Form) Redo() kit.Intent { return f.back(&f.redo, &f.undo, "there is nothing to do again") }

// Place implements kit.Placed.
func (f *Form) Place() jsondoc.Pointer { return f.row().at }

// Seek implements kit.Placed: the row of the value, or the nearest around it.
func (f *Form) Seek(at jsondoc.Pointer) {
	f.reveal(at)
	for ; at != ""; at = at.Parent() {
		if f.find(at, scalar) {
			return
		}
	}
}

// find moves the cursor to the row of a place; of this kind where there is one.
func (f *Form) find(at jsondoc.Pointer, k kind) bool { return f.goTo(spot{at: at, kind: k}) }

// goTo moves the cursor to a row, or to the one that is most like it.
func (f *Form) goTo(to spot) bool {
	found, most := -1, 0
	for i := range f.rows {
		r := &f.rows[i]
		if r.at != to.at || r.kind == send || r.kind == rest {
			continue
		}
		like := 1
		if r.kind == to.kind {
			like++
		}
		if to.node != 0 && r.spot().node == to.node || to.from != 0 && r.group.from == to.from {
			like++
		}
		if to.kind != batch && r.kind == batch {
			like = 0
		}
		if like > most {
			found, most = i, like
		}
	}
	if found >= 0 {
		f.cur = found
	}
	return found >= 0
}
