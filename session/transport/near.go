package transport

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"mcploupe/session/slips"
)

// Bounds for near: a mistyped command is no reason to read a disk.
const (
	maxNear    = 5
	maxEntries = 20_000
)

// near lists the files in dirs whose names look like name, best first.
func near(name string, dirs []string) []string {
	type match struct {
		name string
		cost int
	}
	var matches []match
	seen := map[string]bool{}
	want := bareName(name)
	for _, dir := range dirs {
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := f.Readdirnames(maxEntries)
		_ = f.Close()
		for _, n := range names {
			if seen[n] {
				continue
			}
			seen[n] = true
			if cost, ok := likeness(want, bareName(n)); ok {
				matches = append(matches, match{n, cost})
			}
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, m := range matches[:min(maxNear, len(matches))] {
		out = append(out, m.name)
	}
	return out
}

// bareName is a file's name without what systems and habits add to it.
func bareName(n string) string {
	n = strings.ToLower(n)
	for _, ext := range []string{".exe", ".cmd", ".bat", ".sh"} {
		n = strings.TrimSuffix(n, ext)
	}
	return n
}

// likeness is how far two names are apart, if not too far: another version of it (python, python3.12),
// or a few slips of the keyboard.
func likeness(want, have string) (cost int, ok bool) {
	if want == "" || have == "" {
		return 0, false
	}
	if rest, ok := strings.CutPrefix(have, want); ok && strings.Trim(rest, "0123456789.-") == "" {
		return len(rest), true
	}
	if rest, ok := strings.CutPrefix(want, have); ok && strings.Trim(rest, "0123456789.-") == "" {
		return len(rest), true
	}
	limit := min(2, len(want)/2)
	if d := slips.Count(want, have, limit); d <= limit {
		return 1 + 2*d, true
	}
	return 0, false
}
