//go:build !windows

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// twoDemos is a configuration with the built-in server twice, each misbehaving in its own way and leaving its process id.
func twoDemos(t *testing.T) (config string, pid func(name string) int) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	dir := t.TempDir()
	entry := func(name, fault string) string {
		script := fmt.Sprintf("echo $$ >%s; exec %s demo --stdio --fault %s", filepath.Join(dir, name), exe, fault)
		return fmt.Sprintf("%q:{\"command\":\"sh\",\"args\":[\"-c\",%q]}", name, script)
	}
	config = filepath.Join(dir, "mcp.json")
	must(t, os.WriteFile(config, []byte(`{"mcpServers":{`+entry("north", "ttl-negative")+","+entry("south", "instructions-list")+"}}"), 0o600))
	return config, func(name string) int {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		must(t, err)
		return n
	}
}

// Two servers, real processes, in one run: switching keeps what was where, ending one leaves the other alone.
func TestTwoServersInOneRun(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		config, pid := twoDemos(t)
		term := start(t, size[0], size[1], "--config", config, "--all")
		must(t, term.See("1/2"))
		must(t, term.See("morning_briefing"))
		must(t, term.Type("/", "calib", "enter", "enter"))
		must(t, term.See("steps"))
		must(t, term.Type("ctrl+s")) // it takes its time
		must(t, term.See("running"))
		must(t, term.Type("}"))
		must(t, term.See("2/2"))
		must(t, term.See("get_forecast"))
		must(t, term.Type("T"))
		must(t, term.See("north"))
		must(t, term.See("south"))
		must(t, term.Type("esc"))
		must(t, term.See("north is done with what was running"))
		must(t, term.Type("{"))
		must(t, term.See("1/2"))
		must(t, term.Wait(time.Minute, "the call that ended meanwhile", func(screen string) bool {
			return strings.Contains(screen, "calibrate") && strings.Contains(screen, "calib")
		}))

		// Closing the first ends its process, and its alone.
		must(t, term.Type("T", "up", "up", "up", "ctrl+x"))
		must(t, term.See("north is closed"))
		gone := pid("north")
		within(t, time.Minute, fmt.Sprintf("process %d is gone", gone), func() bool { return syscall.Kill(gone, 0) != nil })
		must(t, syscall.Kill(pid("south"), 0))
		must(t, term.See("ready"))
		must(t, term.Type("ctrl+c"))
		left(t, term)
		if syscall.Kill(pid("south"), 0) == nil {
			t.Error("the second server outlives the program")
		}
	}
}

// Without a target a person is shown what can be opened, and one key opens it; without a terminal nothing has changed.
func TestWithoutATarget(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		term := start(t, size[0], size[1])
		must(t, term.See("Which server shall we look at?"))
		must(t, term.See("built in"))
		must(t, term.Type("enter"))
		must(t, term.See("get_weather"))
		must(t, term.See("morning_briefing"))
		must(t, term.Type("q"))
		left(t, term)
	}
	// none at all, and not nil, which would be those of the test
	if r := program(t, []string{}...); r.code != 0 || !strings.Contains(r.out, "Usage:") {
		t.Errorf("without a terminal: %s", r)
	}
	there := filepath.Join(t.TempDir(), "j.jsonl")
	must(t, os.WriteFile(there, nil, 0o600))
	for _, words := range [][]string{{"--all"}, {"--record", there}, {"--record", filepath.Join(there, "below", "j.jsonl"), "--force"}} {
		term := start(t, 80, 24, words...)
		if code, err := term.Exit(time.Minute); err != nil || code != exitUsage {
			t.Errorf("%q: exit code %d, %v", words, code, err)
		}
	}
}
