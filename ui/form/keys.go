package form

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// Rows implements kit.Pane.
func (f *Form) Rows() []kit.Row {
	const group = "Form"
	if f.menu != nil {
		return f.menuRows(group)
	}
	r := f.row()
	do := func(act func()) func() kit.Intent {
		return func() kit.Intent { act(); return nil }
	}
	off := func(works bool, why string) string {
		if works {
			return ""
		}
		return why
	}
	value := r.kind == scalar || r.kind == container
	rows := append(f.offers.rows(f, group), kit.Row{Keys: []string{"enter"}, Words: f.enterWords(), Group: group, Do: f.open})
	if f.typing {
		rows = append(rows, kit.Row{Keys: []string{"esc"}, Words: "stop typing", Group: group, Do: do(f.stop)})
	}
	choosing := len(r.options()) > 0 || r.kind == branch || r.kind == pick
	right, left := "next choice", "choice before"
	if !choosing {
		right, left = "open", "close, or go to what is around"
	}
	inArray := r.element >= 0
	rows = append(rows,
		kit.Row{Keys: []string{"right", "l", "space"}, Words: right, Group: group, Quiet: !choosing, Off: off(choosing || r.kind == container || r.kind == batch, "there is nothing to choose or to open"), Do: do(f.rightward)},
		kit.Row{Keys: []string{"left", "h"}, Words: left, Group: group, Quiet: true, Do: do(f.leftward)},
		kit.Row{Keys: []string{"t"}, Words: "kind", Group: group, Off: off(r.several(), "the schema allows one kind of value here"), Quiet: !r.branched() && (!r.several() || len(r.field.Types) != 1), Do: do(func() { f.chooseKind(f.row()) })},
		kit.Row{Keys: []string{"a"}, Words: "add", Group: group, Off: off(f.addTo() >= 0 || f.addable(r), "nothing is added here"), Do: f.another},
		kit.Row{Keys: []string{"x", "delete"}, Words: leaveWords(r), Group: group, Off: f.leaveOff(r), Do: f.leaveOut},
		kit.Row{Keys: []string{"N"}, Words: "null", Group: group, Off: off(value, "null is put in the place of a value"), Quiet: !r.field.Nullable, Do: do(func() { f.set(f.row().at, []byte("null")) })},
		kit.Row{Keys: []string{"e"}, Words: "empty", Group: group, Off: off(f.empty(r) != nil, "text, arrays and objects can be empty"), Quiet: true, Do: do(func() { f.set(f.row().at, f.empty(f.row())) })},
		kit.Row{Keys: []string{"="}, Words: "type as JSON", Group: group, Off: off(value, "there is no value here"), Quiet: true, Do: f.beginJSON},
		kit.Row{Keys: []string{"r"}, Words: "rename", Group: group, Off: off(value && r.own, "only members with a name of their own are renamed"), Quiet: !r.own, Do: do(f.rename)},
		kit.Row{Keys: []string{"K", "shift+up"}, Words: "move up", Group: group, Off: off(inArray, "only elements of an array are moved"), Quiet: true, Do: func() kit.Intent { return f.shift(-1) }},
		kit.Row{Keys: []string{"J", "shift+down"}, Words: "move down", Group: group, Off: off(inArray, "only elements of an array are moved"), Quiet: true, Do: func() kit.Intent { return f.shift(1) }},
		kit.Row{Keys: []string{"n"}, Words: "next problem", Group: group, Off: off(len(f.marks) > 0, "nothing is known to be wrong"), Do: f.NextProblem},
		kit.Row{Keys: []string{"/"}, Words: "find a field", Group: group, Quiet: len(f.rows) < 12, Do: do(f.findField)},
		kit.Row{Keys: []string{"u", "ctrl+z"}, Words: "undo", Group: group, Off: off(len(f.undo) > 0, "there is nothing to take back"), Quiet: true, Do: f.Undo},
		kit.Row{Keys: []string{"U", "ctrl+y"}, Words: "redo", Group: group, Off: off(len(f.redo) > 0, "there is nothing to do again"), Quiet: true, Do: f.Redo},
		kit.Row{Keys: []string{"up", "k"}, Words: "field above", Group: group, Quiet: true, Do: do(func() { f.move(-1) })},
		kit.Row{Keys: []string{"down", "j"}, Words: "field below", Group: group, Quiet: true, Do: do(func() { f.move(1) })},
		kit.Row{Keys: []string{"pgup"}, Words: "page up", Group: group, Quiet: true, Do: do(func() { f.move(-max(f.scroll.Shown-1, 1)) })},
		kit.Row{Keys: []string{"pgdown"}, Words: "page down", Group: group, Quiet: true, Do: do(func() { f.move(max(f.scroll.Shown-1, 1)) })},
		kit.Row{Keys: []string{"g", "home"}, Words: "first field", Group: group, Quiet: true, Do: do(func() { f.move(-len(f.rows)) })},
		kit.Row{Keys: []string{"G", "end"}, Words: "last row", Group: group, Quiet: true, Do: do(func() { f.move(len(f.rows)) })},
	)
	return rows
}

