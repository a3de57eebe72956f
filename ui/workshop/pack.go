// Package workshop is what a pack for a workshop holds: texts, lessons, saved calls, and recipes for the conversations that
// are recorded into it. It gives files by their names; who writes them, and records, is the command line. It must never
// know: sessions, servers, screens.
package workshop

import (
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcploupe/ui/calls"
	"mcploupe/ui/lesson"
)

//go:embed text/README.md
var readme string

//go:embed text/answers.md
var solutions string

// Directories of a pack.
const (
	Journals = "journals" // with one for each revision below
	Puzzles  = "find-the-fault"
	Lessons  = "lessons"
	Calls    = "calls"
	Docs     = "docs"
)

// Files are the files of a pack but for the journals, by their paths with slashes. lessons holds files as lesson.Files does,
// pages documents as docs.Pages does; rule gives the id of the rule that finds a fault.
func Files(lessons, pages fs.FS, rule func(fault string) string) (map[string][]byte, error) {
	files := map[string][]byte{AnswersFile: []byte(Answers)}
	parts := map[string]string{"journals": conversations(), "mysteries": mysteries()}
	var err error
	if parts["lessons"], err = addLessons(files, lessons); err != nil {
		return nil, err
	}
	if err := addPages(files, pages); err != nil {
		return nil, err
	}
	parts["calls"] = addCalls(files)
	files["README.md"] = []byte(fill(readme, parts))
	var rows strings.Builder
	for _, m := range Mysteries() {
		fmt.Fprintf(&rows, "| %s | `%s` | `mcploupe demo --fault %s` |\n", m.Name, rule(m.Fault), m.Fault)
	}
	files[Docs+"/answers.md"] = []byte(fill(solutions, map[string]string{"answers": rows.String()}))
	return files, nil
}

// fill puts parts where a text says so: "<!-- name -->" on a line of its own.
func fill(text string, parts map[string]string) string {
	for name, part := range parts {
		text = strings.ReplaceAll(text, "<!-- "+name+" -->\n", part)
	}
	return text
}

// addLessons adds every file, whatever lessons need beside their texts, and gives a row for each lesson.
func addLessons(files map[string][]byte, from fs.FS) (rows string, err error) {
	var b strings.Builder
	err = fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		files[path.Join(Lessons, name)] = text
		if path.Ext(name) != ".md" {
			return nil
		}
		l, err := lesson.Parse(name, text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d min |\n", path.Join(Lessons, name), l.Title, l.Minutes)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("reading the lessons: %w", err)
	}
	return b.String(), nil
}

var link = regexp.MustCompile(`!?\[([^\]]*)\]\(([^)#:]+)\)`)

// addPages adds the documents. A link to what is not in the pack becomes plain text.
func addPages(files map[string][]byte, from fs.FS) error {
	names, err := fs.Glob(from, "*.md")
	if err != nil {
		return fmt.Errorf("looking for documents: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return fmt.Errorf("reading a document: %w", err)
		}
		files[path.Join(Docs, name)] = link.ReplaceAllFunc(text, func(found []byte) []byte {
			m := link.FindSubmatch(found)
			if slices.Contains(names, string(m[2])) {
				return found
			}
			return m[1]
		})
	}
	return nil
}

func addCalls(files map[string][]byte) (rows string) {
	saved := Saved()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		c := saved[name]
		files[Calls+"/"+name] = c.Format()
		fmt.Fprintf(&b, "| `mcploupe %s --saved %s/%s -- mcploupe demo --stdio` | %s |\n", command(c.Kind), Calls, name, c.Note)
	}
	return b.String()
}

// command is the one that sends a saved call of a kind.
func command(kind string) string {
	switch kind {
	case calls.Prompt:
		return "prompt"
	case calls.Resource:
		return "read"
	}
	return "call"
}

func conversations() string {
	var b strings.Builder
	for _, r := range Conversations() {
		fmt.Fprintf(&b, "| `%s.jsonl` | %s |\n", r.Name, r.About)
	}
	return b.String()
}

func mysteries() string {
	var b strings.Builder
	for _, r := range Mysteries() {
		fmt.Fprintf(&b, "| `%s/%s.jsonl` | %s |\n", Puzzles, r.Name, r.About)
	}
	return b.String()
}
