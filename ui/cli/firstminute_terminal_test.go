//go:build !windows

package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"mcploupe/ui/cli/termtest"
)

// shows waits until the screen holds a text, however slow the machine.
func shows(t *testing.T, term *termtest.Term, text string) {
	t.Helper()
	must(t, term.Wait(time.Minute, text, func(screen string) bool { return strings.Contains(screen, text) }))
}

// On a terminal that cannot be drawn on the built-in server is talked to in lines, without one escape sequence; and so it is with
// --plain anywhere.
func TestTheFirstMinuteOnADumbTerminal(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	for name, c := range map[string]struct {
		term string
		args []string
	}{"dumb": {"dumb", []string{"demo"}}, "asked for": {"xterm-256color", []string{"demo", "--plain"}}, "before the command": {"xterm-256color", []string{"--plain", "demo"}}} {
		t.Run(name, func(t *testing.T) {
			term, err := termtest.Start(100, 40, []string{asProgram + "=1", "TERM=" + c.term}, append([]string{exe}, c.args...)...)
			must(t, err)
			t.Cleanup(term.Close)
			shows(t, term, "help lists what can be typed.")
			if c.term == "dumb" {
				shows(t, term, "TERM=dumb cannot be drawn on: printing instead (--plain)")
			}
			must(t, term.Type("tools", "enter"))
			shows(t, term, "log_observation")
			must(t, term.Type("quit", "enter"))
			if code, err := term.Exit(time.Minute); err != nil || code != 0 {
				t.Errorf("exit code %d, %v", code, err)
			}
			if raw := term.Raw(); c.term == "dumb" && bytes.Contains(raw, []byte("\x1b")) {
				t.Errorf("an escape sequence on a dumb terminal: %q", raw)
			}
		})
	}
}

// What needs the screen says so on such a terminal, and what does not.
func TestTheScreenNeedsATerminalThatCanBeDrawnOn(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	term, err := termtest.Start(100, 40, []string{asProgram + "=1", "TERM=dumb"}, exe)
	must(t, err)
	t.Cleanup(term.Close)
	shows(t, term, "TERM=dumb cannot be drawn on")
	shows(t, term, "mcploupe --plain TARGET prints instead")
}

// The first steps of the README's five minutes, key by key: each leads where it says.
func TestTheFirstStepsOfTheReadme(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		term, err := termtest.Start(size[0], size[1], []string{asProgram + "=1", "COLORFGBG=15;0"}, exe, "--no-history", "demo")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(term.Close)
		steps := []struct{ keys, sees string }{
			{"", "▸ get_weather"},
			{"enter", "▸ location *"},
			{"Skerry", `{ "location": "Skerry" }`}, // as the example begins that the schema offers
			{"ctrl+s", "✔ complete"},
			{"esc", "? help"}, // while the example is offered, tab takes it
			{"tab", "send again"},
			{">", "▾ structuredContent"},
			{"i", "CallToolResult"},
			{"esc", "send again"},
			{"shift+tab", "ctrl+t JSON"},
			{"ctrl+t", "✔ fits the schema"},
			{"ctrl+s", "Changes"}, // there is an answer before this one
		}
		for _, step := range steps {
			if step.keys != "" {
				must(t, term.Type(step.keys))
			}
			shows(t, term, step.sees)
		}
		term.Close()
	}
}
