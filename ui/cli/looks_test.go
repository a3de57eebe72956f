package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

// What the command line says about the looks of the screen holds in lessons and for servers opened later too.
func TestLooksAreTakenAlong(t *testing.T) {
	var f flags
	c := &cobra.Command{}
	f.pictures(c)
	f.output(c)
	f.motion(c)
	must(t, c.ParseFlags([]string{"--no-motion", "--present", "--no-color", "--theme", "mono", "--images", "none"}))
	beside, _, err := f.beside(nil, nil)
	must(t, err)
	for what, g := range map[string]*flags{"a lesson": f.forLessons(), "another server": beside} {
		if g.looks != f.looks {
			t.Errorf("%s looks like %+v, not like %+v", what, g.looks, f.looks)
		}
		if !g.still(func(string) string { return "" }) {
			t.Errorf("%s moves in spite of --no-motion", what)
		}
	}
}
