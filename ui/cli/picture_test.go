//go:build !windows

package cli

import (
	"bytes"
	"testing"
	"time"
)

// A picture of an answer has the terminal to itself, by the terminal's own protocol, until a key; then everything is as before.
func TestAPictureHasTheTerminalToItself(t *testing.T) {
	term := start(t, 120, 36, "demo", "--images", "kitty")
	must(t, term.See("morning_briefing"))
	must(t, term.Type("down", "down", "down", "enter"))
	must(t, term.See("draw_barograph  form"))
	must(t, term.Type("ctrl+s"))
	must(t, term.See("success"))
	for _, key := range []string{"esc", "tab", ">"} { // one by one: esc and a key at once are another key
		must(t, term.Type(key))
		term.Quiet(60 * time.Millisecond)
	}
	must(t, term.See("240 × 120 pixels"))
	must(t, term.Type("v"))
	must(t, term.See("any key goes back"))
	if raw := term.Raw(); !bytes.Contains(raw, []byte("\x1b_G")) || !bytes.Contains(raw, []byte("a=T")) {
		t.Error("nothing was drawn")
	}
	must(t, term.Type("x"))
	must(t, term.See("v view the picture"))
	if !bytes.Contains(term.Raw(), []byte("a=d,d=A")) {
		t.Error("the picture was left behind")
	}
	must(t, term.Type("v"))
	must(t, term.See("any key goes back"))
	must(t, term.Type("ctrl+c"))
	left(t, term)
}
