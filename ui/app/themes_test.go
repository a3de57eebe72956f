package app

import (
	"os"
	"path/filepath"
	"testing"
)

// A theme is seen as the cursor comes to it, on the screen around the list; however the list is left, it goes unless it was taken.
func TestThemesArePreviewedLive(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+wrongAnswer, func(s *story) {
			theme := func(want string) {
				t.Helper()
				if got := s.m.env.Styles.Theme.Name; got != want {
					t.Errorf("the theme is %s, not %s:\n%s", got, want, s.screen())
				}
			}
			themes := func() {
				s.press(":")
				s.typed("theme")
				s.press("enter")
			}
			theme("dark")
			bright := s.root().View().Content
			themes()
			s.sees("▸ dark", "Sample", "for dark terminals", "✖ must", "2 Tools")
			s.press("down")
			theme("high-contrast")
			s.fits()
			s.press("down")
			theme("light")
			s.sees("for light terminals")
			s.press("esc")
			theme("dark")
			if s.root().View().Content == bright {
				return // the same screen as before
			}
			themes()
			s.press("down")
			s.clickOn("1 Server") // beside the list
			theme("dark")
			themes()
			s.press("/")
			s.typed("zzz") // nothing is under the cursor: the last one that was looked at stays
			s.press("enter", "enter", "esc", "esc")
			theme("dark")
			themes()
			s.press("down", "down", "down", "enter")
			theme("mono")
			s.press(":")
			s.typed("theme light")
			s.press("enter")
			theme("light")
		})
	}
}

func TestAUsersThemeSaysWhatItLacks(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "themes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"weak": "base = dark\nmuted = #202020\n", "broken": "base = dark\nmst = 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, "themes", name+".theme"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tellWith(t, 120, 36, opening+lists, Options{ConfigDir: dir}, func(s *story) {
		s.press(":")
		s.typed("theme weak")
		s.press("enter")
		s.sees("weak: 3 pairs of colours hard to tell apart — mcploupe theme weak --check")
		s.press(":")
		s.typed("theme broken")
		s.press("enter")
		s.sees(`theme broken: line 2: "mst" is no role: must is`)
		if got := s.m.env.Styles.Theme.Name; got != "weak" {
			t.Errorf("the theme is %s", got)
		}
	})
}
