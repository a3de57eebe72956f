package catalogue

import (
	"bytes"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Call is the pane of what is selected: its arguments to edit and send, its schema, its description, and the
// calls made before. For each item it remembers what was typed.
type Call struct {
	env    *kit.Env
	book   *book.Book
	inputs kit.Inputs
	// Meta is the _meta that a faithful client sends with a method, as a raw JSON object; nil where nothing is sent.
	Meta func(method string) []byte
	// Kept is the arguments that were sent to an item before, in earlier runs too, the newest first; nil knows none.
	Kept func(kind book.Kind, id string) [][]byte

	kind    book.Kind
	id      string
	st      *state
	states  map[string]*state
	numbers int // of the questions for suggestions
	scroll  kit.Scroll
	w       int // of the last drawing
	look    int // the line of the last drawing from which on it shows what is sent, 0 for none
}

// state is what is remembered of one item.
type state struct {
	item     book.Item
	args     jsondoc.Value // schema of the arguments
	form     kit.Input     // nil when there is none
	json     kit.Input
	raw      bool // json is shown, not form
	tab      int
	schema   *kit.View
	look     *kit.View // what is sent, beside the form
	shown    []byte    // the text that look shows
	roomy    int       // the most lines that the arguments have wanted
	about    kit.Page
	aboutFor [3]any // width, styles and shadows that the page was made for
	before   *kit.ListPane
	history  int // how far back ctrl+p went, 0 is what was typed
	past     int // how many there were then
	typed    []byte
	meta     *metaEdit
	from     wire.Seq // the request that is edited, until it is sent; 0 for none
	agreed   bool     // to call it although clients must leave it out

	completion completion
}

// NewCall is the pane, showing nothing yet.
func NewCall(env *kit.Env, b *book.Book, inputs kit.Inputs) *Call {
	if inputs.JSON == nil {
		inputs.JSON = kit.NewPlainInput
	}
	return &Call{env: env, book: b, inputs: inputs, states: map[string]*state{}}
}

// Set shows an item. What was typed for it before is there again; a new definition keeps it too.
func (c *Call) Set(it *book.Item) {
	if it == nil {
		c.st = nil
		return
	}
	key := itemKey(it.Kind, it.ID)
	st := c.states[key]
	if st == nil || !bytes.Equal(st.item.Def.Raw(), it.Def.Raw()) {
		st = c.newState(it, st)
		c.states[key] = st
	}
	st.item = *it
	c.kind, c.id, c.st = it.Kind, it.ID, st
}

func (c *Call) newState(it *book.Item, before *state) *state {
	st := &state{item: *it, args: arguments(it)}
	text := skeleton(st.args)
	if before != nil {
		text = before.input().Value()
		st.raw, st.tab, st.meta = before.raw, before.tab, before.meta
	}
	st.json = c.inputs.JSON(c.env, it.Label, st.args)
	if c.inputs.Form != nil {
		st.form = c.inputs.Form(c.env, it.Label, st.args)
	} else {
		st.raw = true
	}
	st.input().SetValue(text)
	st.look = kit.NewView(c.env)
	st.look.Bare = true
	if it.Kind == book.Resources {
		return st
	}
	st.schema = kit.NewView(c.env)
	st.schema.SetJSON(schemaDoc(it), nil)
	st.before = c.earlier(it.ID)
	return st
}

// input is the view of the arguments that is shown.
func (st *state) input() kit.Input {
	if st.form != nil && !st.raw {
		return st.form
	}
	return st.json
}

// toggle shows the other view of the same value.
func (st *state) toggle() {
	if st.form == nil {
		return
	}
	was := st.input()
	text := was.Value()
	st.raw = !st.raw
	now := st.input()
	now.SetValue(text)
	from, ok := was.(kit.Placed)
	to, both := now.(kit.Placed)
	if ok && both {
		to.Seek(from.Place())
	}
}

// SetArgs puts a text into the editor, for an earlier request to be changed and sent again.
func (c *Call) SetArgs(raw []byte) {
	if c.st == nil {
		return
	}
	c.st.tab = 0
	c.st.input().SetValue(raw)
}

// Edit replaces the arguments by those of an earlier request; what is sent next was made from that one.
func (c *Call) Edit(r *book.Row) {
	c.SetArgs(SentArgs(r))
	if c.st != nil {
		c.st.from = r.Ref.Seq
	}
}

// Sent tells that what the editor holds was sent: what is sent after it was not made from the same one.
func (c *Call) Sent() {
	if c.st != nil {
		c.st.from = 0
	}
}

// Arrive tells that the focus has come here: an input that waits for text takes it at once.
func (c *Call) Arrive() {
	if c.st == nil || c.st.tab != 0 {
		return
	}
	if in, ok := c.st.input().(kit.Arriver); ok {
		in.Arrive()
	}
}

// Empty tells that nothing is selected.
func (c *Call) Empty() bool { return c.st == nil }

// Send is the intent to send what the editor holds; anyway sends also what is known to be wrong.
func (c *Call) Send(anyway bool) kit.Intent {
	if c.st == nil {
		return nil
	}
	meta := c.changed()
	if c.kind == book.Resources && meta != nil {
		return kit.Use{Kind: book.Resources, ID: c.id, Meta: meta}
	}
	if c.kind == book.Resources {
		return kit.Reread{URI: c.id}
	}
	in := c.st.input()
	if late, ok := in.(kit.Checked); ok {
		late.Check()
	}
	problem := in.Problem()
	if problem != "" && !anyway {
		c.st.tab = 0
		if at, ok := in.(kit.Pointing); ok {
			at.ShowProblem()
		}
		return kit.Say{Text: problem + " — ctrl+x sends it anyway", Bad: true}
	}
	args := in.Value()
	c.st.history = 0
	switch c.kind {
	case book.Templates:
		uri, err := expand(c.id, args)
		if err != nil {
			return kit.Say{Text: kit.Escape(err.Error()), Bad: true}
		}
		return kit.Use{Kind: book.Resources, ID: uri, Meta: meta}
	case book.Prompts:
		if jsondoc.Parse(args).Root().Len() == 0 && problem == "" {
			args = nil
		}
	}
	return c.confirmed(kit.Use{Kind: c.kind, ID: c.id, Args: args, Meta: meta, From: c.st.from})
}

const (
	tabCall   = "Call"
	tabFill   = "Fill in"
	tabSchema = "Schema"
	tabAbout  = "About"
	tabBefore = "Earlier"
	tabMeta   = "_meta"
)

// Tabs implements kit.Tabbed.
func (c *Call) Tabs() []string {
	switch {
	case c.st == nil:
		return nil
	case c.kind == book.Resources:
		return []string{tabAbout, tabMeta}
	case c.kind == book.Tools:
		return []string{tabCall, tabSchema, tabAbout, tabBefore, tabMeta}
	}
	return []string{tabFill, tabSchema, tabAbout, tabBefore, tabMeta}
}

// Tab implements kit.Tabbed.
func (c *Call) Tab() int {
	if c.st == nil {
		return 0
	}
	return c.st.tab
}

// SetTab implements kit.Tabbed.
func (c *Call) SetTab(i int) {
	if c.st != nil {
		c.st.tab = i
	}
}

func (c *Call) tab() string {
	tabs := c.Tabs()
	if len(tabs) == 0 {
		return ""
	}
	return tabs[min(c.st.tab, len(tabs)-1)]
}

// editing tells that the arguments are shown.
func (c *Call) editing() bool { t := c.tab(); return t == tabCall || t == tabFill }

// Rows implements kit.Pane.
func (c *Call) Rows() []kit.Row {
	back := kit.Row{Keys: []string{"esc"}, Words: "back", Group: "view", Quiet: true, Do: func() kit.Intent { return kit.Back{} }}
	if c.st == nil {
		return []kit.Row{back}
	}
	if c.tab() == tabMeta {
		return append([]kit.Row{{Keys: []string{"ctrl+s"}, Words: "send", Group: "call", Do: func() kit.Intent { return c.Send(false) }}}, c.metaRows()...)
	}
	var rows []kit.Row
	send := func(anyway bool) func() kit.Intent { return func() kit.Intent { return c.Send(anyway) } }
	words := "send"
	if c.kind != book.Tools {
		words = "read"
		if c.kind == book.Prompts {
			words = "get"
		}
	}
	switch c.tab() {
	case tabCall, tabFill:
		in := c.st.input()
		mine := in.Rows()
		if kit.Find(mine, "esc") != nil {
			back.Keys = nil
			back.Words = ""
		}
		rows = append(rows, kit.Row{Keys: []string{"ctrl+s"}, Words: words, Group: "call", Do: send(false)})
		if !in.Typing() && kit.Find(mine, "enter") == nil {
			rows[0].Keys = append(rows[0].Keys, "enter")
		}
		fine := ""
		if in.Problem() == "" {
			fine = "nothing is known to be wrong with it"
		}
		other := "JSON"
		if c.st.raw {
			other = "form"
		}
		noForm := ""
		if c.st.form == nil {
			noForm = "there is no form for this"
		}
		rows = append(rows,
			kit.Row{Keys: []string{"ctrl+x"}, Words: words + " anyway", Group: "call", Off: fine, Do: send(true)},
			c.taskRow(),
			kit.Row{Keys: []string{"ctrl+t"}, Words: other, Group: "call", Off: noForm, Do: func() kit.Intent { c.st.toggle(); return nil }})
		rows = append(rows, kit.Row{Keys: []string{"ctrl+g"}, Words: "log level", Group: "call", Quiet: true, Do: func() kit.Intent { return kit.OpenLevels{} }})
		if r, ok := c.suggestRow(); ok {
			rows = append(rows, r)
		}
		rows = append(rows, kit.Row{Keys: []string{"E", "f4"}, Words: "edit in $EDITOR", Group: "call", Quiet: true, Do: c.outside})
		rows = append(rows, mine...)
		for _, r := range []kit.Row{
			{Keys: []string{"ctrl+p"}, Words: "arguments before", Group: "call", Quiet: true, Do: func() kit.Intent { return c.walk(1) }},
			{Keys: []string{"ctrl+n"}, Words: "arguments after", Group: "call", Quiet: true, Do: func() kit.Intent { return c.walk(-1) }},
		} {
			if kit.Find(mine, r.Keys[0]) == nil {
				rows = append(rows, r)
			}
		}
	case tabSchema:
		rows = append(rows, kit.Row{Keys: []string{"ctrl+s"}, Words: words, Group: "call", Do: send(false)})
		if !c.st.schema.Typing() {
			rows = append(rows, kit.Row{Keys: []string{"i"}, Words: "explain", Group: "findings", Do: c.meaning})
		}
		rows = append(rows, c.st.schema.Rows()...)
		if kit.Find(rows, "esc") != nil {
			back = kit.Row{}
		}
	case tabAbout:
		if c.kind == book.Resources {
			rows = append(rows, kit.Row{Keys: []string{"enter", "ctrl+s"}, Words: "read", Group: "call", Do: func() kit.Intent {
				return kit.Use{Kind: book.Resources, ID: c.id, Meta: c.changed()}
			}}, kit.Row{Keys: []string{"R"}, Words: "read past the cache", Group: "call", Do: func() kit.Intent { return kit.Reread{URI: c.id} }})
		} else {
			rows = append(rows, kit.Row{Keys: []string{"ctrl+s"}, Words: words, Group: "call", Do: send(false)})
		}
		rows = append(rows, c.st.about.Rows()...)
	case tabBefore:
		rows = append(rows, kit.Row{Keys: []string{"ctrl+s"}, Words: words, Group: "call", Quiet: true, Do: send(false)})
		rows = append(rows, c.st.before.Rows()...)
		if kit.Find(rows, "esc") != nil {
			back = kit.Row{}
		}
	}
	rows = append(rows, kit.TabRows(c)...)
	rows = append(rows, kit.Row{Keys: []string{"ctrl+o"}, Words: "_meta", Group: "call", Quiet: true, Do: func() kit.Intent {
		c.st.tab = len(c.Tabs()) - 1
		return nil
	}})
	if back.Words != "" {
		rows = append(rows, back)
	}
	return rows
}

// walk goes through the arguments that were sent before.
func (c *Call) walk(d int) kit.Intent {
	sent := c.sent()
	st := c.st
	to := st.history + d
	if to < 0 || to > len(sent) {
		return kit.Say{Text: map[bool]string{true: "no arguments before these", false: "these are the newest"}[d > 0]}
	}
	if st.history == 0 {
		st.typed = st.input().Value()
	}
	st.history, st.past = to, len(sent)
	text := st.typed
	if to > 0 {
		text = sent[to-1]
	}
	st.input().SetValue(text)
	if to == 0 {
		return kit.Say{Text: "what was typed"}
	}
	return kit.Say{Text: fmt.Sprintf("arguments %d of %d sent before", to, len(sent))}
}

// Typing implements kit.Pane.
func (c *Call) Typing() bool {
	switch c.tab() {
	case tabCall, tabFill:
		return c.st.input().Typing()
	case tabSchema:
		return c.st.schema.Typing()
	case tabBefore:
		return c.st.before.Typing()
	case tabMeta:
		return c.meta().input.Typing()
	}
	return false
}

// Text implements kit.Pane.
func (c *Call) Text(msg tea.Msg) (kit.Intent, bool) {
	switch c.tab() {
	case tabCall, tabFill:
		if p, ok := msg.(tea.PasteMsg); ok && (c.st.raw || c.st.form == nil) {
			if intent, ok := c.pasted(p.Content); ok {
				return intent, true
			}
		}
		return c.st.input().Text(msg)
	case tabSchema:
		return nil, c.st.schema.Text(msg)
	case tabBefore:
		return c.st.before.Text(msg)
	case tabMeta:
		if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "esc" {
			return nil, false
		}
		return c.meta().input.Text(msg)
	}
	return nil, false
}
