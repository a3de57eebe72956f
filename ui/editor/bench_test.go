package editor

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
	"mcploupe/session/schema"
	"mcploupe/themes"
)

const rowSchema = `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","required":["id"],
	"properties":{"id":{"type":"integer"},"name":{"type":"string"},"on":{"type":"boolean"},"kind":{"enum":["a","b"]}}}}}}`

// large is an editor of arguments of about this many bytes, with the cursor in the middle, whose text is read beside the
// screen: never, as far as a key is concerned.
func large(bytes int, oneLine bool) *Editor {
	row := `{"id": 12345, "name": "somebody", "on": true}`
	n := max(bytes/(len(row)+8), 1)
	var text string
	if oneLine {
		text = `{"rows":[` + strings.Repeat(row+",", n) + row + "]}"
	} else {
		text = "{\n  \"rows\": [\n" + strings.Repeat("    "+row+",\n", n) + "    " + row + "\n  ]\n}"
	}
	e := New(text)
	e.Schema = jsondoc.Parse([]byte(rowSchema)).Root()
	s, err := schema.Compile(e.Schema)
	if err != nil {
		panic(err)
	}
	e.Judge = judge(s)
	e.Settle()
	e.Later = func(func() func()) {}
	e.Go(strings.Index(text[len(text)/2:], "12345") + len(text)/2)
	return e
}

// key is one key and its frame.
func key(e *Editor, code rune, s *themes.Styles) {
	e.Key(tea.KeyPressMsg{Text: string(code), Code: code})
	e.Draw(100, 30, true, s)
}

func BenchmarkKey(b *testing.B) {
	s := themes.Plain()
	for _, size := range []int{1 << 10, 1 << 20} {
		for _, oneLine := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dKB/oneLine=%v", size>>10, oneLine), func(b *testing.B) {
				e := large(size, oneLine)
				for b.Loop() {
					key(e, '1', s)
				}
			})
		}
	}
	b.Run("1024KB/at a bracket", func(b *testing.B) {
		e := large(1<<20, false)
		e.Go(0)
		for b.Loop() {
			e.Key(tea.KeyPressMsg{Code: tea.KeyHome})
			e.Draw(100, 30, true, s)
		}
	})
	b.Run("1024KB/with the list open", func(b *testing.B) {
		e := large(1<<20, false)
		e.Key(tea.KeyPressMsg{Code: tea.KeyEnd})
		e.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
		e.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
		for b.Loop() {
			key(e, ',', s)
		}
	})
	b.Run("1024KB/search", func(b *testing.B) {
		e := large(1<<20, false)
		e.Find()
		e.search.what = "nobody"
		for b.Loop() {
			e.hits.version = -1
			e.Draw(100, 30, true, s)
		}
	})
}

func BenchmarkFormatOneMegabyte(b *testing.B) {
	e := large(1<<20, true)
	text := e.Text()
	for b.Loop() {
		e.SetText(text)
		e.buf.undo, e.buf.redo = nil, nil
		e.Format()
	}
}

func BenchmarkExamineOneMegabyte(b *testing.B) {
	e := large(1<<20, false)
	text := []byte(e.Text())
	for b.Loop() {
		examine(text, e.Judge)
	}
}

// A key in a megabyte costs what it costs in a kilobyte, at its end as in its middle: nothing is walked through anew. In one
// line of a megabyte its copy is what is left.
func TestAKeyCostsLittleInALargeText(t *testing.T) {
	s := themes.Plain()
	for _, oneLine := range []bool{false, true} {
		for _, place := range []string{"middle", "end"} {
			small, big := large(1<<10, oneLine), large(1<<20, oneLine)
			if place == "end" {
				for _, e := range []*Editor{small, big} { // within the last row, next to a bracket
					e.buf.Bottom()
					for range 4 {
						e.buf.Left()
					}
				}
			}
			key(big, '1', s) // the first one walks there
			ratiotest.AtMost(t, map[bool]float64{false: 12, true: 60}[oneLine], 40, func() (work, measure time.Duration) {
				return ratiotest.Timed(func() { key(big, '1', s) }), ratiotest.Timed(func() { key(small, '1', s) })
			})
		}
	}
}

// Laying out a megabyte costs little more than to read it.
func TestLayingOutALargeText(t *testing.T) {
	e := large(1<<20, true)
	text := e.Text()
	ratiotest.AtMost(t, 5, 20, func() (work, measure time.Duration) {
		e.SetText(text)
		e.buf.undo, e.buf.redo = nil, nil
		return ratiotest.Timed(func() { e.Format() }), ratiotest.Timed(func() { jsondoc.Parse([]byte(text)) })
	})
}
