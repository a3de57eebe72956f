package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/session/target"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/shell"
	"mcploupe/ui/store"
)

// Groups of what can be opened on the screen.
const (
	inRecent     = "recent"
	inConfigured = "configured"
	inBuiltIn    = "built in"
	inRecorded   = "recorded"
)

// offers are the servers that can be opened on the screen beside the one that the program was started with: recent ones, those of
// configuration files, the built-in one, and whatever a person types. It is app.Offers.
type offers struct {
	f *flags // of the command line
}

// offers is what can be opened beside a target.
func (f *flags) offers() app.Offers {
	if f.recorded == nil {
		f.recorded = newRecordings(f.record, f.force)
	}
	return &offers{f}
}

// List implements app.Offers.
func (o *offers) List() []app.Offer {
	recent := o.recent()
	configured := o.configured()
	first, then := recent, configured
	if o.f.config != "" { // they were asked for
		first, then = configured, recent
	}
	return slices.Concat(first, without(then, first), []app.Offer{o.builtIn()}, o.journals())
}

// without is the offers of a list that another one does not have.
func without(list, other []app.Offer) []app.Offer {
	return slices.DeleteFunc(list, func(one app.Offer) bool {
		return slices.ContainsFunc(other, func(o app.Offer) bool { return o.ID == one.ID })
	})
}

func (o *offers) recent() []app.Offer {
	kept := o.f.recents()
	if kept == nil {
		return nil
	}
	var out []app.Offer
	for _, r := range kept.List() {
		words := r.Words
		out = append(out, app.Offer{
			ID: r.ID(), Group: inRecent, Name: r.Name, Kind: r.Kind, What: briefly(words), At: r.At,
			Open:   func(ctx context.Context, ask app.Asker) (app.Options, error) { return o.open(ctx, words, ask, nil) },
			Forget: func() { kept.Drop(words) },
		})
	}
	return out
}

// configured is the servers of --config, or of the files of known clients. A file that cannot be read is passed over: `mcploupe
// servers` says why.
func (o *offers) configured() []app.Offer {
	var nowhere bytes.Buffer
	found, err := o.f.servers(streams{out: &nowhere, err: &nowhere})
	if err != nil {
		return nil
	}
	var out []app.Offer
	for _, s := range found {
		path, err := filepath.Abs(s.file.Path)
		if err != nil {
			path = s.file.Path
		}
		for _, e := range s.file.Servers {
			words := shell.Texts("--config", path, e.Name)
			one := app.Offer{ID: shell.Line(words), Group: inConfigured, Name: e.Name, Kind: e.Kind, What: discreet(e), From: s.client}
			if one.From == "" {
				one.From = s.file.Dialect
			}
			switch {
			case e.Kind == "":
				one.Off = "it has neither command nor url"
			case e.Disabled:
				one.From += ", switched off there"
			}
			var given *flags
			if o.f.config != "" {
				given = o.f
			}
			one.Open = func(ctx context.Context, ask app.Asker) (app.Options, error) { return o.open(ctx, words, ask, given) }
			out = append(out, one)
		}
	}
	return out
}

func (o *offers) builtIn() app.Offer {
	return app.Offer{
		ID: inBuiltIn, Group: inBuiltIn, Name: "demo", Kind: "stdio", What: "a weather station to try everything on",
		Open: func(ctx context.Context, ask app.Asker) (app.Options, error) {
			argv, err := self("--serve", "both")
			if err != nil {
				return app.Options{}, err
			}
			menu, env, end, err := misbehaving("both", nil)
			if err != nil {
				return app.Options{}, err
			}
			words := append(shell.Texts("--env", env, "--"), shell.Texts(argv...)...)
			out, err := o.open(ctx, words, ask, nil)
			if err != nil {
				return app.Options{}, errors.Join(err, end())
			}
			before := out.Closed
			out.Faults, out.Closed = menu, func() {
				before()
				_ = end() // the way out: nobody is left to tell
			}
			return out, nil
		},
	}
}

// Typed implements app.Offers. It takes what stands behind mcploupe on a command line: flags, and a URL or -- and a command; and the
// file of a recorded journal.
func (o *offers) Typed(line string) (app.Offer, bool) {
	line = strings.TrimSpace(line)
	if path := fromHome(line); isJournal(path, "") {
		return o.journal(path), true
	}
	if !strings.Contains(line, "://") && !strings.HasPrefix(line, "--") {
		return app.Offer{}, false
	}
	typed, ok := shell.Split(line)
	if !ok {
		typed = strings.Fields(line) // what only a shell could read is taken word by word
	}
	g, c, err := o.f.beside(typed, nil)
	if err != nil {
		return app.Offer{}, false
	}
	_, rest, command, err := split(c, c.Flags().Args(), 0, "")
	if err != nil {
		return app.Offer{}, false
	}
	if _, err := target.Resolve(rest, command, target.Options{}); err != nil && g.config == "" {
		return app.Offer{}, false
	}
	words := shell.Texts(typed...)
	return app.Offer{ID: "typed", Name: secret.MaskText(line), Open: func(ctx context.Context, ask app.Asker) (app.Options, error) { return o.open(ctx, words, ask, nil) }}, true
}

