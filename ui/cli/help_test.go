package cli

import (
	"strings"
	"testing"

	"mcploupe/ui/kit"
)

// Help has no line that runs over the edge, but for what cannot be broken, and names every flag once.
func TestHelpFits(t *testing.T) {
	for _, line := range []string{"--help", "help check", "call --help", "demo --help", "task --help", "task wait --help", "workshop pack --help", "completion --help"} {
		r := program(t, strings.Fields(line)...)
		if r.code != 0 || !strings.Contains(r.out, "Usage:\n  mcploupe") || !strings.Contains(r.out, "--help") {
			t.Errorf("%s: %s", line, r)
		}
		for _, l := range strings.Split(r.out, "\n") {
			if kit.Width(l) > widestHelp && !strings.HasPrefix(l, "  mcploupe ") { // an example is to be copied
				t.Errorf("%s: %d cells: %s", line, kit.Width(l), l)
			}
		}
	}
}

func TestFlowed(t *testing.T) {
	text := "One sentence that\nwas broken by hand.\n\n  mcploupe as it stands\n  two\nAnd more of it."
	want := "One sentence\nthat was broken\nby hand.\n\n  mcploupe as it stands\n  two\nAnd more of it."
	if got := flowed(text, 15); got != want {
		t.Errorf("%q", got)
	}
	if got := flowed(text, 80); got != "One sentence that was broken by hand.\n\n  mcploupe as it stands\n  two\nAnd more of it." {
		t.Errorf("%q", got)
	}
}
