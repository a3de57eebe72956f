package subscriptions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/subs"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Editor puts a new subscription together: kinds of changes, resources that are listed, addresses that are typed.
type Editor struct {
	env    *kit.Env
	book   *book.Book
	legacy bool
	on     map[string]bool // by key of the row
	typed  []string        // addresses that are not listed
	at     int
	top    int
	h      int
	text   []rune // of the address that is being typed
	typing bool
}

// NewEditor is the editor with what the server declares already chosen.
func NewEditor(env *kit.Env, b *book.Book) *Editor {
	e := &Editor{env: env, book: b, on: map[string]bool{}, legacy: b.Server.Era == "legacy"}
	for _, k := range kinds() {
		e.on[k.key] = !e.legacy && e.declared(k.capability, k.flag)
	}
	return e
}

type kind struct{ key, words, capability, flag string }

func kinds() []kind {
	return []kind{
		{"tools", "the list of tools changes", "tools", "listChanged"},
		{"prompts", "the list of prompts changes", "prompts", "listChanged"},
		{"resources", "the list of resources changes", "resources", "listChanged"},
	}
}

func (e *Editor) declared(capability, flag string) bool {
	on, _ := e.book.Server.Capabilities.Get(capability).Get(flag).Bool()
	return on
}

// row is a line that can be chosen.
type row struct {
	key, words, note string
	odd              bool // the note is a warning
}

const (
	rowType = "type"
	rowKeep = "keep"
)

func (e *Editor) rows() []row {
	var rows []row
	if !e.legacy {
		for _, k := range kinds() {
			r := row{key: k.key, words: k.words, note: k.capability + "." + k.flag}
			if !e.declared(k.capability, k.flag) {
				r.note, r.odd = "not declared: "+r.note, true
			}
			rows = append(rows, r)
		}
	}
	note := ""
	if !e.declared("resources", "subscribe") {
		note = "not declared: resources.subscribe"
	}
	for _, it := range e.book.List(book.Resources).Items {
		words := it.Label
		if it.Title != "" && it.Title != it.Label {
			words += "  " + it.Title
		}
		rows = append(rows, row{key: "uri " + it.ID, words: words, note: note, odd: note != ""})
	}
	for _, uri := range e.typed {
		rows = append(rows, row{key: "uri " + uri, words: kit.Escape(uri), note: "typed"})
	}
	rows = append(rows, row{key: rowType, words: "another address …"})
	keep := row{key: rowKeep, words: "ask again by itself whenever it ends", note: "at most 8 times in a row"}
	if e.legacy { // there it ends with the connection alone
		keep.note = "after a restart"
	}
	return append(rows, keep)
}

// Filter is what is chosen.
func (e *Editor) Filter() subs.Filter {
	f := subs.Filter{Tools: e.on["tools"], Prompts: e.on["prompts"], Resources: e.on["resources"]}
	for _, r := range e.rows() {
		if uri, ok := strings.CutPrefix(r.key, "uri "); ok && e.on[r.key] && !slices.Contains(f.URIs, uri) {
			f.URIs = append(f.URIs, uri)
		}
	}
	return f
}

// Rows implements kit.Pane.
func (e *Editor) Rows() []kit.Row {
	if e.typing {
		return []kit.Row{{Keys: []string{"enter"}, Words: "take it", Group: "subscription"}, {Keys: []string{"esc"}, Words: "not this one", Group: "subscription"}}
	}
	none := ""
	if e.Filter().Empty() {
		none = "nothing is chosen"
	}
	move := func(d int) func() kit.Intent {
		return func() kit.Intent { e.move(d); return nil }
	}
	return []kit.Row{
		{Keys: []string{"space"}, Words: "choose", Group: "subscription", Do: e.choose},
		{Keys: []string{"enter", "ctrl+s"}, Words: "subscribe", Group: "subscription", Off: none, Do: e.send},
		{Keys: []string{"u"}, Words: "type an address", Group: "subscription", Do: func() kit.Intent { e.typing, e.text = true, nil; return nil }},
		{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: move(-1)},
		{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: move(1)},
		{Keys: []string{"g", "home"}, Words: "first", Group: "move", Quiet: true, Do: move(-1 << 20)},
		{Keys: []string{"G", "end"}, Words: "last", Group: "move", Quiet: true, Do: move(1 << 20)},
	}
}

func (e *Editor) move(d int) { e.at = min(max(e.at+d, 0), len(e.rows())-1) }

func (e *Editor) choose() kit.Intent {
	r := e.rows()[e.at]
	if r.key == rowType {
		e.typing, e.text = true, nil
		return nil
	}
	e.on[r.key] = !e.on[r.key]
	return nil
}

func (e *Editor) send() kit.Intent {
	if e.rows()[e.at].key == rowType {
		return e.choose()
	}
	return kit.Several{kit.Back{}, kit.Subscribe{Filter: e.Filter(), Keep: e.on[rowKeep]}}
}

