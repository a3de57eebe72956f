package slips

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 2, 0},
		{"", "ab", 2, 2},
		{"python", "python", 2, 0},
		{"pyton", "python", 2, 1},   // left out
		{"pythhon", "python", 2, 1}, // added
		{"pithon", "python", 2, 1},  // changed
		{"pyhton", "python", 2, 1},  // exchanged with its neighbour
		{"ypthno", "python", 2, 2},  // twice
		{"ca", "abc", 5, 3},         // a letter that was exchanged is not touched again
		{"Python", "python", 2, 1},
		{"kitten", "sitting", 5, 3},
		{"kitten", "sitting", 2, 3}, // beyond the limit
		{"kitten", "sitting", 1, 2},
		{"a", "node_modules", 2, 3}, // already by their lengths
		{"a", "b", 0, 1},
		{"a", "a", 0, 0},
		{"ü", "u", 3, 2}, // bytes
	} {
		if got := Count(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Count(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}

// The triangle does not hold when neighbours are exchanged (ca, ac, abc), so it is asked of single slips only: one more letter in one
// of the words is at most one more slip, and at most one less.
func FuzzCount(f *testing.F) {
	f.Add("python", "pyhton", 2)
	f.Add("ca", "abc", 5)
	f.Add("", "x", 0)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if len(a) > 60 || len(b) > 60 || limit < 0 || limit > 100 {
			return
		}
		longest := max(len(a), len(b))
		whole := Count(a, b, longest)
		if whole > longest || whole < max(len(a)-len(b), len(b)-len(a)) {
			t.Errorf("%q and %q: %d slips", a, b, whole)
		}
		if (whole == 0) != (a == b) {
			t.Errorf("%q and %q: %d slips", a, b, whole)
		}
		if back := Count(b, a, longest); back != whole {
			t.Errorf("%q and %q: %d slips, %d back", a, b, whole, back)
		}
		if got := Count(a, b, limit); got != min(whole, limit+1) {
			t.Errorf("%q and %q: %d slips, %d within %d", a, b, whole, got, limit)
		}
		if more := Count(a+"~", b, longest+1); more > whole+1 || more < whole-1 {
			t.Errorf("%q and %q: %d slips, with one letter more %d", a, b, whole, more)
		}
	})
}
