package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/drive"
	"mcploupe/ui/shell"
	"mcploupe/ui/watch"
)

// openScreen opens the inspector on a target.
func openScreen(c *cobra.Command, io streams, f *flags, words []string) error {
	_, rest, command, err := split(c, words, 0, "")
	if err != nil {
		return err
	}
	t, err := f.resolve(io, rest, command)
	if err != nil {
		return err
	}
	if f.dumb(io) {
		return f.plainly(c, io, t)
	}
	return f.screen(c, io, t)
}

// openDemo opens the inspector on the built-in server, started as a child like any other; env (K=V) is for it alone.
func openDemo(c *cobra.Command, io streams, f *flags, env string, words []string) error {
	argv, err := self(words...)
	if err != nil {
		return err
	}
	t := session.Target{Argv: argv, Env: []string{env}}
	if f.dumb(io) {
		return f.plainly(c, io, t)
	}
	return f.screen(c, io, t)
}

// roundsOnScreen is how many rounds a person may go: each is confirmed by hand, and its number is shown.
const roundsOnScreen = 50

// screen shows a target.
func (f *flags) screen(c *cobra.Command, io streams, t session.Target) error {
	if err := f.terminal(io); err != nil {
		return err
	}
	f.recorded = newRecordings(f.record, f.force)
	o, err := f.toShow(io, t, wire.NewLog(wire.LogOptions{}))
	if err != nil {
		return err
	}
	if err := f.accompany(&o, t, nil); err != nil {
		return err
	}
	if err := f.watching(&o, t); err != nil {
		o.Closed()
		return err
	}
	return f.run(c, io, o)
}

// run shows the screen with what can be opened beside: other servers, journals, lessons.
func (f *flags) run(c *cobra.Command, io streams, o app.Options) error {
	o.Offers, o.In, o.Out = f.offers(), io.in, io.out
	if o.Learning == nil {
		o.Learning = newCourse().learning(f)
	}
	return errors.Join(app.Run(c.Context(), o), f.recorded.ended())
}

// openHome opens the inspector on the page on which a server is chosen; with all, on every server of --config.
func openHome(c *cobra.Command, io streams, f *flags, all bool) error {
	if err := f.terminal(io); err != nil {
		return err
	}
	if all && f.config == "" {
		return usage("", "--all is for the servers of --config FILE")
	}
	if err := f.recordable(); err != nil {
		return err
	}
	if f.config != "" {
		if _, err := f.servers(io); err != nil {
			return err
		}
	}
	f.watchAll = true
	o := f.dressed(app.Options{Title: f.config})
	if all {
		for _, one := range (&offers{f}).configured() {
			if one.Off == "" {
				o.Start = append(o.Start, one)
			}
		}
	}
	return f.run(c, io, o)
}

// toShow makes a target ready for the screen; it is not connected yet.
func (f *flags) toShow(io streams, t session.Target, log *wire.Log) (app.Options, error) {
	if err := f.check(); err != nil {
		return app.Options{}, err
	}
	caps, err := f.capabilities(onScreen)
	if err != nil {
		return app.Options{}, err
	}
	roots, err := f.rootList()
	if err != nil {
		return app.Options{}, err
	}
	login, err := f.login.authorizer(io, t, f.protocol, false)
	if err != nil {
		return app.Options{}, err
	}
	desk := app.NewDesk()
	s := session.New(t, session.Options{
		Log: log, Secrets: f.secrets, Timeout: f.timeout, Era: f.era, Protocol: f.protocol, Transport: f.transport,
		ClientVersion: Version(), Capabilities: caps, LogLevel: f.logLevel, NoStream: f.noStream, Authorize: login,
		Ask: desk.Ask, Rounds: roundsOnScreen, Memory: f.memory(t), Restarts: f.restarts(),
		Exactly: f.caps != "", Roots: roots,
	})
	probe := func(ctx context.Context, unsafe bool) error {
		w := drive.Walk{Session: s, Unsafe: unsafe, Timeout: f.timeout, Gap: probeGap(t)}
		return w.Probes(ctx)
	}
	return f.dressed(app.Options{
		Session: s, Desk: desk, Faults: f.faults, Target: f.reaching(t), Tasks: keptTasks(t), History: f.history(t), Calls: callDirs(), LogLevel: f.logLevel,
		Browse: browse, Rounds: roundsOnScreen, Probe: probe, Local: t.URL == "" || loopback(t.URL),
		Seek: f.seek, Name: f.named, ID: shell.Line(f.lasting(t)), Met: f.met(t),
	}), nil
}

