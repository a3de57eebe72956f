package kit

// Step is where d steps lead to from the i-th of n things that stand in a ring. Where none is chosen yet (-1), the first step leads
// to the first one, a step back to the last. n is at least 1.
func Step(i, d, n int) int {
	if i < 0 && d < 0 {
		i = 0
	}
	return ((i+d)%n + n) % n
}
