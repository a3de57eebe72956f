package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/ratiotest"
)

// editing is a screen whose call holds arguments of about this many bytes, in the form or as JSON, the cursor near their end.
func editing(t testing.TB, bytes int, asJSON bool) *Model {
	m := loaded(t, 20, 10)
	m.env.Aside = func(func() func()) {} // what is done beside the screen is not what a key costs
	m.setFocus(atTools)
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	if asJSON {
		m.Update(tea.KeyPressMsg{Code: 't', Mod: tea.ModCtrl})
	}
	m.View()
	row := `    {"id": 12345, "name": "somebody", "on": true},` + "\n"
	m.call.SetArgs([]byte("{\n  \"location\": \"x\",\n  \"rows\": [\n" + strings.Repeat(row, bytes/len(row)+1) + "    1\n  ]\n}"))
	if asJSON {
		m.Update(tea.KeyPressMsg{Code: tea.KeyEnd, Mod: tea.ModCtrl})
		for range 4 {
			m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
		}
	} else {
		m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	}
	m.View()
	return m
}

// strokes is typing, moving and deleting.
var strokes = []string{"1", "down", "end", "2", "backspace", "left", "up", "x", "backspace", "home"}

// Keys in arguments of a megabyte, with the whole screen, cost a few times those in a kilobyte, as JSON and in the form.
func TestAKeyInLargeArgumentsIsQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	small, large := editing(t, 1<<10, true), editing(t, 1<<20, true)
	ratiotest.AtMost(t, 5, 40, func() (work, measure time.Duration) {
		return medianKey(t, large, strokes, 2), medianKey(t, small, strokes, 2)
	})
	small, large = editing(t, 1<<10, false), editing(t, 1<<20, false)
	letters := []string{"1", "2", "backspace", "left", "x", "backspace"}
	ratiotest.AtMost(t, 12, 40, func() (work, measure time.Duration) {
		return medianKey(t, large, letters, 2), medianKey(t, small, letters, 2)
	})
}

// A letter and its way back in arguments.
func BenchmarkKeyInArguments(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		for _, asJSON := range []bool{true, false} {
			b.Run(fmt.Sprintf("%dKB/json=%v", size>>10, asJSON), func(b *testing.B) {
				m := editing(b, size, asJSON)
				for b.Loop() {
					m.Update(tea.KeyPressMsg{Code: '1', Text: "1"})
					m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
					m.View()
				}
			})
		}
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
