package kit

import (
	"image"
	"image/color"
	"strconv"
	"strings"

	"mcploupe/highlight/media"
)

// Pictures says how pictures are drawn into cells.
type Pictures uint8

// The ways. Half blocks need colours and Unicode; shades are characters of ASCII that are more or less dense.
const (
	PicturesBlocks Pictures = iota
	PicturesShades
	PicturesNone
)

// PictureSize is how many cells a picture of pw × ph pixels takes in a room of w × h cells: 0 × 0 where pictures are not drawn. A cell
// is taken to be twice as high as it is wide.
func (e *Env) PictureSize(pw, ph, w, h int) (cols, rows int) {
	if e.Pictures == PicturesNone {
		return 0, 0
	}
	cols, high := media.Fit(pw, ph, w, 2*h)
	return cols, (high + 1) / 2
}

// Picture draws a picture into so many cells. Whatever the picture holds, a line is made of our own characters and colours.
func (e *Env) Picture(m image.Image, cols, rows int) []string {
	switch {
	case cols <= 0 || rows <= 0 || e.Pictures == PicturesNone:
		return nil
	case e.Pictures == PicturesShades:
		return e.shaded(media.Scale(m, cols, rows))
	}
	return e.blocks(media.Scale(m, cols, 2*rows))
}

// shades from empty to dense.
const shades = " .:-=+*#%@"

func (e *Env) shaded(m *image.NRGBA) []string {
	dark := e.Styles.Theme == nil || e.Styles.Theme.Dark
	r := m.Bounds()
	light := make([]int, 0, r.Dx()*r.Dy())
	low, high := 255, 0
	for y := range r.Dy() {
		for x := range r.Dx() {
			c := m.NRGBAAt(x, y)
			l := media.Light(c)
			if !dark {
				l = int(c.A) - l
			}
			light = append(light, max(l, 0))
			low, high = min(low, max(l, 0)), max(high, l)
		}
	}
	if high-low < 16 { // there is little to be seen, and that is how it should look
		low, high = 0, 255
	}
	out := make([]string, r.Dy())
	line := make([]byte, r.Dx())
	for y := range out {
		for x := range line {
			line[x] = shades[(light[y*r.Dx()+x]-low)*(len(shades)-1)/(high-low)]
		}
		out[y] = string(line)
	}
	return out
}

// blocks draws two pixels a cell: the upper one is the colour of ▀, the lower one its background. What is transparent is left to
// the terminal's own background.
func (e *Env) blocks(m *image.NRGBA) []string {
	var back color.Color = color.Black
	if t := e.Styles.Theme; t != nil {
		_, back = t.Colours()
	}
	r := m.Bounds()
	out := make([]string, r.Dy()/2)
	var b strings.Builder
	for y := range out {
		b.Reset()
		last := ""
		for x := range r.Dx() {
			upper, lower := over(m.NRGBAAt(x, 2*y), back), over(m.NRGBAAt(x, 2*y+1), back)
			sign, style := "▀", "\x1b[0;38;2;"+rgb(upper)+";48;2;"+rgb(lower)+"m"
			switch {
			case upper.A == 0 && lower.A == 0:
				sign, style = " ", reset
			case lower.A == 0:
				style = "\x1b[0;38;2;" + rgb(upper) + "m"
			case upper.A == 0:
				sign, style = "▄", "\x1b[0;38;2;"+rgb(lower)+"m"
			}
			if style != last {
				b.WriteString(style)
				last = style
			}
			b.WriteString(sign)
		}
		b.WriteString(reset)
		out[y] = b.String()
	}
	return out
}

// over lays a pixel over a background; one that is hardly there is nothing.
func over(c color.NRGBA, back color.Color) color.NRGBA {
	if c.A < 32 {
		return color.NRGBA{}
	}
	br, bg, bb, _ := back.RGBA()
	mix := func(v uint8, w uint32) uint8 { return uint8((int(v)*int(c.A) + int(w>>8)*(255-int(c.A))) / 255) }
	return color.NRGBA{R: mix(c.R, br), G: mix(c.G, bg), B: mix(c.B, bb), A: 255}
}

func rgb(c color.NRGBA) string {
	return strconv.Itoa(int(c.R)) + ";" + strconv.Itoa(int(c.G)) + ";" + strconv.Itoa(int(c.B))
}
