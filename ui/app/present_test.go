package app

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/wire"
)

// played is a call with two rounds of progress, a second apart, whose answer is at fault; all of it is recorded.
func played(s *story) {
	s.say(ask)
	for i := 1; i <= 2; i++ {
		s.wait(time.Second)
		s.say(fmt.Sprintf(`< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"5","progress":%d,"total":2}}`, i))
	}
	s.wait(2 * time.Second)
	s.say(wrongAnswer)
	s.settle()
}

func TestSlowMotion(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				played(s)
				s.press("5", "P")
				s.sees("1 of 4")
				s.press("esc", "enter", "P")
				s.fits()
				s.sees("Slow motion  tools/call get_weather", "1 of 4", "→ mcploupe says", "tools/call get_weather #12", `"method": "tools/call"`, "space play")
				s.seesNot("progress 1 of 2", "complete ·")
				s.press("right")
				s.sees("2 of 4", "progress 1 of 2", "← weather says", `"progress": 1`, "later")
				s.seesNot("progress 2 of 2")
				s.press("G")
				s.sees("4 of 4", "answer #12", "tool-error-output-invalid", "4 messages", "← back")
				s.press("left", "left")
				s.sees("2 of 4", `"progress": 1`)
				s.seesNot("progress 2 of 2", "output-invalid")

				// It stands still until it is told to play, and stops when it is told to.
				s.wait(10 * time.Second)
				s.sees("2 of 4")
				s.press("space")
				s.sees("plays, 1.5 s a step", "space stop")
				s.wait(1700 * time.Millisecond)
				s.sees("3 of 4", "progress 2 of 2")
				s.press("space")
				s.wait(10 * time.Second)
				s.sees("3 of 4", "space play")
				s.press("-", "space")
				s.sees("plays, 2.0 s a step")
				s.wait(5 * time.Second)
				s.sees("4 of 4", "space play")
				s.press("g", "enter")
				s.seesNot("Slow motion")
				s.sees(`"name": "get_weather"`) // the request is open
			})
		})
	}
}

// A recorded journal plays too, although its time stands still.
func TestSlowMotionOfAJournal(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	entries, err := wire.ParseScript(opening + lists)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		e.Seq = 0
		log.Append(e)
	}
	tellWith(t, 120, 36, "", Options{Log: log}, func(s *story) {
		s.press("g", "enter", "P", "space")
		s.sees("1 of 2")
		s.wait(2 * time.Second)
		s.sees("2 of 2")
	})
}

func TestSlowMotionOfNothing(t *testing.T) {
	tell(t, 80, 24, "", func(s *story) {
		s.press(":")
		s.typed("slow motion")
		if !strings.Contains(s.screen(), "none is on") {
			t.Errorf("no reason why it cannot:\n%s", s.screen())
		}
	})
}

func TestHandout(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Chdir(t.TempDir())
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				played(s)
				s.press("5", "enter", "<", "H")
				s.sees("the handout is in story-12-tools-call-get_weather.html")
				for typed, want := range map[string]string{"one HTML file": "the handout is in story-12-tools-call-get_weather-2.html", "with Mermaid": "the story is in story-12-tools-call-get_weather.md"} {
					s.press(":")
					s.typed(typed)
					s.press("enter")
					s.sees(want)
				}
				text, err := os.ReadFile("story-12-tools-call-get_weather.html")
				for _, want := range []string{"<!doctype html>", "weather 1.2.0 · 2026-07-28 modern", `id="tool-error-output-invalid"`, "progress 2 of 2"} {
					if err != nil || !strings.Contains(string(text), want) {
						t.Errorf("no %q, %v", want, err)
					}
				}
			})
		})
	}
}

