package form

import (
	"bytes"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Form is the view of a value by the fields of its schema.
type Form struct {
	env       *kit.Env
	root      jsondoc.Value
	compiled  *schema.Schema
	read      reading
	unchecked string // why nothing is checked, escaped; "" when all is
	text      []byte
	doc       *jsondoc.Document

	rows       []row
	marks      map[int]mark // what is wrong, by row
	first      string       // the first problem, with its place
	found      []schema.Problem
	failed     error // why it could not be checked
	places     map[jsondoc.Pointer]int
	checks     atomic.Int64             // of large texts, begun
	kinds      map[union]int            // what a person chose
	stash      map[string][]byte        // what was typed for a form that is not chosen now
	closed     map[jsondoc.Pointer]bool // what a person opened or closed
	crowded    map[jsondoc.Pointer]bool // what began closed, because much stands before it
	opened     map[span]bool            // groups
	wanted     jsondoc.Pointer          // what has to be among the rows
	conditions map[int32]*schema.Schema
	touched    map[jsondoc.Pointer]bool // what a person changed
	tried      bool                     // somebody wanted to send it
	undo, redo []state
	begun      bool // a value was set: what comes next can be taken back

	cur, top int
	typing   bool
	naming   bool            // the name of a member is typed, not its value
	asJSON   bool            // the value is typed as JSON
	asText   bool            // it was text when typing began, and stays so where that is open
	kept     bool            // what was there before typing is remembered for undo
	typed    jsondoc.Pointer // where typing goes on
	types    []string        // what the value might be when typing began
	line     line
	offers   offers
	menu     *menu
	scroll   kit.Scroll
}

// New is a kit.Inputs.Form.
func New(env *kit.Env, _ string, root jsondoc.Value) kit.Input {
	f := &Form{env: env, root: root, read: newReading(), text: []byte("{}"), kinds: map[union]int{}, closed: map[jsondoc.Pointer]bool{},
		crowded: map[jsondoc.Pointer]bool{}, opened: map[span]bool{},
		stash: map[string][]byte{}, touched: map[jsondoc.Pointer]bool{}, conditions: map[int32]*schema.Schema{}}
	if root.Exists() {
		var err error
		if f.compiled, err = schema.Compile(root); err != nil { // it judges nothing; findings say why
			f.unchecked = "not checked: " + kit.Escape(strings.TrimPrefix(err.Error(), "not checked: "))
		}
	}
	f.layout()
	return f
}

// SetValue implements kit.Input. It can be taken back, but for the first one.
func (f *Form) SetValue(raw []byte) {
	if bytes.Equal(raw, f.text) {
		f.begun = true
		return
	}
	f.stop()
	if f.begun {
		f.remember()
	}
	f.begun = true
	f.text = bytes.Clone(raw)
	clear(f.crowded)
	clear(f.opened)
	f.layout()
}

// Value implements kit.Input.
func (f *Form) Value() []byte { return f.text }

// Lines implements kit.Input.
func (f *Form) Lines() int { return len(f.rows) + f.below() + detailLines }

// Problem implements kit.Input.
func (f *Form) Problem() string { return f.first }

// Beat implements kit.Lively: nothing moves by itself.
func (f *Form) Beat() time.Duration { return 0 }

// Scroll is the part in view after the last drawing.
func (f *Form) Scroll() kit.Scroll { return f.scroll }

func (f *Form) row() *row { return &f.rows[f.cur] }

// stop ends typing and choosing.
func (f *Form) stop() {
	f.typing, f.naming, f.asJSON, f.menu = false, false, false, nil
	f.Suggest(nil)
}

// move goes to another row; where text is typed, typing goes on there.
func (f *Form) move(by int) {
	was := f.typing
	f.stop()
	f.cur = min(max(f.cur+by, 0), len(f.rows)-1)
	if was && f.row().typable() {
		f.begin()
	}
}

// begin begins to type the value of the row.
func (f *Form) begin() {
	r := f.row()
	text := r.startText()
	f.typing, f.naming, f.asJSON, f.kept = true, false, false, false
	f.asText = r.value.Is(jsondoc.String) && text != ""
	f.typed, f.line, f.types = r.at, line{text: text, cur: len(text)}, r.field.Types
	f.Suggest(nil)
}

// beginEmpty begins to type where there is a new value that is text or a number.
func (f *Form) beginEmpty() {
	r := f.row()
	if !r.typable() {
		return
	}
	f.begin()
	if string(r.value.Raw()) == "0" { // the nought that stands for a new number is no text to type behind
		f.line = line{}
		f.Suggest(nil)
	}
}

// beginJSON begins to type the value of the row as JSON, whatever its schema says.
func (f *Form) beginJSON() kit.Intent {
	r := f.row()
	if r.kind != scalar && r.kind != container {
		return nil
	}
	text := string(jsondoc.Compact(nil, r.value.Raw()))
	f.stop()
	f.typing, f.asJSON, f.kept = true, true, false
	f.typed, f.line = r.at, line{text: text, cur: len(text)}
	return nil
}

// Arrive implements kit.Arriver: a field that is still without a value and can be typed into takes letters at once, so that
// enter on a tool and typing is all it takes: in a form that nobody touched the first required one, else the one under the
// cursor.
func (f *Form) Arrive() {
	for i := 0; i < len(f.rows) && f.cur == 0 && len(f.undo) == 0; i++ {
		if r := &f.rows[i]; r.field.Required && r.depth == 0 && r.typable() && r.startText() == "" {
			f.cur = i
			break
		}
	}
	if f.menu == nil && !f.typing && f.row().typable() && f.row().startText() == "" {
		f.begin()
	}
}

// Typing implements kit.Pane: letters are text while a field is typed into or a list is open.
func (f *Form) Typing() bool { return f.typing || f.menu != nil }

// Text implements kit.Pane.
func (f *Form) Text(msg tea.Msg) (kit.Intent, bool) {
	if f.menu != nil {
		return f.menuKey(msg)
	}
	if !f.typing {
		return nil, false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			f.stop()
			return nil, true
		case "enter":
			if f.naming {
				return f.named(), true
			}
			f.move(1)
			return nil, true
		case "down":
			f.move(1)
			return nil, true
		case "up":
			f.move(-1)
			return nil, true
		case "ctrl+z":
			return f.Undo(), true
		case "alt+enter":
			f.line.insert("\n")
			f.put()
			return nil, true
		case "backspace":
			if f.line.text == "" && f.row().kind == scalar && !f.naming {
				f.emptied()
				return nil, true
			}
		}
	}
	changed, used := f.line.key(msg)
	if changed && !f.naming {
		f.put()
	}
	return nil, used
}

