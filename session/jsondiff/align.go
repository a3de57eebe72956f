package jsondiff

import "slices"

// Pair is one step of an alignment of two lists: what stands at I in the first and at J in the second is equal. -1: it
// stands in the other one only.
type Pair struct{ I, J int }

// maxSquare bounds the parts that are compared each with each.
const maxSquare = 1500

// Align lays two lists beside each other, in the order of both. What they begin and end with alike costs little; between, the
// longest common part is found where both sides are short enough, else what is in both exactly once holds them together,
// and what lies between such anchors and is still too long counts as replaced.
func Align[T comparable](a, b []T) []Pair {
	return align(nil, a, b, 0, 0, true)
}

func align[T comparable](out []Pair, a, b []T, i, j int, anchors bool) []Pair {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		out = append(out, Pair{i + head, j + head})
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	switch {
	case len(x) <= maxSquare && len(y) <= maxSquare:
		out = longest(out, x, y, i+head, j+head)
	case anchors:
		out = anchored(out, x, y, i+head, j+head)
	default:
		out = replaced(out, x, y, i+head, j+head)
	}
	for k := tail; k > 0; k-- {
		out = append(out, Pair{i + len(a) - k, j + len(b) - k})
	}
	return out
}

func replaced[T comparable](out []Pair, a, b []T, i, j int) []Pair {
	for k := range a {
		out = append(out, Pair{i + k, -1})
	}
	for k := range b {
		out = append(out, Pair{-1, j + k})
	}
	return out
}

// longest aligns by the longest common subsequence.
func longest[T comparable](out []Pair, a, b []T, i, j int) []Pair {
	w := len(b) + 1
	common := make([]uint16, (len(a)+1)*w)
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] == b[y] {
				common[x*w+y] = common[(x+1)*w+y+1] + 1
			} else {
				common[x*w+y] = max(common[(x+1)*w+y], common[x*w+y+1])
			}
		}
	}
	x, y := 0, 0
	for x < len(a) || y < len(b) {
		switch {
		case x < len(a) && y < len(b) && a[x] == b[y]:
			out = append(out, Pair{i + x, j + y})
			x, y = x+1, y+1
		case y == len(b) || x < len(a) && common[(x+1)*w+y] >= common[x*w+y+1]:
			out = append(out, Pair{i + x, -1})
			x++
		default:
			out = append(out, Pair{-1, j + y})
			y++
		}
	}
	return out
}

// anchored aligns by what is in both lists exactly once (patience), and what lies between by align.
func anchored[T comparable](out []Pair, a, b []T, i, j int) []Pair {
	once := func(list []T) map[T]int {
		at := make(map[T]int, len(list))
		for k, x := range list {
			if _, twice := at[x]; twice {
				at[x] = -1
			} else {
				at[x] = k
			}
		}
		return at
	}
	inA, inB := once(a), once(b)
	var both []Pair
	for k, x := range a {
		if y, ok := inB[x]; ok && y >= 0 && inA[x] == k {
			both = append(both, Pair{k, y})
		}
	}
	x, y := 0, 0
	for _, p := range rising(both) {
		out = align(out, a[x:p.I], b[y:p.J], i+x, j+y, false)
		out = append(out, Pair{i + p.I, j + p.J})
		x, y = p.I+1, p.J+1
	}
	return align(out, a[x:], b[y:], i+x, j+y, false)
}

// rising is a longest part of the pairs, which rise in I, that rises in J as well.
func rising(pairs []Pair) []Pair {
	var ends []int // index of the pair that ends the best run of each length
	from := make([]int, len(pairs))
	for k, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.J, func(e, j int) int { return pairs[e].J - j })
		from[k] = -1
		if n > 0 {
			from[k] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, k)
		} else {
			ends[n] = k
		}
	}
	var out []Pair
	if len(ends) > 0 {
		for k := ends[len(ends)-1]; k >= 0; k = from[k] {
			out = append(out, pairs[k])
		}
	}
	slices.Reverse(out)
	return out
}
