package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// editing is a screen whose call holds arguments of about this many bytes as JSON, the cursor in the middle of them.
func editing(t testing.TB, bytes int) *Model {
	m := loaded(t, 20, 10)
	m.env.Aside = func(func() func()) {} // what is done beside the screen is not what a key costs
	m.setFocus(atTools)
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	m.Update(tea.KeyPressMsg{Code: 't', Mod: tea.ModCtrl})
	m.View()
	row := `    {"id": 12345, "name": "somebody", "on": true},` + "\n"
	m.call.SetArgs([]byte("{\n  \"location\": \"x\",\n  \"rows\": [\n" + strings.Repeat(row, bytes/len(row)+1) + "    1\n  ]\n}"))
	for range 12 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	m.View()
	return m
}

// strokes is typing, moving and deleting.
var strokes = []string{"1", "down", "end", "2", "backspace", "left", "up", "x", "backspace", "home"}

// Keys in a JSON of a megabyte, with the whole screen, may cost a few times those in one of a kilobyte.
func TestAKeyInALargeJSONIsQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	small, large := editing(t, 1<<10), editing(t, 1<<20)
	var a, b time.Duration
	for range 4 { // a noisy neighbour may spoil one of them
		a, b = medianKey(t, small, strokes, 3), medianKey(t, large, strokes, 3)
		if b <= 4*a+4*time.Millisecond {
			return
		}
	}
	t.Errorf("a key takes %v in 1 MB, %v in 1 KB", b, a)
}

func BenchmarkKeyInJSON(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			m := editing(b, size)
			for b.Loop() {
				m.Update(tea.KeyPressMsg{Code: '1', Text: "1"})
				m.View()
			}
		})
	}
}

// A key in the form of two hundred fields.
func BenchmarkKeyInForm(b *testing.B) {
	m := loaded(b, 20, 10)
	m.setFocus(atTools)
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	for b.Loop() {
		m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		m.View()
	}
}
