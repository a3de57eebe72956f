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
