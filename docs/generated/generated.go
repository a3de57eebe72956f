// Package generated keeps parts of documents true: a test gives the text that the program says of itself, and the
// document must hold it, or is written anew.
package generated

import (
	"fmt"
	"os"
	"strings"
)

// Part holds the document's part of a name against body. The part stands between the lines
//
//	<!-- name: made by … -->
//	<!-- end -->
//
// With update the document is written anew where it differs; without, a difference is an error that says what to do.
func Part(path, name, body string, update bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	before, rest, ok := strings.Cut(string(text), "<!-- "+name+": ")
	first, rest, more := strings.Cut(rest, "\n")
	old, after, closed := strings.Cut(rest, "<!-- end -->")
	if !ok || !more || !closed {
		return fmt.Errorf("%s has no part %q", path, name)
	}
	if old == body {
		return nil
	}
	if !update {
		return fmt.Errorf("the part %q of %s is not what the program says of itself; run the test with -update", name, path)
	}
	fresh := before + "<!-- " + name + ": " + first + "\n" + body + "<!-- end -->" + after
	return os.WriteFile(path, []byte(fresh), 0o644)
}
