package kit

import "testing"

func TestStepsGoRound(t *testing.T) {
	for _, c := range []struct{ i, d, n, want int }{
		{0, 1, 3, 1}, {2, 1, 3, 0}, {0, -1, 3, 2}, {1, -5, 3, 2}, {0, 7, 3, 1}, // on, and round either end
		{-1, 1, 3, 0}, {-1, -1, 3, 2}, {-1, 3, 3, 2}, // from none
		{0, 1, 1, 0}, {0, -1, 1, 0},
	} {
		if got := Step(c.i, c.d, c.n); got != c.want {
			t.Errorf("%d steps from %d of %d lead to %d, not %d", c.d, c.i, c.n, got, c.want)
		}
	}
}
