package editor

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// Input is the editor as one of the two views of a call's arguments.
type Input struct {
	env    *kit.Env
	editor *Editor
}

// NewInput is a kit.Inputs.JSON: an editor that judges by the schema while somebody types.
func NewInput(env *kit.Env, _ string, root jsondoc.Value) kit.Input {
	in := &Input{env: env, editor: New("{}")}
	in.editor.buf.Go(1)
	in.editor.Schema = root
	if root.Exists() {
		if s, err := schema.Compile(root); err == nil {
			in.editor.Judge = judge(s)
		}
	}
	return in
}

// judge finds where a value does not fit: the place is the offending value, or the object for a missing member.
func judge(s *schema.Schema) func(*jsondoc.Document) []Problem {
	return func(d *jsondoc.Document) []Problem {
		found, err := s.Validate(d.Root())
		if err != nil {
			if t, ok := errors.AsType[*schema.ErrTooComplex](err); ok {
				return []Problem{{Text: t.Error(), Soft: true}}
			}
			return nil
		}
		var out []Problem
		for _, p := range found {
			v := d.At(p.Instance)
			if !v.Exists() {
				v = d.Root()
			}
			at := d.Nodes[v.Node()].Value
			if p.Member != "" {
				at.To = at.From + 1 // the opening bracket of the object that lacks it
			}
			text := p.Text
			if p.Instance != "" {
				text = string(p.Instance[1:]) + ": " + text
			}
			out = append(out, Problem{At: at, Text: text})
		}
		return out
	}
}

// SetValue implements kit.Input.
func (in *Input) SetValue(raw []byte) {
	in.editor.SetText(string(raw))
}

// Value implements kit.Input.
func (in *Input) Value() []byte { return []byte(in.editor.Text()) }

// Problem implements kit.Input. While a large text is being read, it is what was wrong with it before; see Check.
func (in *Input) Problem() string {
	e := in.editor
	if p := e.Problems(); len(p) > 0 && !p[0].Soft {
		return kit.Escape(p[0].Text)
	}
	if e.check.doc != nil && !e.check.doc.Root().Is(jsondoc.Object) {
		return "arguments are a JSON object"
	}
	return ""
}

// Check implements kit.Checked.
func (in *Input) Check() { in.editor.Settle() }

// ShowProblem implements kit.Pointing.
func (in *Input) ShowProblem() {
	if p := in.editor.Problems(); len(p) > 0 {
		in.editor.Go(int(p[0].At.From))
	}
}

// Place implements kit.Placed. Of a text too large to be read at once nobody asks.
func (in *Input) Place() jsondoc.Pointer {
	if !in.editor.settled() && in.editor.size() >= heavy {
		return ""
	}
	return in.editor.Place()
}

// Seek implements kit.Placed.
func (in *Input) Seek(at jsondoc.Pointer) {
	if in.editor.size() < heavy {
		in.editor.Seek(at)
	}
}

// next goes to the next place that is wrong, behind the cursor or from the start again.
func (in *Input) next() kit.Intent {
	e := in.editor
	problems := e.Problems()
	if len(problems) == 0 {
		return kit.Say{Text: "nothing is known to be wrong"}
	}
	here := e.buf.offset(e.buf.cur)
	best, lowest := -1, 0
	for i, p := range problems {
		if at := int(p.At.From); at > here && (best < 0 || at < int(problems[best].At.From)) {
			best = i
		}
		if p.At.From < problems[lowest].At.From {
			lowest = i
		}
	}
	if best < 0 {
		best = lowest
	}
	e.Go(int(problems[best].At.From))
	return nil
}

// Status implements kit.Stating: what is wrong at the cursor, else first of all, or that all is well; and where the cursor is.
func (in *Input) Status(w int) string {
	e, s := in.editor, in.env.Styles
	at := e.buf.cur
	right := s.Faint.Render(fmt.Sprintf("%d:%d", at.line+1, e.buf.column(at)+1))
	problems := e.Problems()
	left := s.OK.Render(kit.SignOK) + s.Muted.Render(" fits the schema")
	switch {
	case len(problems) > 0:
		i, here := 0, e.buf.offset(at)
		for k, p := range problems {
			if here >= int(p.At.From) && here <= int(p.At.To) {
				i = k
				break
			}
		}
		line := e.buf.at(int(problems[i].At.From)).line
		words := kit.Escape(problems[i].Text)
		if line != at.line {
			words = fmt.Sprintf("line %d: %s", line+1, words)
		}
		if n := len(problems) - 1; n > 0 {
			words += fmt.Sprintf(" (%d more: f2)", n)
		}
		left = s.Must.Render(kit.SignMust) + s.Should.Render(" "+words)
		if problems[i].Soft {
			left = s.Should.Render(kit.SignShould + " " + words)
		}
	case e.check.doc == nil:
		left = s.Muted.Render("reading…")
	case !e.check.doc.Root().Is(jsondoc.Object):
		left = s.Should.Render(kit.SignShould + " arguments are a JSON object")
	case e.Judge == nil:
		left = s.OK.Render(kit.SignOK) + s.Muted.Render(" JSON; there is no schema to hold it against")
	}
	if !e.settled() && e.check.doc != nil {
		left = s.Muted.Render("reading… ") + left
	}
	return kit.Ends(left, right, w)
}

