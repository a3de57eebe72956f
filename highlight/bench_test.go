package highlight

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
	"mcploupe/themes"
)

// shapes are the shapes of a result of five megabytes, or of a part of that.
func shapes(part int) map[string][]byte {
	var rows bytes.Buffer
	rows.WriteString(`{"rows":[`)
	for i := range 50_000 / part {
		if i > 0 {
			rows.WriteByte(',')
		}
		fmt.Fprintf(&rows, `{"id":%d,"name":"customer number %d","email":"customer.%d@mail.example","created":"2026-07-28"}`, i, i, i)
	}
	rows.WriteString("]}")
	line := strings.Repeat("all work and no play makes a dull day; ", 2)
	return map[string][]byte{
		"one line":      []byte(`{"content":[{"type":"text","text":"` + strings.Repeat(line, 65_000/part) + `"}]}`),
		"80-char lines": []byte(`{"content":[{"type":"text","text":"` + strings.Repeat(line+`\n`, 62_000/part) + `"}]}`),
		"other letters": []byte(`{"content":[{"type":"text","text":"` + strings.Repeat("größer als 日本語 ", 200_000/part) + `"}]}`),
		"50,000 rows":   rows.Bytes(),
	}
}

func dark(tb testing.TB) *themes.Styles {
	tb.Helper()
	t, err := themes.Load("dark", "")
	if err != nil {
		tb.Fatal(err)
	}
	return t.Styles(colorprofile.TrueColor)
}

const rowsShown = 60

// paintFrom paints a screen.
func paintFrom(p *Painter, k, x int) (n int) {
	for i := range rowsShown {
		n += len(p.Row(k+i, x).Text)
	}
	return n
}

// A screen of a large document costs what a screen of a small one costs: all of the work for the whole
// is done once, and does not take long against reading the bytes.
func TestOnlyWhatIsSeenIsPainted(t *testing.T) {
	styles := dark(t)
	small := JSON(jsondoc.NewLayout(parse(answer[:len(answer)-5])), styles)
	small.SetLook(Look{Width: 120, Gutter: true})
	sum := 0
	one := func() time.Duration {
		return ratiotest.Timed(func() {
			for range 3 {
				for k := range 20 {
					sum += len(small.Row(k, 0).Text)
				}
			}
		})
	}
	for name, text := range shapes(4) {
		l := jsondoc.NewLayout(jsondoc.Parse(text))
		for _, wrap := range []bool{false, true} {
			for kind, make := range map[string]func() *Painter{
				"json": func() *Painter { return JSON(l, styles) }, "raw": func() *Painter { return Raw(l.Document(), styles) },
			} {
				p := make()
				t.Run(fmt.Sprintf("%s/%s/wrap=%v/first", name, kind, wrap), func(t *testing.T) {
					ratiotest.AtMost(t, 1, 20, func() (first, bound time.Duration) {
						scan := ratiotest.Timed(func() {
							for _, c := range text {
								sum += int(c)
							}
						})
						first = ratiotest.Timed(func() {
							p = make()
							p.SetLook(Look{Width: 120, Gutter: true, Wrap: wrap})
							sum += paintFrom(p, 0, 0)
						})
						return first, 60*scan + 10*one()
					})
				})
				k := p.Rows() * 2 / 3
				x := 0
				if !wrap {
					k = 0
					x = p.Columns(0, 20) / 2
				}
				sum += paintFrom(p, k, x) // finds its way once
				t.Run(fmt.Sprintf("%s/%s/wrap=%v/again", name, kind, wrap), func(t *testing.T) {
					ratiotest.AtMost(t, 15, 20, func() (again, little time.Duration) {
						return ratiotest.Timed(func() { sum += paintFrom(p, k, x) }), max(one(), 500*time.Microsecond)
					})
				})
			}
		}
	}
}

func BenchmarkFirstScreen(b *testing.B) {
	styles := dark(b)
	for name, text := range shapes(1) {
		for _, wrap := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/wrap=%v", name, wrap), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					p := JSON(jsondoc.NewLayout(jsondoc.Parse(text)), styles)
					p.SetLook(Look{Width: 120, Gutter: true, Wrap: wrap})
					paintFrom(p, 0, 0)
				}
			})
		}
	}
}

func BenchmarkScreen(b *testing.B) {
	styles := dark(b)
	for name, text := range shapes(1) {
		p := JSON(jsondoc.NewLayout(jsondoc.Parse(text)), styles)
		p.SetLook(Look{Width: 120, Gutter: true, Wrap: true})
		k := p.Rows() / 2
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				paintFrom(p, k, 0)
			}
		})
	}
}

// Folding, a new width and a search are what a key may ask for beyond another part of the screen.
func BenchmarkKeys(b *testing.B) {
	styles := dark(b)
	for name, text := range shapes(1) {
		d := jsondoc.Parse(text)
		l := jsondoc.NewLayout(d)
		p := JSON(l, styles)
		b.Run(name+"/fold", func(b *testing.B) {
			p.SetLook(Look{Width: 120, Wrap: true})
			for n := 0; b.Loop(); n++ {
				l.Fold(0, n%2 == 0)
				paintFrom(p, 0, 0)
			}
			l.FoldDepth(-1)
		})
		b.Run(name+"/width", func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				p.SetLook(Look{Width: 100 + n%20, Wrap: true})
				paintFrom(p, p.Rows()/2, 0)
			}
		})
		b.Run(name+"/search", func(b *testing.B) {
			for b.Loop() {
				Find(d, "zzz")
			}
		})
	}
}
