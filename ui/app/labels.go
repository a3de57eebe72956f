package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/ui/kit"
)

// Labels are one or two letters before everything on the screen that can be chosen; typing them goes there, as a press with the
// mouse would. They lie over what does not tell one thing from another: the margin of a row, a line's number, the blanks between
// words.

// labels is which spot has which label, from the key that showed them to the one that ends it.
type labels struct {
	of    map[string]string // by the spot's id
	typed string
}

// labelLetters are in the order of how well they are reached: the home row first.
const labelLetters = "fjdksla" + "gh" + "rueiwoqpty" + "vmcnbxz"

// openLabels gives every spot of the screen a label.
func (m *Model) openLabels() {
	m.screen() // spots are those of the last drawing: it shall be the one of now
	spots := m.spots()
	if len(spots) == 0 {
		m.say("there is nothing here to jump to", false)
		return
	}
	l := &labels{of: make(map[string]string, len(spots))}
	words := labelWords(len(spots))
	for i := range spots {
		if _, twice := l.of[spots[i].id()]; i < len(words) && !twice {
			l.of[spots[i].id()] = words[i]
		}
	}
	m.labels = l
}

// labelWords are n labels of which none begins another: as many single letters as can be, the rest of two.
func labelWords(n int) []string {
	k := len(labelLetters)
	first := 0 // letters that begin labels of two
	for k-first+first*k < n && first < k {
		first++
	}
	words := strings.Split(labelLetters[:k-first], "")
	for _, a := range labelLetters[k-first:] {
		for _, b := range labelLetters {
			words = append(words, string(a)+string(b))
		}
	}
	return words[:min(n, len(words))]
}

// labelKey takes a key while labels show: a letter goes there, or waits for the second; anything else ends it.
func (m *Model) labelKey(msg tea.KeyPressMsg) tea.Cmd {
	l := m.labels
	name := msg.String()
	if name == "backspace" && l.typed != "" {
		l.typed = ""
		return nil
	}
	typed := l.typed + strings.ToLower(name)
	waits := false
	for _, word := range l.of {
		waits = waits || strings.HasPrefix(word, typed)
	}
	if !waits || !kit.Printable(name) {
		m.labels = nil
		if kit.Printable(name) {
			m.say("no label is "+kit.Escape(typed), false)
		}
		return nil
	}
	m.screen() // what was labelled may stand elsewhere by now, or be gone
	spots := m.spots()
	for i := range spots {
		if l.of[spots[i].id()] == typed {
			m.labels = nil
			return m.press(&spots[i])
		}
	}
	l.typed = typed
	for _, word := range l.of {
		if word == typed {
			m.labels = nil
			m.say("that is gone", false)
		}
	}
	return nil
}

// labelled draws the labels over finished lines.
func (m *Model) labelled(lines []string) {
	s := m.env.Styles
	spots := m.spots()
	for i := range spots {
		sp := &spots[i]
		rest, ok := strings.CutPrefix(m.labels.of[sp.id()], m.labels.typed)
		if !ok || rest == "" || sp.y < 0 || sp.y >= len(lines) {
			continue
		}
		lines[sp.y] = over(lines[sp.y], sp.labelAt(len(rest)), s.MatchOn.Render(rest), m.w)
	}
}

// labelAt is the column where a label of n letters lies: before the words, apart from them where there is room.
func (s *spot) labelAt(n int) int {
	x := s.x - min(n, s.free)
	switch {
	case s.margin:
		x = s.x - s.free
	case s.free > n+1:
		x--
	}
	return max(x, 0)
}

// over puts words of some cells over a line of w cells, from column x on.
func over(line string, x int, words string, w int) string {
	n := kit.Width(words)
	return kit.Fit(ansi.Cut(line, 0, x), x) + words + after(line, x+n, w)
}
