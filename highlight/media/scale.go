package media

import (
	"image"
	"image/color"
)

// Fit is the largest size of a picture of w × h that fits into a room and keeps its shape. It never makes the picture larger than
// it is, nor any side smaller than 1.
func Fit(w, h, roomW, roomH int) (int, int) {
	if w <= 0 || h <= 0 || roomW <= 0 || roomH <= 0 {
		return 0, 0
	}
	if w <= roomW && h <= roomH {
		return w, h
	}
	if w*roomH > h*roomW { // the width decides
		return roomW, max(1, min((h*roomW+w/2)/w, roomH))
	}
	return max(1, min((w*roomH+h/2)/h, roomW)), roomH
}

// samples bounds how many pixels of a side one pixel of the result is the mean of: beyond, more are not seen.
const samples = 6

// Scale is the picture in another size: each pixel the mean of what it covers, taken from a grid of at most 6 × 6 pixels of it, so
// that it costs no more than the result is large.
func Scale(src image.Image, w, h int) *image.NRGBA {
	w, h = max(w, 1), max(h, 1)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := src.Bounds()
	at := pixels(src)
	for y := range h {
		y0, y1 := r.Min.Y+y*r.Dy()/h, r.Min.Y+(y+1)*r.Dy()/h
		for x := range w {
			x0, x1 := r.Min.X+x*r.Dx()/w, r.Min.X+(x+1)*r.Dx()/w
			out.SetNRGBA(x, y, mean(at, x0, y0, max(x1, x0+1), max(y1, y0+1)))
		}
	}
	return out
}

// pixels reads single pixels, premultiplied, in the quickest way that the picture has.
func pixels(m image.Image) func(x, y int) color.RGBA64 {
	if q, ok := m.(image.RGBA64Image); ok {
		return q.RGBA64At
	}
	return func(x, y int) color.RGBA64 {
		r, g, b, a := m.At(x, y).RGBA()
		return color.RGBA64{R: uint16(r), G: uint16(g), B: uint16(b), A: uint16(a)}
	}
}

func mean(at func(x, y int) color.RGBA64, x0, y0, x1, y1 int) color.NRGBA {
	nx, ny := min(x1-x0, samples), min(y1-y0, samples)
	var r, g, b, a, n uint64
	for j := range ny {
		y := y0 + (2*j+1)*(y1-y0)/(2*ny)
		for i := range nx {
			c := at(x0+(2*i+1)*(x1-x0)/(2*nx), y)
			r, g, b, a, n = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A), n+1
		}
	}
	if a == 0 {
		return color.NRGBA{}
	}
	part := func(v uint64) uint8 { return uint8(min(v*255/a, 255)) }
	return color.NRGBA{R: part(r), G: part(g), B: part(b), A: uint8(a / n >> 8)}
}

// Light is how light a pixel is, from 0 for black to 255; what is transparent counts as black.
func Light(c color.NRGBA) int {
	return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 * int(c.A) / 255
}
