package app

import (
	"context"
	"strings"
	"testing"
)

// What is open stands in the list once, wherever it was opened from; and of commands that begin alike the end is shown, which tells
// them apart.
func TestWhatIsOpenStandsInTheListOnce(t *testing.T) {
	for _, size := range bothSizes() {
		several(t, size[0], size[1], opening+lists, func(s *story, h *shelf) {
			for i := range h.list[:2] {
				one := h.list[i]
				h.list[i].What = "node /a/very/long/way/that/all/of/them/have/in/common/before/it/comes/to/the/point/node_modules/.bin/server-" + one.Name
				h.list[i].Open = func(ctx context.Context, ask Asker) (Options, error) {
					o, err := one.Open(ctx, ask)
					o.ID = one.ID
					return o, err
				}
			}
			count := func(want int) {
				t.Helper()
				over := s.deck.front.m.overs
				list := over[len(over)-1].pane.(*servers)
				n := 0
				for i := range list.src.Len() {
					if strings.HasPrefix(list.src.Text(i), "files ") {
						n++
					}
				}
				if n != want {
					t.Errorf("files stand there %d times, want %d:\n%s", n, want, s.screen())
				}
			}
			s.press("T")
			s.sees("server-harbour", "server-files")
			s.fits()
			count(1)
			s.press("down", "enter")
			s.sees("2/2", "files")
			s.press("T")
			count(1)
			s.press("down", "ctrl+x") // it is closed, and can be opened again
			s.press("T")
			count(1)
			s.sees("configured")
		})
	}
}