func TestScreenshot(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("screen-2.ansi", []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				before := s.screen()
				s.press("f12")
				s.sees("the screenshot is in screen.svg and screen.ansi")
				text, err := os.ReadFile("screen.ansi")
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.Split(before, "\n")
				for i, l := range strings.Split(strings.TrimSuffix(ansi.Strip(string(text)), "\n"), "\n") {
					if strings.TrimRight(l, " ") != strings.TrimRight(lines[i], " ") {
						t.Errorf("line %d is %q, not %q", i, l, lines[i])
					}
				}
				svg, err := os.ReadFile("screen.svg")
				if err != nil || !strings.Contains(string(svg), ">get_weather<") && !strings.Contains(string(svg), "get_weather") || !strings.Contains(string(svg), `aria-label="mcploupe — weather"`) {
					t.Errorf("%v: %.300s", err, svg)
				}
				// With something lying on it, by the command, and beside what is there already.
				s.press("?", "f12")
				s.sees("screen-3.svg")
				if svg, _ = os.ReadFile("screen-3.svg"); !strings.Contains(string(svg), "what works now") {
					t.Error("the help is not in the picture")
				}
				s.press("esc", ":")
				s.typed("screenshot")
				s.press("enter")
				s.sees("screen-4.svg")
				if svg, _ = os.ReadFile("screen-4.svg"); strings.Contains(string(svg), "Commands") {
					t.Error("the list of commands is in the picture")
				}
				if text, _ := os.ReadFile("screen-2.ansi"); string(text) != "mine" {
					t.Errorf("written over: %s", text)
				}
			})
		})
	}
}

func TestPresenting(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tellWith(t, size[0], size[1], opening+lists+ask+wrongAnswer, Options{Present: true}, func(s *story) {
				s.fits()
				s.seesNot("⊞", "4:32 ✔")
				s.sees("◌ reads", "◉ destroys")
				lines := strings.Split(s.screen(), "\n")
				for i, l := range lines {
					if strings.Contains(l, "▸ get_weather") && !strings.Contains(lines[i+2], "erase") {
						t.Errorf("no room between rows:\n%s", s.screen())
					}
				}
				s.press("5", "G")
				s.sees("✖ must", "✔ fine", "last", "exchanges")
				s.press("enter")
				s.fits()
				s.sees(" enter  open")
				s.press("down", "down", "/")
				s.sees("↓ ×2 ")
				s.typed("secret words")
				s.sees(" typing ")
				if line := strings.Split(s.screen(), "\n")[size[1]-2]; strings.Contains(line, "secret") {
					t.Errorf("what is typed is shown to everybody: %s", line)
				}
				s.press("esc", "esc", ":")
				s.typed("present")
				s.press("enter")
				s.fits()
				s.seesNot(" enter  open    ", "◌ reads", "✔ fine")
			})
		})
	}
}

// The mouse hits the row that is under it, with room between rows too.
func TestPresentingWithTheMouse(t *testing.T) {
	tellWith(t, 120, 36, opening+lists, Options{Present: true}, func(s *story) {
		y := slices.IndexFunc(strings.Split(s.screen(), "\n"), func(l string) bool { return strings.Contains(l, "erase") })
		s.send(tea.MouseClickMsg{X: 6, Y: y, Button: tea.MouseLeft})
		s.settle()
		s.sees("▸ erase")
	})
}

func TestSpotlight(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists+ask+wrongAnswer, func(s *story) {
				s.press("5", "enter", "]", "*") // the value at fault
				s.fits()
				dark, _, _ := strings.Cut(s.m.env.Dim("x"), "x")
				lit := func(text string) bool { // by the style that it stands in
					before, _, found := strings.Cut(s.m.View().Content, text)
					if !found {
						t.Errorf("%q is not on the screen in one style:\n%s", text, s.screen())
					}
					return !strings.HasSuffix(before[:strings.LastIndexByte(before, 'm')+1], dark)
				}
				for text, want := range map[string]bool{`structuredContent"`: true, `result"`: true, `jsonrpc"`: false, `resultType"`: false, `content"`: false, "mcploupe ": false} {
					if lit(text) != want {
						t.Errorf("%s: lit is %v, want %v", text, !want, want)
					}
				}
				s.press("*")
				if !lit(`jsonrpc"`) || !lit(`resultType"`) || !lit("mcploupe") {
					t.Error("it is still dark")
				}
			})
		})
	}
}
