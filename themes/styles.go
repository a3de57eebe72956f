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
	role Role
	of   func(*Styles) *lipgloss.Style
}{
	{Text, func(s *Styles) *lipgloss.Style { return &s.Text }},
	{Muted, func(s *Styles) *lipgloss.Style { return &s.Muted }},
	{Faint, func(s *Styles) *lipgloss.Style { return &s.Faint }},
	{Title, func(s *Styles) *lipgloss.Style { return &s.Title }},
	{Accent, func(s *Styles) *lipgloss.Style { return &s.Accent }},
	{Border, func(s *Styles) *lipgloss.Style { return &s.Border }},
	{BorderOn, func(s *Styles) *lipgloss.Style { return &s.BorderOn }},
	{Selected, func(s *Styles) *lipgloss.Style { return &s.Selected }},
	{SelectedUp, func(s *Styles) *lipgloss.Style { return &s.SelectedUp }},
	{Bar, func(s *Styles) *lipgloss.Style { return &s.Bar }},
	{Keycap, func(s *Styles) *lipgloss.Style { return &s.Keycap }},
	{Match, func(s *Styles) *lipgloss.Style { return &s.Match }},
	{MatchOn, func(s *Styles) *lipgloss.Style { return &s.MatchOn }},
	{OK, func(s *Styles) *lipgloss.Style { return &s.OK }},
	{Must, func(s *Styles) *lipgloss.Style { return &s.Must }},
	{Should, func(s *Styles) *lipgloss.Style { return &s.Should }},
	{Advice, func(s *Styles) *lipgloss.Style { return &s.Advice }},
	{Fresh, func(s *Styles) *lipgloss.Style { return &s.Fresh }},
	{Stale, func(s *Styles) *lipgloss.Style { return &s.Stale }},
	{Running, func(s *Styles) *lipgloss.Style { return &s.Running }},
	{Key, func(s *Styles) *lipgloss.Style { return &s.Key }},
	{String, func(s *Styles) *lipgloss.Style { return &s.String }},
	{Number, func(s *Styles) *lipgloss.Style { return &s.Number }},
	{Literal, func(s *Styles) *lipgloss.Style { return &s.Literal }},
	{Punct, func(s *Styles) *lipgloss.Style { return &s.Punct }},
	{Comment, func(s *Styles) *lipgloss.Style { return &s.Comment }},
	{Keyword, func(s *Styles) *lipgloss.Style { return &s.Keyword }},
	{Name, func(s *Styles) *lipgloss.Style { return &s.Name }},
	{Hidden, func(s *Styles) *lipgloss.Style { return &s.Hidden }},
	{Mark, func(s *Styles) *lipgloss.Style { return &s.Mark }},
	{MarkNote, func(s *Styles) *lipgloss.Style { return &s.MarkNote }},
	{Sent, func(s *Styles) *lipgloss.Style { return &s.Sent }},
	{Received, func(s *Styles) *lipgloss.Style { return &s.Received }},
	{Added, func(s *Styles) *lipgloss.Style { return &s.Added }},
	{Removed, func(s *Styles) *lipgloss.Style { return &s.Removed }},
	{Dialog, func(s *Styles) *lipgloss.Style { return &s.Dialog }},
	{Input, func(s *Styles) *lipgloss.Style { return &s.Input }},
	{Ghost, func(s *Styles) *lipgloss.Style { return &s.Ghost }},
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
