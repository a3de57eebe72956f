package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcploupe/themes"
)

// loadTheme finds a theme by name; "" is the one that suits the background.
func loadTheme(name string, dark bool) (*themes.Theme, error) {
	if name == "" {
		name = themes.Pick(dark, false)
	}
	return themes.Load(name, configDir())
}

// configDir is where a person keeps themes: mcploupe in the system's place for settings, "" when there is none.
func configDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "mcploupe")
}

func themeCommand(io streams) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "theme [NAME]",
		Short: "Print a theme's file, to begin one's own with; without a name, list the themes",
		Long: `Print a theme's file. Put a changed copy into the directory of your themes, and --theme NAME, or :theme on the screen, finds it
by the file's name. --check says what is wrong with one: the line that cannot be read, or the colours that are hard to tell
apart where they meet. docs/themes.md explains the format and every role.`,
		Example: `  mcploupe theme
  mcploupe theme dark > ~/.config/mcploupe/themes/mine.theme
  mcploupe theme mine --check`,
		Args: words(0, "NAME"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return themes.Names(configDir()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				listThemes(io)
				return nil
			case check:
				return checkTheme(io, args[0])
			}
			text, _, err := themes.Source(args[0], configDir())
			if err != nil {
				return usage("", "%w", err)
			}
			fmt.Fprint(io.out, text)
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "say what is wrong with the theme instead: exit 1 when something is")
	return c
}

// listThemes prints each theme, what it was made for, and the file of those that are a person's own.
func listThemes(io streams) {
	for _, name := range themes.Names(configDir()) {
		_, path, _ := themes.Source(name, configDir()) // it was listed just now
		t, err := themes.Load(name, configDir())
		kind := "light"
		switch {
		case err != nil:
			kind = "broken"
		case t.Dark:
			kind = "dark"
		}
		if path == "" {
			path = "comes along"
		}
		fmt.Fprintf(io.out, "%-16s  %-6s  %s\n", safe(name), kind, safe(path))
	}
	if dir := configDir(); dir != "" {
		fmt.Fprintf(io.out, "\nYour own: %s\n", safe(filepath.Join(dir, "themes", "NAME.theme")))
	}
}

// checkTheme says what cannot be read, and what can hardly be.
func checkTheme(io streams, name string) error {
	t, err := themes.Load(name, configDir())
	if err != nil {
		fmt.Fprintln(io.out, safe(err.Error()))
		return silent(exitFindings)
	}
	weak, judged := t.Contrasts()
	for _, w := range weak {
		fmt.Fprintln(io.out, w)
	}
	fmt.Fprintf(io.out, "%s: %d of %s of colours are hard to tell apart\n", safe(name), len(weak), plural(judged, "pair"))
	if len(weak) > 0 {
		return silent(exitFindings)
	}
	return nil
}
