package kit

import (
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
)

func TestFitIsExact(t *testing.T) {
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("#ff0000"))
	for _, s := range []string{"", "plain", "日本語のテキスト", "é́ combining", "👩‍👩‍👧 family", "🇪🇸 flag", "❤️ heart", red.Render("red 日本 text")} {
		for w := range 12 {
			for name, got := range map[string]string{"Fit": Fit(s, w), "Ends": Ends(s, red.Render("right"), w), "Under": Under(s, red, w)} {
				if n := ansi.StringWidth(got); n != w {
					t.Errorf("%s(%q, %d) has %d cells: %q", name, s, w, n, got)
				}
			}
			if n := ansi.StringWidth(Cut(s, w)); n > w {
				t.Errorf("Cut(%q, %d) has %d cells", s, w, n)
			}
			if n := ansi.StringWidth(CutLeft(s, w)); n > w {
				t.Errorf("CutLeft(%q, %d) has %d cells", s, w, n)
			}
		}
	}
	if got := Cut("abcdef", 4); got != "abc…" {
		t.Errorf("Cut gives %q", got)
	}
	if got := CutLeft("abcdef", 4); got != "…def" {
		t.Errorf("CutLeft gives %q", got)
	}
	if got := Ends("left side", "right", 12); got != "left … right" {
		t.Errorf("Ends gives %q", got)
	}
}

// The bar under a row reaches under the parts that have styles of their own.
func TestUnderReachesEverywhere(t *testing.T) {
	bar := lipgloss.NewStyle().Background(lipgloss.Color("#0000ff"))
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("#ff0000"))
	got := Under("a"+red.Render("b")+"c", bar, 5)
	if n := strings.Count(got, "48;2;0;0;255"); n != 2 {
		t.Errorf("the bar is begun %d times, want at the start and again behind the red part: %q", n, got)
	}
	if ansi.Strip(got) != "abc  " {
		t.Errorf("the text became %q", ansi.Strip(got))
	}
}

// Steady leaves only clusters on which both ways of measuring agree, and keeps the width of the line.
func FuzzSteady(f *testing.F) {
	for _, s := range []string{"plain", "👩‍👩‍👧 x", "🇪🇸🇫🇷", "❤️", "1️⃣", "é́́", "日本", "👍🏽", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = Escape(s) // as every text that is drawn
		got := Steady(s)
		if ansi.StringWidth(got) != ansi.StringWidth(s) {
			t.Errorf("%q had %d cells, %q has %d", s, ansi.StringWidth(s), got, ansi.StringWidth(got))
		}
		if a, b := ansi.StringWidth(got), ansi.StringWidthWc(got); a != b {
			t.Errorf("%q: %d cells by graphemes, %d by code points", got, a, b)
		}
	})
}

func TestToASCIIKeepsTheWidth(t *testing.T) {
	for _, s := range []string{"╭─ 2 Tools ─╮", "✔ ✖ ▲ ● ◷ ▸ … ⠋ ━╌", "日本 é ‹RLO›", "\x1b[31m✔\x1b[m"} {
		got := ToASCII(s)
		if ansi.StringWidthWc(got) != ansi.StringWidthWc(s) {
			t.Errorf("%q became %q", s, got)
		}
		for _, r := range got {
			if r > 0x7e {
				t.Errorf("%q still has %q", got, r)
			}
		}
	}
	for _, sign := range []string{SignOK, SignMust, SignShould, SignAdvice, SignSEP, SignFresh, SignTask, SignReadOnly, SignDestructive, SignOpenWorld, SignSchema, SignHeader, SignHidden} {
		if Width(sign) != 1 || ansi.StringWidthWc(sign) != 1 {
			t.Errorf("%s is not one cell", sign)
		}
		if ToASCII(sign) == "?" {
			t.Errorf("%s has no ASCII spelling", sign)
		}
	}
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		400 * time.Microsecond: "0.4 ms", 12 * time.Millisecond: "12 ms", 999 * time.Millisecond: "999 ms", 1234 * time.Millisecond: "1.2 s", 185 * time.Second: "3:05 m", -1: "–",
	} {
		if got := Took(d); got != want {
			t.Errorf("Took(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "now", 12 * time.Second: "12s", 4 * time.Minute: "4m", 3 * time.Hour: "3h", 9 * 24 * time.Hour: "9d"} {
		if got := Ago(d); got != want {
			t.Errorf("Ago(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{272 * time.Second: "4:32", 12 * time.Second: "0:12", 3872 * time.Second: "1:04:32", -5: "0:00"} {
		if got := Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 412: "412 B", 4100: "4.1 kB", 123456: "123 kB", 5 << 20: "5.2 MB", 3e9: "3.0 GB"} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFramesShareLines(t *testing.T) {
	s := themes.Plain()
	a := Frame{Title: "1 One", Right: "r", Top: true}
	b := Frame{Title: "2 Two", Bottom: true, Foot: "path", Scroll: Scroll{From: 0, Shown: 2, Total: 4}}
	got := strings.Join(append(a.Draw(s, []string{"body"}, 20), b.Draw(s, []string{"x", "a line that is too long"}, 20)...), "\n")
	want := `
╭─ 1 One ────── r ─╮
│ body             │
├─ 2 Two ──────────┤
│ x                ┃
│ a line that is … │
╰─ path ───────────╯`[1:]
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for w := 4; w < 30; w++ {
		for _, l := range a.Draw(s, []string{"body"}, w) {
			if ansi.StringWidth(l) != w {
				t.Errorf("at %d a line is %q", w, l)
			}
		}
	}
}

func TestTheFooterShowsWhatFits(t *testing.T) {
	rows := []Row{
		{Keys: []string{"enter"}, Words: "open"}, {Keys: []string{"x"}, Words: "no", Off: "not now"}, {Keys: []string{"k"}, Words: "up", Quiet: true},
		{Words: "without key"}, {Keys: []string{"ctrl+s"}, Words: "a rather long description of it"}, {Keys: []string{"/"}, Words: "filter"},
	}
	if got := Footer(themes.Plain(), rows, "q quit", 40); got != "enter open  / filter              q quit" {
		t.Errorf("%q", got)
	}
}