func leaveWords(r *row) string {
	if r.element >= 0 || r.own {
		return "remove"
	}
	return "leave out"
}

func (f *Form) leaveOff(r *row) string {
	switch {
	case r.kind == pick:
		return "enter ticks it, or takes the tick away"
	case r.kind != scalar && r.kind != container || !r.value.Exists():
		return "there is nothing to leave out"
	}
	return ""
}

func (f *Form) enterWords() string {
	r := f.row()
	switch {
	case f.naming:
		return "name it"
	case f.typing:
		return "next field"
	case r.kind == send:
		return "send"
	case r.kind == more || r.kind == member || f.bare(r):
		return "add"
	case r.kind == batch && f.opened[r.group]:
		return "close"
	case r.kind == batch:
		return "open"
	case r.kind == pick:
		return "tick"
	case r.kind == container && r.value.Exists() && !f.isClosed(r.at):
		return "close"
	case r.kind == container, r.kind == scalar && r.value.Is(jsondoc.Null) && (only(r.field, "object") || only(r.field, "array")):
		return "open"
	case r.isBool():
		return "switch"
	case r.kind == branch || len(r.options()) > 0 || !r.typable():
		return "choose"
	}
	return "type"
}

// rightward is the next choice, or opens what is closed.
func (f *Form) rightward() {
	r := f.row()
	switch r.kind {
	case container:
	case batch:
		if !f.opened[r.group] {
			f.toggle(r)
		}
		return
	default:
		f.choose(1)
		return
	}
	if !r.value.Exists() || f.isClosed(r.at) {
		f.open()
	}
}

// leftward is the choice before, closes what is open, or goes to what is around.
func (f *Form) leftward() {
	r := f.row()
	if len(r.options()) > 0 || r.kind == branch || r.kind == pick {
		f.choose(-1)
		return
	}
	if r.kind == container && r.value.Exists() && !f.isClosed(r.at) && !f.bare(r) || r.kind == batch && f.opened[r.group] {
		f.open()
		return
	}
	for i := f.cur - 1; i >= 0; i-- {
		if f.rows[i].kind == container && f.rows[i].depth < r.depth {
			f.move(i - f.cur)
			return
		}
	}
}

// findField opens the list of all rows, and of what is closed in groups; letters narrow it.
func (f *Form) findField() {
	var items []item
	var at []jsondoc.Pointer
	now := 0
	enter := func(p jsondoc.Pointer, note string) {
		items, at = append(items, item{text: kit.Escape(strings.TrimPrefix(string(p), "/")), note: note}), append(at, p)
	}
	for i := range f.rows {
		switch r := &f.rows[i]; {
		case r.kind == scalar || r.kind == container:
			if i <= f.cur {
				now = len(items)
			}
			enter(r.at, kit.Escape(firstLine(about(&r.field))))
		case r.kind == batch && !f.opened[r.group]:
			for k := r.group.from; k < r.group.to; k++ {
				enter(r.child(k), "")
			}
		}
	}
	f.show(items, now, func(i int) kit.Intent {
		if _, known := f.closed[at[i]]; !known {
			f.closed[at[i]] = false // who looks for it wants to see it
		}
		f.Seek(at[i])
		return nil
	})
}
