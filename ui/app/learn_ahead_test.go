package app

import (
	"slices"
	"testing"

	"mcploupe/session/demo"
	"mcploupe/ui/lesson"
)

// Somebody who does a thing before the page that asks for it has done it: a resource that was read is fresh for an hour, and reading
// it once more would send nothing.
func TestATaskThatWasDoneBeforeItsPageIsDone(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		learning, kept, _ := beside(lesson.All()[0])
		live(t, size[0], size[1], demo.Options{Era: demo.Modern}, false, learning, func(s *story) {
			run := s.m.lesson.Run()
			s.press("3", "g", "enter") // on the first page, which asks for nothing
			for _, at := run.Page(); at < 3; _, at = run.Page() {
				s.press(".")
			}
			s.sees("Read “About the station”", "✔ already done: you read a resource")
			if !run.Done(3) || !slices.Equal(*kept, []string{"Read “About the station”"}) {
				t.Errorf("%v: kept is %q", size, *kept)
			}
			s.press(".")
			s.sees("○ Call the tool get_weather")
			s.press(",")
			s.sees("✔ done: you read a resource")
			s.fits()
		})
	}
}

// What the program asks for by itself counts for nothing.
func TestWhatIsAskedByItselfIsNoTask(t *testing.T) {
	pages, err := lesson.Find(lesson.All(), "pages")
	if err != nil {
		t.Fatal(err)
	}
	learning, kept, _ := beside(pages)
	live(t, 120, 36, serverOf(pages), false, learning, func(s *story) {
		s.press(".")
		s.sees("○ Watch a list being walked")
		if len(*kept) > 0 {
			t.Errorf("kept is %q", *kept)
		}
	})
}

// On a small screen a lesson takes as many lines as its page needs, so that the rest has the others; and nothing moves when a task
// is done. On a larger one it has the same height on each page.
func TestALessonTakesWhatItsPageNeeds(t *testing.T) {
	learning, _, _ := beside(lesson.All()[0])
	live(t, 80, 24, demo.Options{Era: demo.Modern}, false, learning, func(s *story) {
		height := func() int { _, h := s.m.lesson.Space(s.m.w, s.m.h); return h }
		first := height()
		for range 3 {
			s.press(".")
		}
		task := height()
		if task >= first || task < 7 {
			t.Errorf("a page of text takes %d lines, one with a short task %d", first, task)
		}
		s.press("3", "g", "enter")
		s.sees("✔ done: ")
		if height() != task {
			t.Errorf("the task took %d lines, and takes %d once it is done", task, height())
		}
		s.m.w, s.m.h = 120, 36
		large := height()
		s.press(",")
		if height() != large {
			t.Errorf("on a large screen it takes %d lines and then %d", large, height())
		}
	})
}
