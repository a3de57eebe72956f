package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func next(t *testing.T, w *Watcher) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	path, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAChangeIsToldOnce(t *testing.T) {
	root := t.TempDir()
	put(t, root+"/src/a.ts", "1")
	put(t, root+"/src/deep/b.ts", "1")
	put(t, root+"/server.py", "1")
	w, err := New(root, []string{"src/**/*.ts", "server.py"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	// What does not fit is passed over; many at once are one change.
	put(t, root+"/src/notes.md", "x")
	put(t, root+"/other.py", "x")
	put(t, root+"/src/deep/b.ts", "2")
	put(t, root+"/src/a.ts", "2")
	if got := next(t, w); filepath.Base(got) != "b.ts" {
		t.Errorf("told %s", got)
	}
	put(t, root+"/server.py", "2")
	if got := next(t, w); filepath.Base(got) != "server.py" {
		t.Errorf("told %s", got)
	}
	// As editors save: another file takes the place.
	put(t, root+"/src/a.tmp", "3")
	if err := os.Rename(root+"/src/a.tmp", root+"/src/a.ts"); err != nil {
		t.Fatal(err)
	}
	if got := next(t, w); filepath.Base(got) != "a.ts" {
		t.Errorf("told %s", got)
	}
	// A directory that is made later is watched too.
	if err := os.Mkdir(root+"/src/later", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root+"/src/node_modules", 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*settle)
	defer cancel()
	if got, err := w.Next(ctx); err == nil {
		t.Errorf("told %s", got)
	}
	put(t, root+"/src/node_modules/c.ts", "1")
	put(t, root+"/src/later/d.ts", "1")
	if got := next(t, w); filepath.Base(got) != "d.ts" {
		t.Errorf("told %s", got)
	}
}

func TestWhatCannotBeWatchedIsSaid(t *testing.T) {
	root := t.TempDir()
	for _, pattern := range []string{"src/[", "no/such/dir/*.ts", "gone/**"} {
		if w, err := New(root, []string{pattern}); err == nil {
			w.Close()
			t.Errorf("%q is watched", pattern)
		}
	}
	put(t, root+"/src/a.ts", "1")
	w, err := New(root, []string{"src"}) // a whole directory
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	put(t, root+"/src/x/y.txt", "1")
	put(t, root+"/src/b.ts", "1")
	if got := next(t, w); filepath.Dir(got) != filepath.Join(root, "src") && filepath.Base(got) != "y.txt" {
		t.Errorf("told %s", got)
	}
}
