package app

import (
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// copy puts a text on the clipboard in both ways: by the terminal (OSC 52, which also works over SSH, where
// the terminal knows it), and by the system's own tool when there is one.
func (m *Model) copy(c kit.Copy) tea.Cmd {
	m.say("copied "+kit.Escape(c.What), false)
	return tea.Batch(tea.SetClipboard(c.Text), systemClipboard(c.Text))
}

// tools are the programs that take the clipboard's text from their input.
func clipboardTools(env func(string) string) [][]string {
	switch {
	case env("SSH_CONNECTION") != "": // the clipboard over there is not the person's
		return nil
	case env("WAYLAND_DISPLAY") != "":
		return [][]string{{"wl-copy"}}
	case env("DISPLAY") != "":
		return [][]string{{"xclip", "-selection", "clipboard"}, {"xsel", "--clipboard", "--input"}}
	}
	return [][]string{{"pbcopy"}, {"clip.exe"}}
}

func systemClipboard(text string) tea.Cmd {
	return func() tea.Msg {
		for _, argv := range clipboardTools(os.Getenv) {
			path, err := exec.LookPath(argv[0])
			if err != nil {
				continue
			}
			cmd := exec.Command(path, argv[1:]...)
			cmd.Stdin = strings.NewReader(text)
			cmd.WaitDelay = time.Second
			if cmd.Run() == nil {
				return nil
			}
		}
		return nil
	}
}
