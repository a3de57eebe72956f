package cli

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcploupe/docs/generated"
)

var update = flag.Bool("update", false, "write the generated parts of README.md anew")

// The tables of the README are what the program says of itself.
func TestReadme(t *testing.T) {
	if err := generated.Part("../../README.md", "commands", commandTable(), *update); err != nil {
		t.Fatal(err)
	}
}

func commandTable() string {
	var b strings.Builder
	root := command(streams{})
	b.WriteString("| command | what it does |\n|---|---|\n")
	fmt.Fprintf(&b, "| `%s` | open the inspector |\n", root.Use)
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.HasSubCommands() {
			for _, sub := range c.Commands() {
				fmt.Fprintf(&b, "| `mcploupe %s %s` | %s |\n", c.Name(), strings.ReplaceAll(sub.Use, "|", "\\|"), sub.Short)
			}
			continue
		}
		fmt.Fprintf(&b, "| `mcploupe %s` | %s |\n", strings.ReplaceAll(c.Use, "|", "\\|"), c.Short)
	}
	b.WriteString("| `mcploupe completion bash\\|zsh\\|fish\\|powershell` | print completions for your shell |\n\n")
	b.WriteString("Flags of every command that connects:\n\n| flag | meaning |\n|---|---|\n")
	root.LocalFlags().VisitAll(func(f *pflag.Flag) { b.WriteString(flagRow(f)) })
	for _, c := range root.Commands() {
		var own strings.Builder
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if shared := root.LocalFlags().Lookup(f.Name); shared == nil || shared.Value.Type() != f.Value.Type() || shared.Usage != f.Usage {
				own.WriteString(flagRow(f))
			}
		})
		if own.Len() > 0 && c.Name() != "help" && c.Name() != "completion" {
			fmt.Fprintf(&b, "\nOf `%s`:\n\n| flag | meaning |\n|---|---|\n%s", c.Name(), own.String())
		}
	}
	return b.String()
}

func flagRow(f *pflag.Flag) string {
	if f.Name == "help" {
		return ""
	}
	name, about := pflag.UnquoteUsage(f)
	if name != "" && name != "stringArray" && name != "string" {
		name = " " + name
	} else {
		name = ""
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0s" && f.DefValue != "0" {
		about += " (default " + f.DefValue + ")"
	}
	return fmt.Sprintf("| `--%s%s` | %s |\n", f.Name, strings.ReplaceAll(name, "|", "\\|"), strings.ReplaceAll(about, "|", "\\|"))
}

// Every command has words, an example of wrong usage does not panic, and no two flags of a command mean the same.
func TestEveryCommandIsDocumented(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" {
			t.Errorf("command %s has no words", c.Name())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("flag --%s of %s has no words", f.Name, c.Name())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command(streams{}))
}
