package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
)

func texts(list []Sent) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Args)
	}
	return strings.Join(out, " ")
}

func TestArgumentsAreKeptForTheNextRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "mcploupe", "arguments.json")
	c := &clock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	open := func(target session.Target) *History {
		return OpenHistory(Options{Target: target, Path: path, Now: c.now})
	}
	here, there := session.Target{URL: "https://example.com/mcp?token=hunter3"}, command("node", "server.js")
	one := open(here)
	exact := "{\n  \"n\": 1.0e5, \"text\": \"a\\u0041\"}"
	for _, args := range []string{`{"a":1}`, exact, `{"a":1}`, "", "\xff", "{" + strings.Repeat(" ", mostArgs)} {
		one.Keep(Sent{Kind: "tool", Name: "t", Args: args})
	}
	one.Keep(Sent{Kind: "prompt", Name: "t", Args: `{"p":1}`})
	open(there).Keep(Sent{Kind: "tool", Name: "t", Args: `{"there":1}`})
	if got := texts(open(here).List("tool", "t")); got != `{"a":1} `+exact {
		t.Errorf("kept %q", got)
	}
	if got := texts(open(here).List("prompt", "t")) + texts(open(there).List("tool", "t")) + texts(open(here).List("tool", "u")); got != `{"p":1}{"there":1}` {
		t.Errorf("kept %q", got)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "hunter") || strings.Contains(string(text), "example.com") || strings.Contains(string(text), "server.js") {
		t.Errorf("%v: %s", err, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	c.at = c.at.Add(200 * 24 * time.Hour)
	if got := texts(open(here).List("tool", "t")); got != "" {
		t.Errorf("after half a year: %q", got)
	}
}

func TestTheFileOfArgumentsIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arguments.json")
	c := &clock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	h := OpenHistory(Options{Target: command("x"), Path: path, Now: c.now})
	for i := range 2 * mostOfOne {
		h.Keep(Sent{Kind: "tool", Name: "t", Args: fmt.Sprint(i)})
	}
	if list := h.List("tool", "t"); len(list) != mostOfOne || list[0].Args != fmt.Sprint(2*mostOfOne-1) {
		t.Errorf("%d: %s", len(list), texts(list))
	}
	f := historyFile{&saved[[]Sent]{salt: strings.Repeat("0", 32), by: map[string][]Sent{}}}
	for i := range 100 {
		c.at = c.at.Add(time.Second)
		key := fmt.Sprintf("%032d", i%7)
		f.by[key] = append(f.by[key], Sent{Kind: "tool", Name: fmt.Sprint(i), Args: strings.Repeat("\"", mostArgs), At: c.at})
	}
	text := f.text()
	if len(text) > mostBytes {
		t.Errorf("%d bytes", len(text))
	}
	kept := readHistory(text)
	if list := kept.by[fmt.Sprintf("%032d", 99%7)]; len(list) == 0 || list[len(list)-1].Name != "99" {
		t.Error("the newest is gone")
	}
	// Where nothing can be written, this run has its own.
	blocked := OpenHistory(Options{Target: command("x"), Path: filepath.Join(os.DevNull, "x"), Now: c.now})
	blocked.Keep(Sent{Kind: "tool", Name: "t", Args: "1"})
	blocked.Keep(Sent{Kind: "tool", Name: "t", Args: "2"})
	if got := texts(blocked.List("tool", "t")); got != "2 1" {
		t.Errorf("without a file: %q", got)
	}
}

func FuzzHistoryFile(f *testing.F) {
	f.Add(`{"salt":"00000000000000000000000000000000","targets":{"00000000000000000000000000000000":[{"kind":"tool","name":"a","at":"2026-11-30T12:00:00Z","args":"{}"}]}}`)
	path := filepath.Join(f.TempDir(), "arguments.json")
	f.Fuzz(func(t *testing.T, s string) {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		h := OpenHistory(Options{Target: command("x"), Path: path})
		h.Keep(Sent{Kind: "tool", Name: "t", Args: "mine"})
		if list := OpenHistory(Options{Target: command("x"), Path: path}).List("tool", "t"); len(list) == 0 || list[0].Args != "mine" {
			t.Fatalf("%q: %q", s, texts(list))
		}
	})
}
