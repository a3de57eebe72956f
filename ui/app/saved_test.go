package app

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestCallsAreSavedAndOpened(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Chdir(t.TempDir())
			mine := filepath.Join("config", "calls")
			if err := os.MkdirAll(mine, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				"greet.json": `{"kind":"prompt","name":"greet","arguments":{"who":"Ada"},"note":"say \u001b[31mhello"}`,
				"bad.json":   `{"kind":`, "gone.json": `{"name":"nobody"}`, "text.json": `{"kind":"resource","name":"file:///a.txt"}`,
			} {
				if err := os.WriteFile(filepath.Join(mine, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			o := Options{Calls: []string{filepath.FromSlash(".mcploupe/calls"), mine}}
			tellWith(t, size[0], size[1], opening+lists, o, func(s *story) {
				s.press("enter")
				s.typed("Madrid")
				s.press("enter", "esc", ":")
				s.typed("save call")
				s.press("enter")
				s.typed("noon wind")
				s.sees("save call noon wind", "in .mcploupe")
				s.press("enter")
				s.sees("the call is saved in .mcploupe/calls/noon-wind.json")
				text, err := os.ReadFile(".mcploupe/calls/noon-wind.json")
				if want := "{\n  \"kind\": \"tool\",\n  \"name\": \"get_weather\",\n  \"arguments\": {\n    \"location\": \"Madrid\"\n  }\n}\n"; err != nil || string(text) != want {
					t.Errorf("%v: %s", err, text)
				}
				s.press(":")
				s.typed("save call noon wind")
				s.press("enter")
				s.sees("take another name")

				open := func(name string) {
					s.press(":")
					s.typed("open a saved")
					s.press("enter")
					s.sees("Saved calls", "noon-wind  tool get_weather", "bad", "greet  prompt greet", "say ␛[31mhello")
					s.press("/")
					s.typed(name)
					s.press("enter", "enter")
				}
				open("greet")
				s.sees("greet: say ␛[31mhello", "who", "Ada")
				s.press("ctrl+s")
				s.asked("prompt greet {\n  \"who\": \"Ada\"\n}")
				s.press("esc")
				open("bad")
				s.sees("bad: a saved call is a JSON object")
				open("gone")
				s.sees("the server lists no tool nobody")
				open("text")
				s.sees("file:///a.txt")
				s.press("esc")
				open("noon")
				s.sees("get_weather", "Madrid")
			})
			tellWith(t, size[0], size[1], opening+lists, Options{}, func(s *story) { // nowhere to save
				s.press(":")
				s.typed("saved call")
				s.seesNot("open a saved call")
			})
		})
	}
}
