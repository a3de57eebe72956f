package app

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	saved "mcploupe/ui/calls"
	"mcploupe/ui/kit"
)

// Saved calls: small files with a tool, prompt or resource and its arguments, from the project's directory and the person's.

type (
	saveCall  struct{ name string } // saves the call that is shown; without a name it asks for one
	openCalls struct{}              // opens the list of saved calls
)

// saveWords is what the palette's line begins with when a call is to be saved; the name stands behind it.
const saveWords = "save call "

// callCommands are the commands about saved calls.
func (m *Model) callCommands(typed string) []kit.Row {
	if len(m.o.Calls) == 0 {
		return nil
	}
	off := ""
	if _, ok := m.call.Current(); !ok || m.panelOf(m.driver) == nil {
		off = "no tool, prompt or resource is shown"
	}
	if name, ok := strings.CutPrefix(typed, saveWords); ok && strings.TrimSpace(name) != "" {
		return []kit.Row{{Words: kit.Escape(typed), Group: "in " + kit.Escape(m.o.Calls[0]), Off: off, Do: func() kit.Intent { return saveCall{name} }}}
	}
	return []kit.Row{
		{Words: saveWords + "… as a file, under a name", Group: "saved calls", Off: off, Do: func() kit.Intent { return saveCall{} }},
		{Words: "open a saved call", Group: "saved calls", Do: func() kit.Intent { return openCalls{} }},
	}
}

func (m *Model) saveCall(name string) tea.Cmd {
	call, ok := m.call.Current()
	switch {
	case !ok:
		return nil
	case name == "":
		m.openPalette(saveWords)
		return nil
	}
	if d := jsondoc.Parse(call.Arguments); len(call.Arguments) > 0 && (!d.Valid() || !d.Root().Is(jsondoc.Object)) {
		m.say("arguments that are no JSON object cannot be saved", true)
		return nil
	}
	dir := m.o.Calls[0]
	return func() tea.Msg {
		path, err := saved.Save(dir, name, call)
		if err != nil {
			return doneMsg{"saving: " + kit.Escape(err.Error()), true}
		}
		return doneMsg{"the call is saved in " + kit.Escape(path), false}
	}
}

// openCalls lists the saved calls; enter fills one in.
func (m *Model) openCalls() {
	src := &savedCalls{env: m.env, files: saved.List(m.o.Calls...)}
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "fill it in"}
	p.Empty = "none yet: “save call” in the palette makes one"
	p.Heading = func(bool) (string, string) {
		return m.env.Styles.Title.Render("Saved calls"), m.env.Styles.Muted.Render(kit.Number(p.Len()))
	}
	p.Opened = func() kit.Intent {
		i := p.Selected()
		if i < 0 {
			return nil
		}
		return kit.Several{kit.Back{}, command{func() kit.Intent { return m.fillIn(&src.files[i]) }}}
	}
	m.open("calls", p, func(w, h int) (int, int) { return min(w-8, 90), min(max(len(src.files), 1)+2, h*2/3) })
}

// fillIn puts a saved call where it can be sent.
func (m *Model) fillIn(f *saved.File) kit.Intent {
	if f.Err != nil {
		return kit.Say{Text: kit.Escape(f.Name + ": " + f.Err.Error()), Bad: true}
	}
	at, kind := atTools, book.Tools
	switch f.Call.Kind {
	case saved.Prompt:
		at, kind = atPrompts, book.Prompts
	case saved.Resource:
		at, kind = atResources, book.Resources
	}
	if !m.panelOf(at).SelectItem(kind, f.Call.Name) {
		return kit.Say{Text: kit.Escape(fmt.Sprintf("%s: the server lists no %s %s", f.Name, f.Call.Kind, f.Call.Name)), Bad: true}
	}
	m.setFocus(at)
	m.sync()
	if kind != book.Resources {
		args := []byte("{}")
		if d := jsondoc.Parse(f.Call.Arguments); d.Root().Is(jsondoc.Object) {
			args = jsondoc.Indent(nil, d.Root(), "", "  ")
		}
		m.call.SetArgs(args)
	}
	m.setFocus(atMain)
	said := f.Name
	if f.Call.Note != "" {
		said += ": " + f.Call.Note
	}
	return kit.Say{Text: kit.Escape(said)}
}

// savedCalls is the list's source.
type savedCalls struct {
	env   *kit.Env
	files []saved.File
}

func (s *savedCalls) Len() int         { return len(s.files) }
func (s *savedCalls) Version() int     { return 0 }
func (s *savedCalls) Key(i int) string { return s.files[i].Path }
func (s *savedCalls) Text(i int) string {
	f := &s.files[i]
	if f.Err != nil {
		return kit.Escape(f.Name)
	}
	return kit.Escape(strings.TrimSpace(f.Name + "  " + f.Call.Kind + " " + f.Call.Name + "  " + f.Call.Note))
}

func (s *savedCalls) Line(i, w int, match []int) string {
	st := s.env.Styles
	f := &s.files[i]
	if f.Err != nil {
		return kit.Cut(st.Must.Render(kit.SignMust+" "+kit.Escape(f.Name))+st.Muted.Render("  "+kit.Escape(f.Err.Error())), w)
	}
	return kit.Cut(s.env.Matched(s.Text(i), match, &st.Text), w)
}
