package app

import (
	"strings"

	"mcploupe/ui/kit"
)

// present wants the screen for somebody who shows it to others, or as it was.
type present struct{}

// present shows the screen as it is good for others to see, or as it was before.
func (m *Model) present(on bool) {
	m.env.Present = on
	m.pressed = pressed{}
	if err := m.restyle(); err != nil { // rows that were drawn before are drawn anew
		m.say(kit.Escape(err.Error()), true)
	}
}

// pressed are the keys that were pressed last, the newest first, with what each did. What is typed is not kept.
type pressed struct{ last []press }

type press struct {
	key, words string
	times      int
}

// mostPresses is how many are kept: more than any line shows.
const mostPresses = 12

func (p *pressed) add(key, words string) {
	if len(p.last) > 0 && p.last[0].key == key && p.last[0].words == words {
		p.last[0].times++
		return
	}
	p.last = append([]press{{key, words, 1}}, p.last[:min(len(p.last), mostPresses-1)]...)
}

// typed notes a key that a text took: that somebody types, never what.
func (p *pressed) typed(key string) {
	if kit.Printable(key) || key == "space" || key == "backspace" {
		p.add("typing", "")
		return
	}
	p.add(kit.KeyName(key), "")
}

// presses tells that a line of the screen is kept for the keys that are pressed.
func (m *Model) presses() bool { return m.env.Present && m.h > minHeight && m.home == nil }

// pressLine puts the keys that were pressed into their line, between the panes and the last line.
func (m *Model) pressLine(lines []string) {
	if m.env.Spotlight && m.h > 0 {
		lines[0] = m.env.Dim(lines[0])
	}
	if !m.presses() {
		return
	}
	s := m.env.Styles
	_, h := m.room()
	w := m.w
	var b strings.Builder
	for i, p := range m.pressed.last {
		key := " " + p.key + " "
		if p.times > 1 && p.key != "typing" {
			key = " " + p.key + " ×" + kit.Number(p.times) + " "
		}
		part := s.Selected.Bold(true).Render(key) + " " + s.Title.Render(p.words)
		if i > 0 {
			part = s.Muted.Render(key+p.words) + "  "
		} else {
			part += "    "
		}
		if kit.Width(b.String())+kit.Width(part) > w-2 {
			break
		}
		b.WriteString(part)
	}
	lines[h-1] = kit.Fit(" "+b.String(), w)
}
