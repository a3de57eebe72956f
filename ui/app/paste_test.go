package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// A call copied from a chat is taken as arguments where there are none yet; elsewhere a paste is text.
func TestACallIsPasted(t *testing.T) {
	chat := "Try this:\n```json\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Lima\", \"days\": 1.0e0,},}\n```\n"
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				s.press("enter", "esc", "enter")
				s.press("ctrl+t")
				s.send(tea.PasteMsg{Content: chat})
				s.settle()
				s.sees("took the arguments of get_weather, out of the code fence, without", `"location": "Lima"`, `"days": 1.0e0`)
				s.press("ctrl+s")
				s.asked("call get_weather {\"location\": \"Lima\", \"days\": 1.0e0}")
				s.send(tea.PasteMsg{Content: chat}) // somebody's arguments are not replaced
				s.settle()
				s.sees("Try this:")
				s.press("ctrl+z", "ctrl+z")
				s.seesNot("Try this:", "Lima")
				s.send(tea.PasteMsg{Content: `{"name":"other","arguments":{"location":"Rome"}}`})
				s.settle()
				s.sees("took the arguments of other — but this is get_weather", "Rome")
			})
			// In the form too, while no field is open.
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				s.press("enter")
				if s.m.listener().Typing() {
					s.press("esc")
				}
				s.send(tea.PasteMsg{Content: chat})
				s.settle()
				s.sees("took the arguments of get_weather", "Lima")
				s.send(tea.PasteMsg{Content: `{"location":"Rome"}`})
				s.settle()
				s.sees("the form is filled in already", "Lima")
			})
		})
	}
}

func TestTheOwnEditor(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		env  func(string) string
		goos string
		want string
	}{
		{env("VISUAL", "code --wait", "EDITOR", "ed"), "linux", `sh -c code --wait "$1" sh /x y`},
		{env("EDITOR", "ed"), "darwin", `sh -c ed "$1" sh /x y`},
		{env(), "linux", `sh -c vi "$1" sh /x y`},
		{env("EDITOR", "code --wait"), "windows", "code --wait /x y"},
		{env(), "windows", "notepad /x y"},
	} {
		if got := strings.Join(editorFor(c.env, c.goos, "/x y").Args, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}

	exact := []byte("{\r\n\t\"a\": 1.0 , \"b\":\"\xff\"}")
	cmd, path, err := editorOn(exact, env("EDITOR", "cat >/dev/null"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	tell(t, 80, 24, opening+lists, func(s *story) {
		var got []byte
		back := func(was string, err error) {
			s.send(outsideMsg{path: path, was: []byte(was), done: func(b []byte) { got = b }, err: err})
			s.settle()
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("the file is still there: %v", err)
			}
		}
		back("{}", nil)
		s.sees("taken from the editor: 23 B")
		if string(got) != string(exact) {
			t.Errorf("%q came back", got)
		}
		got = nil
		for _, c := range []struct {
			was, says string
			err       error
		}{{"same", "nothing was changed", nil}, {"x", "the editor ended with exit 1", errors.New("exit 1")}} {
			if err := os.WriteFile(path, []byte("same"), 0o600); err != nil {
				t.Fatal(err)
			}
			back(c.was, c.err)
			s.sees(c.says)
			if got != nil {
				t.Errorf("%q was taken", got)
			}
		}
		s.press("enter")
		if s.m.listener().Typing() {
			s.press("esc")
		}
		if r := kit.Find(s.m.rows(), "E"); r == nil || r.Words != "edit in $EDITOR" {
			t.Errorf("E means %+v", r)
		}
		s.press("ctrl+t")
		if kit.Find(s.m.rows(), "E") != nil || kit.Find(s.m.rows(), "f4") == nil {
			t.Error("in the JSON E is a letter, and F4 opens the editor")
		}
	})
}
