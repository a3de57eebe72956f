//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each picture is there, is small, and is shown by a document; each that a document shows is made here.
func TestEveryPictureIsMadeAndShown(t *testing.T) {
	made := map[string]bool{}
	for _, s := range scenes() {
		made[s.name+".svg"] = true
		text, err := os.ReadFile(filepath.Join("..", s.name+".svg"))
		if err != nil || len(text) > 64<<10 || !strings.HasPrefix(string(text), "<svg") || strings.Contains(string(text), os.TempDir()+"/") {
			t.Errorf("%s: %d bytes, %v", s.name, len(text), err)
		}
	}
	shown := map[string]bool{}
	pages, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range strings.Split(string(text), "](")[1:] {
			if to, _, _ := strings.Cut(piece, ")"); strings.HasSuffix(to, ".svg") {
				shown[filepath.Base(to)] = true
			}
		}
	}
	for name := range made {
		if !shown[name] {
			t.Errorf("nobody shows %s", name)
		}
	}
	for name := range shown {
		if !made[name] {
			t.Errorf("%s is shown, and nothing makes it", name)
		}
	}
}

// The pictures can still be made: every scene comes to its end in the program as it is now.
func TestEverySceneComesToItsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of waiting for screens to be quiet")
	}
	dir := t.TempDir()
	if err := build(dir, "../.."); err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if _, err := shoot(dir, s); err != nil {
				t.Error(err)
			}
		})
	}
}
