package transport

import (
	"errors"
	"fmt"
	"strings"
)

// batchLine is the command line with which cmd.exe runs a batch file (npx.cmd, uvx.bat) and gives it the
// arguments unchanged. cmd.exe knows no escape that holds everywhere: quotes are doubled, and a "%"
// that would begin a variable is followed by a variable that is empty. Line ends and NUL cannot be
// passed at all.
func batchLine(script string, args []string) (string, error) {
	if strings.ContainsAny(script, "\"\r\n\x00") || strings.HasSuffix(script, `\`) {
		return "", fmt.Errorf("the path %q cannot be passed to cmd.exe", script)
	}
	var b strings.Builder
	b.WriteString(`cmd.exe /e:ON /v:OFF /d /c ""` + script + `"`)
	for _, a := range args {
		if strings.ContainsAny(a, "\r\n\x00") {
			return "", errors.New("an argument with a line break cannot be passed to a batch file")
		}
		b.WriteByte(' ')
		batchArg(&b, a)
	}
	b.WriteByte('"')
	return b.String(), nil
}

func batchArg(b *strings.Builder, a string) {
	quoted := a == "" || strings.HasSuffix(a, `\`) || strings.ContainsFunc(a, func(r rune) bool {
		return r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(`#$*+-./:?@\_`, r)) || 0x80 <= r && r < 0xA0
	})
	if quoted {
		b.WriteByte('"')
	}
	backslashes := 0
	for _, r := range a {
		switch r {
		case '\\':
			backslashes++
		case '"':
			// The program's own parser halves the backslashes before a quote; "" is a quote to both.
			b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
			backslashes = 0
		case '%':
			b.WriteString("%%cd:~,")
			backslashes = 0
		default:
			backslashes = 0
		}
		b.WriteRune(r)
	}
	if quoted {
		b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
	}
}
