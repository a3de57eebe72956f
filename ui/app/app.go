// Package app is the screen: the root model, which only routes; the layout; the overlays; and the effects of
// intents (effects.go), which alone call a session, from commands. What is true comes from the feed through the
// book; the screen learns of its own requests from there. The package must never know: how a pane draws, or how
// anything is judged.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/editor"
	"mcploupe/ui/feed"
	"mcploupe/ui/form"
	"mcploupe/ui/graphics"
	"mcploupe/ui/kit"
	"mcploupe/ui/shell"
	"mcploupe/ui/store"
)

// Options say what to show.
type Options struct {
	// Session is the server to talk to, not connected yet; Run connects and closes it. nil shows a recorded
	// journal: Log.
	Session Session
	// Log is the journal to show when there is no session.
	Log *wire.Log
	// Title is the name of what is shown when there is no session: the journal's file.
	Title string
	// Seek begins with the game of finding a fault: findings are kept back until the rule is named that is broken worst.
	Seek bool

	// Target is the words of a command line that lead to the server, flags and all, with variables for secrets; nil where only the
	// journal tells.
	Target []shell.Word

	// Desk brings the questions of the server: its Ask is the session's. nil: nobody is asked.
	Desk *Desk

	// Probe sends the probes; nil where there is nothing to probe. Local tells that the server is on this machine.
	Probe Prober
	Local bool

	// Changes waits for a change of the server's files and gives the path of one; the server is then started again, and what was
	// called last is called again. nil: nothing is watched.
	Changes func(ctx context.Context) (string, error)
	// Watched are the patterns of these files, and Recorded is the file in which the conversation is recorded: they are shown. Empty
	// for none.
	Watched  []string
	Recorded string

	// Faults are the ways in which the server can be told to misbehave; nil where it is not ours.
	Faults *Faults

	// Present begins as the command present does: for who shows the screen to others.
	Present bool

	// LogLevel is the level from which the session asks for log messages, "" for none.
	LogLevel string
	// Browse opens a web page in the person's browser, when he has seen its address and said so. nil: it cannot be done.
	Browse func(url string) error
	// Rounds is how many rounds one request may take; 0 when that is not known.
	Rounds int
	// Tasks keeps the ids of tasks that are left under way; nil keeps them for this run.
	Tasks *store.Tasks
	// Learning is the lessons, and the one that stands beside; nil: there are none.
	Learning *Learning
	// Calls are the directories of saved calls; the first is where they are saved. None: nothing is saved or opened.
	Calls []string
	// History keeps the arguments that are sent, for later runs; nil keeps none.
	History *store.History

	// Offers are further servers that can be opened; nil: none. Without session and log, a page with them is shown, and Title then
	// names where the first of them are from, "" for nowhere in particular. Start are those to be opened at once.
	Offers Offers
	Start  []Offer
	// Name is what the person calls the server, "" for what it calls itself; plain. Met is told what it calls itself; nil when nobody
	// wants to know. ID is that of the Offer by which it could be opened again.
	Name, ID string
	Met      func(name string)
	// Closed is called when the server was closed; nil when there is nothing to be done.
	Closed func()
	// Note is said when the server has been put on the screen; "" for nothing.
	Note string

	Profile   string // to judge by; "" is the default
	Theme     string // "" suits the terminal's background
	ConfigDir string // where a person keeps themes; "" for nowhere
	NoColour  bool
	Images    graphics.Protocol // how pictures are shown; Auto: as the terminal can
	// Still draws nothing that moves by itself: points of time stand in place of what counts, a sign in place of a spinner.
	Still bool

	In  io.Reader // nil: standard input
	Out io.Writer // nil: standard output

	// Now is the screen's clock; nil is time.Now. For a recorded journal, ages and freshness are those at its
	// last entry.
	Now func() time.Time
	// ASCII draws without Unicode signs and frames; it is also done where the locale has none.
	ASCII bool
	// Inputs are the views of a call's arguments; nil is our form and editor.
	Inputs *kit.Inputs
}

// frameTime is the least time between two pages of the feed: drawing more often shows nothing. behindTime is that of a server that
// is not in front.
const (
	frameTime  = 16 * time.Millisecond
	behindTime = 200 * time.Millisecond
)

// fps is how often a second the terminal may be written to: a key waits for the next time, so this is most of what it takes to be
// answered. Nothing is written when nothing has changed.
const fps = 120

// Run shows the screen until the person quits or ctx ends. All sessions are closed and their children ended when it
// returns, and so are the logs. The error is a fault of the terminal or of this program, never the server's.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Session != nil {
		o.Log = o.Session.Log()
	}
	d, err := NewDeck(ctx, o)
	if err != nil {
		o.end(ctx)
		return err
	}
	defer d.Close()
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(fps)}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	if o.Out != nil {
		options = append(options, tea.WithOutput(o.Out))
	}
	if o.NoColour {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	defer borrowTerminal(o.Out)()
	_, err = tea.NewProgram(d, options...).Run()
	switch {
	case err == nil, errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return nil
	}
	return fmt.Errorf("showing the screen: %w", err)
}

// closeTime is how long the end of a child is waited for: its own grace periods and a little.
const closeTime = 6 * time.Second

// New is the screen of one server, for a deck and for stories.
func New(ctx context.Context, o Options) (*Model, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Inputs == nil {
		o.Inputs = &kit.Inputs{Form: form.New, JSON: editor.NewInput}
	}
	if o.Log == nil && o.Session != nil {
		o.Log = o.Session.Log()
	}
	if o.Log == nil {
		return nil, errors.New("opening the screen: there is neither a session nor a journal")
	}
	o.ASCII = o.ASCII || asciiLocale(os.Getenv)
	f := feed.New(o.Log, inspect.New(inspect.Options{Profile: o.Profile}))
	m := &Model{ctx: ctx, o: o, feed: f, profile: colorprofile.TrueColor, dark: true}
	if o.NoColour {
		m.profile = colorprofile.ASCII
	}
	if err := m.build(); err != nil {
		return nil, err
	}
	if f := m.faultsOf(); f != nil && f.Find {
		if err := m.choose(f.Seed); err != nil {
			return nil, fmt.Errorf("choosing a fault: %w", err)
		}
		m.openGame()
	}
	if o.Seek {
		m.seek()
	}
	return m, nil
}

// asciiLocale tells that the locale says, in so many words, that the terminal knows no Unicode. Nothing said
// means nothing: containers have no locale and their terminals are modern all the same.
func asciiLocale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
