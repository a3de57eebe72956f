package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/docs/generated"
	"mcploupe/themes"
)

// The page about themes explains every role, in the words of the program.
func TestThePageAboutThemesHasEveryRole(t *testing.T) {
	var b strings.Builder
	b.WriteString("| role | what it is for |\n|---|---|\n")
	for _, r := range themes.Roles() {
		b.WriteString("| `" + string(r) + "` | " + themes.About(r) + " |\n")
	}
	if err := generated.Part("../../docs/themes.md", "roles", b.String(), *update); err != nil {
		t.Fatal(err)
	}
}

// The example in the page is a theme that can be read, and has nothing to be ashamed of.
func TestTheExampleThemeIsOne(t *testing.T) {
	page, err := os.ReadFile("../../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```\n# mine.theme")
	text, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("there is no example")
	}
	theme, err := themes.Parse("mine", "#"+text)
	if err != nil {
		t.Fatal(err)
	}
	if weak, _ := theme.Contrasts(); len(weak) > 0 {
		t.Errorf("the example: %v", weak)
	}
}

func TestThemesArePrintedAndChecked(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("AppData", home)
	dir := filepath.Join(configDir(), "themes")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name+".theme"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed := func(code int, args ...string) string {
		t.Helper()
		var out, err strings.Builder
		if got := Main(append([]string{"theme"}, args...), strings.NewReader(""), &out, &err); got != code {
			t.Errorf("theme %q: exit %d, want %d: %s%s", args, got, code, out.String(), err.String())
		}
		return out.String() + err.String()
	}
	has := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not in\n%s", w, text)
			}
		}
	}
	write("mine", "base = light\n")
	write("weak", "base = dark\nmuted = #202020\n")
	write("broken", "base = dark\n\nmst = #ff0000\n")
	has(printed(exitOK), "high-contrast     dark    comes along", "mine              light   "+dir, "broken            broken", "Your own: "+filepath.Join(dir, "NAME.theme"))
	dark := printed(exitOK, "dark")
	has(dark, "kind = dark", "must    = $red bold")
	write("copy", dark)
	has(printed(exitOK, "copy", "--check"), "copy: 0 of ")
	has(printed(exitOK, "mine"), "base = light\n")
	has(printed(exitFindings, "weak", "--check"), "muted on the background: contrast 1.", "weak: ", "hard to tell apart")
	has(printed(exitFindings, "broken", "--check"), `broken.theme: line 3: "mst" is no role: must is`)
	has(printed(exitUsage, "nobody"), "known are broken, copy, dark")
	has(printed(exitUsage, "../dark"), "named by its file's name")
}
