package app

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

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
			keys := slowest{b: b}
			for range b.N {
				log := wire.NewLog(wire.LogOptions{})
				happen(b, log, opening+lists+ask+answerWith(members))
				log.Close()
				m := unread(b, log)
				var beside []func() func()
				m.env.Aside = func(work func() func()) { beside = append(beside, work) }
				readAll(b, m)
				m.setFocus(atMain)
				for m.View(); len(beside) > 0; m.View() { // the answer is read as such
					work := beside[0]
					beside = beside[1:]
					work()()
				}
				for _, k := range []rune{'>', tea.KeyDown, 'G', tea.KeyUp, 'g', tea.KeyPgDown, tea.KeyRight, 't', 'x', 'G', 'x', '/', 'e', 'w', 'q', tea.KeyEnter, 'n', 'N', tea.KeyEscape, 'n', tea.KeySpace, tea.KeySpace} {
					press := tea.KeyPressMsg{Code: k}
					if k < 128 {
						press.Text = string(k)
					}
					keys.step(m, press.String(), func() { m.Update(press) })
					for len(beside) > 0 {
						work := beside[0]
						beside = beside[1:]
						keys.step(m, "what was done beside "+press.String(), work())
					}
				}
			}
			keys.report()
		})
	}
}
