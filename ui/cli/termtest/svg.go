//go:build !windows

package termtest

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Colours of a picture where the program leaves them to the terminal.
const (
	pictureBack = "#16181d"
	pictureFore = "#d4d7dd"
	cellW       = 8.4
	cellH       = 18.0
	margin      = 14.0
)

// SVG is a picture of the screen: one run of text for cells of one style, boxes for backgrounds.
func (t *Term) SVG(title string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	width, height := float64(t.w)*cellW+2*margin, float64(t.h)*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n",
		width, height, width, height, html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", pictureBack)
	fmt.Fprintf(&b, `<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`+"\n")
	for y := range t.h {
		for x := 0; x < t.w; {
			c := t.screen.CellAt(x, y)
			style, text, start := styleOf(c), "", x
			for x < t.w {
				c := t.screen.CellAt(x, y)
				if !sameLook(styleOf(c), style) {
					break
				}
				if c != nil && c.Content != "" {
					text += c.Content
				} else if c == nil || c.Width > 0 {
					text += " "
				}
				x++
			}
			run(&b, style, text, start, x, y)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func styleOf(c *uv.Cell) uv.Style {
	if c == nil {
		return uv.Style{}
	}
	return c.Style
}

func sameLook(a, b uv.Style) bool { return a.Equal(&b) }

func run(b *strings.Builder, s uv.Style, text string, from, to, y int) {
	fore, back := hex(s.Fg, pictureFore), hex(s.Bg, "")
	if s.Attrs&uv.AttrReverse != 0 {
		if back == "" {
			back = pictureBack
		}
		fore, back = back, fore
	}
	left, top := margin+float64(from)*cellW, margin+float64(y)*cellH
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, float64(to-from)*cellW, cellH, back)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	more := ""
	if s.Attrs&uv.AttrBold != 0 {
		more += ` font-weight="bold"`
	}
	if s.Attrs&uv.AttrItalic != 0 {
		more += ` font-style="italic"`
	}
	if s.Attrs&uv.AttrFaint != 0 {
		more += ` opacity="0.6"`
	}
	switch {
	case s.Underline != 0:
		more += ` text-decoration="underline"`
	case s.Attrs&uv.AttrStrikethrough != 0:
		more += ` text-decoration="line-through"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		left, top+13.5, fore, float64(to-from)*cellW, more, html.EscapeString(text))
}

func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
