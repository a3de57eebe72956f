package snap

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/inspect/report/markup"
)

// Colours of a picture where the program leaves them to the terminal.
const (
	pictureBack = "#16181d"
	pictureFore = "#d4d7dd"
	cellW       = 8.4
	cellH       = 18.0
	margin      = 14.0
)

// SVG is the screen as a picture: one run of text for cells of one style, boxes for backgrounds.
func (p *Picture) SVG(title string) string {
	back, fore := hex(p.Back, pictureBack), hex(p.Fore, pictureFore)
	var b strings.Builder
	width, height := float64(p.w)*cellW+2*margin, float64(p.h)*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n",
		width, height, width, height, markup.Escape(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", back)
	fmt.Fprintf(&b, `<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`+"\n")
	for y := range p.h {
		for _, r := range p.runs(y) {
			r.draw(&b, y, fore, back)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func (r *run) draw(b *strings.Builder, y int, screenFore, screenBack string) {
	s := &r.style
	fore, back := hex(s.Fg, screenFore), hex(s.Bg, "")
	if s.Attrs&uv.AttrReverse != 0 {
		if back == "" {
			back = screenBack
		}
		fore, back = back, fore
	}
	left, top, width := margin+float64(r.from)*cellW, margin+float64(y)*cellH, float64(r.to-r.from)*cellW
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, width, cellH, back)
	}
	if strings.TrimSpace(r.text) == "" {
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
		left, top+13.5, fore, width, more, markup.Escape(r.text))
}

func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
