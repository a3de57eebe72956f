package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// writeFile writes a new file into the current directory and says how it is called.
func writeFile(w kit.Write) tea.Cmd {
	return func() tea.Msg {
		name, err := writeNew(w.Name, w.Ext, []byte(w.Text))
		if err != nil {
			return doneMsg{"writing " + w.What + ": " + kit.Escape(err.Error()), true}
		}
		return doneMsg{w.What + " is in " + kit.Escape(name), false}
	}
}

// writeNew writes text into a file that did not exist, for its owner alone: the name, made harmless, with a number when it is taken.
func writeNew(name, ext string, text []byte) (string, error) {
	name = harmlessName(name)
	for n := 1; n < 1000; n++ {
		path := name + ext
		if n > 1 {
			path = fmt.Sprintf("%s-%d%s", name, n, ext)
		}
		err := createFile(path, text)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, nil
	}
	return "", fmt.Errorf("there are too many files called %s", name+ext)
}

// harmlessName is a text as the name of a file: letters, digits and hyphens, at most 60.
func harmlessName(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return "story"
}
