package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/learn"
	"mcploupe/ui/lesson"
	"mcploupe/ui/store"
)

func learnCommand(io streams) *cobra.Command {
	var f flags
	var list bool
	c := &cobra.Command{
		Use:   "learn [N|NAME|FILE]",
		Short: "Learn the protocol by doing: lessons against the built-in server",
		Example: `  mcploupe learn               go on with the lessons
  mcploupe learn 6             the sixth one
  mcploupe learn freshness     the one of that name
  mcploupe learn mine.md       a lesson of your own (docs/lessons.md)
  mcploupe learn --list        all lessons, and how far you are`,
		Args: words(0, "LESSON"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, l := range lesson.All() {
				names = append(names, l.Name+"\t"+l.Title)
			}
			return names, cobra.ShellCompDirectiveDefault // and files
		},
		RunE: func(c *cobra.Command, args []string) error {
			course := newCourse()
			if list {
				course.print(io, f.json)
				return nil
			}
			key, err := course.wanted(args)
			if err != nil {
				return err
			}
			if err := f.terminal(io); err != nil {
				return err
			}
			o, err := course.open(c.Context(), &f, io, key)
			if err != nil {
				return err
			}
			o.Learning.Listed = len(args) == 0
			return f.run(c, io, o)
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the lessons, and how far you are in each")
	f.judging(c)
	f.pictures(c)
	f.output(c)
	f.motion(c)
	return c
}

// course is the lessons that there are, and how far somebody is in them.
type course struct {
	all   func() []*lesson.Lesson // read when somebody looks: most who open a server do not
	own   *lesson.Lesson          // from a file, nil mostly
	dir   string                  // of the file
	key   string                  // of the file
	store *store.Lessons
}

func newCourse() *course {
	return &course{all: sync.OnceValue(lesson.All), store: store.OpenLessons(store.LessonsFile(os.Getenv, runtime.GOOS, home()), nil)}
}

// wanted is the key of the lesson that the words ask for; without words the one to go on with.
func (k *course) wanted(args []string) (string, error) {
	if len(args) == 0 {
		return k.current(k.progress()), nil
	}
	found, missing := lesson.Find(k.all(), args[0])
	if missing == nil {
		return found.Name, nil
	}
	if info, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
		return "", usage("mcploupe learn --list shows all; a lesson of your own is a file (docs/lessons.md)", "%w", missing)
	} else if err == nil && (!info.Mode().IsRegular() || info.Size() > lesson.MaxBytes) {
		return "", usage("the format is in docs/lessons.md", "reading the lesson: %s is no text file of at most 256 KiB", args[0])
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return "", usage("", "reading the lesson: %w", err)
	}
	l, err := lesson.Parse(args[0], text)
	if err != nil {
		return "", usage("the format is in docs/lessons.md", "reading the lesson %s: %w", args[0], err)
	}
	if err := (demo.Options{Faults: l.Server.Faults}).Check(); err != nil {
		return "", usage("mcploupe demo --faults lists them", "reading the lesson %s: %w", args[0], err)
	}
	path, err := filepath.Abs(args[0])
	if err != nil {
		path = args[0]
	}
	k.own, k.key, k.dir = l, path, filepath.Dir(path)
	return k.key, nil
}

// current is the lesson to go on with: the one in which something was done last, else the first one that is not done.
func (k *course) current(p progress) string {
	all := k.all()
	for i, l := range all {
		if l.Name != p.latest {
			continue
		}
		if !p.finished(l.Name, l) {
			return l.Name
		}
		if i+1 < len(all) && !p.finished(all[i+1].Name, all[i+1]) {
			return all[i+1].Name
		}
	}
	for _, l := range all {
		if !p.finished(l.Name, l) {
			return l.Name
		}
	}
	return all[0].Name
}

// progress is how far somebody is, read once for whatever is made of it.
type progress struct {
	done   map[string][]string // titles of pages, by lesson
	latest string
}

func (k *course) progress() (p progress) {
	p.done, p.latest = k.store.Progress()
	return p
}

func (p progress) finished(key string, l *lesson.Lesson) bool {
	return lesson.Begin(l, p.done[key], 0).Finished()
}

// entries are the lessons as the list shows them.
func (k *course) entries(p progress) []learn.Entry {
	var out []learn.Entry
	add := func(key string, number int, l *lesson.Lesson) {
		done, all := lesson.Begin(l, p.done[key], 0).Count()
		out = append(out, learn.Entry{Key: key, Number: number, Title: l.Title, Minutes: l.Minutes, Done: done, All: all})
	}
	if k.own != nil {
		add(k.key, 0, k.own)
	}
	for i, l := range k.all() {
		add(l.Name, i+1, l)
	}
	return out
}

func (k *course) print(io streams, asJSON bool) {
	for _, e := range k.entries(k.progress()) {
		if asJSON {
			o := object{}
			o.text("lesson", e.Key)
			o.text("title", e.Title)
			o.number("minutes", int64(e.Minutes))
			o.number("done", int64(e.Done))
			o.number("of", int64(e.All))
			fmt.Fprintf(io.out, "%s\n", o.end())
			continue
		}
		fmt.Fprintf(io.out, "%2d  %-22s %s (%d of %d)\n", e.Number, e.Key, e.Title, e.Done, e.All)
	}
}

// learning is the list of lessons for a screen without one, and the way to each.
func (k *course) learning(f *flags) *app.Learning {
	return &app.Learning{
		List: func() ([]learn.Entry, string) {
			p := k.progress()
			return k.entries(p), k.current(p)
		},
		Open: func(key string) app.Offer { return k.offer(f, key) },
	}
}

// beside is what the screen of a lesson needs.
func (k *course) beside(f *flags, key string) *app.Learning {
	o := k.learning(f)
	o.List = func() ([]learn.Entry, string) {
		at, p := key, k.progress()
		if l, _ := k.lesson(key); l == nil || !o.Listed && p.finished(key, l) {
			at = k.current(p)
		}
		return k.entries(p), at
	}
	o.Lesson, o.Number = k.lesson(key)
	if all := k.all(); o.Number < len(all) {
		o.Next = all[o.Number].Title // that of a file of somebody's own is the first one
	}
	o.Key, o.Done = key, k.store.Done(key)
	o.Keep = func(done []string) { k.store.Keep(key, done) }
	return o
}

// offer is a lesson to be opened beside what is on the screen.
func (k *course) offer(f *flags, key string) app.Offer {
	return app.Offer{ID: "lesson " + key, Name: k.called(key), Open: func(ctx context.Context, _ app.Asker) (app.Options, error) {
		var notes bytes.Buffer
		o, err := k.open(ctx, f, streams{in: strings.NewReader(""), out: &notes, err: &notes}, key)
		if err != nil {
			return app.Options{}, withHint(err)
		}
		o.Note = noted(&notes)
		return o, nil
	}}
}

// called is what a lesson is called among the servers.
func (k *course) called(key string) string {
	switch l, number := k.lesson(key); {
	case l == nil:
		return "the lesson"
	case number > 0:
		return "lesson " + strconv.Itoa(number)
	default:
		return "lesson " + filepath.Base(key)
	}
}

func (k *course) lesson(key string) (*lesson.Lesson, int) {
	switch {
	case key == "":
		return nil, 0
	case k.own != nil && key == k.key:
		return k.own, 0
	}
	for i, l := range k.all() {
		if l.Name == key {
			return l, i + 1
		}
	}
	return nil, 0
}

// forLessons are the flags of every lesson: it begins as if nothing had been before, and only how things are shown is taken along.
func (f *flags) forLessons() *flags {
	return &flags{profile: f.profile, looks: f.looks, noHistory: true, detects: true}
}

// open makes a lesson ready for the screen, with its server or its recorded conversation.
func (k *course) open(ctx context.Context, f *flags, io streams, key string) (app.Options, error) {
	l, _ := k.lesson(key)
	if l == nil {
		return app.Options{}, usage("mcploupe learn --list shows all", "there is no lesson %q", key)
	}
	g := f.forLessons()
	var o app.Options
	var err error
	switch s := &l.Server; {
	case s.Recorded():
		o.Log, o.Title, err = k.recorded(io, l)
		o = g.dressed(o)
	case s.HTTP:
		o, err = g.overHTTP(ctx, io, s)
	default:
		o, err = g.asChild(io, s)
	}
	if err != nil {
		return app.Options{}, err
	}
	o.Name, o.Learning = k.called(key), k.beside(f, key)
	return o, nil
}

// asChild makes the built-in server ready as a child of this program. That it misbehaves no command line tells.
func (f *flags) asChild(io streams, s *lesson.Server) (app.Options, error) {
	argv, err := self(s.Words()...)
	if err != nil {
		return app.Options{}, err
	}
	menu, env, end, err := misbehaving(cmp.Or(s.Serve, "both"), s.Faults)
	if err != nil {
		return app.Options{}, err
	}
	f.faults = menu
	o, err := f.toShow(io, session.Target{Argv: argv, Env: []string{env}}, wire.NewLog(wire.LogOptions{}))
	if err != nil {
		return app.Options{}, errors.Join(err, end())
	}
	o.Closed = func() { _ = end() } // the way out: nobody is left to tell
	return o, nil
}

// overHTTP serves the built-in server on this machine for as long as the lesson lasts. Its login asks nobody, and its tokens
// are kept nowhere.
func (f *flags) overHTTP(ctx context.Context, io streams, s *lesson.Server) (app.Options, error) {
	address, end, err := demoHere(context.WithoutCancel(ctx), demo.Options{Faults: s.Faults, Published: s.Published, Login: s.Login, Era: eraServed(s.Serve)})
	if err != nil {
		return app.Options{}, &failure{exitTransport, fmt.Errorf("serving the lesson's server: %w", err), ""}
	}
	f.login = loginFlags{on: s.Login, callback: "auto", store: "none"}
	o, err := f.toShow(io, session.Target{URL: address}, wire.NewLog(wire.LogOptions{}))
	if err != nil {
		end()
		return app.Options{}, err
	}
	o.Closed = end
	return o, nil
}

// recorded is the conversation beside a lesson.
func (k *course) recorded(io streams, l *lesson.Lesson) (*wire.Log, string, error) {
	s := &l.Server
	name := cmp.Or(s.Journal, s.Script)
	var text []byte
	var err error
	if l == k.own {
		text, err = os.ReadFile(filepath.Join(k.dir, name))
	} else {
		text, err = fs.ReadFile(lesson.Files(), name)
	}
	if err != nil {
		return nil, "", usage("it stands beside the lesson", "opening what the lesson is about: %w", err)
	}
	if s.Journal != "" {
		entries, err := journalEntries(name, bytes.NewReader(text), io.err)
		if err != nil {
			return nil, "", err
		}
		return filled(entries), name, nil
	}
	entries, err := wire.ParseScript(string(text))
	if err != nil {
		return nil, "", usage("", "reading the conversation %s: %w", name, err)
	}
	return filled(entries), name, nil
}
