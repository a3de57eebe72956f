//go:build !windows

package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcploupe/ui/cli/termtest"
)

// In the real program: the person's own editor gets the arguments and the terminal, what it leaves comes back, and no file stays.
func TestArgumentsInTheOwnEditor(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncp \"$2\" "+filepath.Join(dir, "was")+"\nprintf '{\"location\": \"Bergen\",\\n \"days\":   2}' > \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term, err := termtest.Start(100, 30, []string{asProgram + "=1", "VISUAL=" + script + " --wait", "TMPDIR=" + dir}, exe, "demo")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.Close)
	must(t, term.See("morning_briefing"))
	must(t, term.Type("enter"))
	must(t, term.See("ctrl+t JSON"))
	must(t, term.Type("ctrl+t"))
	must(t, term.See("ctrl+t form"))
	must(t, term.Type("\x1bOS")) // F4
	// F4, as terminals send it.
	must(t, term.See("taken from the editor"))
	must(t, term.See(`"days":   2`)) // as it was spelled
	must(t, term.Type("ctrl+s"))
	must(t, term.See("success"))
	must(t, term.Type("ctrl+c"))
	if _, err := term.Exit(time.Minute); err != nil {
		t.Error(err)
	}
	if was, err := os.ReadFile(filepath.Join(dir, "was")); err != nil || len(was) == 0 {
		t.Errorf("the editor was given %q, %v", was, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "mcploupe-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
