//go:build !windows

// Command pictures makes the pictures in docs/ from the real program: it runs it under a pseudo-terminal, presses
// keys, and writes what the screen shows as SVG. Run it from the top of the checkout: go run ./docs/pictures, with names
// for some of them alone. Nothing of whoever runs it is in them: no history, no configuration.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	if err := build(dir, "."); err != nil {
		return err
	}
	for _, s := range scenes() {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], s.name) {
			continue
		}
		picture, err := shoot(dir, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		name := filepath.Join("docs", s.name+".svg")
		fmt.Println(name)
		if err := os.WriteFile(name, []byte(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build makes the program in a directory. Its name stands in the pictures, so it is started as people start it.
func build(dir, checkout string) error {
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "mcploupe"), ".")
	build.Dir, build.Stderr = checkout, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	return nil
}

// shoot plays a scene and gives its picture. The error has what stood on the screen instead.
func shoot(dir string, s scene) (svg string, err error) {
	// The program is found by its short name, and starts without anything that was remembered.
	env := []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "COLORFGBG=15;0", "XDG_CONFIG_HOME=" + filepath.Join(dir, "config")}
	t, err := termtest.Start(s.w, s.h, env, append([]string{filepath.Join(dir, "mcploupe")}, s.args...)...)
	if err != nil {
		return "", err
	}
	defer t.Close()
	for _, step := range s.steps {
		if err := t.See(step.see); err != nil {
			return "", err
		}
		t.Quiet(250 * time.Millisecond)
		for _, key := range step.keys {
			if err := press(t, key); err != nil {
				return "", err
			}
		}
	}
	t.Quiet(400 * time.Millisecond)
	return t.SVG(s.title), nil
}

// press types a key and waits until the screen has answered it; one that changes nothing is given up on after a moment. The next
// key may mean something else before, and a machine may be slow.
func press(t *termtest.Term, key string) error {
	before := t.Text()
	if err := t.Type(key); err != nil {
		return err
	}
	_ = t.Wait(time.Second, "an answer to "+key, func(s string) bool { return s != before })
	t.Quiet(60 * time.Millisecond)
	return nil
}
