package app

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

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
	spots := m.goals()
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

// goals are what labels lead to: every spot but the keys of the last line, which are shorter than a label.
func (m *Model) goals() []spot {
	return slices.DeleteFunc(m.spots(), func(s spot) bool { return s.y == m.h-1 })
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
	spots := m.goals()
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
	spots := m.goals()
	byLine := map[int][]tag{}
	for i := range spots {
		sp := &spots[i]
		rest, ok := strings.CutPrefix(m.labels.of[sp.id()], m.labels.typed)
		if ok && rest != "" && 0 <= sp.y && sp.y < len(lines) {
			byLine[sp.y] = append(byLine[sp.y], tag{sp.labelAt(len(rest)), rest})
		}
	}
	for y, tags := range byLine {
		lines[y] = tagged(lines[y], tags, m.env.Styles.MatchOn)
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

// tag is letters that lie over a line from a column on.
type tag struct {
	x    int
	text string
}

// tagged is a styled line with tags over it, of the same width. It goes through the line once, however many there are.
func tagged(line string, tags []tag, style lipgloss.Style) string {
	slices.SortFunc(tags, func(a, b tag) int { return a.x - b.x })
	var b strings.Builder
	on := ""             // what styles the line where we are
	col, covered := 0, 0 // the cell where we are, and up to which one a tag lies
	for len(line) > 0 {
		if strings.HasPrefix(line, "\x1b[") {
			n := 2
			for n < len(line) && (line[n] < 0x40 || line[n] > 0x7e) {
				n++
			}
			sequence := line[:min(n+1, len(line))]
			line = line[len(sequence):]
			b.WriteString(sequence)
			switch {
			case sequence == "\x1b[m" || sequence == "\x1b[0m":
				on = ""
			case strings.HasSuffix(sequence, "m"):
				on += sequence
			}
			continue
		}
		cluster, w := line[:1], 1
		if line[0] >= utf8.RuneSelf {
			g := graphemes.FromString(line)
			g.Next()
			cluster = g.Value()
			w = ansi.StringWidth(cluster)
		}
		line = line[len(cluster):]
		end := col + w
		switch {
		case len(tags) > 0 && tags[0].x < end && w > 0:
			t := tags[0]
			tags = tags[1:]
			b.WriteString(kit.Blank(max(t.x, covered)-max(col, covered)) + "\x1b[m" + style.Render(t.text) + on)
			covered = t.x + len(t.text)
			b.WriteString(kit.Blank(end - covered)) // half of a wide character
		case col < covered:
			b.WriteString(kit.Blank(end - covered))
		default:
			b.WriteString(cluster)
		}
		col = end
	}
	return b.String()
}
