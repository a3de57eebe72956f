package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcploupe/session/demo"
	"mcploupe/ui/calls"
	"mcploupe/ui/lesson"
	"mcploupe/ui/workshop"
)

// A pack is used as learners would: every file of it is opened, played, sent or read, and every command line run.
func TestEveryFileOfAPack(t *testing.T) {
	if raced {
		t.Skip("starts more real programs than there is time for with the race detector, which looks into none of them")
	}
	dir := filepath.Join(t.TempDir(), "pack")
	if r := program(t, "workshop", "pack", dir); r.code != 0 || !strings.Contains(r.out, "README.md") {
		t.Fatalf("packing: %s", r)
	}
	t.Chdir(dir)
	faults, names := map[string]string{}, map[string]string{}
	for _, m := range workshop.Mysteries() {
		f, ok := demo.Lookup(m.Fault)
		if !ok {
			t.Errorf("no fault %s", m.Fault)
		}
		faults[m.Name+".jsonl"], names[m.Name+".jsonl"] = f.Rule, m.Fault
	}
	kinds := map[string]int{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Mode().Perm()&0o044 != 0o044 || info.Size() == 0 || info.Size() > 200<<10 {
			t.Errorf("%s: %v %v", path, info, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		top, rest, _ := strings.Cut(path, "/")
		kinds[top]++
		switch top {
		case workshop.Journals:
			revision, _, _ := strings.Cut(rest, "/")
			r := program(t, "check", "--json", path)
			_, sum := contract(t, r.out)
			if r.code != 0 || sum.ProtocolVersion != revision || sum.Exchanges == 0 || sum.Count.Must+sum.Count.Should+sum.Count.Sep2145 != 0 {
				t.Errorf("%s: a faithful server of %s: %s", path, revision, r)
			}
		case workshop.Puzzles:
			rule := faults[rest]
			r := program(t, "check", "--json", "--fail-on", "never", path)
			if lines, _ := contract(t, r.out); !strings.Contains(r.out, `"rule":"`+rule+`"`) || len(grave(lines)) > 1 {
				t.Errorf("%s: not %s, or more: %s", path, rule, r)
			}
			if strings.Contains(string(text), names[rest]) {
				t.Errorf("%s tells what it is", path)
			}
		case workshop.Calls:
			c, err := calls.Parse(text)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				break
			}
			command := map[string]string{calls.Tool: "call", calls.Prompt: "prompt", calls.Resource: "read"}[c.Kind]
			if r := program(t, append([]string{command, "--saved", path}, childArgv(t, "child:demo")...)...); r.code > exitFindings || strings.Contains(r.out, "protocol error") {
				t.Errorf("%s: %s", path, r)
			}
		case workshop.Lessons:
			if _, err := lesson.Parse(path, text); err != nil && strings.HasSuffix(path, ".md") {
				t.Errorf("%s: %v", path, err)
			}
		case workshop.AnswersFile, "README.md", workshop.Docs:
		default:
			t.Errorf("nobody knows what %s is", path)
		}
		if strings.HasSuffix(path, ".jsonl") {
			if r := program(t, "story", path); r.code != 0 || !strings.Contains(r.out, "mcploupe") {
				t.Errorf("the story of %s: %s", path, r)
			}
		}
		if strings.HasSuffix(path, ".md") && top != workshop.Lessons {
			for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(text), -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
					t.Errorf("%s: a link to nowhere: %s", path, m[1])
				}
			}
			for _, m := range regexp.MustCompile("`([a-z-]+/[\\w/.-]+\\.(?:md|jsonl?))`").FindAllStringSubmatch(string(text), -1) {
				if _, err := os.Stat(m[1]); err != nil && path == "README.md" {
					t.Errorf("%s names %s", path, m[1])
				}
			}
			if strings.Contains(string(text), "<!-- "+workshop.Lessons) || strings.Contains(string(text), "<!-- answers -->") {
				t.Errorf("%s has a hole", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lessons, _ := fs.Glob(lesson.Files(), "*.md")
	if kinds[workshop.Journals] != 2*len(workshop.Conversations()) || kinds[workshop.Puzzles] != len(workshop.Mysteries()) ||
		kinds[workshop.Calls] != len(workshop.Saved()) || kinds[workshop.Lessons] < len(lessons) || kinds[workshop.Docs] < 5 {
		t.Errorf("it holds %v", kinds)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/answers.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range commandLines(t, string(text)) {
			c, err := parsed(l.words)
			if err != nil {
				t.Errorf("%s: %v", l.text, err)
			} else if runs(c) {
				if r := program(t, played(l.words, exe, "")...); r.code > exitFindings {
					t.Errorf("%s: %s", l.text, r)
				}
			}
		}
		for _, m := range codeSpan.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if words, err := shellWords(m[1]); err == nil && words[0] == "mcploupe" {
				if _, err := parsed(words[1:]); err != nil {
					t.Errorf("%s: `%s`: %v", page, m[1], err)
				}
			}
		}
	}
}
