//go:build !windows

// Command pictures makes the pictures in docs/ from the real program: it runs it under a pseudo-terminal, presses
// keys, and writes what the screen shows as SVG. Run it from the top of the checkout: go run ./docs/pictures
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"mcploupe/ui/cli/termtest"
)

// scene is one picture: how to get there, and what has to be on the screen then.
type scene struct {
	name, title string
	w, h        int
	args        []string
	steps       []step
}

// step waits for a text, then presses keys.
type step struct {
	see  string
	keys []string
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "mcploupe-pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// The name of the program stands in the pictures, so it is started as people start it.
	bin := filepath.Join(dir, "mcploupe")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	for _, s := range scenes {
		if err := shoot(dir, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func shoot(dir string, s scene) error {
	env := []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "COLORFGBG=15;0"}
	t, err := termtest.Start(s.w, s.h, env, append([]string{filepath.Join(dir, "mcploupe")}, s.args...)...)
	if err != nil {
		return err
	}
	defer t.Close()
	for _, step := range s.steps {
		if err := t.See(step.see); err != nil {
			return err
		}
		t.Quiet(250 * time.Millisecond)
		for _, key := range step.keys {
			if err := t.Type(key); err != nil {
				return err
			}
			t.Quiet(60 * time.Millisecond)
		}
	}
	t.Quiet(400 * time.Millisecond)
	name := filepath.Join("docs", s.name+".svg")
	fmt.Println(name)
	return os.WriteFile(name, []byte(t.SVG(s.title)), 0o644)
}
