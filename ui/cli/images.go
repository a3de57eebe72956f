package cli

import (
	"github.com/spf13/cobra"

	"mcploupe/ui/graphics"
)

// imagesFlag is the value of --images.
type imagesFlag struct{ graphics.Protocol }

// Set implements pflag.Value.
func (i *imagesFlag) Set(name string) (err error) {
	i.Protocol, err = graphics.Parse(name)
	return err
}

// Type implements pflag.Value.
func (i *imagesFlag) Type() string { return "way" }

// pictures registers the flags that say how the screen is shown: its pictures, and for whom it is.
func (f *flags) pictures(c *cobra.Command) {
	c.Flags().Var(&f.images, "images", "`way` to show pictures: auto, blocks (in cells), kitty, iterm2, sixel, none")
	c.Flags().BoolVar(&f.present, "present", false, "show the screen to others: more room, words beside signs, the keys that are pressed (also the command present)")
}
