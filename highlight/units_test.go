package highlight

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/visible"
)

// The short way through common characters must agree with the Unicode tables.
func TestSimpleCharactersAreMeasuredLikeAllOthers(t *testing.T) {
	n := 0
	for r := rune(0x20); r < 0x30000; r++ {
		cols := simple(r)
		if cols == 0 {
			continue
		}
		n++
		if want := ansi.StringWidth(string(r)); cols != want {
			t.Errorf("%U has %d columns, want %d", r, cols, want)
		}
		if visible.ClassOf(r) != visible.Safe {
			t.Errorf("%U is no simple character: %v", r, visible.ClassOf(r))
		}
		for _, next := range "aé日한ガ—" {
			for _, pair := range []string{string(r) + string(next), string(next) + string(r)} {
				if cluster, _ := ansi.FirstGraphemeCluster(pair, ansi.GraphemeWidth); cluster == pair {
					t.Errorf("%+q is one character", pair)
				}
			}
		}
	}
	if n < 30_000 {
		t.Errorf("only %d simple characters", n)
	}
}

func TestUnitsAreWhatPeopleSee(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string // units, shown, between |
		cols int
	}{
		{"aé日", "a|é|日", 4}, {"e\u0301x", "e\u0301|x", 2}, {"👨\u200d👩\u200d👧!", "👨\u200d👩\u200d👧|!", 3},
		{"a\u202eb", "a|‹RLO›|b", 7}, {"\x1b[", "␛|[", 2}, {"\xff\xc3", "‹xFF›|‹xC3›", 10}, {"\u0301a", "‹U+0301›|a", 9},
		{"❤\ufe0f", "❤\ufe0f", 2}, {"x\u200d", "x‹ZWJ›", 6}, {"\U000E0041", "‹TAG A›", 7}, {"\t", "␉", 1}, {"한글", "한|글", 4},
	} {
		var shown []string
		cols := 0
		for i := 0; i < len(c.in); {
			n, w, hidden := unit([]byte(c.in), i, false)
			shown = append(shown, string(appendUnit(nil, []byte(c.in)[i:i+n], hidden)))
			i += n
			cols += w
		}
		if got := strings.Join(shown, "|"); got != c.want || cols != c.cols {
			t.Errorf("%+q: %q in %d columns, want %q in %d", c.in, got, cols, c.want, c.cols)
		}
	}
	if n, cols, _ := unit([]byte("e"+strings.Repeat("\u0301", 10_000)), 0, false); n > maxCluster || cols != 1 {
		t.Errorf("a letter with thousands of accents is one unit of %d bytes, %d columns", n, cols)
	}
}

func TestColumnsLeadBothWays(t *testing.T) {
	for _, text := range []string{strings.Repeat("plain ", 1000), strings.Repeat("日x\x01é👨\u200d👩\u202e", 800), "", "é"} {
		c := newColumns([]byte(text), false)
		total, _ := width([]byte(text), false)
		for col := 0; col < total; col += 37 {
			p := c.at(col)
			_, cols, _ := unit([]byte(text), int(p.off), false)
			if int(p.col) > col || int(p.col)+cols <= col || c.of(int(p.off)) != int(p.col) {
				t.Fatalf("column %d of %.20q is in the unit at %+v of %d columns, whose offset is in column %d", col, text, p, cols, c.of(int(p.off)))
			}
		}
		if c.total() != total || int(c.at(total).off) != len(text) || int(c.at(total+9).col) != total {
			t.Errorf("%.20q: %d columns, want %d; the end is %+v", text, c.total(), total, c.at(total))
		}
	}
}