// open makes the target of a command line ready. given are flags that hold for it too, nil for none: what was said about one server,
// its headers above all, is no other's business.
func (o *offers) open(ctx context.Context, words []shell.Word, ask app.Asker, given *flags) (app.Options, error) {
	line, secrets, err := filledIn(ctx, words, ask)
	if err != nil {
		return app.Options{}, err
	}
	g, c, err := o.f.beside(line, given)
	if err != nil {
		return app.Options{}, err
	}
	g.secrets = append(g.secrets, secrets...)
	g.inputs = inputsFrom(ctx, ask)
	var notes bytes.Buffer
	quiet := streams{in: strings.NewReader(""), out: &notes, err: &notes}
	_, rest, command, err := split(c, c.Flags().Args(), 0, "")
	if err != nil {
		return app.Options{}, err
	}
	t, err := g.resolve(quiet, rest, command)
	if err != nil {
		if errors.Is(err, app.ErrLeft) {
			return app.Options{}, app.ErrLeft
		}
		return app.Options{}, withHint(err)
	}
	out, err := g.toShow(quiet, t, wire.NewLog(wire.LogOptions{}))
	if err != nil {
		return app.Options{}, withHint(err)
	}
	out.Note = noted(&notes)
	if err := o.f.accompany(&out, t, g); err != nil {
		return app.Options{}, withHint(err)
	}
	o.watching(g, &out, t)
	return out, nil
}

// watching watches the files of a further server, and says why where somebody may expect it and it is not done: it is no reason not
// to open the server.
func (o *offers) watching(g *flags, out *app.Options, t session.Target) {
	if len(g.watch) == 0 && o.f.watchAll && !builtIn(t) {
		g.watch = o.f.watch
	}
	switch {
	case len(g.watch) > 0:
		if err := g.watching(out, t); err != nil {
			out.Note = joined(out.Note, "not watched: "+withHint(err).Error())
		}
	case len(o.f.watch) > 0 && !o.f.watchAll:
		out.Note = joined(out.Note, "--watch is for the first server alone")
	}
}

// noted is what was written to standard error, where nobody reads that, for the last line of the screen.
func noted(written *bytes.Buffer) string {
	return strings.TrimPrefix(strings.TrimSpace(written.String()), "mcploupe: ")
}

// withHint is an error in one text with its advice.
func withHint(err error) error {
	if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		return fmt.Errorf("%w: %s", f.err, f.hint)
	}
	return err
}

// beside is the flags of another target: its own words, and what holds for the whole run.
func (f *flags) beside(line []string, given *flags) (*flags, *cobra.Command, error) {
	var g flags
	c := &cobra.Command{Use: "TARGET"}
	g.connection(c)
	g.restarting(c)
	g.remembering(c)
	if err := c.ParseFlags(line); err != nil {
		return nil, nil, fmt.Errorf("reading the words that lead to it: %w", err)
	}
	own := g
	if given != nil {
		g = *given
		g.config, g.record, g.force, g.watch, g.secrets, g.faults = own.config, "", false, nil, nil, nil
		return &g, c, nil
	}
	g.looks, g.timeout, g.profile, g.forget, g.noHistory, g.logLevel, g.noStream, g.restart = f.looks, f.timeout, f.profile, f.forget, f.noHistory, f.logLevel, f.noStream, f.restart || g.restart
	return &g, c, nil
}

// inputsFrom asks at the screen for what a configuration file wants from a person.
func inputsFrom(ctx context.Context, ask app.Asker) func(target.Input) (string, error) {
	return func(in target.Input) (string, error) {
		if v, ok := os.LookupEnv(inputVariable(in.ID)); ok {
			return v, nil
		}
		w := app.Wanted{Title: in.Description, Text: "Its configuration asks for this (" + in.ID + ").", Default: in.Default, Secret: in.Password, Choices: in.Choices}
		if w.Title == "" {
			w.Title = in.ID
		}
		return ask(ctx, w)
	}
}

// recents is the targets that were opened before; nil when none are to be kept.
func (f *flags) recents() *store.Recents {
	if f.noHistory {
		return nil
	}
	return store.OpenRecents(recentsPath(), nil)
}

// met remembers a target that is opened on the screen; what it is called is told when it has said so.
func (f *flags) met(t session.Target) func(name string) {
	kept := f.recents()
	words := f.lasting(t)
	switch {
	case kept == nil || len(words) == 0:
		return nil
	case f.forget:
		kept.Drop(words)
		return nil
	}
	kind := "stdio"
	if t.URL != "" {
		kind = "http"
	}
	one := store.Recent{Words: words, Kind: kind, Name: f.shortName(t)}
	for _, k := range kept.List() {
		if f.named == "" && k.Name != "" && k.ID() == one.ID() {
			one.Name = k.Name // as it called itself
		}
	}
	kept.Keep(one)
	return func(name string) {
		if f.named == "" { // what it is called in a file is what its person calls it
			kept.Call(words, clip(name, 80))
		}
	}
}