// Lines implements kit.Input.
func (in *Input) Lines() int { return len(in.editor.buf.lines) }

// Beat implements kit.Lively: nothing moves by itself.
func (in *Input) Beat() time.Duration { return 0 }

// Typing implements kit.Pane: all letters are text here.
func (in *Input) Typing() bool { return true }

// Text implements kit.Pane.
func (in *Input) Text(msg tea.Msg) (kit.Intent, bool) { return nil, in.editor.Key(msg) }

// Rows implements kit.Pane.
func (in *Input) Rows() []kit.Row {
	const group = "JSON"
	e := in.editor
	do := func(act func()) func() kit.Intent { return func() kit.Intent { act(); return nil } }
	off := ""
	if e.check.doc != nil && !e.check.doc.Valid() {
		off = "what is no JSON yet cannot be laid out"
	}
	if e.search.open {
		return []kit.Row{
			{Keys: []string{"enter", "down"}, Words: "next place", Group: group, Do: do(func() { e.Next(1) })},
			{Keys: []string{"up"}, Words: "place before", Group: group, Do: do(func() { e.Next(-1) })},
			{Keys: []string{"esc"}, Words: "end the search", Group: group, Do: do(func() { e.search.open = false })},
		}
	}
	var rows []kit.Row
	if e.popup != nil {
		rows = append(rows, kit.Row{Keys: []string{"tab"}, Words: "take", Group: group, Do: do(e.take)},
			kit.Row{Keys: []string{"esc"}, Words: "no list", Group: group, Do: do(func() { e.popup = nil })})
	}
	none, searched := "", ""
	if len(e.Problems()) == 0 {
		none = "nothing is known to be wrong"
	}
	if e.search.what == "" {
		searched = "ctrl+f searches first"
	}
	unknown := ""
	if !e.Schema.Exists() {
		unknown = "there is no schema that says what could stand here"
	}
	return append(rows, []kit.Row{
		{Keys: []string{"ctrl+space"}, Words: "what could stand here", Group: group, Off: unknown, Quiet: true, Do: do(func() { e.suggest(true) })},
		{Keys: []string{"ctrl+f"}, Words: "find", Group: group, Do: do(e.Find)},
		{Keys: []string{"f3"}, Words: "next place", Group: group, Quiet: true, Off: searched, Do: do(func() { e.Next(1) })},
		{Keys: []string{"shift+f3"}, Words: "place before", Group: group, Quiet: true, Off: searched, Do: do(func() { e.Next(-1) })},
		{Keys: []string{"f2"}, Words: "next problem", Group: group, Off: none, Do: in.next},
		{Keys: []string{"ctrl+l"}, Words: "lay out", Group: group, Off: off, Quiet: true, Do: do(func() { e.Format() })},
		{Keys: []string{"ctrl+z"}, Words: "undo", Group: group, Quiet: true, Do: do(func() { e.buf.Undo() })},
		{Keys: []string{"ctrl+y"}, Words: "redo", Group: group, Quiet: true, Do: do(func() { e.buf.Redo() })},
	}...)
}

// Draw implements kit.Pane.
func (in *Input) Draw(w, h int, focused bool) string {
	if in.env.Aside != nil { // there is a screen now, beside which something can be done
		in.editor.Later = in.env.Later
	}
	return in.editor.Draw(w, h, focused, in.env.Styles)
}

// Click implements kit.Pane: a press puts the cursor there, the wheel scrolls.
func (in *Input) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		if _, down := kit.Turned(m); down != 0 {
			in.editor.buf.Lines(3 * down)
		}
	case tea.MouseClickMsg:
		in.editor.Point(x, y)
	}
	return nil
}
