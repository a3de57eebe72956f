package editor

import (
	"errors"
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
	height int // of the last drawing
}

// NewInput is a kit.Inputs.JSON: an editor that judges by the schema while somebody types.
func NewInput(env *kit.Env, _ string, root jsondoc.Value) kit.Input {
	in := &Input{env: env, editor: New("{}")}
	in.editor.buf.Go(1)
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
				return []Problem{{Text: "not checked: " + t.Error()}}
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
			out = append(out, Problem{at, string(p.Instance) + ": " + p.Text})
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

// Problem implements kit.Input.
func (in *Input) Problem() string {
	if p := in.editor.Problems(); len(p) > 0 {
		return kit.Escape(p[0].Text)
	}
	if !in.editor.Document().Root().Is(jsondoc.Object) {
		return "arguments are a JSON object"
	}
	return ""
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
	off := ""
	if !in.editor.Document().Valid() {
		off = "what is no JSON yet cannot be laid out"
	}
	return []kit.Row{
		{Keys: []string{"ctrl+l"}, Words: "lay out", Group: "JSON", Off: off, Quiet: true, Do: func() kit.Intent { in.editor.Format(); return nil }},
		{Keys: []string{"ctrl+z"}, Words: "undo", Group: "JSON", Quiet: true, Do: func() kit.Intent { in.editor.buf.Undo(); return nil }},
		{Keys: []string{"ctrl+y"}, Words: "redo", Group: "JSON", Quiet: true, Do: func() kit.Intent { in.editor.buf.Redo(); return nil }},
	}
}

// Draw implements kit.Pane.
func (in *Input) Draw(w, h int, focused bool) string {
	in.height = h
	return in.editor.Draw(w, h, focused, in.env.Styles)
}

// Click implements kit.Pane: a press puts the cursor there, the wheel scrolls.
func (in *Input) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		switch m.Button {
		case tea.MouseWheelUp:
			in.editor.buf.Lines(-3)
		case tea.MouseWheelDown:
			in.editor.buf.Lines(3)
		}
	case tea.MouseClickMsg:
		in.editor.Point(x, y)
	}
	return nil
}
