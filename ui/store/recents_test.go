package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/ui/shell"
)

func clockFrom(start time.Time) func() time.Time {
	return func() time.Time { start = start.Add(time.Minute); return start }
}

func TestRecentTargetsOutliveARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcploupe", "recent.json")
	now := clockFrom(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC))
	masked := []shell.Word{shell.Text("--env"), {{Text: "API_KEY="}, {Env: "API_KEY"}}, shell.Text("--"), shell.Text("node"), shell.Text("my server.js"), shell.Text("")}
	plain := shell.Texts("https://example.test/mcp")
	r := OpenRecents(path, now)
	r.Keep(Recent{Words: masked, Kind: "stdio", Name: "server.js"})
	r.Keep(Recent{Words: plain, Kind: "http"})
	r.Keep(Recent{Words: masked, Kind: "stdio"}) // again, without a name
	r.Call(plain, "Weather \u202e")
	r.Call(shell.Texts("nobody"), "nobody")

	list := OpenRecents(path, now).List()
	if len(list) != 2 || list[0].Name != "server.js" || list[1].Name != "Weather \u202e" || list[1].Kind != "http" {
		t.Fatalf("kept: %+v", list)
	}
	if got, want := shell.Line(list[0].Words), shell.Line(masked); got != want {
		t.Errorf("the words are %s, want %s", got, want)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
	r.Drop(masked)
	if list := r.List(); len(list) != 1 || list[0].ID() != shell.Line(plain) {
		t.Errorf("after dropping: %+v", list)
	}
}

func TestRecentTargetsAreBounded(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "recent.json")} {
		r := OpenRecents(path, clockFrom(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)))
		for i := range 30 {
			r.Keep(Recent{Words: shell.Texts(fmt.Sprintf("https://example.test/%d", i))})
		}
		r.Keep(Recent{Words: shell.Texts("--", strings.Repeat("x", mostTarget+1))})
		r.Keep(Recent{})
		list := r.List()
		if len(list) != mostRecents || list[0].ID() != "https://example.test/29" {
			t.Errorf("%d are kept, the first is %s", len(list), list[0].ID())
		}
		late := OpenRecents(path, func() time.Time { return time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC) })
		if n := len(late.List()); n != 0 {
			t.Errorf("%d are left after years", n)
		}
	}
}

func TestARecentFileOfAnybodyElseIsSurvived(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"recent":3}`, `{"recent":[1,{},{"words":[],"at":"2026-09-01T00:00:00Z"},{"words":[[]],"at":"2026-09-01T00:00:00Z"},{"words":["a"],"at":"x"},
		{"words":["a"],"kind":"odd","at":"2026-09-01T00:00:00Z"},{"words":["ok"],"at":"2026-09-01T00:00:00Z"}]}`} {
		path := filepath.Join(t.TempDir(), "recent.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := OpenRecents(path, clockFrom(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)))
		want := strings.Count(text, `"ok"`)
		if n := len(r.List()); n != want {
			t.Errorf("%s: %d are read, want %d", text, n, want)
		}
		r.Keep(Recent{Words: shell.Texts("new")})
		if n := len(r.List()); n != want+1 {
			t.Errorf("%s: %d after keeping one", text, n)
		}
	}
}
