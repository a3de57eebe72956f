package wire

import "testing"

func TestAnEditedRequestIsPartOfTheConversation(t *testing.T) {
	f := Frame{Why: Edited(12)}
	if from, ok := f.EditedFrom(); !ok || from != 12 || f.Aside() {
		t.Errorf("%q is from %d, %v, aside %v", f.Why, from, ok, f.Aside())
	}
	for _, why := range []string{"", "raw", "edited from #", "edited from #x", "edited from #0", "edited from #-1", Retry} {
		f := Frame{Why: why}
		if from, ok := f.EditedFrom(); ok {
			t.Errorf("%q is from %d", why, from)
		}
	}
	if f := (Frame{Why: "edited from #x"}); !f.Aside() {
		t.Error("a reason that nobody knows is part of the conversation")
	}
}
