package kit

// Finder finds the rows of a List in a way of its own, where a fuzzy match of their texts is not what is meant.
type Finder interface {
	// Find is the rows that fit the filter line, in order, as indices of the source.
	Find(line string) []int
	// Match is the bytes of a row's Text that were found, rising. It is asked for rows in view only.
	Match(line string, row int) []int
	// Note is lines of w cells under the filter line: which words there are while somebody types, what is wrong with those
	// that stand there.
	Note(line string, typing bool, w int) []string
}

// noteLines are the lines under the filter line: never more than a third of h.
func (l *List) noteLines(w, h int) []string {
	if l.Finder == nil || !l.typing && l.Filter() == "" {
		return nil
	}
	lines := l.Finder.Note(l.Filter(), l.typing, w)
	return lines[:min(len(lines), h/3)]
}
