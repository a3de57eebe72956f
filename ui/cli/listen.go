package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

func listenCommand(io streams) *cobra.Command {
	var f flags
	var o listenFlags
	c := &cobra.Command{
		Use:   "listen [flags] TARGET",
		Short: "Hold subscriptions open and show what comes",
		Long: `Open subscriptions/listen and print every notification as it comes, until ^C or --for. Without --tools,
--prompts, --resources, --uri or --filter: everything that the server declares. What was asked for and what was
granted stands on stderr, and so does how it ended.

Servers before 2026-07-28 have no subscriptions/listen: there --uri is asked for with resources/subscribe, and
changes of lists come without being asked for, and what was not chosen is not printed.

Exit code: 0 when the time was over or the server ended the subscription with a result, 1 when it was refused,
3 when it broke off, 130 after ^C.`,
		Example: `  mcploupe listen --for 1m https://example.com/mcp
  mcploupe listen --tools --uri file:///notes.md --reconnect -- node server.js`,
		RunE: func(c *cobra.Command, words []string) error {
			_, rest, command, err := split(c, words, 0, "")
			if err != nil {
				return err
			}
			filters, err := o.filters()
			if err != nil {
				return err
			}
			t, err := f.resolve(io, rest, command)
			if err != nil {
				return err
			}
			f.walks, f.endless = true, true
			r, err := f.open(c.Context(), io, t)
			if r == nil {
				return err
			}
			if err == nil {
				err = r.listen(c.Context(), filters, &o)
			}
			r.close()
			r.showStray()
			return err
		},
	}
	s := c.Flags()
	s.BoolVar(&o.filter.Tools, "tools", false, "changes of the tool list")
	s.BoolVar(&o.filter.Prompts, "prompts", false, "changes of the prompt list")
	s.BoolVar(&o.filter.Resources, "resources", false, "changes of the resource list")
	s.StringArrayVar(&o.filter.URIs, "uri", nil, "updates of this resource; may be given several times")
	s.StringArrayVar(&o.watched, "resource", nil, "the same as --uri")
	s.StringArrayVar(&o.raw, "filter", nil, "one more subscription, with this `JSON` as its notifications")
	s.DurationVar(&o.wait, "for", 0, "how long to listen; 0 is until ^C")
	s.BoolVar(&o.reconnect, "reconnect", false, "ask again when a subscription ends, after a growing pause, at most 8 times in a row; restarts a child that died")
	f.connection(c)
	return c
}

type listenFlags struct {
	filter    session.Filter
	watched   []string
	raw       []string
	wait      time.Duration
	reconnect bool
}

// filters are the subscriptions that the flags ask for: none means whatever is declared.
func (o *listenFlags) filters() ([]session.Filter, error) {
	var all []session.Filter
	o.filter.URIs = append(o.filter.URIs, o.watched...)
	if !o.filter.Empty() {
		all = append(all, o.filter)
	}
	for _, text := range o.raw {
		d := jsondoc.Parse([]byte(text))
		if !d.Valid() {
			return nil, usage(`for example --filter '{"toolsListChanged":true}'`, "--filter is not JSON: %s", text)
		}
		f := subs.Read(d.Root())
		f.Raw = []byte(text)
		all = append(all, f)
	}
	if o.wait < 0 {
		return nil, usage("", "--for must not be less than zero, not %s", o.wait)
	}
	return all, nil
}

// declaredFilter asks for every change that the server says it tells.
func declaredFilter(info session.Info) session.Filter {
	return session.Filter{Tools: info.Has("tools.listChanged"), Prompts: info.Has("prompts.listChanged"), Resources: info.Has("resources.listChanged")}
}

// listen holds the subscriptions open until all have ended, or ctx or the time is over.
func (r *run) listen(ctx context.Context, filters []session.Filter, o *listenFlags) error {
	info := r.session.Info()
	chosen := len(filters) > 0
	if !chosen {
		filters = []session.Filter{declaredFilter(info)}
		if filters[0].Empty() && info.Era == session.Modern {
			return &failure{exitFindings, errors.New("the server declares no changes to listen for"), "--tools and the like ask all the same"}
		}
	}
	outer := ctx
	if o.wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.wait, errors.New("the time is over"))
		defer cancel()
	}
	l := newListening(r, len(filters) > 1)
	r.mu.Lock()
	if !r.flags.json {
		r.each = l.each
	}
	r.watch = l.see
	r.mu.Unlock()

	var worst error
	if info.Era == session.Legacy {
		l.say(info.Version + " has no subscriptions/listen: changes of lists come unasked, resources are asked for one by one")
		var uris []string
		for _, f := range filters {
			uris = append(uris, f.URIs...)
		}
		if chosen {
			l.say("less cannot be subscribed to there: shown is only " + l.choose(filters))
		}
		worst = r.listenLegacy(ctx, l, uris, o.reconnect)
	} else {
		results := make([]error, len(filters))
		var all sync.WaitGroup
		for i, f := range filters {
			all.Go(func() { results[i] = r.hold(ctx, l, f, o.reconnect) })
		}
		all.Wait()
		for _, err := range results {
			if rankOf(err) > rankOf(worst) {
				worst = err
			}
		}
	}
	l.finish()
	if outer.Err() != nil && rankOf(worst) == 0 {
		return silent(exitInterrupted)
	}
	return worst
}

// rankOf orders how subscriptions ended, the gravest last.
func rankOf(err error) int {
	code := exitOK
	if s, ok := errors.AsType[silent](err); ok {
		code = int(s)
	} else if f, ok := errors.AsType[*failure](err); ok {
		code = f.code
	} else if err != nil {
		code = exitTransport
	}
	return code
}

// hold keeps one subscription open.
func (r *run) hold(ctx context.Context, l *listening, f session.Filter, again bool) error {
	backoff := subs.Patience()
	if !again {
		backoff = subs.Backoff{Tries: -1}
	}
	var previous, told wire.Seq
	sub, err := r.session.Hold(ctx, f, session.HoldOptions{Backoff: backoff, Restart: again,
		Opened: func(s *session.Subscription) {
			l.forget(previous)
			previous = s.Seq()
			l.await(s, r.flags.timeout)
		},
		Waiting: func(why string, wait time.Duration) {
			text := fmt.Sprintf("asking again in %s", wait)
			if previous != told {
				told = previous
				l.ended(previous) // it says why
			} else {
				text = r.mask(why) + "; " + text // the connection could not be had
			}
			l.say(text)
		}})
	switch {
	case sub == nil && ctx.Err() != nil:
		return nil
	case sub == nil:
		return r.lost(ctx, err)
	}
	code := l.ended(sub.Seq())
	if err != nil && ctx.Err() == nil {
		return &failure{exitTransport, errors.New(r.mask(err.Error())), ""}
	}
	if code == exitAuth {
		return authNeeded()
	}
	if code != exitOK {
		return silent(code)
	}
	return nil
}

// granted says what an acknowledgment grants, and how that differs from what was asked for.
func granted(s *subs.Sub) string {
	text := s.Granted.String()
	if f := s.Withheld(); !f.Empty() {
		text += "; not granted: " + f.String()
	}
	if f := s.Extra(); !f.Empty() {
		text += "; granted unasked: " + f.String()
	}
	return strings.TrimSpace(text)
}
