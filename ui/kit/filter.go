package kit

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"
)

// Filter is the filter's text.
func (l *List) Filter() string { return l.filter.text() }

// Typing tells that the filter line is open.
func (l *List) Typing() bool { return l.typing }

// OpenFilter opens the filter line.
func (l *List) OpenFilter() { l.typing = true }

// TypeFilter opens the filter line with a text in it.
func (l *List) TypeFilter(s string) {
	l.OpenFilter()
	l.sync()
	l.setFilter(s)
}

// ClearFilter drops the filter and tells whether there was one.
func (l *List) ClearFilter() bool {
	had := l.Filter() != "" || l.typing
	l.typing = false
	l.sync()
	l.setFilter("")
	return had
}

func (l *List) setFilter(s string) {
	if s != l.Filter() {
		l.filter.set(s)
	}
	l.filtered()
}

// filtered brings rows and cursor up to date with another filter.
func (l *List) filtered() {
	key, s := l.key, l.Filter()
	l.refilter()
	l.at, l.top = 0, 0
	if n := l.Len(); n > 0 {
		// Without filter the row found stays under the cursor; with one the best is the first that fits.
		if s == "" && key != "" && l.keyAt(0) != key {
			l.find(key)
		}
		l.moved(l.at)
	}
}

func (l *List) refilter() {
	if l.Filter() == "" {
		l.shown, l.matches = nil, nil
		return
	}
	if l.Finder != nil {
		l.shown, l.matches = l.Finder.Find(l.Filter()), nil
		return
	}
	if l.texts == nil {
		l.texts = make([]string, l.source.Len())
		for i := range l.texts {
			l.texts[i] = l.source.Text(i)
		}
	}
	if l.Exact {
		l.shown, l.matches = exact(l.Filter(), l.texts)
		return
	}
	l.shown, l.matches = filter(l.Filter(), l.texts)
}

// filter finds the rows that match: a text that holds the words as they are wins over one that has their
// letters scattered; within both the order of the list stays, so that rows do not jump about while typing.
func filter(pattern string, texts []string) (rows []int, matches [][]int) {
	rows = []int{}
	low := strings.ToLower(pattern)
	var scattered []fuzzy.Match
	found := fuzzy.FindNoSort(pattern, texts)
	for _, m := range found {
		if at := strings.Index(strings.ToLower(m.Str), low); at >= 0 {
			rows = append(rows, m.Index)
			matches = append(matches, run(m.Str, at, len(low)))
		} else {
			scattered = append(scattered, m)
		}
	}
	for _, m := range scattered {
		rows = append(rows, m.Index)
		matches = append(matches, m.MatchedIndexes)
	}
	return rows, matches
}

// exact finds the rows that hold the words as they are, but for upper and lower case.
func exact(pattern string, texts []string) (rows []int, matches [][]int) {
	rows = []int{}
	low := strings.ToLower(pattern)
	for i, text := range texts {
		if at := strings.Index(strings.ToLower(text), low); at >= 0 {
			rows = append(rows, i)
			matches = append(matches, run(text, at, len(low)))
		}
	}
	return rows, matches
}

// run is the byte offsets of n bytes from at.
func run(s string, at, n int) []int {
	out := make([]int, 0, n)
	for i := at; i < at+n && i < len(s); i++ {
		out = append(out, i)
	}
	return out
}

// Text gives a key or paste to the filter line. It tells whether it was used.
func (l *List) Text(msg tea.Msg) bool {
	if !l.typing {
		return false
	}
	l.sync()
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch key := k.String(); {
		case key == "enter", key == "backspace" && l.Filter() == "":
			l.typing = false
			return true
		case key == "esc":
			l.ClearFilter()
			return true
		case key == "up", key == "ctrl+p":
			l.Move(-1)
			return true
		case key == "down", key == "ctrl+n":
			l.Move(1)
			return true
		}
	}
	changed, used := l.filter.key(msg)
	if changed {
		l.filtered()
	}
	return used
}

// Matched renders text with the filter's runes marked; base is the style of the rest.
func (e *Env) Matched(text string, match []int, base interface{ Render(...string) string }) string {
	if len(match) == 0 {
		return base.Render(text)
	}
	var b strings.Builder
	from := 0
	for i := 0; i < len(match); {
		at := match[i]
		if at >= len(text) {
			break
		}
		j := i + 1
		for j < len(match) && match[j] == match[j-1]+1 {
			j++
		}
		to := nextRune(text, match[j-1])
		if at > from {
			b.WriteString(base.Render(text[from:at]))
		}
		if to > max(at, from) {
			b.WriteString(e.Styles.Match.Render(text[max(at, from):to]))
		}
		from = max(to, from)
		i = j
	}
	if from < len(text) {
		b.WriteString(base.Render(text[from:]))
	}
	return b.String()
}

func nextRune(s string, at int) int {
	for at++; at < len(s) && s[at]&0xc0 == 0x80; at++ {
	}
	return min(at, len(s))
}
