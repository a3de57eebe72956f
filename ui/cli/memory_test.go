package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Across runs: a legacy server over stdio is opened at once the next time, check always detects, and --forget ends it.
func TestTheEraIsRememberedAcrossRuns(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	target := childArgv(t, "child:demo", "--serve", "legacy")
	opening := func(words ...string) string {
		t.Helper()
		r := program(t, append(append(words, "--json"), target...)...)
		lines, summary := contract(t, r.out)
		if summary.Era != "legacy" {
			t.Errorf("%q: %s", words, r)
		}
		var methods []string
		for _, l := range lines {
			if *l.Method == "server/discover" || *l.Method == "initialize" {
				methods = append(methods, *l.Method)
			}
		}
		return strings.Join(methods, " ")
	}
	list := []string{"list", "tools"}
	for i, c := range []struct {
		words []string
		want  string
	}{
		{list, "server/discover initialize"},
		{list, "initialize"},
		{[]string{"check"}, "server/discover initialize"},
		{[]string{"list", "prompts"}, "initialize"},
		{append(list, "--forget"), "server/discover initialize"},
		{list, "server/discover initialize"}, // --forget kept nothing
		{append(list, "--era", "legacy"), "initialize"},
		{list, "initialize"},
	} {
		if got := opening(c.words...); got != c.want {
			t.Errorf("step %d, %q: %s, want %s", i, c.words, got, c.want)
		}
	}
	file := filepath.Join(state, "mcploupe", "eras.json")
	if err := os.WriteFile(file, []byte("{\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := opening(list...); got != "server/discover initialize" {
		t.Errorf("with a broken file: %s", got)
	}
}
