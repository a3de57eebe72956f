package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"time"
)

// Pictures are drawn with a palette of five colours, so that they stay small on the wire.
func palette() color.Palette {
	return color.Palette{
		color.RGBA{0x0b, 0x22, 0x39, 0xff}, // night
		color.RGBA{0x1d, 0x4e, 0x79, 0xff}, // grid
		color.RGBA{0xff, 0xd2, 0x3f, 0xff}, // curve, lamp
		color.RGBA{0xf2, 0xef, 0xe6, 0xff}, // paper
		color.RGBA{0x3a, 0x3f, 0x44, 0xff}, // rock
	}
}

// barographPNG draws the pressure of the hours before end.
func barographPNG(hours, width int, end time.Time) []byte {
	height := width / 2
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette())
	for x := range width {
		for y := 0; y < height; y += max(height/5, 1) {
			img.SetColorIndex(x, y, 1)
		}
		at := end.Add(-time.Duration(hours) * time.Hour * time.Duration(width-x) / time.Duration(width))
		pressure := weatherAt("Skerry Light", at.Truncate(time.Hour)).pressure
		y := int(float64(height) * (1030 - pressure) / 40)
		for _, dy := range []int{0, 1} {
			img.SetColorIndex(x, min(max(y+dy, 0), height-1), 2)
		}
	}
	return encodePNG(img)
}

// chartPNG is the drawing behind the barograph resource: two days that never change, so that its size can
// be announced in resources/list.
func chartPNG() []byte {
	return barographPNG(48, 240, time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC))
}

// iconPNG is a lighthouse of 16 by 16 pixels.
func iconPNG() []byte {
	img := image.NewPaletted(image.Rect(0, 0, 16, 16), palette())
	fill := func(x0, y0, x1, y1 int, c uint8) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				img.SetColorIndex(x, y, c)
			}
		}
	}
	fill(6, 5, 10, 13, 3)
	fill(3, 13, 13, 16, 4)
	fill(6, 2, 10, 4, 2)
	fill(0, 2, 5, 3, 2)
	fill(11, 2, 16, 3, 2)
	return encodePNG(img)
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	// Encoding into memory cannot fail for a picture of at least one pixel.
	_ = png.Encode(&b, img)
	return b.Bytes()
}
