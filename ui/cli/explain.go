package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
)

func explainCommand(io streams) *cobra.Command {
	var f flags
	var all bool
	c := &cobra.Command{
		Use:   "explain [RULE | FIELD]",
		Short: "Explain a rule, or what a field, header, status, method or code means; without a name, list the rules",
		Long: `Explain a rule: why it matters, how to fix it, a wrong and a right conversation. Or explain what stands in a message: what it
is, who sends it, what it may be, since when, and where the specification says so. What means several things is explained
with all of them; TYPE.MEMBER names one, and TYPE alone lists its members.`,
		Example: `  mcploupe explain cache-ttl-missing
  mcploupe explain ttlMs
  mcploupe explain Tool.inputSchema
  mcploupe explain MCP-Session-Id
  mcploupe explain -32602
  mcploupe explain tools/call
  mcploupe explain 404`,
		Args: words(0, "RULE or FIELD"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return append(ruleIDs(), fields.Names()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return explain(io, args[0], &f)
			case all:
				listFields(io, f.json)
			default:
				listRules(io, f.json)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "fields", false, "list everything that can stand in a message instead of the rules")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object a line instead of text for people")
	return c
}

func ruleIDs() []string {
	var ids []string
	for _, r := range inspect.Catalogue() {
		ids = append(ids, r.ID)
	}
	return append(ids, inspect.ToolShadowing)
}

func ruleLine(r *inspect.Rule) object {
	line := r.JSON()
	o := object{}
	o.text("rule", line.Rule)
	o.text("area", line.Area)
	o.text("level", line.Level)
	o.text("source", line.Source)
	o.text("title", line.Title)
	return o
}

// byAreaAndLevel is the catalogue with the areas in its own order, and in each what weighs most first.
func byAreaAndLevel() []*inspect.Rule {
	rules := slices.Clone(inspect.Catalogue())
	first := map[string]int{}
	for i, r := range rules {
		if _, known := first[r.Area]; !known {
			first[r.Area] = i
		}
	}
	slices.SortStableFunc(rules, func(a, b *inspect.Rule) int {
		return cmp.Or(first[a.Area]-first[b.Area], int(b.Level)-int(a.Level))
	})
	return rules
}

// headings gives what is called before each line of a list: it prints the line's group where that is another than before.
func headings(out io.Writer) func(group string) {
	last := ""
	return func(group string) {
		if group == last {
			return
		}
		if last != "" {
			fmt.Fprintln(out)
		}
		last = group
		fmt.Fprintln(out, group)
	}
}

func listRules(io streams, asJSON bool) {
	under := headings(io.out)
	for _, r := range byAreaAndLevel() {
		if asJSON {
			o := ruleLine(r)
			fmt.Fprintf(io.out, "%s\n", o.end())
			continue
		}
		under(r.Area)
		level := r.Level.String()
		if r.SEP2145() {
			level += "*"
		}
		fmt.Fprintf(io.out, "  %-8s %-40s %s\n", level, r.ID, inspect.Title(r))
	}
	if !asJSON {
		fmt.Fprintf(io.out, "\n* rests on SEP-2145 alone: counted apart\n%s; mcploupe explain RULE shows one, explain --fields lists what can stand in messages\n", plural(len(inspect.Catalogue()), "rule"))
	}
}

func explainRule(io streams, id string, asJSON bool) error {
	page, ok, err := inspect.Explain(id)
	if err != nil {
		return err
	}
	if !ok {
		return usage(nearRules(id), "no rule %q", id)
	}
	if asJSON {
		o := ruleLine(page.Rule)
		o.text("why", page.Why)
		o.text("fix", page.Fix)
		fmt.Fprintf(io.out, "%s\n", o.end())
		return nil
	}
	fmt.Fprint(io.out, page.Text())
	return nil
}

// nearRules is advice for a rule name that does not exist: the nearest that do.
func nearRules(id string) string {
	var near []string
	for _, m := range fuzzy.Find(id, ruleIDs()) {
		near = append(near, m.Str)
	}
	if len(near) == 0 {
		for _, r := range ruleIDs() {
			if strings.Contains(r, strings.Split(id, "-")[0]) {
				near = append(near, r)
			}
		}
	}
	if len(near) == 0 {
		return "mcploupe explain lists all"
	}
	return "did you mean " + strings.Join(near[:min(3, len(near))], ", ") + "?"
}
