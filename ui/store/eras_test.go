package store

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
)

var begin = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// clock is a clock that a story sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func command(words ...string) session.Target { return session.Target{Argv: words, Dir: "/"} }

func legacy(kind string) session.Past {
	return session.Past{Era: session.Legacy, Version: "2025-11-25", Kind: kind, At: begin}
}

// again is the memory of another run.
func again(t *testing.T, file string, target session.Target, c *clock) *Eras {
	t.Helper()
	return OpenEras(Options{Path: file, Target: target, Now: c.now})
}

func recalls(t *testing.T, e *Eras, want string) {
	t.Helper()
	p, doubt, ok := e.Recall()
	got := fmt.Sprintf("%s %s %v %s", p.Era, p.Kind, ok, doubt)
	if strings.TrimSpace(got) != want {
		t.Errorf("recalls %q, want %q", got, want)
	}
}

func TestALegacyServerIsRememberedForADay(t *testing.T) {
	file, c := filepath.Join(t.TempDir(), "state", "eras.json"), &clock{begin}
	target := command("old-server", "--port", "1")
	recalls(t, again(t, file, target, c), "false")
	again(t, file, target, c).Keep(legacy("stdio"))
	recalls(t, again(t, file, target, c), "legacy stdio true")
	recalls(t, again(t, file, command("old-server", "--port", "2"), c), "false")
	c.at = begin.Add(23 * time.Hour)
	recalls(t, again(t, file, target, c), "legacy stdio true")
	c.at = begin.Add(25 * time.Hour)
	recalls(t, again(t, file, target, c), "legacy stdio false it was legacy the last time, but that is more than a day ago")
	c.at = begin.Add(-time.Hour) // a clock that was set back
	recalls(t, again(t, file, target, c), "legacy stdio false it was legacy the last time, but that is more than a day ago")
	c.at = begin
	again(t, file, target, c).Forget()
	recalls(t, again(t, file, target, c), "false")
}

func TestOverHTTPItIsRememberedForMinutes(t *testing.T) {
	file, c := filepath.Join(t.TempDir(), "eras.json"), &clock{begin}
	target := session.Target{URL: "https://user:pass@example.com/mcp?key=secret"}
	again(t, file, target, c).Keep(legacy("sse"))
	recalls(t, again(t, file, session.Target{URL: "https://example.com/mcp?key=other"}, c), "legacy sse true")
	recalls(t, again(t, file, session.Target{URL: "https://example.com/other"}, c), "false")
	c.at = begin.Add(11 * time.Minute)
	recalls(t, again(t, file, target, c), "legacy sse false it was legacy the last time, but that is more than 10 minutes ago")
	past := legacy("http")
	past.Era = session.Modern
	again(t, file, target, c).Keep(past)
	c.at = begin.Add(1000 * time.Hour)
	recalls(t, again(t, file, target, c), "modern http true")
}

