package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStoryOfAJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "j.jsonl")
	argv := append([]string{"call", "calibrate", "--arg", "steps:=2", "--record", file}, childArgv(t, "child:demo")...)
	if r := program(t, argv...); r.code != 0 {
		t.Fatal(r)
	}
	all := program(t, "story", file)
	for _, want := range []string{"the opening\n", "tools/list\n", "tools/call calibrate\n", "◂─ progress 2 of 2 ×2", "✔ complete · success"} {
		if !strings.Contains(all.out, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	_, rest, _ := strings.Cut(all.out, "tools/call calibrate #")
	number, _, _ := strings.Cut(rest, " ")
	one := program(t, "story", file, "#"+number, "--markdown")
	if one.code != 0 || !strings.HasPrefix(one.out, "## tools\\/call calibrate\n") || strings.Count(one.out, "```") != 2 || strings.Contains(one.out, "tools/list") {
		t.Errorf("Markdown of #%s: %s", number, one)
	}
	for _, args := range [][]string{{"story", file, "#9999"}, {"story", file, "x"}, {"story", file, "0"}, {"story", filepath.Join(t.TempDir(), "none")}} {
		if r := program(t, args...); r.code != exitUsage {
			t.Errorf("%q: %s", args, r)
		}
	}
}

func TestStoryAsAPage(t *testing.T) {
	dir := t.TempDir()
	file, page := filepath.Join(dir, "j.jsonl"), filepath.Join(dir, "j.html")
	argv := append([]string{"call", "calibrate", "--arg", "steps:=2", "--record", file}, childArgv(t, "child:demo", "--fault", "progress-stuck")...)
	if r := program(t, argv...); r.code != 0 {
		t.Fatal(r)
	}
	if r := program(t, "story", file, "--html", page); r.code != 0 || r.out != "" || !strings.Contains(r.err, "wrote "+page) {
		t.Fatal(r)
	}
	all := program(t, "story", file, "--html", "-")
	if text, err := os.ReadFile(page); err != nil || string(text) != all.out {
		t.Errorf("file and standard output differ: %v", err)
	}
	for _, want := range []string{"<!doctype html>", "tools/call calibrate</a>", `id="progress-not-increasing"`, "Skerry Light weather station"} {
		if !strings.Contains(all.out, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if r := program(t, "story", file, "--html", page); r.code != exitUsage || !strings.Contains(r.err, "never written over") {
		t.Errorf("an existing file: %s", r)
	}
	if r := program(t, "story", file, "--html", "-", "--markdown"); r.code != exitUsage {
		t.Errorf("both: %s", r)
	}
}
