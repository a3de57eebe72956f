package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
)

func listCommand(io streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:       "list tools|resources|templates|prompts [flags] TARGET",
		Short:     "List what a server offers, over all pages",
		ValidArgs: []string{"tools", "resources", "templates", "prompts"},
		Example:   `  mcploupe list tools -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(c *cobra.Command, words []string) error {
			own, rest, command, err := split(c, words, 1, "the list: tools, resources, templates or prompts")
			if err != nil {
				return err
			}
			kind := session.ListKind(own[0])
			if kind.Method() == "" {
				return usage("tools, resources, templates, prompts", "no list %q", own[0])
			}
			return f.with(c, io, rest, command, func(r *run) error {
				l, err := r.session.List(c.Context(), kind, session.ListOptions{})
				return r.listed(c.Context(), l, err)
			})
		},
	}
	f.connection(c)
	return c
}

// listed prints a listing for people and gives the exit code. What did arrive is printed in any case.
func (r *run) listed(ctx context.Context, l *session.Listing, err error) error {
	if l == nil {
		return r.lost(ctx, err)
	}
	if !r.flags.json {
		r.showListing(l)
	}
	r.showExcluded(l)
	if err == nil {
		return nil
	}
	if fatal(err) {
		return r.lost(ctx, err)
	}
	if refusedLogin(l) {
		return authNeeded()
	}
	if n, ok := errors.AsType[*session.NoReply](err); ok {
		return &failure{exitTransport, errors.New(r.mask(n.Error())), ""}
	}
	return &failure{exitFindings, errors.New(r.mask(err.Error())), ""}
}

// refusedLogin tells whether the last page was refused for want of authorization, whatever the body says.
func refusedLogin(l *session.Listing) bool {
	if len(l.Pages) == 0 {
		return false
	}
	head := l.Pages[len(l.Pages)-1].Answer.Exchange.Head
	return head != nil && head.Status == http.StatusUnauthorized
}

func (r *run) showListing(l *session.Listing) {
	wide := 0
	for i := range l.Items {
		wide = max(wide, width(safe(r.mask(l.Items[i].Name))))
	}
	wide = min(wide, 44) // longer names stand out to the right: they are never cut, for they are what read and call take
	p := r.printer()
	for i := range l.Items {
		item := &l.Items[i]
		name := safe(r.mask(item.Name))
		if name == "" {
			name = "(no name)"
		}
		about := item.Value.Get("description").Text()
		if about == "" {
			about = item.Value.Get("title").Text()
		}
		about, _, _ = strings.Cut(strings.TrimSpace(about), "\n")
		shown := p.styles.Title.Render(name)
		if l.Kind == session.Tools && len(r.excluded(item.Value)) > 0 {
			shown = p.struck(name)
		}
		line := shown + strings.Repeat(" ", max(0, wide-width(name)))
		if about != "" {
			line += "  " + p.styles.Muted.Render(clip(safe(r.mask(about)), max(20, p.width-max(wide, width(name))-2)))
		}
		fmt.Fprintln(r.io.out, strings.TrimRight(line, " "))
	}
	tail := fmt.Sprintf("%s, %s", plural(len(l.Items), strings.TrimSuffix(string(l.Kind), "s")), plural(len(l.Pages), "page"))
	if !l.Complete {
		tail += "; the list is not complete: " + safe(r.mask(l.Stopped))
	}
	fmt.Fprintln(r.io.err, tail)
	for i := range l.Pages {
		a := &l.Pages[i].Answer
		if j, ok := r.judged(context.Background(), a.Seq()); ok && !a.Cached {
			r.showFindings(j.v.All())
		}
	}
}