func TestAServerThatWasBuiltAnewIsAskedAgain(t *testing.T) {
	dir, c := t.TempDir(), &clock{begin}
	file, script := filepath.Join(dir, "eras.json"), filepath.Join(dir, "server.js")
	if err := os.WriteFile(script, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	target := session.Target{Argv: []string{"node", "server.js"}, Dir: dir}
	e := again(t, file, target, c)
	e.Keep(legacy("stdio"))
	recalls(t, again(t, file, target, c), "legacy stdio true")
	if err := os.WriteFile(script, []byte("newer"), 0o600); err != nil {
		t.Fatal(err)
	}
	const doubt = "legacy stdio false it was legacy the last time, but files of its command have changed"
	recalls(t, again(t, file, target, c), doubt)
	recalls(t, e, doubt) // in the same run too: ctrl+r after a build
	e.Keep(legacy("stdio"))
	recalls(t, e, "legacy stdio true")
}

func TestForgetting(t *testing.T) {
	file, c := filepath.Join(t.TempDir(), "eras.json"), &clock{begin}
	target := command("old-server")
	again(t, file, target, c).Keep(legacy("stdio"))
	e := OpenEras(Options{Path: file, Target: target, Now: c.now, Forget: true})
	recalls(t, e, "false")
	e.Keep(legacy("stdio"))
	recalls(t, e, "legacy stdio true") // for this run
	recalls(t, again(t, file, target, c), "false")
}

// The file names no target, and only its owner reads it.
func TestTheFileHoldsNoSecrets(t *testing.T) {
	file, c := filepath.Join(t.TempDir(), "deep", "eras.json"), &clock{begin}
	again(t, file, command("server", "--token=hunter2"), c).Keep(legacy("stdio"))
	again(t, file, session.Target{URL: "https://secret.example/mcp"}, c).Keep(legacy("http"))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"hunter2", "server", "secret.example"} {
		if strings.Contains(strings.ReplaceAll(string(text), "each server spoke", ""), word) {
			t.Errorf("%q stands in\n%s", word, text)
		}
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	left, _ := os.ReadDir(filepath.Dir(file))
	if len(left) != 2 { // with the lock
		t.Errorf("left behind: %v", left)
	}
}

// Whatever stands in its place: there is a memory, and it works within the run.
func TestABadFileBreaksNothing(t *testing.T) {
	c, target := &clock{begin}, command("old-server")
	good := filepath.Join(t.TempDir(), "eras.json")
	again(t, good, target, c).Keep(legacy("stdio"))
	text, _ := os.ReadFile(good)
	change := func(old, new string) []byte { return []byte(strings.Replace(string(text), old, new, 1)) }
	for name, bad := range map[string][]byte{
		"empty": {}, "no JSON": []byte("\x00\xff{{{"), "cut": text[:len(text)/2], "deep": []byte(strings.Repeat("[", 100_000)),
		"another salt": change(`"salt": "`, `"salt": "zz`), "no era": change(`"legacy"`, `"\u001b[31mred"`), "no time": change(`"2026`, `"x2026`),
		"no kind": change(`"stdio"`, `"smoke"`), "numbers": change(`"2025-11-25"`, `1e999`), "an array": []byte(`[{"salt":1}]`),
		"a long version": change(`"2025-11-25"`, `"`+strings.Repeat("9", 1000)+`"`), "huge": []byte(`{"a":"` + strings.Repeat("x", mostBytes) + `"}`),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "eras.json")
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			e := again(t, file, target, c)
			if _, _, ok := e.Recall(); ok && name != "numbers" {
				t.Error("it was believed")
			}
			e.Keep(legacy("stdio"))
			recalls(t, e, "legacy stdio true")
			recalls(t, again(t, file, target, c), "legacy stdio true") // and mends the file
		})
	}
	for name, path := range map[string]string{"a directory": t.TempDir(), "below a file": filepath.Join(good, "eras.json"), "nowhere": ""} {
		e := again(t, path, target, c)
		recalls(t, e, "false")
		e.Keep(legacy("stdio"))
		recalls(t, e, "legacy stdio true")
		e.Forget()
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestTheOldestGo(t *testing.T) {
	file, c := filepath.Join(t.TempDir(), "eras.json"), &clock{begin}
	for i := range mostTargets + 5 {
		p := legacy("stdio")
		p.At = begin.Add(time.Duration(i) * time.Second)
		again(t, file, command(fmt.Sprint("server", i)), c).Keep(p)
	}
	recalls(t, again(t, file, command("server4"), c), "false")
	recalls(t, again(t, file, command("server5"), &clock{begin.Add(time.Hour)}), "legacy stdio true")
}

func TestErasFile(t *testing.T) {
	for _, c := range []struct{ state, local, goos, home, want string }{
		{"/s", "", "linux", "/h", "/s/mcploupe/eras.json"},
		{"relative", "", "linux", "/h", "/h/.local/state/mcploupe/eras.json"},
		{"", "", "darwin", "/h", "/h/Library/Application Support/mcploupe/eras.json"},
		{"", "/local", "windows", "/h", "/local/mcploupe/eras.json"},
		{"", "", "windows", "/h", ""},
		{"", "", "linux", "", ""},
	} {
		got := ErasFile(func(name string) string {
			return map[string]string{"XDG_STATE_HOME": c.state, "LocalAppData": c.local}[name]
		}, c.goos, c.home)
		if filepath.ToSlash(got) != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// FuzzTable: no file breaks a start, and what is written back can be read.
func FuzzTable(f *testing.F) {
	f.Add([]byte(`{"salt":"00112233445566778899aabbccddeeff","targets":{"00112233445566778899aabbccddeeff":{"era":"legacy","version":"1","kind":"http","at":"2026-01-01T00:00:00Z"}}}`))
	f.Add([]byte(`{"salt":`))
	f.Fuzz(func(t *testing.T, text []byte) {
		first := readTable(text)
		if second := readTable(first.text()); second.salt != first.salt || len(second.by) != len(first.by) {
			t.Errorf("%d targets, then %d", len(first.by), len(second.by))
		}
	})
}
