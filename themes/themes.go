// Package themes is a table of roles: what a piece of text means, and how that looks.
//
// A theme is a text file (files/*.theme, and a user's own). Roles name meaning (Must, Stale, Sent),
// never places on a screen. Meaning never rests on colour alone: whoever uses a role also prints a
// sign or a word. The package must never know: what is drawn, where, or anything else of ours.
package themes

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Role is a meaning that text can have. Its value is its name in theme files.
type Role string

// The roles. A theme file gives every one of them a look.
const (
	Text       Role = "text"        // plain text
	Muted      Role = "muted"       // secondary text: types, hints, units
	Faint      Role = "faint"       // text that may be overlooked: line numbers, leaders
	Title      Role = "title"       // headings, names of what is selected
	Accent     Role = "accent"      // the one colour of the house: focus, links, the current tab
	Border     Role = "border"      // lines of boxes
	BorderOn   Role = "border-on"   // lines of the focused box
	Selected   Role = "selected"    // the row under the cursor of the focused list (a bar)
	SelectedUp Role = "selected-up" // the same of a list without focus
	Bar        Role = "bar"         // header and status line
	Keycap     Role = "keycap"      // a key in footer and help
	Match      Role = "match"       // characters that matched a filter or search
	MatchOn    Role = "match-on"    // the current match
	OK         Role = "ok"          // success, ready
	Must       Role = "must"        // finding of level must; failure
	Should     Role = "should"      // finding of level should; warning
	Advice     Role = "advice"      // finding of level advice
	Fresh      Role = "fresh"       // a result that may still be used
	Stale      Role = "stale"       // one that may not
	Running    Role = "running"     // something under way
	Key        Role = "key"         // JSON member name
	String     Role = "string"      // string
	Number     Role = "number"      // number
	Literal    Role = "literal"     // true, false, null
	Punct      Role = "punct"       // brackets, commas, colons
	Comment    Role = "comment"     // comments in code; … and counts in folded JSON
	Keyword    Role = "keyword"     // keywords of programming languages, tags of markup
	Name       Role = "name"        // functions, types, attributes in code
	Hidden     Role = "hidden"      // the visible sign of a control or invisible character
	Mark       Role = "mark"        // the offending value
	MarkNote   Role = "mark-note"   // the line under it that says why
	Sent       Role = "sent"        // client to server
	Received   Role = "received"    // server to client
	Added      Role = "added"       // in a difference: new
	Removed    Role = "removed"     // in a difference: gone
	Dialog     Role = "dialog"      // lines of a box that lies over the rest
	Input      Role = "input"       // text that is being typed
	Ghost      Role = "ghost"       // placeholder, ‹absent›
)

// Roles lists all roles in the order of the constants.
func Roles() []Role {
	all := make([]Role, 0, len(fields))
	for _, f := range fields {
		all = append(all, f.role)
	}
	return all
}

// Look is how a role looks. Fg and Bg are "" (the terminal's own), "#rrggbb", or an index "0" to "255".
type Look struct {
	Fg, Bg                                 string
	Bold, Faint, Italic, Underline, Strike bool
	Reverse                                bool
}

// Theme is a table of roles, as a file gives it.
type Theme struct {
	Name       string
	Dark       bool   // made for dark backgrounds
	Background string // the background it was made for, "#rrggbb"
	Foreground string // the terminal's own foreground that it expects, "#rrggbb"
	Roles      map[Role]Look
	Few        map[Role]Look // roles that look otherwise where there are only 16 colours
}

// Style is the look as a lipgloss style.
func (l Look) Style() lipgloss.Style {
	s := lipgloss.NewStyle()
	if l.Fg != "" {
		s = s.Foreground(lipgloss.Color(l.Fg))
	}
	if l.Bg != "" {
		s = s.Background(lipgloss.Color(l.Bg))
	}
	// Only what is on is set: a style that sets nothing renders text as it is.
	if l.Bold {
		s = s.Bold(true)
	}
	if l.Faint {
		s = s.Faint(true)
	}
	if l.Italic {
		s = s.Italic(true)
	}
	if l.Underline {
		s = s.Underline(true)
	}
	if l.Strike {
		s = s.Strikethrough(true)
	}
	if l.Reverse {
		s = s.Reverse(true)
	}
	return s
}

// Colours are the foreground and background that the theme was made for. A program that shows a theme
// on a terminal of the other kind sets them as the terminal's own for as long as it runs.
func (t *Theme) Colours() (fg, bg color.Color) {
	return lipgloss.Color(t.Foreground), lipgloss.Color(t.Background)
}
