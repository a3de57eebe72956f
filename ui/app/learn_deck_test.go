package app

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mcploupe/ui/learn"
	"mcploupe/ui/lesson"
)

// school is lessons that can be opened on the deck of a story, and which of their servers have ended.
type school struct {
	h     *shelf
	ended []string
}

// teach gives a deck two lessons.
func teach(s *story, h *shelf) *school {
	k := &school{h: h}
	s.deck.o.Learning = k.learning()
	for _, c := range s.deck.cards {
		c.m.o.Learning = k.learning()
	}
	return k
}

func (k *school) learning() *Learning {
	return &Learning{
		List: func() ([]learn.Entry, string) {
			return []learn.Entry{{Key: "first", Number: 1, Title: "What is said first", All: 3}, {Key: "second", Number: 2, Title: "Another", All: 3}}, "first"
		},
		Open: k.open,
	}
}

func (k *school) open(key string) Offer {
	number := map[string]int{"first": 1, "second": 2}[key]
	offer := k.h.offer("", key, named("of the "+key+" lesson"))
	ready := offer.Open
	offer.Open = func(ctx context.Context, ask Asker) (Options, error) {
		o, err := ready(ctx, ask)
		o.Name, o.Learning = fmt.Sprint("lesson ", number), k.learning()
		o.Learning.Lesson, o.Learning.Key, o.Learning.Number = lesson.All()[number-1], key, number
		o.Closed = func() { k.ended = append(k.ended, key) }
		return o, err
	}
	return offer
}

// The page begins lessons too.
func TestLessonsBeginOnThePage(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			teach(s, h)
			c, err := s.deck.newHome()
			if err != nil {
				t.Fatal(err)
			}
			s.deck.front = c
			c.m.home.offered(h.list)
			s.sees("new here", "lessons", "▸ recent       harbour")
			s.fits()
			s.typed("less")
			s.sees("enter show them")
			s.press("tab", "ctrl+x", "enter")
			s.sees("What is said first")
			s.fits()
			s.press("enter")
			s.sees("of the first lesson", "Lesson 1", lesson.All()[0].Title)
			s.seesNot("the other servers go on")
			s.fits()
			if s.quit {
				t.Error("the program ended for it")
			}
		})
	}
}

// A lesson is one more server: those that are open go on and are reached by the same keys, and what runs there is not cut off.
func TestALessonStandsBesideTheServers(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists+ask, func(s *story, h *shelf) {
			k := teach(s, h)
			mine := s.deck.front.m
			begin := func() {
				s.press("f10")
				s.typed("learn: lessons")
				s.press("enter")
				s.sees("What is said first", "Another")
			}
			begin()
			s.press("enter")
			s.seesNot("ends here")
			s.sees("2/2 lesson 1", "Lesson 1", "the other servers go on beside the lesson: T switches")
			s.fits()
			if s.quit || len(s.deck.cards) != 2 || mine.running() != 1 {
				t.Fatalf("quit %v, %d servers, %d requests running", s.quit, len(s.deck.cards), mine.running())
			}
			// The keys of the lesson turn its pages, here alone.
			run := s.deck.front.m.lesson.Run()
			s.press(".")
			if _, at := run.Page(); at != 1 {
				t.Errorf("page %d after one key", at)
			}
			s.press("{")
			s.sees("1/2", "get_weather")
			s.seesNot("Lesson 1")
			s.press(".")
			if _, at := run.Page(); at != 1 {
				t.Errorf("a key on another server turned the lesson to page %d", at)
			}
			s.say(wrongAnswer)
			s.settle()
			if mine.running() != 0 {
				t.Error("its answer did not come")
			}

			// The same lesson is not begun anew but comes to the front; another one takes its place.
			begin()
			s.press("enter")
			s.sees("2/2 lesson 1")
			if s.deck.front.m.lesson == nil || s.deck.front.m.lesson.Run() != run {
				t.Error("the lesson was begun anew")
			}
			begin()
			s.press("down", "enter")
			s.sees("2/2 lesson 2", "Lesson 2")
			s.seesNot("is closed")
			s.wait(time.Second)
			if len(s.deck.cards) != 2 || fmt.Sprint(k.ended) != "[first]" {
				t.Errorf("%d servers are open, ended are %q", len(s.deck.cards), k.ended)
			}
			s.press("T")
			s.sees("Servers", "weather", "lesson 2")
			s.fits()
			s.press("esc", "f10")
			s.typed("close lesson 2")
			s.press("enter")
			s.sees("get_weather")
			s.wait(time.Second)
			s.sees("lesson 2 is closed")
			if fmt.Sprint(k.ended) != "[first second]" {
				t.Errorf("ended are %q", k.ended)
			}
		})
	}
}

// A lesson that cannot be opened says why, and what is open stays.
func TestALessonThatCannotBeOpened(t *testing.T) {
	several(t, 80, 24, opening+lists, func(s *story, h *shelf) {
		k := teach(s, h)
		s.deck.front.m.o.Learning.Open = func(key string) Offer {
			offer := k.open(key)
			offer.Name = "lesson 1"
			offer.Open = func(context.Context, Asker) (Options, error) { return Options{}, fmt.Errorf("no port is free") }
			return offer
		}
		s.press("f10")
		s.typed("learn: lessons")
		s.press("enter", "enter")
		s.sees("lesson 1 cannot be opened", "no port is free")
		s.press("esc")
		s.sees("get_weather")
	})
}

// q in a lesson beside other servers asks what is meant: the lesson, which is the answer of enter, or all of it. Alone it just quits.
func TestQuittingALessonBesideServers(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists, func(s *story, h *shelf) {
			k := teach(s, h)
			begin := func() {
				s.press("f10")
				s.typed("learn: lessons")
				s.press("enter", "enter")
				s.sees("2/2 lesson 1")
			}
			begin()
			s.press("q")
			s.sees("Close the lesson? The other servers go on.", "enter close the lesson", "q quit", "esc stay")
			s.fits()
			s.press("esc")
			s.sees("2/2 lesson 1")
			s.press("q", "enter")
			s.wait(time.Second)
			s.sees("get_weather", "lesson 1 is closed")
			if s.quit || len(s.deck.cards) != 1 || fmt.Sprint(k.ended) != "[first]" {
				t.Errorf("quit %v, %d servers, ended %q", s.quit, len(s.deck.cards), k.ended)
			}
			begin()
			s.say(ask)
			s.settle()
			s.press("q")
			s.sees("cuts off 1 running request")
			s.press("q")
			if !s.quit {
				t.Error("q twice does not quit")
			}
		})
		several(t, size[0], size[1], "", func(s *story, h *shelf) {
			k := teach(s, h)
			s.deck.open([]Offer{k.open("first")})
			s.run(s.deck.begun())
			s.settle()
			s.sees("Lesson 1")
			s.press("q")
			if !s.quit {
				t.Error("a lesson alone is not quit by q")
			}
		})
	}
}
