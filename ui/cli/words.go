package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcploupe/session/slips"
)

// What is said about words on the command line that are missing, too many, or nearly right.

// words is how many words a command takes, with their names as its help writes them.
func words(least int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		hint := c.UseLine()
		switch {
		case len(args) < least:
			return usage(hint, "missing %s", names[len(args)])
		case len(args) > len(names) && c.HasSubCommands():
			if meant := nearest(args[0], commandNames(c)); meant != "" {
				hint = "did you mean " + c.CommandPath() + " " + meant + "?"
			} else {
				hint = c.CommandPath() + " --help lists its commands"
			}
			return usage(hint, "there is no command %q", args[0])
		case len(args) > len(names):
			return usage(hint, "unexpected %q", args[len(names)])
		}
		return nil
	}
}

// commandNames are the commands below one.
func commandNames(c *cobra.Command) []string {
	var out []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			out = append(out, sub.Name())
		}
	}
	return out
}

// nearest is the word that somebody may have meant, "" when none is near. A word of few letters must be nearer.
func nearest(word string, among []string) string {
	best, far := "", min(2, max(len(word)/3, 1))+1
	for _, one := range among {
		if n := slips.Count(strings.ToLower(word), one, far); n < far {
			best, far = one, n
		} else if len(word) >= 4 && strings.HasPrefix(one, strings.ToLower(word)) && best == "" {
			best = one // the rest was left out
		}
	}
	return best
}

// mistaken tells that the first word was meant as a command: it is none, and no address, name of a file or of a server either.
func mistaken(c *cobra.Command, args []string, config string) error {
	if config != "" || c.ArgsLenAtDash() == 0 || strings.ContainsAny(args[0], `:/\.`) {
		return nil
	}
	meant := nearest(args[0], commandNames(c.Root()))
	if meant == "" {
		return nil
	}
	return usage("did you mean mcploupe "+meant+"? To start "+args[0]+" as a server over stdio write -- before it", "there is no command %q, and it is no URL", args[0])
}

// unknownFlag says which flag may have been meant, or which command has it.
func unknownFlag(c *cobra.Command, err error) error {
	text := err.Error()
	name, ok := strings.CutPrefix(text, "unknown flag: --")
	if !ok {
		return usage(c.CommandPath()+" --help lists the flags", "%s", text)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := c.CommandPath() + " --help lists the flags"
	if meant := nearest(name, names); meant != "" {
		hint = "did you mean --" + meant + "?"
	} else if owner := owner(c.Root(), name); owner != "" {
		hint = "it is a flag of " + owner + "; " + hint
	}
	return usage(hint, "unknown flag: --%s", name)
}

// owner is a command that has a flag: the program itself before others.
func owner(c *cobra.Command, flag string) string {
	if c.Flags().Lookup(flag) != nil {
		return cmp.Or(strings.TrimSpace(c.CommandPath()), c.Name())
	}
	for _, sub := range c.Commands() {
		if name := owner(sub, flag); name != "" {
			return name
		}
	}
	return ""
}

// helpCommand is cobra's, which takes any word for a target.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			of, _, err := c.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(of), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				if len(rest) == 0 {
					rest = args
				}
				return words(0)(cmp.Or(of, c.Root()), rest)
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}
