package cli

import (
	"os"

	"mcploupe/ui/app"
)

// looks say how the screen looks. They hold for everything that is opened in a run, whatever else holds for one server alone.
type looks struct {
	theme    string
	noColour bool
	images   imagesFlag
	noMotion bool
	present  bool
}

// dressed adds to what is shown how it is judged and looks.
func (f *flags) dressed(o app.Options) app.Options {
	o.Profile, o.Theme, o.ConfigDir, o.NoColour = f.profile, f.theme, configDir(), f.noColour
	o.Images, o.Still, o.Present = f.images.Protocol, f.still(os.Getenv), f.present
	return o
}
