package jsondoc

import (
	"bytes"
	"hash/maphash"
)

// seed makes the hash of names unforeseeable, so that no sender can aim for collisions.
var seed = maphash.MakeSeed()

// duplicates records every member of the object whose name an earlier member has. Small objects are
// compared pair by pair; larger ones go through a hash table, so that time stays linear.
func (p *parser) duplicates(object int32) {
	n := 0
	for c := object + 1; c < p.nodes[object].Next; c = p.nodes[c].Next {
		n++
	}
	if n > 12 {
		p.duplicatesByHash(object, n)
		return
	}
	for c := object + 1; c < p.nodes[object].Next; c = p.nodes[c].Next {
		for b := object + 1; b < c; b = p.nodes[b].Next {
			if p.sameName(b, c) {
				p.duplicate(c)
				break
			}
		}
	}
}

func (p *parser) duplicatesByHash(object int32, members int) {
	size := 32
	for size < 2*members {
		size *= 2
	}
	if len(p.table) < size {
		p.table = make([]int32, size)
	}
	table := p.table[:size]
	clear(table)
next:
	for c := object + 1; c < p.nodes[object].Next; c = p.nodes[c].Next {
		at := maphash.Bytes(seed, p.name(c)) & uint64(size-1)
		for ; table[at] != 0; at = (at + 1) & uint64(size-1) {
			if p.sameName(table[at]-1, c) {
				p.duplicate(c)
				continue next
			}
		}
		table[at] = c + 1
	}
}

func (p *parser) duplicate(c int32) {
	k := p.nodes[c].Key
	p.fault(DuplicateKey, int(k.From), int(k.To), c, "the object has this name already")
}

func (p *parser) name(c int32) []byte {
	n := &p.nodes[c]
	if n.flags&keyCoded != 0 {
		return decodeName(nil, p.t[n.Key.From:n.Key.To], false)
	}
	return p.t[n.Key.From+1 : n.Key.To-1]
}

// sameName compares two names; plain ones of different length are settled without a look at them.
func (p *parser) sameName(a, b int32) bool {
	m, n := &p.nodes[a], &p.nodes[b]
	if (m.flags|n.flags)&keyCoded == 0 {
		return m.Key.To-m.Key.From == n.Key.To-n.Key.From &&
			bytes.Equal(p.t[m.Key.From:m.Key.To], p.t[n.Key.From:n.Key.To])
	}
	if m.Key.From == m.Key.To || n.Key.From == n.Key.To { // no name is no duplicate of another
		return false
	}
	return bytes.Equal(p.name(a), p.name(b))
}
