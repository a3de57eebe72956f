package form

import (
	"bytes"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Form is the view of a value by the fields of its schema.
type Form struct {
	env      *kit.Env
	root     jsondoc.Value
	compiled *schema.Schema
	text     []byte
	doc      *jsondoc.Document

	rows     []row
	problems map[jsondoc.Pointer]string // by place, in words
	first    string                     // the first problem, with its place
	branch   map[jsondoc.Pointer]int
	closed   map[jsondoc.Pointer]bool

	cur, top int
	typing   bool
	line     line
	height   int
	offers   offers
}

// New is a kit.Inputs.Form.
func New(env *kit.Env, _ string, root jsondoc.Value) kit.Input {
	f := &Form{env: env, root: root, text: []byte("{}"), branch: map[jsondoc.Pointer]int{}, closed: map[jsondoc.Pointer]bool{}}
	if root.Exists() {
		f.compiled, _ = schema.Compile(root) // a schema that cannot be compiled judges nothing; findings say why
	}
	f.layout()
	return f
}

// SetValue implements kit.Input.
func (f *Form) SetValue(raw []byte) {
	if bytes.Equal(raw, f.text) {
		return
	}
	f.Suggest(nil)
	f.text, f.typing = bytes.Clone(raw), false
	f.layout()
}

// Value implements kit.Input.
func (f *Form) Value() []byte { return f.text }

// Lines implements kit.Input.
func (f *Form) Lines() int { return len(f.rows) + f.offers.lines() }

// Problem implements kit.Input.
func (f *Form) Problem() string { return f.first }

// Beat implements kit.Lively: nothing moves by itself.
func (f *Form) Beat() time.Duration { return 0 }

func (f *Form) judge() {
	f.problems, f.first = map[jsondoc.Pointer]string{}, ""
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
	if f.compiled == nil {
		return
	}
	found, err := f.compiled.Validate(f.doc.Root())
	if err != nil {
		return
	}
	for _, p := range found {
		at := p.Instance
		text := kit.Escape(p.Text)
		if p.Member != "" {
			at, text = jsondoc.Join(at, p.Member), "required"
		}
		if _, known := f.problems[at]; !known {
			f.problems[at] = text
		}
		if f.first == "" {
			f.first = kit.Escape(string(at)) + ": " + text
		}
	}
}

func (f *Form) row() *row { return &f.rows[f.cur] }

// set puts raw JSON at a row's place; nil takes the member away.
func (f *Form) set(at jsondoc.Pointer, raw []byte) {
	if raw == nil {
		f.text = Remove(f.text, at)
	} else {
		f.text = Set(f.text, at, raw)
	}
	f.layout()
}

// move goes to another row; where text is typed, typing goes on there.
func (f *Form) move(by int) {
	f.Suggest(nil)
	was := f.typing
	f.typing = false
	f.cur = min(max(f.cur+by, 0), len(f.rows)-1)
	if was && f.row().typable() {
		f.begin()
	}
}

func (f *Form) begin() {
	text := f.row().typed()
	f.typing, f.line = true, line{text: text, cur: len(text)}
}

// Arrive implements kit.Arriver: the first field that is still without a value and can be typed into takes letters
// at once, so that enter on a tool and typing is all it takes.
func (f *Form) Arrive() {
	if f.row().typable() && f.row().typed() == "" {
		f.begin()
	}
}

// Typing implements kit.Pane: letters are text while a field is typed into.
func (f *Form) Typing() bool { return f.typing }

// Text implements kit.Pane.
func (f *Form) Text(msg tea.Msg) (kit.Intent, bool) {
	if !f.typing {
		return nil, false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			f.typing = false
			f.Suggest(nil)
			return nil, true
		case "enter", "down":
			f.move(1)
			return nil, true
		case "up":
			f.move(-1)
			return nil, true
		case "backspace":
			if f.line.text == "" && f.row().kind == scalar {
				f.set(f.row().at, nil) // nothing left to delete but the member itself
				return nil, true
			}
		}
	}
	changed, used := f.line.key(msg)
	if changed {
		r := f.row()
		if f.line.text == "" && len(r.field.Types) > 0 && !r.field.Is("string") {
			f.set(r.at, nil)
		} else {
			f.set(r.at, r.spell(f.line.text))
		}
	}
	return nil, used
}

// choose steps through the values that a field may have; absent is one of them where it is not required.
func (f *Form) choose(by int) {
	r := f.row()
	if r.kind == pick {
		f.tick(r)
		return
	}
	if r.kind == branch {
		f.take(r, (r.chosen+by+len(r.branches))%len(r.branches))
		return
	}
	options := r.options()
	if !r.field.Required {
		options = append(options, nil)
	}
	at := len(options) - 1 // absent
	if r.field.Required {
		at = -1
	}
	for i, o := range options {
		if o != nil && r.value.Exists() && jsondoc.Parse(o).Root().Same(r.value) {
			at = i
		}
	}
	f.set(r.at, options[((at+by)%len(options)+len(options))%len(options)])
}

