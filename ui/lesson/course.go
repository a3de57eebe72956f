package lesson

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed lessons
var lessons embed.FS

// Files are the files of the lessons that come with the program, by their names: "01-three-exchanges.md". Their order is that
// of the lessons.
func Files() fs.FS {
	files, err := fs.Sub(lessons, "lessons")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	return files
}

// All are the lessons that come with the program, in their order. A test reads each, so none can be wrong.
func All() []*Lesson {
	names, err := fs.Glob(Files(), "*.md")
	if err != nil {
		panic(err) // the pattern is right
	}
	all := make([]*Lesson, 0, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(Files(), name)
		if err != nil {
			panic(err) // it was listed
		}
		if l, err := Parse(name, text); err == nil {
			all = append(all, l)
		}
	}
	return all
}

// Find is the lesson with this number (from 1) or name; words that begin one name alone are enough.
func Find(all []*Lesson, words string) (*Lesson, error) {
	if n, err := strconv.Atoi(words); err == nil {
		if n < 1 || n > len(all) {
			return nil, fmt.Errorf("finding lesson %d: there are %d", n, len(all))
		}
		return all[n-1], nil
	}
	var found []*Lesson
	for _, l := range all {
		if l.Name == words {
			return l, nil
		}
		if strings.HasPrefix(l.Name, words) {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("finding the lesson %q: %s and %s begin so", words, found[0].Name, found[1].Name)
	}
	return nil, fmt.Errorf("finding the lesson %q: there is none of that name", words)
}
