package kit

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestCutMiddle(t *testing.T) {
	for _, c := range []struct {
		cut  func(string, int) string
		s    string
		w    int
		want string
	}{
		{CutMiddle, "get_weather", 11, "get_weather"},
		{CutMiddle, "acme_inventory_create_0013", 16, "acme_in…ate_0013"},
		{CutMiddle, "acme_inventory_create_0013", 7, "acme_i…"},
		{CutMiddle, "acme", 0, ""},
		{CutMiddle, "acme_数据库记录_list_数据", 14, "acme_…st_数据"},
		{CutAddress, "file:///home/a/b/c/d/e/readme.md", 20, "file:/…d/e/readme.md"},
	} {
		if got := c.cut(c.s, c.w); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.s, c.w, got, c.want)
		}
	}
	styled := "\x1b[1macme_inventory_create_\x1b[31m0013\x1b[m"
	for w := range 30 {
		got := CutMiddle(styled, w)
		if n := Width(got); n > w || w > 0 && n < min(w-1, 26) {
			t.Errorf("in %d cells: %d of them", w, n)
		}
		if w >= 8 && ansi.Strip(got) != CutMiddle("acme_inventory_create_0013", w) {
			t.Errorf("in %d cells: %q", w, ansi.Strip(got))
		}
	}
}

func TestNamesAndLongest(t *testing.T) {
	all := []string{"tools", "resources", "prompts", "logging"}
	for w, want := range map[int]string{
		40: "tools · resources · prompts · logging", 36: "tools · resources · prompts +1", 24: "tools · resources +2", 8: "tools +3", 5: "tool…",
	} {
		if got := Names(all, w); got != want {
			t.Errorf("%d: %q, want %q", w, got, want)
		}
	}
	if got := Longest(8, "a long way", "shorter", "s"); got != "shorter" {
		t.Error(got)
	}
	if got := Longest(3, "a long way", "shorter"); got != "sh…" {
		t.Error(got)
	}
}
