package cli

import (
	"strings"
	"testing"

	"mcploupe/session/demo"
)

// What becomes of an HTTP session is also told to whoever reads text: that it was begun anew, and that it seems to be lost.
func TestWhatBecameOfTheSessionIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		o    demo.Options
		code int
		says []string
	}{
		"begun anew":  {demo.Options{Forget: 3}, 0, []string{"mcploupe: a new session ", "has begun: what was read in the old one is forgotten"}},
		"seems lost":  {demo.Options{Forget: 3, Faults: []string{"session-lost-400"}}, exitFindings, []string{"mcploupe: the server seems to have lost the session: HTTP 400"}},
		"all is well": {demo.Options{}, 0, nil},
	} {
		_, url := oldStation(t, c.o)
		r := program(t, "call", "get_weather", "--arg", "location=Port Amber", url+demo.Path)
		r.says(t, c.code)
		for _, text := range c.says {
			if !strings.Contains(r.err, text) {
				t.Errorf("%s: %q is not said: %s", name, text, r)
			}
		}
		if len(c.says) == 0 && strings.Contains(r.err, "session") {
			t.Errorf("%s: %s", name, r)
		}
		if r = program(t, "call", "get_weather", "--json", "--arg", "location=Port Amber", url+demo.Path); strings.Contains(r.err, "session") {
			t.Errorf("%s: --json says it in its lines alone: %s", name, r)
		}
	}
}
