package highlight

import (
	"image/color"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// ink is the look of a stretch of text, an index into a palette.
type ink uint8

const (
	inkText ink = iota
	inkKey
	inkString
	inkEscape
	inkNumber
	inkLiteral
	inkPunct
	inkComment
	inkKeyword
	inkName
	inkTitle
	inkStrong
	inkEmph
	inkAdded
	inkRemoved
	inkInvalid
	inkHidden
	inkGhost
	inkFaint
	inkMatch
	inkMatchOn
	inkMust // the three looks of marked text, by rank
	inkShould
	inkAdvice
	inkMustNote // and of notes and signs
	inkShouldNote
	inkAdviceNote
	inks
)

// code is what is written before and behind text of an ink.
type code struct{ before, after string }

// palette is the theme's styles taken apart into codes, so that painting only appends. on is for the
// row under the cursor.
type palette struct {
	off, on [inks]code
}

func newPalette(s *themes.Styles) *palette {
	styles := [inks]lipgloss.Style{
		inkText: s.Text, inkKey: s.Key, inkString: s.String, inkEscape: s.Literal, inkNumber: s.Number, inkLiteral: s.Literal,
		inkPunct: s.Punct, inkComment: s.Comment, inkKeyword: s.Keyword, inkName: s.Name, inkTitle: s.Title,
		inkAdded: s.Added, inkRemoved: s.Removed, inkInvalid: s.Must, inkHidden: s.Hidden, inkGhost: s.Ghost, inkFaint: s.Faint,
		inkMatch: s.Match, inkMatchOn: s.MatchOn, inkMust: s.Mark, inkShould: s.Should, inkAdvice: s.Advice,
		inkMustNote: s.MarkNote, inkShouldNote: s.Should, inkAdviceNote: s.Advice,
	}
	styles[inkStrong], styles[inkEmph] = s.Text, s.Text
	if codeOf(s.Must) != (code{}) { // plain styles stay without any code
		styles[inkStrong] = s.Text.Bold(true)
		styles[inkEmph] = s.Text.Italic(true)
		styles[inkShould] = s.Should.Underline(true)
		styles[inkAdvice] = s.Advice.Underline(true)
	}
	p := &palette{}
	for i, style := range styles {
		p.off[i] = codeOf(style)
		if _, none := style.GetBackground().(lipgloss.NoColor); !none {
			// what has a background of its own keeps it
		} else if readable(style, s.Selected) {
			style = style.Background(s.Selected.GetBackground())
		} else {
			style = s.Selected
		}
		p.on[i] = codeOf(style)
	}
	return p
}

// readable tells that the colour of style can be told from the background of the selected row: a
// contrast of three to one, which WCAG 2 asks for between large text and its background.
func readable(style, selected lipgloss.Style) bool {
	fg, bg := style.GetForeground(), selected.GetBackground()
	if _, none := fg.(lipgloss.NoColor); none || selected.GetReverse() {
		return false
	}
	if _, none := bg.(lipgloss.NoColor); none {
		return false
	}
	a, b := luminance(fg)+0.05, luminance(bg)+0.05
	return max(a, b)/min(a, b) >= 3
}

// luminance is the relative luminance of WCAG 2, from 0 for black to 1 for white.
func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// codeOf takes a style apart by painting a letter with it.
func codeOf(s lipgloss.Style) code {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return code{before, after}
}

// kindToken is the chroma token type of a JSON value.
func kindToken(k jsondoc.Kind) chroma.TokenType {
	switch k {
	case jsondoc.String:
		return chroma.LiteralStringDouble
	case jsondoc.Number:
		return chroma.LiteralNumber
	case jsondoc.Bool, jsondoc.Null:
		return chroma.KeywordConstant
	case jsondoc.Invalid:
		return chroma.GenericError
	}
	return chroma.Punctuation
}

// inkOf is the look of a chroma token type: its own, else that of its family.
func inkOf(t chroma.TokenType) ink {
	switch t {
	case chroma.NameTag:
		return inkKey
	case chroma.LiteralStringEscape, chroma.LiteralStringInterpol, chroma.LiteralStringRegex, chroma.KeywordConstant:
		return inkLiteral
	case chroma.GenericHeading, chroma.GenericSubheading:
		return inkTitle
	case chroma.GenericStrong:
		return inkStrong
	case chroma.GenericEmph:
		return inkEmph
	case chroma.GenericInserted:
		return inkAdded
	case chroma.GenericDeleted:
		return inkRemoved
	case chroma.GenericError:
		return inkInvalid
	case chroma.NameAttribute, chroma.NameFunction, chroma.NameClass, chroma.NameBuiltin, chroma.NameDecorator, chroma.NameNamespace,
		chroma.NameFunctionMagic, chroma.NameException, chroma.NameConstant, chroma.NameEntity, chroma.NameProperty:
		return inkName
	}
	switch t.SubCategory() {
	case chroma.LiteralString:
		return inkString
	case chroma.LiteralNumber:
		return inkNumber
	}
	switch t.Category() {
	case chroma.Keyword:
		return inkKeyword
	case chroma.Comment:
		return inkComment
	case chroma.Operator, chroma.Punctuation:
		return inkPunct
	case chroma.Literal:
		return inkString
	}
	return inkText
}
