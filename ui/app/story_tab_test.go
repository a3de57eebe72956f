package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheStoryOfAnExchange(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Chdir(t.TempDir())
			tell(t, size[0], size[1], opening+lists+ask, func(s *story) {
				s.say("< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"5\",\"progress\":1,\"total\":2}}")
				s.say("< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"5\",\"progress\":2,\"total\":2}}")
				s.settle()
				s.press("5", "enter", "<")
				s.fits()
				s.sees("mcploupe", "tools/call get_weather #12", "◂─ progress 2 of 2 ×2", "the answer has not come yet", "not over yet")
				s.say(wrongAnswer)
				s.settle()
				s.sees("◂╌ ✔ complete", "output invalid", "W write it as Markdown", "4 messages")
				s.press("W", "W")
				s.sees("the story is in story-12-tools-call-get_weather-2.md")
				text, err := os.ReadFile("story-12-tools-call-get_weather.md")
				if err != nil || !strings.Contains(string(text), "```mermaid\nsequenceDiagram\n") || !strings.Contains(string(text), "tools/call get_weather") {
					t.Errorf("%v: %s", err, text)
				}
			})
		})
	}
}

func TestNothingIsWrittenOver(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	t.Chdir(dir)
	if err := os.WriteFile(name+".md", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"x", "x-2.md"}, {"../../etc/passwd\x1b", "etc-passwd.md"}, {"...", "story.md"}, {strings.Repeat("a", 300), strings.Repeat("a", 60) + ".md"}} {
		if got, err := writeNew(c[0], ".md", []byte("new")); err != nil || got != c[1] {
			t.Errorf("%q: %q, %v", c[0], got, err)
		}
	}
	if text, _ := os.ReadFile(name + ".md"); string(text) != "mine" {
		t.Errorf("written over: %s", text)
	}
}
