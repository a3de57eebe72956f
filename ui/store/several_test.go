package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/ui/shell"
)

// Two runs have each file open at the same time, and change it in turn: neither loses what the other one kept. That they may do it
// at the very same moment is the business of statefile, by which all of them are changed.
func TestTwoRunsKeepWhatEachOtherKept(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	c := &clock{begin}
	next := func() { c.at = c.at.Add(time.Minute) }
	target := command("server")

	t.Run("arguments", func(t *testing.T) {
		o := Options{Target: target, Path: in("arguments.json"), Now: c.now}
		a, b := OpenHistory(o), OpenHistory(o)
		if a.List("tool", "t") != nil || b.List("tool", "t") != nil { // both have read the file
			t.Fatal("something is there before anything was kept")
		}
		for _, args := range []string{"1", "3", "5"} {
			a.Keep(Sent{Kind: "tool", Name: "t", Args: args})
			next()
			b.Keep(Sent{Kind: "tool", Name: "t", Args: args + "0"})
			next()
		}
		a.Keep(Sent{Kind: "tool", Name: "t", Args: "10"}) // that of b anew
		if got := texts(OpenHistory(o).List("tool", "t")); got != "10 50 5 30 3 1" {
			t.Errorf("kept %s", got)
		}
	})
	t.Run("tasks", func(t *testing.T) {
		o := Options{Target: target, Path: in("tasks.json"), Now: c.now}
		a, b := OpenTasks(o), OpenTasks(o)
		a.Keep(Task{ID: "a"})
		b.Keep(Task{ID: "b"})
		a.Keep(Task{ID: "c"})
		b.Drop("a")
		if got := ids(OpenTasks(o).List()); got != "b// c//" {
			t.Errorf("kept %s", got)
		}
	})
	t.Run("eras", func(t *testing.T) {
		file := in("eras.json")
		a, b := again(t, file, command("a"), c), again(t, file, command("b"), c)
		past := legacy("stdio")
		past.At = c.at
		a.Keep(past)
		b.Keep(past)
		a.Forget()
		recalls(t, again(t, file, command("a"), c), "false")
		recalls(t, again(t, file, command("b"), c), "legacy stdio true")
	})
	t.Run("recent targets", func(t *testing.T) {
		a, b := OpenRecents(in("recent.json"), c.now), OpenRecents(in("recent.json"), c.now)
		for i, r := range []*Recents{a, b, a, b} {
			r.Keep(Recent{Words: shell.Texts("--", fmt.Sprint("server", i)), Kind: "stdio"})
			next()
		}
		a.Drop(shell.Texts("--", "server3"))
		b.Call(shell.Texts("--", "server0"), "the first")
		var got []string
		for _, one := range a.List() {
			got = append(got, one.ID()+" "+one.Name)
		}
		if want := []string{"-- server2 ", "-- server1 ", "-- server0 the first"}; !slices.Equal(got, want) {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("lessons", func(t *testing.T) {
		a, b := OpenLessons(in("lessons.json"), c.now), OpenLessons(in("lessons.json"), c.now)
		a.Keep("one", []string{"first"})
		b.Keep("one", []string{"second"}) // it began before the first was done
		b.Keep("two", []string{"x"})
		a.Keep("one", []string{"first", "third"})
		b.Keep("two", nil)
		a.Keep("three", []string{"y"})
		l := OpenLessons(in("lessons.json"), c.now)
		if got := strings.Join(l.Done("one"), " "); got != "first second third" {
			t.Errorf("done of one: %s", got)
		}
		if l.Done("two") != nil || latest(l) != "one" && latest(l) != "three" {
			t.Errorf("two: %q, the latest is %s", l.Done("two"), latest(l))
		}
		if got := b.Done("one"); len(got) != 3 {
			t.Errorf("the other run sees %q", got)
		}
	})
}
