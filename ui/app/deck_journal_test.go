package app

import (
	"context"
	"testing"
	"time"
)

// A recorded journal lies on the deck beside live servers: read as replay reads it, and nothing of them ends.
func TestAJournalIsOpenedBesideALiveServer(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists, func(s *story, h *shelf) {
			live := s.deck.front.m
			s.press(":")
			s.typed("open yesterday.jsonl")
			s.sees("open yesterday.jsonl")
			s.fits()
			s.press("enter")
			s.sees("2/2", "lighthouse", "recorded")
			s.fits()
			s.press("5")
			s.sees("get_weather")
			s.press("ctrl+r")
			s.sees("this is a recorded journal")

			// Live it goes on, and the keys are the same.
			s.press("{")
			s.sees("1/2", "weather")
			s.say(ask + wrongAnswer)
			s.settle()
			if s.deck.front.m != live || live.lastCall() == nil {
				t.Error("the live server did not go on")
			}
			s.press("T")
			s.typed("today.jsonl")
			s.sees("typed", "open", "today.jsonl")
			s.fits()
			s.press("enter")
			s.sees("3/3")
			s.press("T")
			s.sees("weather", "yesterday.jsonl", "today.jsonl", "recorded")
			s.seesNot("≈") // their tools are before no model
			s.fits()
			s.press("esc", ":")
			s.typed("close today")
			s.press("enter")
			s.wait(time.Second)
			s.sees("is closed")
			if len(s.deck.cards) != 2 {
				t.Errorf("%d lie on the deck", len(s.deck.cards))
			}
		})
	}
}

// What is done for a server beside talking to it stands on its page and in the list, and is said when it is opened; becoming ready
// does not sweep that away.
func TestWhatIsRecordedAndWatchedIsShown(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists, func(s *story, h *shelf) {
			open := h.list[0].Open
			h.list[0].Open = func(ctx context.Context, ask Asker) (Options, error) {
				o, err := open(ctx, ask)
				o.Recorded, o.Watched = "run-harbour\x1b.jsonl", []string{"src/**/*.ts", "*.json"}
				o.Note = "recorded in run-harbour\x1b.jsonl; watched"
				return o, err
			}
			s.press("T", "enter")
			s.sees("harbour", "● ready", "recorded in run-harbour␛.jsonl; watched")
			s.press("T")
			s.sees("watched", "rec ")
			s.fits()
			s.press("esc", "1", "enter")
			s.sees("In this run", "recorded in", "run-harbour␛.jsonl", "watched files", "src/**/*.ts  *.json")
			s.fits()
		})
	}
}
