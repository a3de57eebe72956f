package editor

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
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

// A key in a megabyte may cost no more than a few times one in a kilobyte, measured in one run, so that the machine does not
// matter; in one line of a megabyte more, but never what the eye notices.
func TestAKeyCostsLittleInALargeText(t *testing.T) {
	s := themes.Plain()
	editors := []*Editor{large(1<<10, false), large(1<<20, false), large(1<<20, true)}
	best := []time.Duration{time.Hour, time.Hour, time.Hour}
	for range 8 { // by turns, for the machine may have other things to do meanwhile
		for i, e := range editors {
			from := time.Now()
			key(e, '1', s)
			key(e, '1', s)
			best[i] = min(best[i], time.Since(from)/2)
		}
	}
	small, big, line := best[0], best[1], best[2]
	t.Logf("1 KB %v, 1 MB %v, 1 MB in one line %v", small, big, line)
	if big > 40*small+4*time.Millisecond {
		t.Errorf("a key in 1 MB takes %v, in 1 KB %v", big, small)
	}
	if line > 80*small+8*time.Millisecond {
		t.Errorf("a key in 1 MB of one line takes %v, in 1 KB %v", line, small)
	}
}
