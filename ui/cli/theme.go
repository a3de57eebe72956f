package cli

import (
	"os"
	"path/filepath"

	"mcploupe/themes"
)

// loadTheme finds a theme by name; "" is the one that suits the background.
func loadTheme(name string, dark bool) (*themes.Theme, error) {
	if name == "" {
		name = themes.Pick(dark, false)
	}
	return themes.Load(name, configDir())
}

// configDir is where a person keeps themes: mcploupe in the system's place for settings, "" when there is none.
func configDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "mcploupe")
}
