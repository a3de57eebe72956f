package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestProgressInLessonsOutlastsARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcploupe", "lessons.json")
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Minute); return now }
	l := OpenLessons(path, clock)
	if latest(l) != "" || l.Done("one") != nil {
		t.Errorf("something is done before anything was")
	}
	l.Keep("one", []string{"first", `a "second" one`})
	l.Keep("two", []string{"x"})
	l.Keep("", []string{"nothing"})
	again := OpenLessons(path, clock)
	if got := again.Done("one"); !slices.Equal(got, []string{"first", `a "second" one`}) {
		t.Errorf("of one there is %q", got)
	}
	if latest(again) != "two" {
		t.Errorf("the latest is %q", latest(again))
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	again.Keep("two", nil)
	if got := OpenLessons(path, clock); latest(got) != "one" || got.Done("two") != nil {
		t.Errorf("two is not forgotten: %q", got.Done("two"))
	}
	if err := os.WriteFile(path, []byte(`{"lessons": {"one": {"at": "nonsense", "done": ["a"]}, "two": 5, "": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := OpenLessons(path, clock); latest(got) != "" {
		t.Errorf("a broken file gives %q", latest(got))
	}
}

func TestWithoutAFileProgressLastsForTheRun(t *testing.T) {
	l := OpenLessons("", nil)
	l.Keep("one", []string{"a"})
	if latest(l) != "one" || len(l.Done("one")) != 1 {
		t.Errorf("it is forgotten at once")
	}
}

// latest is the lesson in which something was done last.
func latest(l *Lessons) string {
	_, name := l.Progress()
	return name
}
