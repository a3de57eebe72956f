package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// The list of roots: folders and files that servers may be told about (client/roots). The person keeps it; roots/list is
// answered from it, after a yes.

// rootsSchema is the form of the list.
const rootsSchema = `{"type":"object","properties":{"roots":{"type":"array","items":{"type":"object","properties":{` +
	`"uri":{"type":"string","minLength":1,"description":"file:///…, or a path, which becomes one"},"name":{"type":"string","description":"for people"}},"required":["uri"]}}}}`

// roots is the overlay in which the list is edited.
type roots struct {
	env *kit.Env
	in  kit.Input
}

// openRoots is the intent to edit the list.
type openRoots struct{}

// keepRoots is the intent to keep the list as it stands in the form.
type keepRoots struct{ text []byte }

func (m *Model) openRoots() {
	if m.o.Session == nil {
		m.say("this is a recorded journal: there is no server to tell of roots", true)
		return
	}
	make := m.o.Inputs.Form
	if make == nil {
		make = m.o.Inputs.JSON
	}
	r := &roots{env: m.env, in: make(m.env, "roots", jsondoc.Parse([]byte(rootsSchema)).Root())}
	r.in.SetValue(session.RootsResult(m.o.Session.Roots()))
	m.open("roots", r, func(w, h int) (int, int) { return min(w-4, 90), min(max(r.in.Lines(), 4)+6, h-2) })
}

// keep replaces the list, and tells the server where it wants to know.
func (m *Model) keepRoots(i keepRoots) tea.Cmd {
	var list []session.Root
	for _, e := range jsondoc.Parse(i.text).Root().Get("roots").Elements() {
		if strings.TrimSpace(e.Get("uri").Text()) == "" {
			continue
		}
		root, err := session.RootOf(e.Get("uri").Text())
		if err != nil {
			m.say(kit.Escape(err.Error()), true)
			return nil
		}
		if name := e.Get("name").Text(); name != "" {
			root.Name = name
		}
		list = append(list, root)
	}
	m.shut()
	s, ctx := m.o.Session, m.ctx
	return func() tea.Msg {
		told, err := s.SetRoots(ctx, list)
		if err != nil {
			return failed(ctx, err)
		}
		text := "no roots"
		if n := len(list); n > 0 {
			text = kit.Number(n) + " roots"
		}
		if told != "" {
			text += ": " + told
		}
		return doneMsg{text, false}
	}
}

// Rows implements kit.Pane.
func (r *roots) Rows() []kit.Row {
	keep := func() kit.Intent {
		if p := r.in.Problem(); p != "" {
			return kit.Say{Text: p, Bad: true}
		}
		return keepRoots{r.in.Value()}
	}
	rows := []kit.Row{{Keys: []string{"ctrl+s"}, Words: "keep the list", Group: "roots", Do: keep}}
	for _, row := range r.in.Rows() {
		if do := row.Do; do != nil {
			row.Do = func() kit.Intent {
				i := do()
				if _, ok := i.(kit.Submit); ok {
					return keep()
				}
				return i
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *roots) Typing() bool                                { return r.in.Typing() }
func (r *roots) Text(msg tea.Msg) (kit.Intent, bool)         { return r.in.Text(msg) }
func (r *roots) Click(x, y int, msg tea.MouseMsg) kit.Intent { return r.in.Click(x, y-2, msg) }
func (r *roots) Spots() []kit.Spot                           { return kit.Moved(spotsOf(r.in), 0, 2) }
func (r *roots) Scroll() kit.Scroll                          { return kit.Scroll{} }

func (r *roots) Head(bool) (title, right string) {
	s := r.env.Styles
	return s.Title.Render("Roots"), s.Muted.Render("what servers may be told about")
}

func (r *roots) Draw(w, h int, focused bool) string {
	s := r.env.Styles
	lines := []string{s.Muted.Render(kit.Cut("roots/list is answered from this list, after you agreed. Declared when it is not empty.", w)), ""}
	lines = append(lines, strings.Split(r.in.Draw(w, max(h-2, 1), focused), "\n")...)
	return kit.Block(lines, w, h)
}
