package app

import (
	"errors"
	"fmt"
	"strings"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// themePicker is the list of themes. What the cursor stands on is seen at once, on the whole screen; however the list is left, the
// theme of before comes back unless one was taken.
type themePicker struct {
	*kit.ListPane
	m    *Model
	kept bool
}

// sampleLines are how many lines of the picker show what a theme is like where the screen does not.
const sampleLines = 4

// openThemes lets a person walk through the themes and see each.
func (m *Model) openThemes() {
	was := m.theme
	names := themes.Names(m.o.ConfigDir)
	src := &words{env: m.env, texts: names}
	p := &themePicker{ListPane: &kit.ListPane{List: kit.NewList(m.env, src), Open: "take it"}, m: m}
	p.Heading = func(bool) (string, string) {
		s, kind := m.env.Styles, "for light terminals"
		if s.Theme.Dark {
			kind = "for dark terminals"
		}
		return s.Title.Render("Theme"), s.Muted.Render(kind)
	}
	p.Select(m.env.Styles.Theme.Name)
	look := func(keep bool) kit.Intent {
		i := p.Selected()
		if i < 0 {
			return nil
		}
		return kit.Theme{Name: names[i], Keep: keep}
	}
	p.Moved = func() kit.Intent { return look(false) }
	p.Opened = func() kit.Intent {
		p.kept = true
		return kit.Several{look(true), kit.Back{}}
	}
	p.Keys = func() []kit.Row {
		return []kit.Row{{Keys: []string{"esc", "q"}, Words: "keep the old one", Group: "theme", Do: func() kit.Intent { return kit.Back{} }}}
	}
	m.open("themes", p, func(w, h int) (int, int) { return 44, min(len(names)+sampleLines+2, h-2) })
	o := &m.overs[len(m.overs)-1]
	o.bright = true
	o.closed = func() {
		if !p.kept && m.theme != was {
			m.theme = was
			_ = m.restyle() // it was loaded before
		}
	}
}

// Draw implements kit.Pane: the list, and a few words in roles that may not be on the screen.
func (p *themePicker) Draw(w, h int, focused bool) string {
	s := p.m.env.Styles
	lines := kit.Lines(p.List.Draw(w, max(h-sampleLines, 1), focused), w, max(h-sampleLines, 1))
	join := func(words ...string) string { return strings.Join(words, " ") }
	return kit.Block(append(lines,
		p.m.env.Section("Sample", w),
		join(s.OK.Render(kit.SignOK+" well "), s.Must.Render(kit.SignMust+" must "), s.Should.Render(kit.SignShould+" should "), s.Advice.Render(kit.SignAdvice+" advice")),
		join(s.Punct.Render("{"), s.Key.Render(`"n"`)+s.Punct.Render(":"), s.Number.Render("12")+s.Punct.Render(","), s.Key.Render(`"on"`)+s.Punct.Render(":"),
			s.Literal.Render("true")+s.Punct.Render(","), s.Mark.Render(`"wrong"`), s.Punct.Render("}")),
		join(s.Muted.Render("muted"), s.Faint.Render("faint"), s.Fresh.Render(kit.SignFresh+" fresh"), s.Stale.Render("stale"), s.Input.Render("typed"), s.Ghost.Render("‹absent›"))), w, h)
}

// takeTheme shows a theme, and says of one that was chosen what it lacks. One that cannot be read changes nothing.
func (m *Model) takeTheme(i kit.Theme) {
	was := m.theme
	m.theme = i.Name
	if err := m.restyle(); err != nil {
		m.theme = was
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // where the file is, the person knows who has written it
		}
		m.say("theme "+kit.Escape(i.Name)+": "+kit.Escape(err.Error()), true)
		return
	}
	if weak, _ := m.env.Styles.Theme.Contrasts(); i.Keep && len(weak) > 0 {
		m.say(fmt.Sprintf("%s: %s of colours hard to tell apart — mcploupe theme %s --check", kit.Escape(i.Name), kit.Count(len(weak), "pair"), kit.Escape(i.Name)), true)
	}
}

// themeCommands choose a theme by its name.
func (m *Model) themeCommands() []kit.Row {
	var rows []kit.Row
	for _, name := range themes.Names(m.o.ConfigDir) {
		rows = append(rows, kit.Row{Words: "theme " + kit.Escape(name), Group: "theme", Do: func() kit.Intent { return kit.Theme{Name: name, Keep: true} }})
	}
	return rows
}
