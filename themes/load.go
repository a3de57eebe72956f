package themes

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed files/*.theme
var files embed.FS

const suffix = ".theme"

// Pick is the theme for somebody who named none: mono without colours, else by the terminal's background.
func Pick(dark, noColor bool) string {
	switch {
	case noColor:
		return "mono"
	case dark:
		return "dark"
	}
	return "light"
}

// Load reads a theme by name: a user's file NAME.theme in configDir/themes if there is one, else the one
// that comes along. configDir may be "". The error of an unknown name lists the known ones.
func Load(name, configDir string) (*Theme, error) {
	text, path, err := Source(name, configDir)
	if err != nil {
		return nil, err
	}
	t, err := Parse(name, text)
	if err != nil && path != "" {
		return nil, fmt.Errorf("loading theme %s: %w", path, err)
	}
	return t, err
}

// Source is the text of a theme's file, and where it is: the path of a user's file, "" for one that comes along.
func Source(name, configDir string) (text, path string, err error) {
	if name == "" || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return "", "", fmt.Errorf("loading theme %q: a theme is named by its file's name without %s", name, suffix)
	}
	if configDir != "" {
		path := filepath.Join(configDir, "themes", name+suffix)
		text, err := os.ReadFile(path)
		if err == nil {
			return string(text), path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("loading theme %q: %w", name, err)
		}
	}
	own, err := files.ReadFile("files/" + name + suffix)
	if err != nil {
		return "", "", fmt.Errorf("loading theme %q: there is none of that name; known are %s", name, strings.Join(Names(configDir), ", "))
	}
	return string(own), "", nil
}

// Names lists the themes that Load finds, sorted. configDir may be "".
func Names(configDir string) []string {
	var names []string
	add := func(entries []fs.DirEntry) {
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), suffix); ok && !e.IsDir() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	entries, _ := files.ReadDir("files")
	add(entries)
	if configDir != "" {
		entries, _ := os.ReadDir(filepath.Join(configDir, "themes")) // no such directory: no user themes
		add(entries)
	}
	slices.Sort(names)
	return names
}

// builtin is a theme that comes along. A broken one is a broken build, and a test loads them all.
func builtin(name string) *Theme {
	t, err := Load(name, "")
	if err != nil {
		panic(err)
	}
	return t
}
