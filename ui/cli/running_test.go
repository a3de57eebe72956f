//go:build !windows

package cli

import (
	"os"
	"strings"
	"testing"
	"time"
)

// What is no terminal gets a line now and then, not one for each report; --json gets records alone.
func TestProgressOfACallIsToldBeside(t *testing.T) {
	words := childArgv(t, "child:demo")
	r := program(t, append([]string{"call", "calibrate", "--args", `{"steps":100,"stepMs":12}`}, words...)...)
	lines := strings.Count(r.err, "tools/call calibrate: ")
	if r.code != 0 || lines < 1 || lines > 4 || !strings.Contains(r.err, "of 100") {
		t.Errorf("%d lines of progress: %s", lines, r)
	}
	if strings.ContainsAny(r.err, "\r\x1b") {
		t.Errorf("a terminal's commands where there is none: %q", r.err)
	}
	if r = program(t, append([]string{"call", "calibrate", "--json", "--args", `{"steps":5,"stepMs":12}`}, words...)...); strings.Contains(r.err, "calibrate") {
		t.Errorf("with --json: %s", r)
	}
}

// On a terminal it is one line, which says how to end the call and is gone when it is over.
func TestARunningCallOnATerminal(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	term := start(t, 100, 30, "call", "calibrate", "--args", `{"steps":8,"stepMs":200}`, "--", exe, "demo", "--stdio")
	must(t, term.See("⏳ tools/call calibrate"))
	must(t, term.See("of 8"))
	if screen := term.Text(); !strings.Contains(screen, "^C ends it") || strings.Count(screen, "⏳") != 1 {
		t.Errorf("the line is\n%s", screen)
	}
	code, err := term.Exit(time.Minute)
	must(t, err)
	if screen := term.Text(); code != 0 || strings.Contains(screen, "⏳") || !strings.Contains(screen, "agrees with the reference after 8 steps") {
		t.Errorf("exit %d, and at the end\n%s", code, screen)
	}
}
