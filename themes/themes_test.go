package themes

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

func TestEveryThemeThatComesAlongIsWhole(t *testing.T) {
	want := []string{"dark", "high-contrast", "light", "mono"}
	if got := Names(""); !slices.Equal(got, want) {
		t.Fatalf("themes are %v, want %v", got, want)
	}
	for _, name := range want {
		theme, err := Load(name, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(theme.Roles) != len(Roles()) {
			t.Errorf("%s: %d looks for %d roles", name, len(theme.Roles), len(Roles()))
		}
	}
}

func TestRolesAndStylesAreOneList(t *testing.T) {
	seen := map[*lipgloss.Style]Role{}
	s := Plain()
	for _, f := range fields {
		if f.role == "" {
			t.Error("a role without a name")
		}
		if other, twice := seen[f.of(s)]; twice {
			t.Errorf("%s and %s share a style", other, f.role)
		}
		seen[f.of(s)] = f.role
		if s.Of(f.role) != f.of(s) {
			t.Errorf("Of(%s) gives another style", f.role)
		}
	}
	if s.Of("no such role") != &s.Text {
		t.Error("an unknown role is not plain text")
	}
}

// Text that carries meaning must be readable: 4.5:1 is the WCAG's AA for text, 7:1 its AAA, 3:1 for
// what may be overlooked. Lines of boxes are decoration, but must be seen at all.
func TestContrast(t *testing.T) {
	loose := map[Role]float64{Faint: 3, Punct: 3, Comment: 3, Ghost: 3, Border: 1.5}
	for _, name := range []string{"dark", "light", "high-contrast"} {
		theme := builtin(name)
		for _, role := range Roles() {
			look := theme.Roles[role]
			fg, bg := look.Fg, look.Bg
			if fg == "" {
				fg = theme.Foreground
			}
			if bg == "" {
				bg = theme.Background
			}
			want := 4.5
			if l, ok := loose[role]; ok {
				want = l
			}
			if name == "high-contrast" {
				want = 7
			}
			if got := contrast(t, fg, bg); got < want {
				t.Errorf("%s: %s has contrast %.2f:1, want %.1f:1", name, role, got, want)
			}
		}
	}
}

// A row keeps the colours of its parts under the selection bar, so they must be readable on it too.
func TestContrastOnTheSelectionBar(t *testing.T) {
	for _, name := range []string{"dark", "light"} {
		theme := builtin(name)
		for _, bar := range []Role{Selected, SelectedUp} {
			for _, role := range []Role{Text, Muted, Title, OK, Must, Should, Advice, Fresh, Stale, Running, Accent, Match} {
				fg := theme.Roles[role].Fg
				if fg == "" {
					fg = theme.Foreground
				}
				if got := contrast(t, fg, theme.Roles[bar].Bg); got < 3.9 {
					t.Errorf("%s: %s on %s has contrast %.2f:1", name, role, bar, got)
				}
			}
		}
	}
}

// Levels must stay apart for people who see red and green alike, so they differ in lightness or hue
// beyond that pair; the sign and the word decide in any case. Here: no two of them are the same look.
func TestLevelsLookDifferent(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast"} {
		theme := builtin(name)
		looks := map[Look]Role{}
		for _, role := range []Role{OK, Must, Should, Advice} {
			if other, same := looks[theme.Roles[role]]; same {
				t.Errorf("%s: %s looks like %s", name, role, other)
			}
			looks[theme.Roles[role]] = role
		}
	}
}

func TestWithoutColoursEveryThemeHasNone(t *testing.T) {
	for _, name := range Names("") {
		for _, profile := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII} {
			s := builtin(name).Styles(profile)
			for _, role := range Roles() {
				out := s.Of(role).Render("x")
				if strings.Contains(out, "38;") || strings.Contains(out, "48;") || strings.Contains(out, "[3") || strings.Contains(out, "[9") {
					t.Errorf("%s, %v: %s has a colour: %q", name, profile, role, out)
				}
			}
			if s.Selected.Render("x") == s.Text.Render("x") {
				t.Errorf("%s, %v: the selected row looks like any other", name, profile)
			}
		}
	}
}

