package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/demo"
	"mcploupe/ui/kit"
	"mcploupe/ui/learn"
	"mcploupe/ui/lesson"
)

// beside is what the screen needs for one lesson, and what was kept of it.
func beside(l *lesson.Lesson) (o *Learning, kept *[]string, chosen *string) {
	kept, chosen = new([]string), new(string)
	return &Learning{
		Lesson: l, Number: 1,
		Keep: func(done []string) { *kept = done },
		List: func() ([]learn.Entry, string) {
			return []learn.Entry{{Key: "next", Number: 2, Title: "Another", All: 3}}, "next"
		},
		Open: func(key string) Offer { *chosen = key; return Offer{Name: key} },
	}, kept, chosen
}

func serverOf(l *lesson.Lesson) demo.Options {
	eras := map[string]demo.Era{"": demo.Both, "both": demo.Both, "modern": demo.Modern, "legacy": demo.Legacy}
	return demo.Options{Era: eras[l.Server.Serve], Faults: l.Server.Faults, Published: l.Server.Published, Login: l.Server.Login}
}

// Every lesson is played to its end against the real server: each task is done by the keys that the lesson gives, and not before;
// each question wants its right answer.
func TestEveryLessonIsPlayedToItsEnd(t *testing.T) {
	all := lesson.All()
	for i, l := range all {
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			if l.Server.HTTP && size[0] == 80 {
				continue // in real time once is enough; what is drawn does not depend on the transport
			}
			t.Run(fmt.Sprintf("%02d-%s-%d", i+1, l.Name, size[0]), func(t *testing.T) {
				if l.Server.HTTP {
					t.Parallel()
				}
				o, kept, chosen := beside(l)
				live(t, size[0], size[1], serverOf(l), l.Server.HTTP, o, func(s *story) {
					v := newVocabulary(t)
					play(s, l, v)
					v.read(s)
					v.check(t, l)
					if len(*kept) != len(l.Parts()) {
						t.Errorf("kept is %q", *kept)
					}
					s.press("f8")
					s.sees("Lessons", "Another")
					s.press("enter")
					if *chosen != "next" || s.quit {
						t.Errorf("the next lesson was not chosen: %q", *chosen)
					}
				})
			})
		}
	}
}

// play goes through a lesson as somebody does who knows everything.
func play(s *story, l *lesson.Lesson, v *vocabulary) {
	s.t.Helper()
	run := s.m.lesson.Run()
	for i := range l.Pages {
		page := &l.Pages[i]
		at := func() int { _, at := run.Page(); return at }
		for k := 0; at() < i; k++ {
			if s.press("f8"); k > 6 {
				s.t.Fatalf("page %q is not reached, or the one before it has too many parts:\n%s", page.Title, s.screen())
			}
		}
		s.fits()
		v.hear(s)
		switch {
		case page.Task != nil:
			if s.wait(300 * time.Millisecond); !s.real {
				s.wait(2 * time.Second)
			}
			if run.Done(i) {
				s.t.Fatalf("%q is done before anything was done", page.Title)
			}
			solve(s, page, v)
			s.until(fmt.Sprintf("%q is done", page.Title), func() bool { return run.Done(i) })
			s.sees("✔ done: ")
			w, h := s.m.w, s.m.h
			s.m.w, s.m.h = 200, 60
			s.fits()
			s.sees("✔ done: ")
			s.m.w, s.m.h = w, h
		case page.Question != nil:
			answer(s, page, i)
		}
	}
	if !run.Finished() {
		s.t.Errorf("the lesson is not finished: %q is open", l.Pages[run.Open()].Title)
	}
	s.sees("That was the whole lesson")
	for s.m.lesson.Rest(1) {
		s.settle()
	}
}

// solve presses the keys that the lesson gives.
func solve(s *story, page *lesson.Page, v *vocabulary) {
	s.t.Helper()
	for k, key := range page.Task.Keys {
		switch {
		case key.Pause:
			s.wait(time.Second)
		case key.Text != "":
			s.typed(key.Text)
		default:
			if kit.Find(s.m.rows(), key.Name) == nil && !s.m.listener().Typing() {
				s.t.Errorf("%q: the %d. key %q means nothing here:\n%s", page.Title, k+1, key.Name, s.screen())
			}
			s.press(key.Name)
			v.words[key.Name] = true // keys of a text are in no row
		}
		s.screen()
		v.hear(s)
	}
}

// answer tries all that is wrong first.
func answer(s *story, page *lesson.Page, i int) {
	s.t.Helper()
	run := s.m.lesson.Run()
	for k := 0; len(s.m.overs) == 0 || s.m.overs[len(s.m.overs)-1].name != "check"; k++ {
		if s.press("f8"); k > 6 {
			s.t.Fatalf("the question %q does not open:\n%s", page.Title, s.screen())
		}
	}
	s.fits()
	right := slices.IndexFunc(page.Question.Choices, func(c lesson.Choice) bool { return c.Right })
	for k := range page.Question.Choices {
		if k != right {
			s.press("enter")
			s.sees("✖")
		}
		s.press("down")
		if run.Done(i) {
			s.t.Errorf("%q takes a wrong answer", page.Title)
		}
	}
	for range right {
		s.press("down")
	}
	s.press("enter")
	s.sees("✔")
	s.fits()
	s.press("enter")
	if !run.Done(i) {
		s.t.Errorf("%q does not take the right answer:\n%s", page.Title, s.screen())
	}
}

