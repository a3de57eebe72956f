package app

import (
	"testing"

	"mcploupe/ui/kit"
	"mcploupe/ui/lesson"
)

// contexts puts the screen into every state in which keys mean something else, and calls look in each.
func contexts(t *testing.T, look func(s *story, name string)) {
	t.Helper()
	steps := []struct {
		name string
		keys []string
	}{
		{"tools", nil},
		{"the tools' filter", []string{"/"}},
		{"the call's form, typing", []string{"enter"}},
		{"the call's form", []string{"enter", "esc"}},
		{"the call's JSON", []string{"enter", "ctrl+t"}},
		{"the call's schema", []string{"enter", "esc", ">"}},
		{"searching the schema", []string{"enter", "esc", ">", "/"}},
		{"the call's description", []string{"enter", "esc", ">", ">"}},
		{"earlier calls", []string{"enter", "esc", ">", ">", ">"}},
		{"the answer", []string{"enter", "esc", "tab"}},
		{"the answer, folding to a depth", []string{"enter", "esc", "tab", "z"}},
		{"the answer, searched", []string{"enter", "esc", "tab", "/", "a", "enter"}},
		{"the answer's content", []string{"enter", "esc", "tab", ">"}},
		{"the request", []string{"enter", "esc", "tab", ">", ">"}},
		{"the bytes", []string{"enter", "esc", "tab", ">", ">", ">"}},
		{"resources", []string{"3"}},
		{"a resource", []string{"3", "tab"}},
		{"prompts", []string{"4"}},
		{"a prompt", []string{"4", "enter"}},
		{"exchanges", []string{"5"}},
		{"the first exchange", []string{"5", "g"}},
		{"an exchange", []string{"5", "enter"}},
		{"server", []string{"1"}},
		{"the server's page", []string{"1", "enter"}},
		{"findings", []string{"!"}},
		{"a rule", []string{"!", "i"}},
		{"log", []string{"L"}},
		{"subscriptions", []string{"S"}},
		{"a new subscription", []string{"S", "n"}},
		{"an address for a subscription, typing", []string{"S", "n", "u"}},
		{"help", []string{"?"}},
		{"palette", []string{":"}},
		{"themes", []string{":", "t", "h", "e", "m", "e", "enter"}},
		{"why this verdict", []string{"5", "enter", "I"}},
	}
	for _, step := range steps {
		tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
			s.press(step.keys...)
			look(s, step.name)
		})
	}
	tell(t, 120, 36, opening+lists+askTask+taskSays(7, "working", `,"statusMessage":"half"`), func(s *story) {
		look(s, "a call that runs as a task")
		s.press("5", "G")
		look(s, "a task")
		s.press("enter")
		look(s, "the state of a task")
	})
	tell(t, 120, 36, opening+lists+calls, func(s *story) {
		s.press("5", "/")
		look(s, "the exchanges' filter")
		s.press("esc", "space")
		look(s, "a marked exchange")
		s.press("y")
		look(s, "what to copy")
		s.press("esc", "d")
		look(s, "a difference")
		s.press("esc", "enter", "d")
		look(s, "what changed")
	})
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		look(s, "a running call")
		s.press("5")
		look(s, "a running exchange")
		s.press("q")
		look(s, "the question before quitting")
	})
	tell(t, 120, 36, "= failed it is not there", func(s *story) { look(s, "a failed start") })
	learning, _, _ := beside(lesson.All()[0])
	tellWith(t, 120, 36, opening+lists, Options{Learning: learning}, func(s *story) {
		look(s, "a lesson")
		s.press("f8", "f8", "f8", "f6")
		look(s, "a task, with its hint")
		s.press("f9")
		look(s, "a lesson that was put away")
		s.press("f9", "f8", "f8", "f8")
		look(s, "a question of a lesson")
		s.press("esc", "!")
		look(s, "findings over a lesson")
		s.press("esc")
		s.m.openLessons()
		look(s, "the list of lessons")
	})
}

func TestEveryKeyHasWordsAndNoTwoRowsShareOne(t *testing.T) {
	contexts(t, func(s *story, name string) {
		for what, rows := range map[string][]kit.Row{"the pane": s.m.listener().Rows(), "the screen": s.m.rows()} {
			seen := map[string]string{}
			for _, r := range rows {
				if r.Words == "" || r.Group == "" {
					t.Errorf("%s, %s: %v has words %q and group %q", name, what, r.Keys, r.Words, r.Group)
				}
				for _, k := range r.Keys {
					if other, twice := seen[k]; twice {
						t.Errorf("%s, %s: %s means %q and %q", name, what, k, other, r.Words)
					}
					seen[k] = r.Words
				}
			}
			if _, ok := seen["ctrl+c"]; what == "the screen" && !ok {
				t.Errorf("%s: ctrl+c is not there", name)
			}
		}
	})
}

// While letters are text no key that types one may mean anything else, but for the digit that z waits for.
func TestLettersAreTextWhileSomebodyTypes(t *testing.T) {
	typing := 0
	contexts(t, func(s *story, name string) {
		if !s.m.listener().Typing() || name == "the answer, folding to a depth" {
			return
		}
		typing++
		before, driver, overs := s.m.focus, s.m.driver, len(s.m.overs)
		s.press("q", "1", "?", "!", ":", "z")
		if s.quit || s.m.focus != before || s.m.driver != driver || len(s.m.overs) != overs {
			t.Errorf("%s: a letter did something else than type", name)
		}
	})
	if typing < 5 {
		t.Errorf("only %d contexts in which one types", typing)
	}
}

// Every screen has exactly the terminal's size, whatever is open.
func TestEveryScreenFits(t *testing.T) {
	contexts(t, func(s *story, name string) {
		s.fits()
		s.m.w, s.m.h = 80, 24
		s.fits()
		s.m.w, s.m.h = 200, 60
		s.fits()
	})
}

// Every row can be done without harm, also those that have no key or do not show in the footer. Doing one
// changes what the next one stands for, so a context leads through many.
func TestEveryRowCanBeDone(t *testing.T) {
	t.Chdir(t.TempDir()) // some write files
	done := map[string]bool{}
	contexts(t, func(s *story, name string) {
		for k := 0; ; k++ {
			rows := s.m.rows()
			if k >= len(rows) {
				return
			}
			r := &rows[k]
			if r.Do == nil || r.Off != "" || done[name+r.Words] {
				continue
			}
			done[name+r.Words] = true
			s.run(s.m.act(r.Do()))
			s.settle()
			s.fits()
		}
	})
	if len(done) < 150 {
		t.Errorf("only %d rows were done", len(done))
	}
}

func TestAKeyThatDoesNotWorkNowSaysWhy(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("enter", "esc", "tab", "n")
		s.sees("next hit: search for something first")
	})
}
