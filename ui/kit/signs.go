package kit

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Signs stand for meanings: one cell each, the same everywhere; a word always stands with them, in the
// row, the strip or the help. Terminals without Unicode get them from ToASCII.
const (
	SignOK       = "✔"
	SignMust     = "✖"
	SignShould   = "▲"
	SignAdvice   = "●"
	SignSEP      = "◆" // a finding that rests on SEP-2145 alone
	SignFresh    = "◷"
	SignQuestion = "?"
	SignTask     = "⧗"
	SignSent     = "→"
	SignReceived = "←"
	SignPointer  = "▸"
	SignFolded   = "▸"
	SignUnfolded = "▾"
	SignReady    = "●"
	SignWaiting  = "○"
	SignGone     = "✖"
	SignDot      = "·"
	SignMark     = "✚" // a person marked it

	// What a tool says of itself, and what we see in it.
	SignReadOnly    = "◌" // readOnlyHint
	SignDestructive = "◉" // destructiveHint
	SignOpenWorld   = "↗" // openWorldHint
	SignSchema      = "⊞" // has an output schema
	SignHeader      = "⇡" // mirrors arguments into headers
	SignHidden      = "␣" // hidden characters in its texts
	SignWatched     = "⊙" // we are told when it changes
	SignUpdated     = "↻" // it changed since it was last read
	SignExcluded    = "⊘" // clients must leave it out
)

// Bar is a bar of w cells of which part (0 to 1) is done.
func Bar(part float64, w int) string {
	n := int(min(max(part, 0), 1)*float64(w) + 0.5)
	return strings.Repeat("━", n) + strings.Repeat("╌", w-n)
}

// ToASCII spells a finished screen for a terminal that knows ASCII only: frames and signs become
// characters of the same width, and anything else becomes "?" once for each cell. Escape sequences stay.
func ToASCII(screen string) string {
	if asciiOnly(screen) {
		return screen
	}
	var b strings.Builder
	b.Grow(len(screen))
	for _, r := range screen {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case asciiSign(r) != 0:
			b.WriteByte(asciiSign(r))
		default:
			b.WriteString(strings.Repeat("?", ansi.StringWidthWc(string(r))))
		}
	}
	return b.String()
}

func asciiOnly(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func asciiSign(r rune) byte {
	switch r {
	case '✔', '✚':
		return '+'
	case '✖', '×':
		return 'x'
	case '▲':
		return '!'
	case '●', '•':
		return '*'
	case '◌':
		return 'r'
	case '◉':
		return 'D'
	case '○':
		return 'o'
	case '◆', '≈':
		return '~'
	case '◷':
		return '@'
	case '⊙':
		return 'w'
	case '↻':
		return 'u'
	case '⧗':
		return '%'
	case '→', '▸', '›', '⇡', '↗', '»':
		return '>'
	case '←', '‹', '«', '◂':
		return '<'
	case '▾', '▼', '↓':
		return 'v'
	case '↑':
		return '^'
	case '·', '…', '╌', '┄':
		return '.'
	case '─', '–', '—':
		return '-'
	case '━', '↔':
		return '='
	case '│', '┃', '▌', '▐':
		return '|'
	case '╭', '╮', '╰', '╯', '├', '┤', '┬', '┴', '┼', '└', '┌', '⊞':
		return '+'
	case '␣', '█':
		return '#'
	case '⊘':
		return '0'
	case '’', '‘':
		return '\''
	case '“', '”':
		return '"'
	}
	if 0x2800 <= r && r <= 0x28ff {
		return "|/-\\"[r%4]
	}
	return 0
}
