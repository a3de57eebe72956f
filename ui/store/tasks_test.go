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

func ids(list []Task) string {
	var out []string
	for _, k := range list {
		out = append(out, k.ID+"/"+k.Tool+"/"+k.Status)
	}
	return strings.Join(out, " ")
}

func TestTasksAreKeptForTheNextRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "mcploupe", "tasks.json")
	c := &clock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	open := func(target session.Target) *Tasks { return OpenTasks(Options{Target: target, Path: path, Now: c.now}) }
	here, there := session.Target{URL: "https://user:hunter2@example.com/mcp?token=hunter3"}, command("node", "server.js")
	one := open(here)
	one.Keep(Task{ID: "a", Tool: "slow", Status: "working", Until: c.at.Add(time.Hour)})
	one.Keep(Task{ID: "b\"\n", Tool: "slow", Status: "working"})
	open(there).Keep(Task{ID: "c", Status: "working"})
	one.Keep(Task{ID: "a", Status: "input_required", Until: c.at.Add(time.Hour)})
	if got := ids(open(here).List()); got != "b\"\n/slow/working a/slow/input_required" {
		t.Errorf("kept %q", got)
	}
	c.at = c.at.Add(2 * time.Hour)
	if got := ids(open(here).List()); got != "b\"\n/slow/working" {
		t.Errorf("after the time of a: %q", got)
	}
	one.Drop("nope")
	one.Drop("b\"\n")
	if got := ids(open(here).List()) + ids(open(there).List()); got != "c//working" {
		t.Errorf("after b ended: %q", got)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "hunter") || strings.Contains(string(text), "example.com") || strings.Contains(string(text), "server.js") {
		t.Errorf("%v: %s", err, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	c.at = c.at.Add(8 * 24 * time.Hour)
	if got := ids(open(there).List()); got != "" {
		t.Errorf("after a week: %q", got)
	}
}

// The file is bounded, and a bad one is as good as none.
func TestTheFileOfTasksIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.json")
	c := &clock{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	k := OpenTasks(Options{Target: command("x"), Path: path, Now: c.now})
	for i := range 70 {
		k.Keep(Task{ID: fmt.Sprint(i)})
	}
	k.Keep(Task{ID: strings.Repeat("x", mostID+1)})
	if list := k.List(); len(list) != mostTasks || list[0].ID != "20" {
		t.Errorf("%d tasks: %s", len(list), ids(list))
	}
	for _, bad := range []string{"", "{", `[]`, `{"salt":7}`, `{"salt":"00","targets":{}}`, `{"salt":"00000000000000000000000000000000","targets":{"x":[7],"00000000000000000000000000000000":{"id":"a"}}}`} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if list := k.List(); len(list) != 0 {
			t.Errorf("%s: %s", bad, ids(list))
		}
		k.Keep(Task{ID: "new"})
		if got := ids(k.List()); got != "new//" {
			t.Errorf("%s: then %q", bad, got)
		}
	}
	none := OpenTasks(Options{Target: command("x"), Now: c.now})
	none.Keep(Task{ID: "a"})
	if got := ids(none.List()); got != "a//" {
		t.Errorf("without a file: %q", got)
	}
}

func FuzzTaskFile(f *testing.F) {
	f.Add(`{"salt":"00000000000000000000000000000000","targets":{"00000000000000000000000000000000":[{"id":"a","at":"2026-11-30T12:00:00Z"}]}}`)
	path := filepath.Join(f.TempDir(), "tasks.json")
	f.Fuzz(func(t *testing.T, s string) {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		k := OpenTasks(Options{Target: command("x"), Path: path})
		k.Keep(Task{ID: "mine"})
		if got := ids(k.List()); !strings.HasSuffix(got, "mine//") {
			t.Fatalf("%q: %q", s, got)
		}
	})
}
