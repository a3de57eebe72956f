//go:build !windows

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"mcploupe/ui/cli/termtest"
)

// From the command line to a task that is done, on the real program with its real child: a teacher's lesson, its task, the list,
// and from there a lesson of ours.
func TestALessonOnARealTerminal(t *testing.T) {
	state := t.TempDir()
	mine := filepath.Join(t.TempDir(), "mine.md")
	must(t, os.WriteFile(mine, []byte(`# A lesson of mine
minutes: 1
server: demo --serve modern

Welcome, learners.

## Task: Read the first resource

Press 3, then enter.

when: m:resources/read is:ok
done: you read it.
keys: 3 enter
`), 0o600))
	exe, err := os.Executable()
	must(t, err)
	term, err := termtest.Start(120, 36, []string{asProgram + "=1", "COLORFGBG=15;0", "MCPLOUPE_TEST_FORGETS=no", "XDG_STATE_HOME=" + state}, exe, "learn", mine)
	must(t, err)
	t.Cleanup(term.Close)
	must(t, term.See("Welcome, learners."))
	must(t, term.See("morning_briefing"))
	must(t, term.Type("."))
	must(t, term.See("Press 3, then enter."))
	must(t, term.Type("3", "enter"))
	must(t, term.See("done: you read it."))
	must(t, term.Type("."))
	must(t, term.See("1 of 24 done"))
	must(t, term.Type("enter")) // on the first one that is not done
	must(t, term.See("Lesson 1"))
	must(t, term.See("morning_briefing"))
	must(t, term.Type("ctrl+c"))
	left(t, term)
	if _, err := os.Stat(filepath.Join(state, "mcploupe", "lessons.json")); err != nil {
		t.Errorf("progress is not kept: %v", err)
	}
}
