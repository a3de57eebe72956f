// Package kit is what every pane is built from: its environment, the shape of a pane, intents, and
// key rows. It must never know: sessions, sockets, rules' insides, or where a pane stands on screen.
package kit

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/themes"
)

// Env is what a pane may know about its surroundings. It is shared and read-only for panes;
// the root replaces what is in it when the theme changes.
type Env struct {
	Styles *themes.Styles
	Now    func() time.Time // the screen's clock; stories fix it
	// LogLevel is the level from which log messages are asked for with each request, "" for none.
	LogLevel  string
	Frame     int      // grows ten times a second while something runs: the spinner's index
	Present   bool     // somebody shows the screen to others: room between rows, words beside signs, less beside them
	Spotlight bool     // only what is under the cursor is lit
	Still     bool     // nothing on the screen moves by itself: no spinner, no countdown, points of time in place of spans
	Hidden    bool     // findings are kept back: somebody looks for a fault
	Tasks     bool     // calls declare the tasks extension
	Shadows   *Shadows // tools that can be taken for those of other open servers; nil for none
	// Aside does work on a goroutine of its own, and what it gives back on the screen's; nil: see Later.
	Aside    func(work func() (then func()))
	Pictures Pictures
}

// Row is one key binding: keys, words, group, whether it works now, and what it means stand together.
// Footer, help and palette are printed from rows, and the key handler walks the same rows.
type Row struct {
	Keys  []string      // as tea.KeyPressMsg.String() prints them; the first is shown
	Words string        // "send", "refresh": one or two plain words
	Group string        // heading in the help
	Off   string        // why it does not work now; "" means that it works
	Quiet bool          // not in the footer (help and palette still list it)
	Do    func() Intent // may also change the pane itself; nil intent means handled, nothing to do
}

// Pane is a small struct that keeps how something looks (cursor, scroll, filter, folds), never what is
// true (that is the book's). It is not a tea.Model: the root alone is.
type Pane interface {
	// Rows lists every key that means something to this pane now, in footer order.
	Rows() []Row
	// Typing tells that letters are text now (a focused text field or an open filter): rows with
	// printable keys are then not consulted, Text gets every key first.
	Typing() bool
	// Text handles a key or paste as text input. It tells whether it used the message.
	Text(msg tea.Msg) (Intent, bool)
	// Draw is exactly h lines of w cells each.
	Draw(w, h int, focused bool) string
	// Click is a mouse press, release or wheel at a cell of the last drawing.
	Click(x, y int, msg tea.MouseMsg) Intent
}

// Paster is a pane that takes what is pasted while nobody types.
type Paster interface{ Paste(text string) Intent }

// Framed is a pane that says what stands in the lines around it. Texts are styled.
type Framed interface {
	Pane
	// Head is the title, and what stands at the right end of the upper line.
	Head(focused bool) (title, right string)
	// Scroll is the part in view after the last drawing.
	Scroll() Scroll
}

// Lively is a pane that shows something that changes by itself.
type Lively interface {
	// Beat is how soon the pane would look different although nothing happened: a countdown, an age, a
	// spinner. 0: never.
	Beat() time.Duration
}

// Footed is a pane that has something to say in its lower line.
type Footed interface {
	Foot() (left, right string)
}
