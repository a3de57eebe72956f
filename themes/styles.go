package themes

import (
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Styles is a theme made ready to use: one style for each role. It is built once and passed by pointer;
// nobody changes it.
type Styles struct {
	Theme *Theme

	Text, Muted, Faint, Title, Accent                    lipgloss.Style
	Border, BorderOn, Selected, SelectedUp, Bar, Keycap  lipgloss.Style
	Match, MatchOn                                       lipgloss.Style
	OK, Must, Should, Advice, Fresh, Stale, Running      lipgloss.Style
	Key, String, Number, Literal, Punct, Comment         lipgloss.Style
	Keyword, Name, Hidden, Mark, MarkNote                lipgloss.Style
	Sent, Received, Added, Removed, Dialog, Input, Ghost lipgloss.Style
}

// fields connects roles with the fields of Styles; it is the one list of both.
var fields = []struct {
	role  Role
	of    func(*Styles) *lipgloss.Style
	about string
}{
	{Text, func(s *Styles) *lipgloss.Style { return &s.Text }, "plain text"},
	{Muted, func(s *Styles) *lipgloss.Style { return &s.Muted }, "secondary text: types, hints, units"},
	{Faint, func(s *Styles) *lipgloss.Style { return &s.Faint }, "text that may be overlooked: line numbers, leaders"},
	{Title, func(s *Styles) *lipgloss.Style { return &s.Title }, "headings, names of what is selected"},
	{Accent, func(s *Styles) *lipgloss.Style { return &s.Accent }, "the one colour of the house: focus, links, the current tab"},
	{Border, func(s *Styles) *lipgloss.Style { return &s.Border }, "lines of boxes"},
	{BorderOn, func(s *Styles) *lipgloss.Style { return &s.BorderOn }, "lines of the focused box"},
	{Selected, func(s *Styles) *lipgloss.Style { return &s.Selected }, "the row under the cursor of the focused list (a bar)"},
	{SelectedUp, func(s *Styles) *lipgloss.Style { return &s.SelectedUp }, "the same of a list without focus"},
	{Bar, func(s *Styles) *lipgloss.Style { return &s.Bar }, "header and status line"},
	{Keycap, func(s *Styles) *lipgloss.Style { return &s.Keycap }, "a key in footer and help"},
	{Match, func(s *Styles) *lipgloss.Style { return &s.Match }, "characters that matched a filter or search"},
	{MatchOn, func(s *Styles) *lipgloss.Style { return &s.MatchOn }, "the current match"},
	{OK, func(s *Styles) *lipgloss.Style { return &s.OK }, "success, ready"},
	{Must, func(s *Styles) *lipgloss.Style { return &s.Must }, "finding of level must; failure"},
	{Should, func(s *Styles) *lipgloss.Style { return &s.Should }, "finding of level should; warning"},
	{Advice, func(s *Styles) *lipgloss.Style { return &s.Advice }, "finding of level advice"},
	{Fresh, func(s *Styles) *lipgloss.Style { return &s.Fresh }, "a result that may still be used"},
	{Stale, func(s *Styles) *lipgloss.Style { return &s.Stale }, "one that may not"},
	{Running, func(s *Styles) *lipgloss.Style { return &s.Running }, "something under way"},
	{Key, func(s *Styles) *lipgloss.Style { return &s.Key }, "JSON member name"},
	{String, func(s *Styles) *lipgloss.Style { return &s.String }, "string"},
	{Number, func(s *Styles) *lipgloss.Style { return &s.Number }, "number"},
	{Literal, func(s *Styles) *lipgloss.Style { return &s.Literal }, "true, false, null"},
	{Punct, func(s *Styles) *lipgloss.Style { return &s.Punct }, "brackets, commas, colons"},
	{Comment, func(s *Styles) *lipgloss.Style { return &s.Comment }, "comments in code; … and counts in folded JSON"},
	{Keyword, func(s *Styles) *lipgloss.Style { return &s.Keyword }, "keywords of programming languages, tags of markup"},
	{Name, func(s *Styles) *lipgloss.Style { return &s.Name }, "functions, types, attributes in code"},
	{Hidden, func(s *Styles) *lipgloss.Style { return &s.Hidden }, "the visible sign of a control or invisible character"},
	{Mark, func(s *Styles) *lipgloss.Style { return &s.Mark }, "the offending value"},
	{MarkNote, func(s *Styles) *lipgloss.Style { return &s.MarkNote }, "the line under it that says why"},
	{Sent, func(s *Styles) *lipgloss.Style { return &s.Sent }, "client to server"},
	{Received, func(s *Styles) *lipgloss.Style { return &s.Received }, "server to client"},
	{Added, func(s *Styles) *lipgloss.Style { return &s.Added }, "in a difference: new"},
	{Removed, func(s *Styles) *lipgloss.Style { return &s.Removed }, "in a difference: gone"},
	{Dialog, func(s *Styles) *lipgloss.Style { return &s.Dialog }, "lines of a box that lies over the rest"},
	{Input, func(s *Styles) *lipgloss.Style { return &s.Input }, "text that is being typed"},
	{Ghost, func(s *Styles) *lipgloss.Style { return &s.Ghost }, "placeholder, ‹absent›"},
}

// Styles makes the theme ready for a terminal. Full colours are kept for 256 colours and more (the
// renderer finds the nearest); with 16 colours the theme's own substitutes are used where it has some;
// without colours (NO_COLOR, a plain terminal) every theme looks like mono, which tells things apart
// by bold, underline and reverse.
func (t *Theme) Styles(profile colorprofile.Profile) *Styles {
	look := func(r Role) Look { return t.Roles[r] }
	switch {
	case profile < colorprofile.ANSI && profile != colorprofile.Unknown:
		mono := builtin("mono")
		look = func(r Role) Look { return mono.Roles[r] }
	case profile == colorprofile.ANSI:
		look = func(r Role) Look {
			if l, ok := t.Few[r]; ok {
				return l
			}
			return t.Roles[r]
		}
	}
	s := &Styles{Theme: t}
	for _, f := range fields {
		*f.of(s) = look(f.role).Style()
	}
	return s
}

// Plain is styles that change nothing: for output that is no terminal, and for tests that compare text.
func Plain() *Styles {
	return &Styles{Theme: &Theme{Name: "plain"}}
}

// Of is the style of a role; that of Text for a role that is none.
func (s *Styles) Of(r Role) *lipgloss.Style {
	for _, f := range fields {
		if f.role == r {
			return f.of(s)
		}
	}
	return &s.Text
}

// About is what a role is for, in a few words; "" for what is none.
func About(r Role) string {
	for _, f := range fields {
		if f.role == r {
			return f.about
		}
	}
	return ""
}
