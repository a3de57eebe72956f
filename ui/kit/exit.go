package kit

import (
	"fmt"
	"strings"

	"mcploupe/session/wire"
)

// Exit is how a child was started, how it ended, and its last words.
func (e *Env) Exit(x *wire.Exit, w int) []string {
	end := fmt.Sprintf("exit code %d", x.Code)
	if x.Signal != "" {
		end = "signal " + Escape(x.Signal)
	}
	if x.Ours {
		end += ", after we had closed its input"
	}
	out := e.Labelled([][2]string{
		{"command", Argv(x.Argv)},
		{"directory", Escape(x.Dir)},
		{"ended by", end},
	}, w)
	return append(out, e.Stderr(x.Stderr, w)...)
}

// Stderr is the last lines that a child wrote to its stderr.
func (e *Env) Stderr(lines []string, w int) []string {
	if len(lines) == 0 {
		return nil
	}
	out := []string{"", e.Section("The last lines of its stderr", w)}
	for _, l := range lines {
		for _, part := range Paragraph(l, w-2) {
			out = append(out, e.Styles.Faint.Render("│ ")+e.Styles.Text.Render(part))
		}
	}
	return out
}

// Argv is a command as a shell would want it: arguments with blanks in quotes, but not the stars of a secret. Escaped.
func Argv(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = Escape(a)
		if a == "" || strings.ContainsAny(strings.ReplaceAll(a, "***", ""), " \t\n\"'$`\\*?[]{}()<>|&;~#") {
			words[i] = "'" + strings.ReplaceAll(words[i], "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
