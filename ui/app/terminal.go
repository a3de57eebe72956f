package app

import (
	"io"
	"os"
)

// What the terminal is given back at the end beside what Bubble Tea gives back: its title, which is put on the terminal's own
// stack (XTWINOPS 22 and 23; xterm, kitty, foot, WezTerm, tmux and others know it, the rest ignore it), and its cursor's shape.
const (
	pushTitle   = "\x1b[22;2t"
	popTitle    = "\x1b[23;2t"
	resetCursor = "\x1b[0 q"
)

// borrowTerminal remembers the title; what it gives brings it back, and the cursor as it is by default.
func borrowTerminal(out io.Writer) (giveBack func()) {
	if out == nil {
		out = os.Stdout
	}
	_, _ = io.WriteString(out, pushTitle) // a terminal that is gone is found out by whoever draws on it
	return func() { _, _ = io.WriteString(out, resetCursor+popTitle) }
}