// Typing implements kit.Pane.
func (e *Editor) Typing() bool { return e.typing }

// Text implements kit.Pane: the address.
func (e *Editor) Text(msg tea.Msg) (kit.Intent, bool) {
	switch m := msg.(type) {
	case tea.PasteMsg:
		e.text = append(e.text, []rune(strings.TrimSpace(m.Content))...)
		return nil, true
	case tea.KeyPressMsg:
		switch m.String() {
		case "enter":
			e.take()
		case "esc":
			e.typing = false
		case "backspace":
			e.text = e.text[:max(0, len(e.text)-1)]
		case "ctrl+u":
			e.text = nil
		default:
			if m.Text == "" {
				return nil, false
			}
			e.text = append(e.text, []rune(m.Text)...)
		}
		return nil, true
	}
	return nil, false
}

// maxTyped bounds how many addresses one subscription is given by hand.
const maxTyped = 100

func (e *Editor) take() {
	uri := strings.TrimSpace(string(e.text))
	e.typing = false
	if uri == "" {
		return
	}
	key := "uri " + uri
	if !slices.ContainsFunc(e.rows(), func(r row) bool { return r.key == key }) && len(e.typed) < maxTyped {
		e.typed = append(e.typed, uri)
	}
	e.on[key] = true
	e.at = max(slices.IndexFunc(e.rows(), func(r row) bool { return r.key == key }), 0)
}

// Want is how many lines the editor would fill.
func (e *Editor) Want() int { return len(e.rows()) + 4 }

// Head implements kit.Framed.
func (e *Editor) Head(bool) (title, right string) {
	s := e.env.Styles
	what := "subscriptions/listen"
	if e.legacy {
		what = "resources/subscribe"
	}
	return s.Title.Render("Tell me when …"), s.Muted.Render(what)
}

// Scroll implements kit.Framed.
func (e *Editor) Scroll() kit.Scroll {
	return kit.Scroll{From: e.top, Shown: e.h, Total: len(e.rows())}
}

// Click implements kit.Pane.
func (e *Editor) Click(_, y int, msg tea.MouseMsg) kit.Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		if _, down := kit.Turned(m); down != 0 {
			e.move(down)
		}
	case tea.MouseClickMsg:
		if i := e.top + y; m.Button == tea.MouseLeft && y < e.h && i < len(e.rows()) {
			e.at = i
			return e.choose()
		}
	}
	return nil
}

// Spots implements kit.Spotted: the rows in view.
func (e *Editor) Spots() []kit.Spot {
	var out []kit.Spot
	rows := e.rows()
	for i := e.top; i < len(rows) && i < e.top+e.h; i++ {
		out = append(out, kit.Spot{X: 2, Y: i - e.top, Free: 2, Margin: true, Key: rows[i].key})
	}
	return out
}

// Draw implements kit.Pane.
func (e *Editor) Draw(w, h int, focused bool) string {
	s := e.env.Styles
	rows := e.rows()
	foot := e.foot(w)
	e.h = max(h-len(foot)-1, 1)
	e.at = min(e.at, len(rows)-1)
	e.top = max(min(e.top, e.at), e.at-e.h+1, 0)
	var lines []string
	for i := e.top; i < len(rows) && i < e.top+e.h; i++ {
		r := rows[i]
		box := "[ ] "
		if e.on[r.key] {
			box = "[x] "
		}
		if r.key == rowType {
			box = "  + "
		}
		note := s.Faint.Render(r.note)
		if r.odd {
			note = s.Should.Render(r.note)
		}
		line := kit.Ends(s.Keycap.Render(box)+s.Text.Render(r.words), note, w-2)
		if i == e.at && focused && !e.typing {
			line = kit.Under(kit.SignPointer+" "+line, s.Selected, w)
		} else {
			line = "  " + line
		}
		lines = append(lines, line)
	}
	lines = kit.Lines(lines, w, min(e.h, max(len(rows), 1)))
	return kit.Block(append(append(lines, ""), foot...), w, h)
}

// foot is the address that is being typed, or what this will ask for.
func (e *Editor) foot(w int) []string {
	s := e.env.Styles
	if e.typing {
		return []string{s.Muted.Render("address  ") + s.Input.Render(kit.CutLeft(kit.Escape(string(e.text)), w-11)) + kit.Caret(s.Input, " ")}
	}
	if e.legacy {
		return []string{s.Muted.Render(kit.Cut(e.book.Server.Version+" has no subscriptions/listen: changes of lists come unasked", w))}
	}
	return []string{s.Muted.Render(kit.Cut("asks for  ", w)) + s.Text.Render(kit.Cut(kit.Escape(e.Filter().String()), w-10))}
}