// With 16 colours the nearest of a quiet background may be the background itself: themes bring their own.
func TestSixteenColoursUseTheSubstitutes(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast"} {
		s := builtin(name).Styles(colorprofile.ANSI)
		for _, role := range Roles() {
			if out := s.Of(role).Render("x"); strings.Contains(out, "38;2;") || strings.Contains(out, "48;2;") {
				t.Errorf("%s: %s keeps a full colour: %q", name, role, out)
			}
		}
	}
}

func TestParseTellsTheLineAndTheFault(t *testing.T) {
	cases := map[string]string{
		"nonsense":                          "not of the form",
		"base = dark\nmust = purple":        `line 2: must: "purple" is neither`,
		"base = dark\nmuts = #ff0000":       `line 2: "muts" is no role`,
		"base = dark\nmust = $red":          "colour $red is not given above",
		"base = nobody":                     `base "nobody"`,
		"base = dark\nmust = #fff":          "neither a colour",
		"base = dark\nmust = 300":           "neither a colour",
		"base = dark\nmust =":               "the look is missing",
		"base = dark\nmust = 1 2":           "second colour",
		"base = dark\nmust = 1 /":           "the look is missing",
		"base = dark\nkind = grey":          "kind is dark or light",
		"base = dark\nbackground = 7":       "is written #rrggbb",
		"must = #ff0000\nbase = dark":       "base must come first",
		"must = #ff0000":                    "has no look",
		"base = dark\nselected = on nobody": "neither a colour",
	}
	for text, want := range cases {
		if _, err := Parse("x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
}

func TestAUsersThemeBeginsWithABaseAndWinsByName(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "themes"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, "themes", name+suffix), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("mine", "# my own\nbase = light\n$pink = #AA0055\nmust = $pink bold italic\n")
	write("dark", "base = dark\nok = 2\n")
	write("broken", "base = dark\nmust = x\n")

	if got, want := Names(dir), []string{"broken", "dark", "high-contrast", "light", "mine", "mono"}; !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
	mine, err := Load("mine", dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Look{Fg: "#aa0055", Bold: true, Italic: true}); mine.Roles[Must] != want {
		t.Errorf("must is %+v, want %+v", mine.Roles[Must], want)
	}
	if _, kept := mine.Few[Must]; kept {
		t.Error("the base's substitute for must stayed, though must is new")
	}
	if mine.Dark || mine.Roles[OK] != builtin("light").Roles[OK] || mine.Name != "mine" {
		t.Errorf("what the file does not say does not come from its base: %+v", mine)
	}
	if own, err := Load("dark", dir); err != nil || own.Roles[OK].Fg != "2" {
		t.Errorf("the user's file does not win: %+v, %v", own, err)
	}
	if _, err := Load("broken", dir); err == nil || !strings.Contains(err.Error(), "broken.theme: line 2") {
		t.Errorf("a broken file is not named: %v", err)
	}
	if _, err := Load("nobody", dir); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("an unknown name does not list the known ones: %v", err)
	}
	for _, name := range []string{"", "../dark", ".hidden", `a\b`} {
		if _, err := Load(name, dir); err == nil {
			t.Errorf("%q was loaded", name)
		}
	}
}

func TestPick(t *testing.T) {
	if Pick(true, true) != "mono" || Pick(true, false) != "dark" || Pick(false, false) != "light" {
		t.Error("the wrong theme is picked")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("base = dark\nmust = #ff0000 on 3 bold / reverse")
	f.Add("$a = 1\ntext = $a")
	f.Fuzz(func(t *testing.T, text string) {
		if theme, err := Parse("x", text); err == nil {
			theme.Styles(colorprofile.TrueColor)
		}
	})
}

// contrast is the WCAG contrast ratio of two "#rrggbb" colours.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	part := func(shift uint) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
