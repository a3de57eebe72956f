package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/fresh"
	"mcploupe/session/mcp"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

// listenLegacy shows what a server of an older revision says by itself. Changes of lists come without being asked for;
// updates of single resources are subscribed to, and that ends with the listening. With again a connection that ended is made
// anew, and what was subscribed to is asked for once more.
func (r *run) listenLegacy(ctx context.Context, l *listening, uris []string, again bool) error {
	backoff := subs.Patience()
	defer func() {
		for _, uri := range r.session.Watched() {
			r.unsubscribe(uri)
		}
	}()
	for {
		for _, uri := range uris {
			a, err := r.session.Subscribe(ctx, uri)
			if failed := r.subscribed(ctx, a, err); failed != nil {
				return failed
			}
		}
		if stream := r.session.Info().Stream; !r.flags.json && strings.HasPrefix(stream, "none") {
			fmt.Fprintf(r.io.err, "mcploupe: the server's stream: %s; without it little can come\n", safe(stream))
		}
		begun := time.Now()
		if r.ready(ctx); ctx.Err() != nil {
			return nil
		}
		if time.Since(begun) >= backoff.Steady {
			backoff = subs.Patience()
		}
		why := r.session.Info().Text
		err := r.session.Await(ctx) // it may be brought back by itself
		for err != nil && again && ctx.Err() == nil {
			wait, more := backoff.Failed()
			if !more {
				break
			}
			l.say(fmt.Sprintf("%s; connecting again in %s", r.mask(why), wait))
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil
			}
			if err = r.session.Restart(ctx); err != nil {
				why = err.Error()
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return &failure{exitTransport, errors.New(r.mask(why)), ""}
		}
	}
}

// ready returns when the connection stands no more.
func (r *run) ready(ctx context.Context) {
	for {
		changed := r.session.Changed()
		if r.session.Info().Phase != wire.Ready {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// choose has only what the filters ask for shown, and says what that is.
func (l *listening) choose(filters []session.Filter) string {
	var all session.Filter
	for _, f := range filters {
		all.Tools, all.Prompts, all.Resources = all.Tools || f.Tools, all.Prompts || f.Prompts, all.Resources || f.Resources
		all.URIs = append(all.URIs, f.URIs...)
	}
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	l.only, l.r.hide = &all, l.hidden
	return all.String()
}

// hidden tells of a notification that a subscription to what was chosen would not have brought. What breaks a rule is shown.
func (l *listening) hidden(x *wire.Exchange, v *inspect.Verdict) bool {
	m := x.Lone
	if l.only == nil || m == nil || m.Dir != wire.Received || m.Kind != wire.Notification || len(v.Findings) > 0 {
		return false
	}
	switch m.Method {
	case mcp.ToolsChanged:
		return !l.only.Tools
	case mcp.PromptsChanged:
		return !l.only.Prompts
	case mcp.ResourcesChanged:
		return !l.only.Resources
	case mcp.ResourcesUpdated:
		uri := m.Params().Get("uri").Text()
		return !slices.ContainsFunc(l.only.URIs, func(asked string) bool { return fresh.Concerns(uri, asked) })
	}
	return true
}

// subscribed tells whether a subscription stands; why it does not was said already.
func (r *run) subscribed(ctx context.Context, a session.Answer, err error) error {
	if err == nil && a.OK() {
		return nil
	}
	if err != nil {
		return r.lost(ctx, err)
	}
	return silent(exitFindings)
}

// unsubscribeWait is how long the end of a subscription may take: nothing depends on it.
const unsubscribeWait = 2 * time.Second

func (r *run) unsubscribe(uri string) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeWait)
	defer cancel()
	_, _ = r.session.Unsubscribe(ctx, uri) // how it went is in the journal
}
