package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

func listenCommand(io streams) *cobra.Command {
	var f flags
	var filter session.Filter
	var wait time.Duration
	var watched []string
	c := &cobra.Command{
		Use:   "listen [flags] TARGET",
		Short: "Hold a subscription open and show what comes",
		Long: `Open subscriptions/listen and print every notification as it comes, until ^C or --for. Without --tools,
--prompts, --resources or --uri: everything that the server declares.

Servers before 2026-07-28 have no such subscription: they tell changes of lists without being asked, over HTTP on a
stream that is opened by GET. What comes is printed; --uri subscribes to a resource with resources/subscribe.`,
		RunE: func(c *cobra.Command, words []string) error {
			_, rest, command, err := split(c, words, 0, "")
			if err != nil {
				return err
			}
			t, err := f.resolve(io, rest, command)
			if err != nil {
				return err
			}
			r, err := f.open(c.Context(), io, t)
			if r == nil {
				return err
			}
			if err == nil {
				filter.URIs = append(filter.URIs, watched...)
				err = r.listen(c.Context(), filter, wait)
			}
			r.close()
			r.showStray()
			return err
		},
	}
	s := c.Flags()
	s.BoolVar(&filter.Tools, "tools", false, "changes of the tool list")
	s.BoolVar(&filter.Prompts, "prompts", false, "changes of the prompt list")
	s.BoolVar(&filter.Resources, "resources", false, "changes of the resource list")
	s.StringArrayVar(&filter.URIs, "uri", nil, "updates of this resource")
	s.StringArrayVar(&watched, "resource", nil, "the same as --uri")
	s.DurationVar(&wait, "for", 0, "how long to listen; 0 is until ^C")
	f.connection(c)
	return c
}

func (r *run) listen(ctx context.Context, filter session.Filter, wait time.Duration) error {
	info := r.session.Info()
	if !filter.Tools && !filter.Prompts && !filter.Resources && len(filter.URIs) == 0 {
		filter = session.Filter{Tools: info.Has("tools.listChanged"), Prompts: info.Has("prompts.listChanged"), Resources: info.Has("resources.listChanged")}
	}
	if wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	if !r.flags.json {
		r.mu.Lock()
		r.each = func(x *wire.Exchange, v *inspect.Verdict) {
			if x.Lone != nil && x.Lone.Dir == wire.Received && (x.Lone.Kind == wire.Notification || x.Lone.Kind == wire.Request || len(v.Findings) > 0) {
				fmt.Fprintf(r.io.out, "%s %s %s\n", x.Lone.At.Format("15:04:05.000"), safe(x.Lone.Method), safe(string(jsondoc.Compact(nil, x.Lone.Params().Raw()))))
				r.showFindings(v.All())
			}
		}
		r.mu.Unlock()
	}
	if info.Era == session.Legacy {
		return r.listenLegacy(ctx, filter.URIs)
	}
	s, err := r.session.Listen(ctx, filter, "")
	if err != nil {
		if u, ok := errors.AsType[*session.Unsupported](err); ok {
			return &failure{exitFindings, u, "older revisions send list_changed without being asked; resources/subscribe is send's business"}
		}
		return r.lost(ctx, err)
	}
	select {
	case <-s.Done():
	case <-ctx.Done():
		s.Close("seen enough")
		<-s.Done()
		return nil
	}
	a := s.Answer()
	return r.answer(context.WithoutCancel(ctx), a, nil)
}
