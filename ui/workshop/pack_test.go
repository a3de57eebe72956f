package workshop

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"mcploupe/ui/calls"
)

const aLesson = "# Reading\nminutes: 3\nserver: demo --serve modern\n\nWords.\n\n## Take home\n\n- It reads.\n"

func TestWhatAPackHolds(t *testing.T) {
	lessons := fstest.MapFS{"01-reading.md": {Data: []byte(aLesson)}, "more/journal.jsonl": {Data: []byte("{}")}}
	pages := fstest.MapFS{"workshop.md": {Data: []byte("[calls](calls.md), [rules](rules.md), ![a picture](a.svg), [far](https://example.com/x)")}, "calls.md": {Data: []byte("# Calls")}}
	files, err := Files(lessons, pages, func(fault string) string { return "rule-of-" + fault })
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"README.md":                  "| `lessons/01-reading.md` | Reading | 3 min |",
		"lessons/01-reading.md":      aLesson,
		"lessons/more/journal.jsonl": "{}",
		"docs/workshop.md":           "[calls](calls.md), rules, a picture, [far](https://example.com/x)",
		"docs/answers.md":            "| 1 | `rule-of-ttl-negative` | `mcploupe demo --fault ttl-negative` |",
		"calls/weather.json":         `"get_weather"`,
		AnswersFile:                  `"accept"`,
	} {
		if text := string(files[name]); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %q", name, want, text)
		}
	}
	for name, text := range files {
		if !fs.ValidPath(name) {
			t.Errorf("%q is no path within a folder", name)
		}
		if strings.HasSuffix(name, ".md") && strings.Contains(string(text), "<!--") {
			t.Errorf("%s has a hole", name)
		}
	}
	lessons["02-wrong.md"] = &fstest.MapFile{Data: []byte("no lesson")}
	if _, err := Files(lessons, pages, func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "02-wrong.md") {
		t.Errorf("a lesson that is wrong: %v", err)
	}
}

// Names are those of files: no two alike, and nothing that would be a folder.
func TestRecipesHaveNamesOfTheirOwn(t *testing.T) {
	for _, all := range [][]Recipe{Conversations(), Mysteries()} {
		seen := map[string]bool{}
		for _, r := range all {
			if seen[r.Name] || strings.ContainsAny(r.Name, `/\. `) || r.About == "" || len(r.Words) == 0 {
				t.Errorf("%+v", r)
			}
			seen[r.Name] = true
		}
	}
	for name, c := range Saved() {
		if got, err := calls.Parse(c.Format()); err != nil || got.Name != c.Name || c.Note == "" || !strings.HasSuffix(name, ".json") {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}
