package exchange

import (
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	long := strings.Repeat("x ", 2*maxDiff)
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"a", "a", " a"},
		{"a b c", "a c", " a-b c"},
		{"a c", "a b c", " a+b c"},
		{"a b c d", "a x c y", " a-b+x c-d+y"},
		{"", "a b", "+a+b"},
		{"a b", "", "-a-b"},
		{"b a n a n a", "a n a n a s", "-b a n a n a+s"},
	} {
		var got strings.Builder
		for _, e := range diff(strings.Fields(c.a), strings.Fields(c.b)) {
			got.WriteString(string(e.op) + e.line)
		}
		if got.String() != c.want {
			t.Errorf("%q to %q: %q, want %q", c.a, c.b, got.String(), c.want)
		}
	}
	// What is too long to compare line by line is replaced, and costs no square of its size.
	if n := len(diff(strings.Fields("a "+long+" z"), strings.Fields("a y "+strings.ReplaceAll(long, "x", "v")+" z"))); n != 4*maxDiff+3 {
		t.Errorf("%d lines", n)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb", "b\nc")
	f.Fuzz(func(t *testing.T, a, b string) {
		old, now := strings.Split(a, "\n"), strings.Split(b, "\n")
		var was, is []string
		for _, e := range diff(old, now) {
			if e.op != '+' {
				was = append(was, e.line)
			}
			if e.op != '-' {
				is = append(is, e.line)
			}
		}
		if strings.Join(was, "\n") != a || strings.Join(is, "\n") != b {
			t.Errorf("%q to %q: %q, %q", a, b, was, is)
		}
	})
}
