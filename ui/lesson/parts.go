package lesson

import (
	"slices"
	"strings"
)

// The words that begin a line of a task.
const (
	wordWhen = "when" // a condition; the first one
	wordAnd  = "and"  // one more of the same step, in any order
	wordThen = "then" // the next step
	wordHint = "hint"
	wordDone = "done"
	wordKeys = "keys"
)

func taskWords() []string { return []string{wordWhen, wordAnd, wordThen, wordHint, wordDone, wordKeys} }

// task reads lines[i:end]: text, then lines that begin with one of taskWords. A line that is indented goes on with the one
// before it.
func (p *parser) task(lines []string, begin, i, end int) (string, *Task) {
	var text []string
	t := &Task{}
	for ; i < end; i++ {
		word, rest, ok := strings.Cut(lines[i], ":")
		if !ok || !slices.Contains(taskWords(), word) {
			if len(t.Steps) > 0 && strings.TrimSpace(lines[i]) != "" {
				p.wrong(i, "behind when: a line begins with %s", strings.Join(taskWords(), ":, ")+":")
				continue
			}
			text = append(text, lines[i])
			continue
		}
		at := i
		for i+1 < end && strings.HasPrefix(lines[i+1], "  ") && strings.TrimSpace(lines[i+1]) != "" {
			i++
			rest += " " + strings.TrimSpace(lines[i])
		}
		if rest = strings.TrimSpace(rest); rest == "" {
			p.wrong(at, "%s: says nothing", word)
			continue
		}
		switch word {
		case wordHint:
			t.Hint = rest
		case wordDone:
			t.Done = rest
		case wordKeys:
			keys, err := readKeys(rest)
			if err != "" {
				p.wrong(at, "keys: %s", err)
			}
			t.Keys = append(t.Keys, keys...)
		default:
			p.condition(at, t, word, rest)
		}
	}
	if len(t.Steps) == 0 && len(p.errs) == 0 {
		p.wrong(begin, "a task has a line “when: …”, by which it is noticed that it was done")
	}
	return strings.TrimSpace(strings.Join(text, "\n")), t
}

func (p *parser) condition(at int, t *Task, word, rest string) {
	c, err := readCondition(rest)
	if err != "" {
		p.wrong(at, "%s: %s", word, err)
	}
	switch n := len(t.Steps); {
	case word == wordWhen && n > 0:
		p.wrong(at, "when: stands once; go on with and: (in any order) or then: (after it)")
	case word != wordWhen && n == 0:
		p.wrong(at, "the first condition begins with when:")
		t.Steps = append(t.Steps, Step{c})
	case word == wordAnd:
		t.Steps[n-1] = append(t.Steps[n-1], c)
	default:
		t.Steps = append(t.Steps, Step{c})
	}
}

// readKeys reads names of keys, "text to type" and ~ for a pause of a second. err says what is wrong.
func readKeys(line string) (keys []Key, err string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			text, rest, ok := strings.Cut(line[1:], `"`)
			if !ok || text == "" {
				return keys, "a text to type stands in quotes"
			}
			keys, line = append(keys, Key{Text: text}), rest
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		keys, line = append(keys, Key{Name: word}), rest
		if word == "~" {
			keys[len(keys)-1] = Key{Pause: true}
		}
	}
	return keys, ""
}

// question reads lines[i:end]: text, then choices. "- [x] " begins the right one, "- [ ] " a wrong one; indented lines under a
// choice say why.
func (p *parser) question(lines []string, begin, i, end int) (string, *Question) {
	var text []string
	q := &Question{}
	right := 0
	for ; i < end; i++ {
		line := lines[i]
		mark, rest := "", ""
		if len(line) > 6 && strings.HasPrefix(line, "- [") && line[4:6] == "] " {
			mark, rest = line[3:4], strings.TrimSpace(line[6:])
		}
		n := len(q.Choices)
		switch {
		case mark == "x" || mark == " ":
			if rest == "" {
				p.wrong(i, "this choice says nothing")
			}
			if mark == "x" {
				right++
			}
			q.Choices = append(q.Choices, Choice{Text: rest, Right: mark == "x"})
			p.because(i, n-1, q)
		case n == 0:
			text = append(text, line)
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  "):
			c := &q.Choices[n-1]
			c.Why = strings.TrimSpace(c.Why + " " + strings.TrimSpace(line))
		default:
			p.wrong(i, "under a choice stands, indented, why it is right or wrong; a choice begins with “- [ ] ” or “- [x] ”")
		}
	}
	p.because(end, len(q.Choices)-1, q)
	switch {
	case len(q.Choices) < 2 || len(q.Choices) > 6:
		p.wrong(begin, "a question has two to six choices, not %d", len(q.Choices))
	case right != 1:
		p.wrong(begin, "one choice is right: “- [x] ”, not %d", right)
	}
	return strings.TrimSpace(strings.Join(text, "\n")), q
}

// because complains when the k-th choice, which ends before line i, does not say why.
func (p *parser) because(i, k int, q *Question) {
	if k >= 0 && q.Choices[k].Why == "" {
		p.wrong(i-1, "a choice says why it is right or wrong, in indented lines under it")
	}
}
