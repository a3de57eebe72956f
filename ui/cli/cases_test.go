package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// Case C04: one line of eight megabytes is read, nothing is found, and what comes behind it still arrives.
func TestCaseALineOfEightMegabytes(t *testing.T) {
	args := []string{"check", "--json", "--read", "0", "--call", `copy_log={"kilobytes":8192,"shape":"line"}`, "--call", "tide_table={}"}
	r := program(t, append(args, childArgv(t, "child:demo")...)...)
	lines, summary := contract(t, r.out)
	if r.code != 0 || summary.Count.Must+summary.Count.Should != 0 {
		t.Errorf("exit %d, %+v", r.code, summary.Count)
	}
	var large, behind bool
	for _, l := range lines {
		large = large || l.Name == "copy_log" && len(l.Response) > 8<<20
		behind = behind || large && l.Name == "tide_table" && len(l.Response) > 0
	}
	if !large || !behind {
		t.Errorf("the long line came: %v; the call behind it was answered: %v", large, behind)
	}
}

// Case C46: 200,000 lines in one text are a result like any other.
func TestCaseAHugeText(t *testing.T) {
	args := []string{"call", "copy_log", "--args", `{"kilobytes":15625,"shape":"lines"}`, "--output", "content"}
	r := program(t, append(args, childArgv(t, "child:demo")...)...)
	if n := strings.Count(r.out, "\n"); r.code != 0 || n < 195_000 {
		t.Errorf("exit %d, %d lines, stderr %s", r.code, n, r.err)
	}
}

// Case C12: what a configuration sets for a child is merged over the inherited environment; its values are masked.
func TestCaseTheEnvironmentIsMerged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	file := filepath.Join(t.TempDir(), "mcp.json")
	script := `echo "PATH has ${#PATH} characters, TOKEN is $TOKEN, INHERITED is $MCPLOUPE_INHERITED" >&2; exit 5`
	text := fmt.Sprintf(`{"mcpServers": {"demo": {"command": "sh", "args": ["-c", %s], "env": {"TOKEN": "secret-of-the-config"}}}}`, jsondoc.Quote(script))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MCPLOUPE_INHERITED", "from outside")
	r := program(t, "list", "tools", "--config", file, "demo")
	if r.code != 3 || !strings.Contains(r.err, "INHERITED is from outside") || strings.Contains(r.err, "PATH has 0 ") {
		t.Errorf("the environment was replaced: %s", r)
	}
	if strings.Contains(r.out+r.err, "secret-of-the-config") || !strings.Contains(r.err, "TOKEN is **") {
		t.Errorf("the value is not masked: %s", r)
	}
}

// Case C13: a command that is not on the search path: where it was looked for, and what has a similar name.
func TestCaseTheCommandIsNotFound(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs files with a mode")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "npx-mcp"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	r := program(t, "list", "tools", "--", "npx-mpc", "-y", "some-server")
	if r.code != 3 {
		t.Errorf("exit %d, want 3", r.code)
	}
	for _, want := range []string{"npx-mpc", dir, "npx-mcp"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("%q is not said: %s", want, r)
		}
	}
}
