// Package visible makes dangerous characters visible.
//
// Text from a server may hold characters that command a terminal, turn the reading direction round, or
// hide instructions from the person while a model reads them. This package knows which code points
// these are and which sign stands for each. Everything that is shown goes through Escape or EscapeText.
//
// It must never know: terminals, colours, JSON, MCP.
package visible

import (
	"fmt"
	"unicode"
)

// Class says why a code point is dangerous. The zero Class, Safe, is everything else.
type Class uint8

// The classes.
const (
	Safe          Class = iota
	C0                  // U+0000–U+001F: control characters, newline and tab included
	C1                  // U+0080–U+009F: control characters that terminals obey like ESC sequences
	DEL                 // U+007F
	Bidi                // marks, embeddings, overrides and isolates that turn the direction round
	ZeroWidth           // characters without any width: ZWSP, ZWNJ, ZWJ, word joiner, BOM
	Tag                 // U+E0000–U+E007F: invisible copies of ASCII
	Variation           // variation selectors: invisible, and long runs of them can carry a text
	Format              // other invisible format characters: soft hyphen, fillers, annotations
	PrivateUse          // no agreed meaning; fonts may show anything
	Noncharacter        // never a character: U+FFFE, U+FDD0 …
	LineSeparator       // U+2028, U+2029: line breaks that look like none
	BadByte             // a byte that is not UTF-8 (only in Hit)
)

var classNames = [...]string{
	"safe", "control character", "C1 control character", "delete character", "direction control",
	"zero-width character", "hidden tag character", "variation selector", "invisible format character",
	"private-use character", "noncharacter", "line separator", "byte that is not UTF-8",
}

// String is the class in plain words, "direction control".
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return classNames[Safe]
	}
	return classNames[c]
}

// ClassOf says what makes r dangerous; Safe when nothing does. It looks at r alone: joiners and
// variation selectors are dangerous here, though Escape lets them stand inside emoji.
func ClassOf(r rune) Class {
	switch {
	case r < 0x20:
		return C0
	case r < 0x7f:
		return Safe
	case r == 0x7f:
		return DEL
	case r < 0xa0:
		return C1
	case r < 0xad:
		return Safe
	}
	switch {
	case r == 0x200e, r == 0x200f, r == 0x061c, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return Bidi
	case 0x200b <= r && r <= 0x200d, r == 0x2060, r == 0xfeff:
		return ZeroWidth
	case 0xe0000 <= r && r <= 0xe007f:
		return Tag
	case 0xfe00 <= r && r <= 0xfe0f, 0xe0100 <= r && r <= 0xe01ef, 0x180b <= r && r <= 0x180d, r == 0x180f:
		return Variation
	case r == 0x2028, r == 0x2029:
		return LineSeparator
	case r&0xfffe == 0xfffe, 0xfdd0 <= r && r <= 0xfdef, r > unicode.MaxRune, 0xd800 <= r && r < 0xe000:
		return Noncharacter
	case unicode.Is(unicode.Co, r):
		return PrivateUse
	case unicode.Is(unicode.Cf, r), isFiller(r):
		return Format
	}
	return Safe
}

// isFiller lists code points that are no format characters by category and yet show nothing: Hangul
// fillers, the grapheme joiner, Khmer inherent vowels, the braille blank, reserved ignorables.
func isFiller(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2065, 0x2800, 0x3164, 0xffa0:
		return true
	}
	return 0xfff0 <= r && r <= 0xfff8 || 0xe0080 <= r && r <= 0xe0fff
}

// Sign is what stands for r on a screen: a control picture (␛), a short name (‹RLO›, ‹ZWSP›), the
// hidden letter (‹TAG h›), or the code point (‹U+009B›). For a safe r it is r itself.
func Sign(r rune) string {
	switch ClassOf(r) {
	case Safe:
		return string(r)
	case C0:
		if r < 0 {
			return "‹U+FFFD›" // no code point at all
		}
		return string(0x2400 + r)
	case DEL:
		return "␡"
	case Tag:
		if 0xe0020 < r && r < 0xe007f {
			return "‹TAG " + string(r-0xe0000) + "›"
		}
	case Variation:
		if 0xfe00 <= r && r <= 0xfe0f {
			return fmt.Sprintf("‹VS%d›", r-0xfe00+1)
		} else if r >= 0xe0100 {
			return fmt.Sprintf("‹VS%d›", r-0xe0100+17)
		}
	}
	if s := name(r); s != "" {
		return s
	}
	return fmt.Sprintf("‹U+%04X›", r)
}

// name is the short name that Unicode or common usage gives r, "" for most.
func name(r rune) string {
	switch r {
	case 0x00ad:
		return "‹SHY›"
	case 0x034f:
		return "‹CGJ›"
	case 0x061c:
		return "‹ALM›"
	case 0x115f:
		return "‹HCF›"
	case 0x1160:
		return "‹HJF›"
	case 0x180e:
		return "‹MVS›"
	case 0x200b:
		return "‹ZWSP›"
	case 0x200c:
		return "‹ZWNJ›"
	case 0x200d:
		return "‹ZWJ›"
	case 0x200e:
		return "‹LRM›"
	case 0x200f:
		return "‹RLM›"
	case 0x202a:
		return "‹LRE›"
	case 0x202b:
		return "‹RLE›"
	case 0x202c:
		return "‹PDF›"
	case 0x202d:
		return "‹LRO›"
	case 0x202e:
		return "‹RLO›"
	case 0x2028:
		return "‹LSEP›"
	case 0x2029:
		return "‹PSEP›"
	case 0x2060:
		return "‹WJ›"
	case 0x2066:
		return "‹LRI›"
	case 0x2067:
		return "‹RLI›"
	case 0x2068:
		return "‹FSI›"
	case 0x2069:
		return "‹PDI›"
	case 0x3164:
		return "‹HF›"
	case 0xfeff:
		return "‹BOM›"
	}
	return ""
}
