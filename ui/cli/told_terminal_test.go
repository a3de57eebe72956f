//go:build !windows

package cli

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcploupe/ui/cli/termtest"
)

// clipboard is what a program puts there through the terminal.
var clipboard = regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)`)

// A key that was typed among the words of a command is nowhere on the screen: neither in its title nor in what is copied from it,
// in pictures of it, and in what is kept; and the server has it, also when it is started again.
func TestTheScreenKeepsTheSecretsOfACommand(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			exe, err := os.Executable()
			must(t, err)
			sum := toldSum(toldWords)
			see := func(term *termtest.Term, what string, ok func(string) bool) {
				t.Helper()
				must(t, term.Wait(time.Minute, what, ok))
				noneTold(t, what, term.Text())
			}
			has := func(text string) func(string) bool {
				return func(screen string) bool { return strings.Contains(screen, text) }
			}
			argv := append([]string{exe, "--record", "journal.jsonl", "--env", "STORY_TOLD=" + toldPEM, "--", exe, "child:told"}, toldWords...)
			term, err := termtest.Start(size[0], size[1], []string{asProgram + "=1", "COLORFGBG=15;0", "HOME=" + dir, "MCPLOUPE_TEST_FORGETS=no", "XDG_STATE_HOME=" + filepath.Join(dir, "state")}, argv...)
			must(t, err)
			t.Cleanup(term.Close)
			see(term, "the tool", has("tell"))
			see(term, "the server", has("● ready"))
			must(t, term.Type("L"))
			see(term, "the log, with the words that the process got", has("sum "+sum))
			must(t, term.Type("esc"))
			must(t, term.Type("\x1b[24~")) // f12
			see(term, "the picture", has("the screenshot is in screen.svg"))
			must(t, term.Type("2", "enter", "ctrl+s"))
			see(term, "the answer", has("success"))
			must(t, term.Type("tab", "y"))
			see(term, "what can be copied", has("mcploupe command"))
			must(t, term.Type("m"))
			see(term, "it is copied", has("copied"))
			must(t, term.Type("ctrl+r"))
			must(t, term.Wait(time.Minute, "two processes in the journal", func(string) bool {
				text, err := os.ReadFile("journal.jsonl")
				return err == nil && strings.Count(string(text), "using sum "+sum) >= 2
			}))
			must(t, term.Type("ctrl+c"))
			_, err = term.Exit(time.Minute)
			must(t, err)

			raw := string(term.Raw())
			copied := clipboard.FindStringSubmatch(raw)
			if copied == nil {
				t.Fatal("nothing was copied")
			}
			line, err := base64.StdEncoding.DecodeString(copied[1])
			must(t, err)
			if !strings.Contains(string(line), `--api-key "$SECRET"`) || !strings.Contains(string(line), "--max-tokens 100") {
				t.Errorf("copied is %s", line)
			}
			noneTold(t, "what is copied", string(line))
			noneTold(t, "what the terminal got", clipboard.ReplaceAllString(raw, ""))
			if !strings.Contains(raw, "\x1b]2;") {
				t.Error("the window has no title")
			}
			if n := noneKept(t, dir); n < 4 {
				t.Errorf("only %d files were written", n)
			}
		})
	}
}