// A right answer counts when it is given, however its window is left, and a window about a page goes with the page.
func TestAnAnswerCountsWhenItIsGiven(t *testing.T) {
	learning, kept, _ := beside(twoQuestions(t))
	tellWith(t, 120, 36, opening+lists, Options{Learning: learning}, func(s *story) {
		s.press("f8", "f8")
		s.sees("A question")
		s.press("enter", ".")
		s.sees("Not this one") // the window stays as it is
		s.press("down", "enter")
		s.sees("This one", "go on")
		s.press("esc")
		if !slices.Equal(*kept, []string{"First"}) {
			t.Errorf("kept is %q", *kept)
		}
		s.press("f8", "f8")
		s.sees("A question", "Second")
		s.press("down", "enter", "f7")
		s.seesNot("A question")
		if !slices.Equal(*kept, []string{"First", "Second"}) {
			t.Errorf("kept is %q", *kept)
		}
	})
}

func TestAnAnswerIsForItsOwnQuestion(t *testing.T) {
	learning, kept, _ := beside(twoQuestions(t))
	tellWith(t, 120, 36, opening+lists, Options{Learning: learning}, func(s *story) {
		s.m.lesson.Run().Turn(2)
		s.press("f8", "f7") // the question about the second page, and the page before it
		s.press("down", "enter", "enter")
		if len(*kept) != 0 {
			t.Errorf("the answer to one question was taken for another: %q", *kept)
		}
	})
}

func twoQuestions(t *testing.T) *lesson.Lesson {
	t.Helper()
	text := "# Two questions\nminutes: 1\n\nWords.\n"
	for _, title := range []string{"First", "Second"} {
		text += "\n## Question: " + title + "\n\nWhich?\n\n- [ ] wrong\n  Not this one.\n- [x] right\n  This one.\n"
	}
	two, err := lesson.Parse("two.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return two
}

// The mouse reaches a lesson: the words of its lower line, the line that is left of one that was put away, the wheel.
func TestALessonIsReachedByTheMouse(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {160, 45}} {
		learning, _, _ := beside(lesson.All()[0])
		tellWith(t, size[0], size[1], opening+lists, Options{Learning: learning}, func(s *story) {
			run := s.m.lesson.Run()
			press := func(word string) {
				t.Helper()
				for y, line := range slices.Backward(strings.Split(s.screen(), "\n")) {
					if before, _, ok := strings.Cut(line, word); ok {
						s.send(tea.MouseClickMsg{X: ansi.StringWidth(before) + 1, Y: y, Button: tea.MouseLeft})
						s.send(tea.MouseReleaseMsg{X: ansi.StringWidth(before) + 1, Y: y, Button: tea.MouseLeft})
						s.settle()
						return
					}
				}
				t.Fatalf("%v: there is no %q:\n%s", size, word, s.screen())
			}
			for k := 0; ; k++ {
				if _, at := run.Page(); at == 3 {
					break
				}
				if press(". "); k > 8 {
					t.Fatalf("%v: pressing the words does not turn pages", size)
				}
			}
			press("f6 hint")
			s.sees("for the first line")
			press(", back")
			if _, at := run.Page(); at != 2 {
				t.Errorf("%v: back leads to page %d", size, at)
			}
			press("f9 away")
			if s.m.lesson.IsOpen() {
				t.Errorf("%v: it is not put away", size)
			}
			s.fits()
			press("f9 lesson")
			if !s.m.lesson.IsOpen() {
				t.Errorf("%v: it does not come back", size)
			}
		})
	}
}

// Whatever the size of the terminal, a lesson takes what it may and leaves the rest its least.
func TestALessonFitsEveryTerminal(t *testing.T) {
	learning, _, _ := beside(lesson.All()[9])
	tellWith(t, 120, 36, opening+lists, Options{Learning: learning}, func(s *story) {
		for page := range 4 {
			for _, key := range []string{"f6", "f9", "f9"} {
				for _, w := range []int{20, 36, 60, 80, 99, 100, 120, 149, 150, 200} {
					for _, h := range []int{5, 10, 11, 12, 19, 20, 24, 36, 40, 60} {
						s.m.w, s.m.h = w, h
						s.fits()
						if rw, rh := s.m.room(); h >= 10 && rh < 10 || w >= 36 && rw < 36 {
							t.Errorf("%dx%d: a lesson leaves %dx%d", w, h, rw, rh)
						}
					}
				}
				s.press(key)
			}
			s.m.w, s.m.h = 120, 36
			if s.press("f8"); len(s.m.overs) > 0 {
				t.Fatalf("page %d opens a window", page)
			}
		}
	})
}

// Pages are short: one part where the screen is of the usual size, hints included, and at most two on the smallest.
func TestPagesOfLessonsAreShort(t *testing.T) {
	for size, most := range map[[2]int]int{{120, 36}: 1, {160, 45}: 1, {80, 24}: 2} {
		for _, l := range lesson.All() {
			learning, _, _ := beside(l)
			tellWith(t, size[0], size[1], opening+lists, Options{Learning: learning}, func(s *story) {
				for i := range l.Pages {
					s.m.lesson.Hint()
					s.screen()
					parts := 1
					for s.m.lesson.Rest(1) {
						parts++
						s.screen()
					}
					if parts > most {
						t.Errorf("%v: %s: %q takes %d parts, want %d", size, l.Name, l.Pages[i].Title, parts, most)
					}
					s.m.lesson.Run().Turn(1)
					s.m.lesson.Turned()
				}
			})
		}
	}
}
