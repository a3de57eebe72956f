package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/mcp"
	"mcploupe/ui/catalogue"
)

func completeCommand(io streams) *cobra.Command {
	var f flags
	var settled []string
	c := &cobra.Command{
		Use:   "complete prompt|template NAME ARGUMENT PREFIX [flags] TARGET",
		Short: "Ask what a server suggests for an argument",
		Long: `Ask completion/complete what the server would put in the place of the beginning of an argument: of a prompt by its name,
or of a variable of a resource template by the template. The suggestions are printed one a line, how many there are and the
verdict go to stderr. --context names arguments that are settled already (2025-06-18 and later).`,
		Example: `  mcploupe complete prompt compare_places first P -- mcploupe demo --stdio
  mcploupe complete prompt compare_places second '' --context first='Port Amber' -- mcploupe demo --stdio
  mcploupe complete template 'station://skerry/readings/{instrument}/{date}' instrument b -- mcploupe demo --stdio`,
		RunE: func(c *cobra.Command, words []string) error {
			own, rest, command, err := split(c, words, 4, "prompt or template, its NAME, ARGUMENT and PREFIX ('' for none)")
			if err != nil {
				return err
			}
			q := session.Completion{Argument: own[2], Value: own[3]}
			switch own[0] {
			case "prompt":
				q.Ref = session.PromptRef(own[1])
			case "template":
				q.Ref = session.TemplateRef(own[1])
			default:
				return usage("prompt, template", "what %q is to be completed is not known", own[0])
			}
			for _, pair := range settled {
				name, value, ok := strings.Cut(pair, "=")
				if !ok || name == "" {
					return usage("write it as name=value", "--context %q has no name and value", pair)
				}
				if q.Context == nil {
					q.Context = map[string]string{}
				}
				q.Context[name] = value
			}
			return f.with(c, io, rest, command, func(r *run) error { return r.complete(c.Context(), q) })
		},
	}
	c.Flags().StringArrayVar(&settled, "context", nil, "an argument that is settled already, as `name=value`")
	f.payloadFlag(c)
	f.connection(c)
	return c
}

// complete asks, and prints what is suggested.
func (r *run) complete(ctx context.Context, q session.Completion) error {
	info := r.session.Info()
	if !info.Has("completions") && info.Version != mcp.R20241105 {
		r.remark("the server declares no completions; it is asked all the same")
	}
	if len(q.Context) > 0 && !mcp.AtLeast(info.Version, mcp.R20250618) {
		r.remark(info.Version + " knows no context: --context is left out")
	}
	a, err := r.session.Complete(ctx, q, session.CallOptions{})
	if err != nil || !a.OK() || r.flags.json || r.flags.payload != "" {
		return r.answer(ctx, a, err)
	}
	j, ok := r.judged(context.WithoutCancel(ctx), a.Seq())
	if !ok {
		return r.lost(ctx, err)
	}
	r.stray.shown[a.Seq()] = true
	s := catalogue.Suggested(j.x.Reply.Result(), j.x.Reply.Err(), "")
	for _, v := range s.Values {
		fmt.Fprintln(r.io.out, safe(v))
	}
	if s.Note == "" {
		s.Note = plural(len(s.Values), "suggestion")
	}
	p := r.flags.printer(r.io.err)
	fmt.Fprintf(r.io.err, "%s\n%s\n", s.Note, p.strip(&j.x, &j.v))
	p.findings(j.v.All())
	if s.Bad {
		return silent(exitFindings)
	}
	return nil
}

// remark tells people something on the way; scripts that read --json need no words.
func (r *run) remark(text string) {
	if !r.flags.json {
		fmt.Fprintf(r.io.err, "mcploupe: %s\n", safe(r.mask(text)))
	}
}