// emptied takes the member away when there is nothing left to delete but itself.
func (f *Form) emptied() {
	r := f.row()
	if r.element >= 0 {
		f.stop()
	}
	if !r.value.Exists() {
		return
	}
	f.keep()
	if f.row().element >= 0 {
		f.forget(f.row())
	}
	f.write(f.row().at, nil)
	f.Suggest(nil)
}

// keep remembers what was there before typing, once.
func (f *Form) keep() {
	if !f.kept {
		f.remember()
		f.kept = true
	}
}

// put writes what has been typed so far.
func (f *Form) put() {
	r := f.row()
	f.keep()
	if f.line.text == "" && !f.asJSON && !r.may("string") && r.element < 0 && !r.own {
		f.write(r.at, nil)
	} else {
		f.write(r.at, f.spell(r, f.line.text))
	}
	f.Suggest(nil)
}

// choose steps through the values that a field may have; absent is one of them where it is not required.
func (f *Form) choose(by int) {
	r := f.row()
	switch r.kind {
	case pick:
		f.tick(r)
		return
	case branch:
		l := r.levels[len(r.levels)-1]
		f.take(r, kit.Step(l.chosen, by, len(l.variants)))
		return
	}
	options := r.options()
	if len(options) == 0 {
		return
	}
	if !r.field.Required && r.element < 0 {
		options = append(options, nil)
	}
	at := -1
	for i, o := range options {
		if o == nil && !r.value.Exists() || o != nil && r.value.Exists() && jsondoc.Parse(o).Root().Same(r.value) {
			at = i
		}
	}
	f.set(r.at, options[kit.Step(at, by, len(options))])
}

