package timeline

import (
	"slices"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/query"
)

// finder is the filter of the panel: words about an exchange, and text in its messages.
type finder struct {
	p        *Panel
	line     string
	q        query.Query
	patterns []pattern // of the words that are text, "" keys; in the order of q.Words
	memory   memory
}

// set takes the filter line apart, once.
func (f *finder) set(line string) {
	if line == f.line && f.memory != nil {
		return
	}
	f.line, f.q, f.patterns = line, query.Parse(line), nil
	for _, w := range f.q.Words {
		f.patterns = append(f.patterns, newPattern(w.Value))
	}
	if f.memory == nil {
		f.memory = memory{}
	}
	if line == "" {
		f.memory = nil // nobody asks any more
	}
}

// Find implements kit.Finder.
func (f *finder) Find(line string) []int {
	f.set(line)
	facts := &query.Facts{Book: f.p.book, Now: f.p.env.Now(), Marked: f.p.marks.has}
	rows := source{f.p}
	n := rows.Len()
	if len(f.memory) > 2*n+1000 {
		f.memory = memory{} // of rows that are gone
	}
	out := []int{}
	for i := range n {
		if f.fits(rows.at(i), facts) {
			out = append(out, i)
		}
	}
	return out
}

// fits tells that every word fits. Words that are quick to tell come before text.
func (f *finder) fits(r *book.Row, facts *query.Facts) bool {
	for i := range f.q.Words {
		if w := &f.q.Words[i]; w.Key != "" && w.Fits(r, facts) == w.Not {
			return false
		}
	}
	for i := range f.q.Words {
		if w := &f.q.Words[i]; w.Key == "" && f.memory.find(r, &f.patterns[i]) == w.Not {
			return false
		}
	}
	return true
}

// Match implements kit.Finder: what plain words found in the row's own text.
func (f *finder) Match(line string, row int) []int {
	f.set(line)
	text := []byte(source{f.p}.Text(row))
	var out []int
	for i := range f.q.Words {
		if w := &f.q.Words[i]; w.Key == "" && !w.Not {
			if at := f.patterns[i].in(text); at >= 0 {
				for k := range len(w.Value) {
					out = append(out, at+k)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Note implements kit.Finder: what is wrong with the words, else, while somebody types, which words there are.
func (f *finder) Note(line string, typing bool, w int) []string {
	f.set(line)
	s := f.p.env.Styles
	var out []string
	for _, why := range f.q.Wrong {
		for _, l := range kit.Wrap(kit.Escape(why)+": looked for as text", w) {
			out = append(out, s.Should.Render(l))
		}
	}
	if !typing || len(out) > 0 {
		return out
	}
	for _, l := range kit.Wrap(query.Help(line), w) {
		out = append(out, s.Faint.Render(l))
	}
	return out
}
