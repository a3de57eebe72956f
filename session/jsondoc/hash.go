package jsondoc

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"strconv"
)

// Hashes gives each node a number, by which values of documents that were hashed with the same seed are compared at once:
// values that are the Same have the same one, and others have another one but for a chance of one in 2^64, which nobody can
// bring about who does not know the seed. Two things count here that do not for Same: a name that stands twice in an
// object, and exponents of more than 17 digits, which are compared as they are spelled. It takes time linear in the text.
func (d *Document) Hashes(seed maphash.Seed) []uint64 {
	out := make([]uint64, len(d.Nodes))
	salt := maphash.String(seed, "salt")
	// A product is 0 when one factor is: keep salts from being that, whatever the seed.
	mix := func(a, b uint64) uint64 {
		hi, lo := bits.Mul64(a^salt|1, b^bits.RotateLeft64(salt, 29))
		return hi ^ lo ^ a
	}
	var kinds [Object + 1]uint64
	for k := range kinds {
		kinds[k] = maphash.String(seed, Kind(k).String())
	}
	var digits []byte
	for i := len(d.Nodes) - 1; i >= 0; i-- {
		n := &d.Nodes[i]
		h := kinds[n.Kind]
		switch n.Kind {
		case Array:
			for c := int32(i) + 1; c < n.Next; c = d.Nodes[c].Next {
				h = mix(h, out[c])
			}
		case Object:
			sum := uint64(0) // of members in any order
			for c := int32(i) + 1; c < n.Next; c = d.Nodes[c].Next {
				sum += mix(maphash.Bytes(seed, d.exactName(&d.Nodes[c])), out[c])
			}
			h = mix(h, sum)
		case String:
			h = mix(h, maphash.Bytes(seed, d.Value(int32(i)).exactText()))
		case Number:
			digits = d.Value(int32(i)).plainNumber(digits[:0])
			h = mix(h, maphash.Bytes(seed, digits))
		default:
			h = mix(h, maphash.Bytes(seed, d.Value(int32(i)).Raw()))
		}
		out[i] = h
	}
	return out
}

// exactName is a member's name decoded without loss.
func (d *Document) exactName(n *Node) []byte {
	if n.flags&keyCoded == 0 {
		return d.Text[n.Key.From+1 : n.Key.To-1]
	}
	return decodeName(nil, d.Text[n.Key.From:n.Key.To], true)
}

// plainNumber appends the same text for all spellings of a number.
func (v Value) plainNumber(out []byte) []byte {
	n, ok := v.number()
	if !ok {
		return append(out, v.Raw()...)
	}
	from, to := n.significant()
	if from == to {
		return append(out, '0')
	}
	if n.minus {
		out = append(out, '-')
	}
	for i := from; i < to; i++ {
		out = append(out, n.digit(i))
	}
	out = append(out, 'e')
	if scale, ok := n.scale(to); ok {
		return strconv.AppendInt(out, scale, 10)
	}
	out = append(append(out, bytes.TrimLeft(n.exp, "+")...), ' ')
	return strconv.AppendInt(out, int64(len(n.whole)-to), 10)
}
