package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/wire"
	"mcploupe/ui/app"
)

// opened opens what a person types on the screen, without connecting to it.
func opened(t *testing.T, f *flags, line string) (app.Options, error) {
	t.Helper()
	offer, ok := (&offers{f}).Typed(line)
	if !ok {
		t.Fatalf("%q is nothing to be opened", line)
	}
	return offer.Open(t.Context(), nil)
}

// onAScreen is flags of a screen.
func onAScreen(f flags) *flags {
	f.noHistory = true
	f.recorded = newRecordings(f.record, f.force)
	return &f
}

// The first server is recorded in the file that was named, each further one beside it under its name, and where is said. One that
// is given a file of its own is recorded there.
func TestEachServerIsRecordedInAFileOfItsOwn(t *testing.T) {
	remembering(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	f := onAScreen(flags{record: in("run.jsonl")})
	run := func(f *flags, line, want, says string) {
		t.Helper()
		o, err := opened(t, f, line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if o.Recorded != in(want) || o.Note != "recorded in "+in(want) {
			t.Errorf("%s: recorded in %q, and it says %q", line, o.Recorded, o.Note)
		}
		o.Session.Log().Append(wire.Entry{Note: &wire.Note{From: "client", Text: says}})
		o.Session.Log().Close()
		o.Closed()
		if err := f.recorded.ended(); err != nil {
			t.Error(err)
		}
		text := read(t, in(want))
		if n := strings.Count(text, "\n"); n != 2 || !strings.Contains(text, says) {
			t.Errorf("%s holds %d lines:\n%s", want, n, text)
		}
	}
	run(f, "-- weather", "run.jsonl", "one")
	run(f, "-- node harbour/server.js --token=zzsecret", "run-server.js.jsonl", "two")
	run(f, "-- node harbour/server.js", "run-server.js-2.jsonl", "three")
	run(f, "https://example.test:8080/mcp", "run-example.test-8080.jsonl", "four")
	run(f, "--record "+in("mine.jsonl")+" -- weather", "mine.jsonl", "five")
	if _, err := opened(t, f, "--record "+in("mine.jsonl")+" -- weather"); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a file that exists: %v", err)
	}

	// Another run writes over nothing, unless it is told to.
	again := onAScreen(flags{record: in("run.jsonl")})
	if _, err := opened(t, again, "-- weather"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another run: %v", err)
	}
	forced := onAScreen(flags{record: in("run.jsonl"), force: true})
	run(forced, "-- other", "run.jsonl", "six")
	run(forced, "-- node server.js", "run-server.js.jsonl", "seven")
	run(forced, "-- node server.js", "run-server.js-2.jsonl", "eight")
	if text := read(t, in("run-server.js.jsonl")); !strings.Contains(text, "seven") {
		t.Errorf("it was written over in one run:\n%s", text)
	}
}

func TestNamesOfFilesOfServers(t *testing.T) {
	for name, want := range map[string]string{
		"weather": "weather", "@scope/pkg": "scope-pkg", "../../etc/passwd": "etc-passwd", "": "server", "…": "server",
		"a b\x1b[31m\u202ec": "a-b-31m-c", "Wetter für Köln": "Wetter-für-Köln", ".hidden": "hidden", strings.Repeat("é", 50): strings.Repeat("é", 40),
	} {
		if got := fileName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// With a target --watch is for it alone, and others say so; without one it is for whatever is started. A server may be given its own.
func TestWhichServersAreWatched(t *testing.T) {
	remembering(t)
	dir := t.TempDir()
	t.Chdir(dir)
	must(t, os.Mkdir("src", 0o700))
	for _, story := range []struct {
		f             flags
		line          string
		watched, note string
	}{
		{flags{watch: []string{"src"}}, "-- weather", "", "--watch is for the first server alone"},
		{flags{watch: []string{"src"}, watchAll: true}, "-- weather", "src", "watched: src"},
		{flags{watch: []string{"src"}, watchAll: true}, "https://example.test/mcp", "", "not watched: --watch starts the server again when its files change: that needs -- COMMAND, not a URL"},
		{flags{watch: []string{"nowhere/*"}, watchAll: true}, "-- weather", "", "not watched: watching \"nowhere/*\""},
		{flags{}, "--watch src -- weather", "src", "watched: src"},
		{flags{watch: []string{"other"}}, "--watch src -- weather", "src", "watched: src"},
		{flags{}, "-- weather", "", ""},
	} {
		o, err := opened(t, onAScreen(story.f), story.line)
		if err != nil {
			t.Fatalf("%s: %v", story.line, err)
		}
		if got := strings.Join(o.Watched, " "); got != story.watched || (o.Changes != nil) != (got != "") || !strings.HasPrefix(o.Note, story.note) || story.note == "" && o.Note != "" {
			t.Errorf("%s: watched is %q, and it says %q", story.line, got, o.Note)
		}
		o.Closed()
		if o.Changes != nil {
			if _, err := o.Changes(t.Context()); err == nil {
				t.Errorf("%s: it is still watched after it was closed", story.line)
			}
		}
		o.Session.Log().Close()
	}
}

// Journals are offered and typed like servers, and opened to be read. What is no journal is not offered, and says why when it is opened.
func TestJournalsAreOffered(t *testing.T) {
	dir := filepath.Dir(filepath.Dir(remembering(t)))
	t.Chdir(dir)
	journal := func(name string, age time.Duration) {
		t.Helper()
		file, err := wire.Create(name, false)
		must(t, err)
		must(t, file.Write(wire.Entry{Seq: 1, At: time.Unix(1e9, 0), Note: &wire.Note{From: "client", Text: "hello"}}))
		must(t, file.Close())
		at := time.Now().Add(-age)
		must(t, os.Chtimes(name, at, at))
	}
	for i, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl", "f.jsonl"} {
		journal(name, time.Duration(i+1)*time.Hour)
	}
	must(t, os.WriteFile("other.jsonl", []byte("{\"a\":1}\n"), 0o600))
	must(t, os.Mkdir("dir.jsonl", 0o700))
	must(t, os.Mkdir("runs", 0o700))
	journal(filepath.Join("runs", "new.jsonl"), time.Minute)
	f := onAScreen(flags{record: filepath.Join(dir, "runs", "run.jsonl")})
	var got []string
	for _, one := range (&offers{f}).List() {
		if one.Group == inRecorded {
			got = append(got, one.Name)
		}
	}
	if want := []string{"new.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
	for _, line := range []string{"a.jsonl", " " + filepath.Join(dir, "a.jsonl") + " ", "~/a.jsonl"} {
		o, err := opened(t, f, line)
		if err != nil || o.Session != nil || o.Log == nil || o.Log.Len() != 1 || o.Recorded != "" {
			t.Errorf("%q: %v, %+v", line, err, o)
		}
	}
	if _, err := opened(t, f, "other.jsonl"); err == nil || !strings.Contains(err.Error(), "journals are written by --record FILE") {
		t.Errorf("what is no journal: %v", err)
	}
	if _, ok := (&offers{f}).Typed("dir.jsonl"); ok {
		t.Error("a directory is offered")
	}
}
