package themes

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// Text that carries meaning must be readable, on the background and on the bar under the cursor: every pair that meets.
func TestContrast(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast"} {
		theme := builtin(name)
		weak, judged := theme.Contrasts()
		for _, w := range weak {
			t.Errorf("%s: %s", name, w)
		}
		if judged < len(Roles()) {
			t.Errorf("%s: only %d pairs were judged", name, judged)
		}
		if name != "high-contrast" {
			continue
		}
		for _, role := range Roles() { // and AAA where the name promises it
			l := theme.Roles[role]
			fg, _ := rgb(cmp.Or(l.Fg, theme.Foreground))
			bg, _ := rgb(cmp.Or(l.Bg, theme.Background))
			if got := contrast(fg, bg); got < 7 {
				t.Errorf("%s: %s has contrast %.2f:1", name, role, got)
			}
		}
	}
}

func TestContrastsOfAUsersTheme(t *testing.T) {
	theme, err := Parse("mine", "base = dark\nmuted = #303030\nselected = on #ff0000\nmust = 3\nok = 22\n")
	if err != nil {
		t.Fatal(err)
	}
	weak, judged := theme.Contrasts()
	var text strings.Builder
	for _, w := range weak {
		text.WriteString(w.String() + "\n")
	}
	for _, want := range []string{"muted on the background: contrast 1.", "muted on the bar selected", "ok on the background"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing of %d pairs:\n%s", want, judged, text.String())
		}
	}
	if strings.Contains(text.String(), "must") {
		t.Errorf("the terminal's own colours are judged:\n%s", text.String())
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"16", "231", 21}, {"#777777", "#ffffff", 4.48}} {
		x, _ := rgb(c.a)
		y, _ := rgb(c.b)
		if got := contrast(x, y); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s on %s: %.2f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestEveryRoleSaysWhatItIsFor(t *testing.T) {
	for _, r := range Roles() {
		if About(r) == "" {
			t.Errorf("%s says nothing", r)
		}
	}
	if About("no such role") != "" {
		t.Error("what is no role says something")
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
		"base = dark\nmst = #ff0000":        `line 2: "mst" is no role: must is`,
		"base = dark\nnonesuch = #ff0000":   "the roles are text, muted",
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