func replayCommand(io streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Open a recorded journal in the inspector",
		Example: `  mcploupe replay bug.jsonl
  mcploupe replay --find-the-fault find-the-fault/1.jsonl`,
		Args: words(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if err := f.seekable(); err != nil {
				return err
			}
			if f.json {
				r, err := f.readJournal(io, args[0])
				if err != nil {
					return err
				}
				r.report()
				return nil
			}
			log, _, err := openJournal(args[0], io.err)
			if err != nil {
				return err
			}
			if err := f.terminal(io); err != nil {
				return err
			}
			return f.run(c, io, f.dressed(app.Options{Log: log, Title: args[0], Seek: f.seek}))
		},
	}
	f.seeking(c)
	f.judging(c)
	f.pictures(c)
	f.output(c)
	f.motion(c)
	return c
}

// atTerminal tells that a person sits at both ends.
func atTerminal(io streams) bool {
	return isTerminal(io.in) && isTerminal(io.out)
}

// isTerminal tells that a stream, in or out, is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// terminal refuses politely where there is none, and names the commands that need none.
func (f *flags) terminal(io streams) error {
	if err := f.check(); err != nil {
		return err
	}
	if !atTerminal(io) {
		return usage("without a terminal use check, list, call, read, prompt or send (all take --json)", "the inspector needs a terminal")
	}
	if os.Getenv("TERM") == "dumb" {
		return usage("mcploupe --plain TARGET prints instead; so do check, list, call, read, prompt and send", "a terminal with TERM=dumb cannot be drawn on")
	}
	return nil
}

// accompany begins the recording of a server; its end is joined to what Closed does already. own are the flags that were given
// for it alone, nil for none.
func (f *flags) accompany(o *app.Options, t session.Target, own *flags) error {
	path, end, err := f.recorded.begin(o.Session.Log(), f.calledForFile(t, own), own)
	if err != nil {
		return err
	}
	o.Recorded = path
	before := o.Closed
	o.Closed = func() {
		end()
		if before != nil {
			before()
		}
	}
	if path != "" {
		o.Note = joined(o.Note, "recorded in "+path)
	}
	return nil
}

// calledForFile is what a server is called in the name of its journal.
func (f *flags) calledForFile(t session.Target, own *flags) string {
	if builtIn(t) {
		return "demo"
	}
	if own == nil {
		own = f
	}
	return own.shortName(t)
}

// joined is two notes in one.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// watching watches the files of --watch for a server; its end is joined to what Closed does already.
func (f *flags) watching(o *app.Options, t session.Target) error {
	if len(f.watch) == 0 {
		return nil
	}
	if t.URL != "" {
		return usage("", "--watch starts the server again when its files change: that needs -- COMMAND, not a URL")
	}
	root := t.Dir
	if root == "" {
		var err error
		if root, err = os.Getwd(); err != nil {
			return usage("", "watching files: %w", err)
		}
	}
	w, err := watch.New(root, f.watch)
	if err != nil {
		return usage("for example --watch 'src/**/*.ts'", "%w", err)
	}
	before := o.Closed
	o.Changes, o.Watched = w.Next, f.watch
	o.Closed = func() {
		_ = w.Close() // nothing is left to be told by then
		if before != nil {
			before()
		}
	}
	o.Note = joined(o.Note, "watched: "+strings.Join(f.watch, " "))
	return nil
}
