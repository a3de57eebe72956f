package app

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/wire"
)

// BenchmarkContentKeys is keys in the content of answers of some twenty megabytes; what is done beside the screen is not counted, and
// each key is reported by its slowest run.
func BenchmarkContentKeys(b *testing.B) {
	rows := strings.Builder{}
	for i := range 160_000 {
		fmt.Fprintf(&rows, `,{"at":"2026-11-30T11:46:%02dZ","value":%d.5,"good":true,"note":"row %d, with some words behind it as notes have them"}`, i%60, i%40, i)
	}
	for name, members := range map[string]string{
		"table": `"content":[],"structuredContent":[` + rows.String()[1:] + `]`,
		"bytes": `"content":[{"type":"resource","resource":{"uri":"x:/1","mimeType":"application/octet-stream","blob":"` + base64.StdEncoding.EncodeToString([]byte(rows.String())) + `"}}]`,
	} {
		b.Run(name, func(b *testing.B) {
			var slowest time.Duration
			for range b.N {
				entries, err := wire.ParseScript(opening + lists + ask + answerWith(members))
				if err != nil {
					b.Fatal(err)
				}
				log := wire.NewLog(wire.LogOptions{})
				for _, e := range entries {
					log.Append(e)
				}
				log.Close()
				m, err := New(b.Context(), Options{Log: log})
				if err != nil {
					b.Fatal(err)
				}
				m.feed.Pace = 0
				m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
				var beside []func() func()
				m.env.Aside = func(work func() func()) { beside = append(beside, work) }
				for {
					msg := m.pull()().(pageMsg)
					if msg.err != nil {
						break
					}
					m.take(&msg.page)
				}
				m.setFocus(atMain)
				for m.View(); len(beside) > 0; m.View() { // the answer is read as such
					work := beside[0]
					beside = beside[1:]
					work()()
				}
				for _, k := range []rune{'>', tea.KeyDown, 'G', tea.KeyUp, 'g', tea.KeyPgDown, tea.KeyRight, 't', 'x', 'G', 'x', 'n', tea.KeySpace, tea.KeySpace} {
					press := tea.KeyPressMsg{Code: k}
					if k < 128 {
						press.Text = string(k)
					}
					start := time.Now()
					m.Update(press)
					m.View()
					if d := time.Since(start); d > slowest {
						slowest = d
						if testing.Verbose() {
							b.Logf("%s took %v", press.String(), d)
						}
					}
					for len(beside) > 0 {
						work := beside[0]
						beside = beside[1:]
						then := work()
						start := time.Now()
						then()
						m.View()
						if d := time.Since(start); d > slowest {
							slowest = d
							if testing.Verbose() {
								b.Logf("what was done beside %s took %v on the screen", press.String(), d)
							}
						}
					}
				}
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest-key")
		})
	}
}
