package transport

// finder finds many patterns in one pass (Wu and Manber): it looks at two bytes and knows how far the
// next place can be where a pattern may begin. It is immutable.
type finder struct {
	shift [1 << 16]uint8       // by a pair of bytes: how far its last place in a pattern's beginning is from the beginning's end
	ends  map[uint16][]pattern // the patterns whose beginning ends in the pair
}

// newFinder takes patterns of MinSecret bytes at least.
func newFinder(patterns []pattern) *finder {
	f := &finder{ends: map[uint16][]pattern{}}
	for i := range f.shift {
		f.shift[i] = MinSecret - 1
	}
	for _, p := range patterns {
		for i := 1; i < MinSecret; i++ {
			pair := uint16(p.text[i-1])<<8 | uint16(p.text[i])
			f.shift[pair] = min(f.shift[pair], uint8(MinSecret-1-i))
		}
		pair := uint16(p.text[MinSecret-2])<<8 | uint16(p.text[MinSecret-1])
		f.ends[pair] = append(f.ends[pair], p)
	}
	return f
}

// each calls found for every occurrence in b, in the order of their beginnings.
func (f *finder) each(b []byte, found func(at int, p pattern)) {
	for i := MinSecret - 1; i < len(b); {
		pair := uint16(b[i-1])<<8 | uint16(b[i])
		if s := f.shift[pair]; s > 0 {
			i += int(s)
			continue
		}
		at := i - MinSecret + 1
		for _, p := range f.ends[pair] {
			if len(b)-at >= len(p.text) && string(b[at:at+len(p.text)]) == p.text {
				found(at, p)
			}
		}
		i++
	}
}
