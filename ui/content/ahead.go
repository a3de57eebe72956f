package content

import (
	"hash/maphash"
	"slices"

	"mcploupe/session/jsondoc"
)

// settle prepares what is small at once, as far as that is not felt.
func (v *View) settle() {
	room := 2 * smallBytes
	for _, b := range v.blocks {
		if b.from == fromBytes || b.from == fromCard {
			b.take(b.prepare(v.env.Styles))
			continue
		}
		if room -= b.size(); room < 0 {
			break // the rest beside the screen
		}
		if !b.heavy() {
			b.take(b.prepare(v.env.Styles))
		}
	}
	v.next()
}

// take puts what was prepared into a block.
func (b *block) take(m made) {
	b.made, b.state = m, ready
	b.card = append(b.card[:len(b.card):len(b.card)], m.card...)
	b.notes = append(b.notes[:len(b.notes):len(b.notes)], m.notes...)
}

// likeness finds the texts that say the same as structuredContent, which stands there in its own right, and folds them. Large ones are
// compared beside the screen.
func (v *View) likeness() {
	v.liked = true
	last := v.blocks[len(v.blocks)-1]
	if last.made.doc == nil || last.from != fromValue || last.path.Last() != "structuredContent" {
		return
	}
	want := last.made.doc
	for _, b := range v.blocks[:len(v.blocks)-1] {
		d := b.made.doc
		if d == nil || b.from != fromText {
			continue
		}
		same := func() {
			b.card = append(b.card[:len(b.card):len(b.card)], [2]string{"says", "the same as structuredContent"})
			b.folded = b.folded || v.at == 0 // nothing moves away from under a cursor
		}
		if len(d.Text)+len(want.Text) <= 2*smallBytes {
			if says(d, want) {
				same()
			}
			continue
		}
		v.env.Later(func() func() {
			if says(d, want) {
				return same
			}
			return func() {}
		})
	}
}

// says tells that two documents say the same, in time linear in both, whatever they hold.
func says(a, b *jsondoc.Document) bool {
	seed := maphash.MakeSeed()
	x, y := a.Hashes(seed), b.Hashes(seed)
	return len(x) > 0 && len(y) > 0 && x[0] == y[0]
}

// next has the next block prepared beside the screen, one at a time.
func (v *View) next() {
	blocks := v.blocks
	for _, b := range blocks {
		if b.state != waiting {
			continue
		}
		b.state = working
		styles := v.env.Styles
		v.env.Later(func() func() {
			m := b.prepare(styles)
			return func() {
				b.take(m)
				if len(v.blocks) > 0 && v.blocks[0] == blocks[0] { // else something else is shown by now
					v.next()
				}
			}
		})
		return
	}
	if len(blocks) > 1 && !v.liked && !slices.ContainsFunc(blocks, func(b *block) bool { return b.state != ready }) {
		v.likeness()
	}
}
