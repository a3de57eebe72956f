package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"time"
)

// Pictures are drawn with a palette of three colours, so that they stay small on the wire.
func palette() color.Palette {
	return color.Palette{
		color.RGBA{0x0b, 0x22, 0x39, 0xff}, // night
		color.RGBA{0x1d, 0x4e, 0x79, 0xff}, // grid
		color.RGBA{0xff, 0xd2, 0x3f, 0xff}, // curve
	}
}

// barographPNG draws the pressure of the hours before end, from 990 to 1030 hPa, with a line for every
// 10 hPa and for every 12 hours.
func barographPNG(hours, width int, end time.Time) []byte {
	height := width / 2
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette())
	for x := 0; x < width; x += max(width*12/hours, 1) {
		for y := 0; y < height; y += 4 {
			img.SetColorIndex(x, y, 1)
		}
	}
	for y := 0; y < height; y += max(height/4, 1) {
		for x := range width {
			img.SetColorIndex(x, y, 1)
		}
	}
	before := -1
	for x := range width {
		back := time.Duration(hours) * time.Hour * time.Duration(width-x) / time.Duration(width)
		pressure := weatherAt("Skerry Light", end.Add(-back)).pressure
		y := min(max(int(float64(height)*(1030-pressure)/40), 0), height-1)
		if before < 0 {
			before = y
		}
		for dy := min(before, y); dy <= max(before, y); dy++ {
			img.SetColorIndex(x, dy, 2)
		}
		before = y
	}
	return encodePNG(img)
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	// Encoding into memory cannot fail for a picture of at least one pixel.
	_ = png.Encode(&b, img)
	return b.Bytes()
}