// choices opens the list of the values that a field may have.
func (f *Form) choices() {
	r := f.row()
	options := r.options()
	items := make([]item, 0, len(options)+1)
	now := -1
	for i, o := range options {
		v := jsondoc.Parse(o).Root()
		it := item{text: kit.Escape(choiceText(&r.field, v))}
		if at := r.field.ChoiceOf(v); at >= 0 && r.field.Choices[at].Title != "" && r.field.Choices[at].Title != plain(v) {
			it = item{text: kit.Escape(r.field.Choices[at].Title), note: it.text}
		}
		if r.field.Default.Exists() && r.field.Default.Same(v) {
			it.note = join(it.note, "default")
		}
		if r.value.Exists() && v.Same(r.value) {
			now = i
		}
		items = append(items, it)
	}
	if !r.field.Required && r.element < 0 {
		items = append(items, item{text: "‹absent›", note: "leave it out"})
		options = append(options, nil)
		if !r.value.Exists() {
			now = len(items) - 1
		}
	}
	f.show(items, now, func(i int) kit.Intent {
		f.set(f.row().at, options[i])
		return nil
	})
}

// open is enter on a row: type, choose, open or close, add.
func (f *Form) open() kit.Intent {
	r := f.row()
	switch r.kind {
	case send:
		return kit.Submit{}
	case rest:
		return kit.Say{Text: "a form shows 20,000 rows; ctrl+t shows all as JSON"}
	case batch:
		f.toggle(r)
	case pick:
		f.tick(r)
	case more:
		f.addElement(r)
	case member:
		f.nameMember()
	case branch:
		f.chooseKind(r)
	case container:
		switch {
		case f.bare(r):
			return f.another()
		case r.value.Exists():
			f.closed[r.at] = !f.isClosed(r.at)
			f.settle()
		case r.openLevel() != nil:
			f.chooseKind(r)
		default:
			f.closed[r.at] = false
			f.set(r.at, f.blankOf(r))
		}
	default:
		switch {
		case r.isBool(), r.field.Const.Exists():
			f.choose(1)
		case len(r.options()) > 0:
			f.choices()
		case only(r.field, "object") || only(r.field, "array"):
			if !r.value.Exists() || r.value.Is(jsondoc.Null) {
				f.closed[r.at] = false
				f.set(r.at, f.blankOf(r))
				return nil
			}
			return f.beginJSON()
		case r.typable():
			f.begin()
		case r.several():
			f.chooseKind(r)
		default:
			return f.beginJSON()
		}
	}
	return nil
}

// bare tells that an array or map is open and has nothing in it: there is nothing to close, only to add.
func (f *Form) bare(r *row) bool {
	if r.kind != container || !r.value.Exists() || r.items > 0 || f.isClosed(r.at) || f.cur+1 >= len(f.rows) {
		return false
	}
	next := &f.rows[f.cur+1]
	return (next.kind == more || next.kind == member) && next.depth == r.depth+1
}

// blankOf is the value that an absent container begins with.
func (f *Form) blankOf(r *row) []byte {
	switch {
	case only(r.field, "array"):
		return schema.Blank(f.root, r.field)
	case r.branched():
		return schema.Skeleton(f.root, r.chosenSchemas()...)
	case r.field.Schema.Exists():
		return schema.Skeleton(f.root, r.field.Schema)
	}
	return []byte("{}")
}
