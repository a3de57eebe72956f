package kit

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
)

func TestPicturesInCells(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 3, 4))
	for x := range 2 {
		m.SetNRGBA(x, 0, color.NRGBA{R: 255, A: 255})
		m.SetNRGBA(x, 1, color.NRGBA{G: 255, A: 255})
		m.SetNRGBA(x, 2, color.NRGBA{B: 255, A: 255})
	}
	m.SetNRGBA(1, 3, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	m.SetNRGBA(1, 2, color.NRGBA{})
	e := &Env{Styles: themes.Plain()}
	got := e.Picture(m, 3, 2)
	want := []string{
		"\x1b[0;38;2;255;0;0;48;2;0;255;0m▀▀\x1b[m \x1b[m",
		"\x1b[0;38;2;0;0;255m▀\x1b[0;38;2;255;255;255m▄\x1b[m \x1b[m",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: %q, want %q", i, got[i], want[i])
		}
	}
	e.Pictures = PicturesShades
	if got := strings.Join(e.Picture(m, 3, 4), "\n"); got != "-- \n@@ \n:  \n @ " && !strings.Contains(got, "@") {
		t.Errorf("%q", got)
	}
	e.Pictures = PicturesNone
	if e.Picture(m, 3, 2) != nil {
		t.Error("there is a picture without pictures")
	}
	if c, r := e.PictureSize(10, 10, 10, 10); c+r != 0 {
		t.Error("and it has a size")
	}
}

func TestPicturesKeepTheirShapeInTheirRoom(t *testing.T) {
	e := &Env{Styles: themes.Plain()}
	for _, c := range [][6]int{{240, 120, 80, 25, 80, 20}, {100, 400, 80, 25, 13, 25}, {8, 8, 80, 25, 8, 4}, {7, 1, 80, 25, 7, 1}, {1, 1000, 1, 1, 1, 1}} {
		cols, rows := e.PictureSize(c[0], c[1], c[2], c[3])
		if cols != c[4] || rows != c[5] {
			t.Errorf("%v: %d × %d", c, cols, rows)
		}
		for _, l := range e.Picture(image.NewGray(image.Rect(0, 0, c[0], c[1])), cols, rows) {
			if ansi.StringWidth(l) != cols {
				t.Errorf("%v: a line of %d", c, ansi.StringWidth(l))
			}
		}
	}
}
