package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// outsideMsg is how editing in the person's own editor ended.
type outsideMsg struct {
	path string
	was  []byte
	done func([]byte)
	err  error // of the editor
}

// editOutside lets the person edit a text in $VISUAL or $EDITOR, in a file that its owner alone may read and that is removed
// afterwards. The screen steps aside meanwhile.
func (m *Model) editOutside(i kit.EditOutside) tea.Cmd {
	cmd, path, err := editorOn(i.Text, os.Getenv)
	if err != nil {
		m.say("opening an editor: "+kit.Escape(err.Error()), true)
		return nil
	}
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return outsideMsg{path, i.Text, i.Done, err} })
}

// editorOn is the command that edits a text, and the file it stands in.
func editorOn(text []byte, getenv func(string) string) (*exec.Cmd, string, error) {
	f, err := os.CreateTemp("", "mcploupe-*.json") // 0600
	if err != nil {
		return nil, "", err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return nil, "", err
	}
	return editorFor(getenv, runtime.GOOS, f.Name()), f.Name(), nil
}

// editorFor is the command for a file: $VISUAL, $EDITOR, else vi (notepad on Windows). Both may hold words behind the command,
// and on Unix whatever a shell understands, as is the custom.
func editorFor(getenv func(string) string, goos, path string) *exec.Cmd {
	words := strings.TrimSpace(getenv("VISUAL"))
	if words == "" {
		words = strings.TrimSpace(getenv("EDITOR"))
	}
	if goos == "windows" {
		parts := strings.Fields(words)
		if len(parts) == 0 {
			parts = []string{"notepad"}
		}
		return exec.Command(parts[0], append(parts[1:], path)...)
	}
	if words == "" {
		words = "vi"
	}
	return exec.Command("sh", "-c", words+` "$1"`, "sh", path)
}

// mostOutside bounds what an editor may bring back.
const mostOutside = 64 << 20

// edited takes what the editor left, byte for byte. An editor that failed changes nothing.
func (m *Model) edited(msg outsideMsg) {
	text, err := readBack(msg.path)
	switch {
	case msg.err != nil:
		m.say("the editor ended with "+kit.Escape(msg.err.Error())+": nothing was changed", true)
	case err != nil:
		m.say("reading what was edited: "+kit.Escape(err.Error()), true)
	case bytes.Equal(text, msg.was):
		m.say("nothing was changed", false)
	default:
		msg.done(text)
		m.say("taken from the editor: "+kit.Size(int64(len(text))), false)
	}
}

// readBack reads the file of an editor and removes it, in any case.
func readBack(path string) (text []byte, err error) {
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, mostOutside+1))
	if err == nil && len(text) > mostOutside {
		err = fmt.Errorf("it is larger than %s", kit.Size(mostOutside))
	}
	return text, err
}
