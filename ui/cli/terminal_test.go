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

// start runs the real program (the test binary in its place) on a screen.
func start(t *testing.T, w, h int, args ...string) *termtest.Term {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term, err := termtest.Start(w, h, []string{asProgram + "=1", "COLORFGBG=15;0"}, append([]string{exe}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.Close)
	return term
}

// left waits until the program ended by itself, well, with the terminal as it found it.
func left(t *testing.T, term *termtest.Term) {
	t.Helper()
	code, err := term.Exit(time.Minute)
	must(t, err)
	if code != 0 || term.AltScreen() {
		t.Errorf("exit code %d, alternate screen %v", code, term.AltScreen())
	}
}

// The main job: choose a tool, edit its arguments as JSON, send them, see the verdict, quit.
func TestCallWithEditedJSON(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		term := start(t, size[0], size[1], "demo")
		must(t, term.See("morning_briefing")) // the last list: nothing more comes by itself
		must(t, term.Type("enter"))
		must(t, term.See("ctrl+t JSON")) // the footer: the focus is on the call
		must(t, term.Type("ctrl+t"))
		must(t, term.See("ctrl+t form"))
		// The arguments begin with the required ones, and the cursor stands where the form's did: fill in the place, add the days.
		must(t, term.Type("Bergen", "ctrl+e", `, "days": 2`, "ctrl+s"))
		must(t, term.See("success"))
		must(t, term.See("complete"))
		must(t, term.Type("ctrl+c"))
		left(t, term)
	}
}

// A hostile server writes escape sequences and invisible characters everywhere. None of them reaches the terminal.
func TestNoByteOfAHostileServerReachesTheTerminal(t *testing.T) {
	term := start(t, 120, 36, "demo", "--fault", "ansi-escape", "--fault", "hidden-unicode", "--fault", "poisoned-description")
	must(t, term.See("get_weather"))
	term.Quiet(300 * time.Millisecond)
	must(t, term.Type("2", "enter", "Oslo", "ctrl+s"))
	must(t, term.See("complete"))
	for _, key := range []string{"esc", "esc", "1", "2", ">", ">", ">", "3", "4", "5", "enter", "!", "esc", "L", "esc", "?"} {
		must(t, term.Type(key))
		term.Quiet(60 * time.Millisecond)
	}
	raw := term.Raw()
	for _, bad := range []string{"\x1b]52;c;aGk", "\x1b[2J\x1b]", "\u202e", "\u200b", "\U000E0068", "\u009b"} {
		if bytes.Contains(raw, []byte(bad)) {
			t.Errorf("%q of the server reached the terminal", bad)
		}
	}
	if strings.TrimSpace(term.Text()) == "" {
		t.Error("the screen is empty")
	}
	must(t, term.Type("ctrl+c"))
	if _, err := term.Exit(time.Minute); err != nil {
		t.Error(err)
	}
}

// A server that cannot be started leaves a screen that says why, and the program goes on.
func TestAStartThatFailsSaysWhy(t *testing.T) {
	term := start(t, 100, 30, "--", "sh", "-c", "echo FATAL: API_KEY is not set >&2; exit 3")
	must(t, term.See("API_KEY is not set"))
	must(t, term.See("3"))
	must(t, term.Type("ctrl+c"))
	if _, err := term.Exit(time.Minute); err != nil {
		t.Error(err)
	}
}

// A tool asks: the dialog opens, is filled in, and the answer goes out, in both eras.
func TestAnswerAQuestion(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	for _, era := range []string{"modern", "legacy"} {
		term := start(t, 120, 36, "--era", era, "--", exe, "demo", "--stdio")
		must(t, term.See("log_observation"))
		must(t, term.Type("/", "log_obs", "enter", "ctrl+s"))
		must(t, term.See("What do you see from the gallery?"))
		must(t, term.See("Skerry Light weather station asks"))
		if era == "modern" {
			must(t, term.See("round 1 of at most 50"))
		}
		time.Sleep(600 * time.Millisecond) // the grace in which keys were meant for something else; a running call never leaves the screen quiet
		must(t, term.Type("right", "ctrl+s"))
		must(t, term.See("is in the log book"))
		must(t, term.Type("ctrl+s"))
		must(t, term.See("What do you see from the gallery?"))
		time.Sleep(600 * time.Millisecond)
		must(t, term.Type("ctrl+d"))
		must(t, term.See("Nothing was written"))
		must(t, term.Type("ctrl+c"))
		if _, err := term.Exit(time.Minute); err != nil {
			t.Error(err)
		}
	}
}

// --watch: the server's file changes, the server is started again.
func TestWatch(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/server.ts", []byte("1"), 0o600))
	term := start(t, 120, 36, "--watch", dir+"/*.ts", "--", exe, "demo", "--stdio")
	must(t, term.See("morning_briefing"))
	must(t, os.WriteFile(dir+"/server.ts", []byte("2"), 0o600))
	must(t, term.See("server.ts changed"))
	must(t, term.Wait(time.Minute, "the server is back", func(screen string) bool { return strings.Contains(screen, "● ready") }))
	must(t, term.Type("ctrl+c"))
	left(t, term)
}

// A newcomer's path: from mcploupe demo to the first violation that is understood, with its value, its reason and its remedy, in at
// most six keys.
func TestFromTheFirstScreenToTheFirstUnderstoodViolation(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		term := start(t, size[0], size[1], "demo")
		must(t, term.See("morning_briefing")) // the last list: nothing more comes by itself
		path := []struct{ key, sees string }{
			{"F", "output-invalid"},                  // the ways to misbehave; the footer of the first screen names the key
			{"t", "output invalid"},                  // try the one under the cursor: the verdict says so
			{"enter", "i explain"},                   // into the answer
			{"]", "tool-error-output-invalid"},       // to the value at fault
			{"i", "Structured output has the shape"}, // why
		}
		if len(path) > 6 {
			t.Errorf("it takes %d keys", len(path))
		}
		for _, step := range path {
			must(t, term.Type(step.key))
			must(t, term.See(step.sees))
		}
		must(t, term.See(`"22"`))
		must(t, term.See("a number"))
		must(t, term.See("Why"))
		must(t, term.Type("ctrl+c"))
		_, err := term.Exit(time.Minute)
		must(t, err)
	}
}
