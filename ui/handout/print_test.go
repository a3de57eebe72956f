package handout

import (
	"strings"
	"testing"
)

// On paper the page has the colours of paper, whatever the reader's screen has, and what can be folded is not folded.
func TestThePageIsPrinted(t *testing.T) {
	const dark = "(prefers-color-scheme: dark)"
	if strings.Count(style, dark) != strings.Count(style, "@media screen and "+dark) {
		t.Error("the dark colours are not those of screens alone")
	}
	if _, print, ok := strings.Cut(style, "@media print"); !ok || !strings.Contains(print, "details-content") {
		t.Error("what is folded is not printed")
	}
}
