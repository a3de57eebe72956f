package book

import (
	"mcploupe/inspect"
	"mcploupe/session/wire"
)

// Reveal adds findings to an exchange that the book took without them, because somebody was to find them himself.
func (b *Book) Reveal(ref wire.Ref, found []inspect.Finding) {
	row := b.Timeline.byRef[ref]
	if row == nil || len(found) == 0 {
		return
	}
	b.Timeline.learn(row, found)
	for i := range found {
		b.Findings.add(found[i], ref)
		b.blame(&row.X, &found[i])
	}
}

// At is the first finding of a rule in an exchange; nil when there is none.
func (f *Findings) At(rule string, row wire.Ref) *Found {
	g := f.byRule[rule]
	if g == nil {
		return nil
	}
	for i := range g.All {
		if g.All[i].Row == row {
			return &g.All[i]
		}
	}
	return nil
}