// take chooses a branch, and writes the constants that tell it apart.
func (f *Form) take(r *row, i int) {
	at := r.at
	if r.chosen >= 0 && r.chosen != i {
		for _, field := range schema.Fields(f.root, r.branches[r.chosen].Schema, at) {
			if field.Const.Exists() {
				f.text = Remove(f.text, field.Pointer)
			}
		}
	}
	f.branch[at] = i
	for _, field := range schema.Fields(f.root, r.branches[i].Schema, at) {
		if field.Const.Exists() {
			f.text = Set(f.text, field.Pointer, field.Const.Raw())
		}
	}
	f.layout()
}

// open is enter on a row: type, choose, open or close, add.
func (f *Form) open() kit.Intent {
	r := f.row()
	switch r.kind {
	case send:
		return kit.Submit{}
	case pick:
		f.tick(r)
	case more:
		item, _ := schema.Item(f.root, r.field.Schema, r.items, r.at.Parent())
		f.set(r.at, blank(f.root, item))
		if f.row().typable() {
			f.begin()
		}
	case container:
		switch {
		case !r.value.Exists():
			raw := []byte("{}")
			if r.field.Is("array") && !r.field.Is("object") {
				raw = []byte("[]")
			} else if r.field.Schema.Exists() {
				raw = schema.Skeleton(f.root, r.field.Schema)
			}
			f.set(r.at, raw)
		default:
			f.closed[r.at] = !f.closed[r.at]
			f.layout()
		}
	case branch:
		f.choose(1)
	default:
		switch {
		case len(r.options()) > 0:
			f.choose(1)
		case r.typable():
			f.begin()
		default:
			return kit.Say{Text: "this value is edited as JSON: ctrl+t"}
		}
	}
	return nil
}

// blank is the value that a new element begins with.
func blank(root jsondoc.Value, item schema.Field) []byte {
	switch {
	case item.Const.Exists():
		return item.Const.Raw()
	case item.Default.Exists():
		return item.Default.Raw()
	case len(item.Choices) > 0:
		return item.Choices[0].Value.Raw()
	case item.Is("object") && len(item.Types) > 0:
		return schema.Skeleton(root, item.Schema)
	case item.Is("array") && len(item.Types) > 0:
		return []byte("[]")
	case item.Is("string") || len(item.Types) == 0:
		return []byte(`""`)
	case item.Is("boolean"):
		return []byte("false")
	}
	return []byte("0")
}

// Rows implements kit.Pane.
func (f *Form) Rows() []kit.Row {
	r := f.row()
	do := func(act func()) func() kit.Intent {
		return func() kit.Intent { act(); return nil }
	}
	const group = "Form"
	rows := append(f.offers.rows(f, group), []kit.Row{
		{Keys: []string{"enter"}, Words: f.enterWords(), Group: group, Do: f.open},
		{Keys: []string{"up", "k"}, Words: "field above", Group: group, Quiet: true, Do: do(func() { f.move(-1) })},
		{Keys: []string{"down", "j"}, Words: "field below", Group: group, Quiet: true, Do: do(func() { f.move(1) })},
	}...)
	choose := "only choices, booleans and kinds are chosen"
	if len(r.options()) > 0 || r.kind == branch || r.kind == pick {
		choose = ""
	}
	rows = append(rows,
		kit.Row{Keys: []string{"right", "l", "space"}, Words: "next choice", Group: group, Off: choose, Do: do(func() { f.choose(1) })},
		kit.Row{Keys: []string{"left", "h"}, Words: "choice before", Group: group, Off: choose, Quiet: true, Do: do(func() { f.choose(-1) })},
	)
	absent := ""
	if r.kind == pick {
		absent = "enter ticks it, or takes the tick away"
	} else if !r.value.Exists() || r.kind == branch || r.kind == send {
		absent = "there is nothing to leave out"
	}
	null := "the schema does not allow null here"
	if r.field.Nullable && r.kind != send {
		null = ""
	}
	return append(rows,
		kit.Row{Keys: []string{"x", "delete"}, Words: "leave out", Group: group, Off: absent, Do: do(func() { f.set(r.at, nil) })},
		kit.Row{Keys: []string{"N"}, Words: "null", Group: group, Off: null, Do: do(func() { f.set(r.at, []byte("null")) })},
	)
}

func (f *Form) enterWords() string {
	r := f.row()
	switch {
	case r.kind == send:
		return "send"
	case r.kind == more:
		return "add"
	case r.kind == pick:
		return "tick"
	case r.kind == container && r.value.Exists() && !f.closed[r.at]:
		return "close"
	case r.kind == container:
		return "open"
	case r.kind == branch || len(r.options()) > 0:
		return "choose"
	}
	return "type"
}
