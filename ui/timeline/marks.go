package timeline

import (
	"slices"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// marks are the exchanges that a person marked, in the order in which that was done.
type marks struct {
	refs    []wire.Ref
	version int
}

func (m *marks) has(ref wire.Ref) bool { return slices.Contains(m.refs, ref) }

func (m *marks) toggle(ref wire.Ref) {
	m.version++
	if i := slices.Index(m.refs, ref); i >= 0 {
		m.refs = slices.Delete(m.refs, i, i+1)
		return
	}
	m.refs = append(m.refs, ref)
}

func (m *marks) clear() { m.refs, m.version = nil, m.version+1 }

// rows are the marked exchanges that are still kept, the oldest first.
func (m *marks) rows(t *book.Timeline) []*book.Row {
	var out []*book.Row
	for _, ref := range m.refs {
		if r := t.Row(ref); r != nil {
			out = append(out, r)
		}
	}
	if len(out) < len(m.refs) { // the others had to go from memory
		m.refs = m.refs[:0]
		for _, r := range out {
			m.refs = append(m.refs, r.Ref)
		}
	}
	slices.SortFunc(out, func(a, b *book.Row) int {
		if a.Ref.Seq != b.Ref.Seq {
			return int(a.Ref.Seq) - int(b.Ref.Seq)
		}
		return a.Ref.Part - b.Ref.Part
	})
	return out
}

// markKeys are the keys for marks, and what is done with them.
func (p *Panel) markKeys(r *book.Row) []kit.Row {
	if r == nil {
		return nil
	}
	words := "mark"
	if p.marks.has(r.Ref) {
		words = "unmark"
	}
	rows := []kit.Row{{Keys: []string{"space"}, Words: words, Group: "marks", Do: func() kit.Intent { p.marks.toggle(r.Ref); return nil }}}
	marked := p.marks.rows(&p.book.Timeline)
	if len(marked) > 0 {
		rows = append(rows, kit.Row{Keys: []string{"M"}, Words: "drop all marks", Group: "marks", Quiet: true, Do: func() kit.Intent { p.marks.clear(); return nil }})
	}
	compare := kit.Row{Keys: []string{"d"}, Group: "marks"}
	switch n := len(marked); {
	case n == 2:
		compare.Words = "compare the two marked"
		compare.Do = func() kit.Intent { return kit.Compare{A: marked[0].Ref, B: marked[1].Ref} }
	case n > 2:
		compare.Words, compare.Off = "compare", "two are compared, and "+kit.Number(n)+" are marked"
	case n == 1 && marked[0] != r:
		compare.Words = "compare with the marked one"
		a, b := marked[0].Ref, r.Ref
		if b.Seq < a.Seq {
			a, b = b, a
		}
		compare.Do = func() kit.Intent { return kit.Compare{A: a, B: b} }
	default:
		compare.Words = "compare with the one before"
		if r.Lone() {
			compare.Off = "this was no request of ours: mark two with space"
		}
		compare.Do = func() kit.Intent { return kit.Compare{A: r.Ref} }
	}
	return append(rows, compare)
}
