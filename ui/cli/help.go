package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"mcploupe/ui/kit"
)

// Help is cobra's in content and order, but fitted to the terminal: a description that runs over the edge begins under the name
// of its flag, and nobody finds the names any more.

// widestHelp is how wide help is at most: longer lines are hard to follow. It is as wide where there is no terminal.
const widestHelp = 110

// helpWidth is how wide help is on an output.
func helpWidth(out io.Writer) int {
	if file, ok := out.(*os.File); ok && term.IsTerminal(file.Fd()) {
		if w, _, err := term.GetSize(file.Fd()); err == nil && w >= 40 {
			return min(w, widestHelp)
		}
	}
	return widestHelp
}

// help prints what a command is for, and then how it is used.
func help(c *cobra.Command, _ []string) {
	out := c.OutOrStdout()
	about := c.Long
	if about == "" {
		about = c.Short
	}
	if about != "" {
		fmt.Fprintf(out, "%s\n\n", flowed(about, helpWidth(out)))
	}
	_ = howTo(c) // it only prints
}

// howTo prints how a command is used.
func howTo(c *cobra.Command) error {
	out := c.OutOrStdout()
	w := helpWidth(out)
	c.InitDefaultHelpFlag()
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nAvailable Commands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				hanging(&b, fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name()), sub.Short, w)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", c.LocalFlags().FlagUsagesWrapped(w))
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nGlobal Flags:\n%s", c.InheritedFlags().FlagUsagesWrapped(w))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// hanging writes a text beside a lead; what does not fit goes on below the text.
func hanging(b *strings.Builder, lead, text string, w int) {
	for _, l := range kit.Wrap(text, max(w-len(lead), 20)) {
		b.WriteString(lead + l + "\n")
		lead = strings.Repeat(" ", len(lead))
	}
}

// flowed is a text whose paragraphs are broken into lines of at most w cells. Lines that begin with a blank stand as they are.
func flowed(text string, w int) string {
	var out []string
	paragraph := ""
	end := func() {
		if paragraph != "" {
			out = append(out, kit.Wrap(paragraph, w)...)
		}
		paragraph = ""
	}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case l == "", l[0] == ' ':
			end()
			out = append(out, l)
		case paragraph == "":
			paragraph = l
		default:
			paragraph += " " + l
		}
	}
	end()
	return strings.Join(out, "\n")
}
