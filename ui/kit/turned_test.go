package kit

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTurned(t *testing.T) {
	for button, want := range map[tea.MouseButton][2]int{
		tea.MouseWheelUp: {0, -1}, tea.MouseWheelDown: {0, 1}, tea.MouseWheelLeft: {-1, 0}, tea.MouseWheelRight: {1, 0}, tea.MouseLeft: {0, 0},
	} {
		if right, down := Turned(tea.MouseWheelMsg{Button: button}); [2]int{right, down} != want {
			t.Errorf("%v goes %d right and %d down, want %v", button, right, down, want)
		}
	}
}
