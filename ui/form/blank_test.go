package form

import (
	"strings"
	"testing"
)

// A field that nobody has filled in yet is to be filled in; it is wrong once somebody wanted to send it so, or emptied it.
func TestWhatIsBlankIsNoMistakeYet(t *testing.T) {
	const object = `{"type":"object","properties":{"place":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1},"note":{"type":"string"}},"required":["place","days"]}`
	t.Run("sent", func(t *testing.T) {
		f := form(t, object, `{"place":"","days":0}`)
		sees(t, f, "place *", "to fill in: place, days")
		if got := f.shown(100, 20); strings.Contains(got, "✖") {
			t.Errorf("a mistake already:\n%s", got)
		}
		if f.Problem() == "" {
			t.Error("it could be sent")
		}
		f.ShowProblem()
		sees(t, f, "✖ want at least 1 character, got 0", "✖ want at least 1, got 0")
	})
	t.Run("typed and emptied", func(t *testing.T) {
		f := form(t, object, `{"place":"","days":0}`)
		press(t, f, "enter", "x", "backspace")
		sees(t, f, "✖ want at least 1 character, got 0")
	})
	t.Run("one filled in", func(t *testing.T) {
		f := form(t, object, `{"place":"","days":0}`)
		press(t, f, "enter", "x")
		sees(t, f, "to fill in: days")
		if got := f.shown(100, 20); strings.Contains(got, "✖") {
			t.Errorf("a mistake already:\n%s", got)
		}
	})
	t.Run("something else is wrong", func(t *testing.T) {
		f := form(t, object, `{"place":"","days":0,"note":1}`)
		sees(t, f, "✖ want a string, got 1", "[ send ]  ✖ note: want a string, got 1")
	})
}
