// Package slips tells how far two words are apart that somebody typed or may have meant. It is a leaf: which words there are, and how
// near is near enough, is up to those who ask.
package slips

// Count counts the slips of a keyboard that make one word of the other: letters added, left out, changed, or exchanged with their
// neighbour, no letter twice (optimal string alignment). Whatever is more than limit is limit+1. Letters are bytes, and case counts.
func Count(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
