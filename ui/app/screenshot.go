package app

import (
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"os"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
	"mcploupe/ui/snap"
)

// shoot wants the screen, as it stands, in files.
type shoot struct{}

// screenshotRow is the key that takes a picture of the screen, whatever lies on it.
func screenshotRow() kit.Row {
	return kit.Row{Keys: []string{"f12"}, Words: "screenshot", Group: "program", Quiet: true, Do: func() kit.Intent { return shoot{} }}
}

// screenshot writes the screen as it stands as SVG, and as text with styles. Nothing is written over.
func (m *Model) screenshot() tea.Cmd {
	m.said = said{} // what a picture was called is not in the next one
	screen, title, w, h := m.screen(), m.windowTitle(), m.w, m.h
	var fore, back color.Color
	if !m.o.NoColour {
		fore, back = m.env.Styles.Theme.Colours()
	}
	return func() tea.Msg { // drawing it takes longer than a key may
		p := snap.Parse(screen, w, h)
		p.Fore, p.Back = fore, back
		name, err := writePair("screen", ".svg", []byte(p.SVG(title)), ".ansi", []byte(p.ANSI()))
		if err != nil {
			return doneMsg{"writing the screenshot: " + kit.Escape(err.Error()), true}
		}
		return doneMsg{"the screenshot is in " + name + ".svg and " + name + ".ansi", false}
	}
}

// writePair writes two files of one name that did not exist, for their owner alone, and gives the name.
func writePair(name, ext1 string, text1 []byte, ext2 string, text2 []byte) (string, error) {
	for n := 1; n < 1000; n++ {
		base := name
		if n > 1 {
			base = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(base + ext2); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := createFile(base+ext1, text1)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return base, createFile(base+ext2, text2)
	}
	return "", fmt.Errorf("there are too many files called %s", name+ext1)
}

// createFile writes a file that must not exist, for its owner alone.
func createFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
