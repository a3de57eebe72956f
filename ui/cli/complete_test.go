package cli

import (
	"strings"
	"testing"
)

// Suggestions are lines for pipes; what was settled is a context, in the revisions that know one.
func TestCompleteFromTheCommandLine(t *testing.T) {
	r := program(t, append([]string{"complete", "prompt", "compare_places", "second", "p", "--context", "first=Nine Isles"}, childArgv(t, "child:demo")...)...)
	if r.code != 0 || r.out != "Port Amber\n" || !strings.Contains(r.err, "1 suggestion\n") {
		t.Errorf("a prompt's argument: %s", r)
	}
	r = program(t, append([]string{"complete", "prompt", "compare_places", "second", "", "--context", "first=Port Amber"}, childArgv(t, "child:demo")...)...)
	if r.code != 0 || strings.Contains(r.out, "Port Amber") || strings.Count(r.out, "\n") != 8 {
		t.Errorf("with a context: %s", r)
	}
	r = program(t, append([]string{"complete", "template", "station://skerry/readings/{instrument}/{date}", "date", ""}, childArgv(t, "child:demo")...)...)
	if r.code != 0 || strings.Count(r.out, "\n") != 100 || !strings.Contains(r.err, "100 of 365") {
		t.Errorf("many: %s", r)
	}
	r = program(t, append([]string{"complete", "prompt", "nobody", "second", "", "--json"}, childArgv(t, "child:demo")...)...)
	if r.code != exitFindings || !strings.Contains(r.out, `"code":-32602`) || r.err != "" {
		t.Errorf("an unknown prompt: %s", r)
	}
	r = program(t, append([]string{"complete", "prompt", "compare_places", "first", ""}, childArgv(t, "child:demo", "--fault", "completion-text")...)...)
	if r.code != exitFindings || r.out != "" || !strings.Contains(r.err, "completion-values-shape") {
		t.Errorf("a wrong shape: %s", r)
	}
	r = program(t, append([]string{"complete", "tool", "x", "y", ""}, childArgv(t, "child:demo")...)...)
	if r.code != exitUsage {
		t.Errorf("what cannot be completed: %s", r)
	}
}

// The official SDK's server, on a legacy revision: the same words.
func TestCompleteOnALegacyServer(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2025-03-26", "2024-11-05"} {
		r := program(t, append([]string{"complete", "prompt", "greet", "who", "a", "--protocol", version, "--context", "x=y"}, childArgv(t, "child:sdk")...)...)
		if r.code != 0 || !strings.HasPrefix(r.out, "a") {
			t.Errorf("%s: %s", version, r)
		}
		if old := version < "2025-06-18"; old != strings.Contains(r.err, "knows no context") {
			t.Errorf("%s: %s", version, r)
		}
	}
}
