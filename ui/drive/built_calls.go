package drive

import (
	"context"
	"slices"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/schema"
	"mcploupe/session/wire"
)

// notification cancels, over HTTP, a request that was never made.
func (w *Walk) notification(ctx context.Context) error {
	w.say("probe %s", inspect.ProbeNotification)
	if err := w.pace(ctx); err != nil {
		return err
	}
	_, err := w.Session.Notify(ctx, mcp.Cancelled, []byte(`{"requestId":"mcploupe-no-such-request","reason":"probe"}`), inspect.ProbeNotification)
	return err
}

// foreignHost asks a server of this machine by a name that is not this machine's.
func (w *Walk) foreignHost(ctx context.Context) error {
	if !local(w.Session.Info().Target) {
		return nil
	}
	w.say("probe %s", inspect.ProbeForeignHost)
	_, err := w.odd(ctx, session.Request{Method: mcp.Discover, Why: inspect.ProbeForeignHost,
		Header: []wire.Field{{Name: "Host", Value: "mcploupe-foreign.example"}}})
	return err
}

// listenNarrow subscribes to changes of one list, where more could be asked for.
func (w *Walk) listenNarrow(ctx context.Context) error {
	f := w.filter()
	if kinds(f) == 0 || kinds(f) == 1 && len(f.URIs) == 0 {
		return nil
	}
	narrow := session.Filter{}
	switch {
	case f.Prompts:
		narrow.Prompts = true
	case f.Tools:
		narrow.Tools = true
	default:
		narrow.Resources = true
	}
	w.say("probe %s", inspect.ProbeNarrow)
	if err := w.pace(ctx); err != nil {
		return err
	}
	return w.hold(ctx, narrow, inspect.ProbeNarrow)
}

// noArgument gets the first prompt that requires arguments, without any.
func (w *Walk) noArgument(ctx context.Context) error {
	for _, item := range w.items(session.Prompts) {
		if item.Name == "" || !needsArguments(item.Value) {
			continue
		}
		w.say("probe %s", inspect.ProbeNoArgument)
		_, err := w.odd(ctx, session.Request{Method: mcp.PromptsGet, Params: []byte(`{"name":` + jsondoc.Quote(item.Name) + `}`), Why: inspect.ProbeNoArgument})
		return err
	}
	return nil
}

// paramMismatch calls the named tools whose arguments are repeated in headers, with another value in one of those.
func (w *Walk) paramMismatch(ctx context.Context) error {
	var done []string
	for _, c := range w.Calls {
		tool := slices.IndexFunc(w.items(session.Tools), func(i session.Item) bool { return i.Name == c.Tool })
		if tool < 0 || slices.Contains(done, c.Tool) {
			continue
		}
		mirrored, _ := schema.Headers(w.items(session.Tools)[tool].Value.Get("inputSchema"))
		args := jsondoc.Parse(c.Args).Root()
		i := slices.IndexFunc(mirrored, func(h schema.Header) bool {
			_, is := h.Value(args)
			return is && h.Type == "string"
		})
		if i < 0 {
			continue
		}
		done = append(done, c.Tool)
		w.say("probe %s", inspect.ProbeParamMismatch)
		if err := w.pace(ctx); err != nil {
			return err
		}
		_, err := w.Session.Do(ctx, session.Request{Method: mcp.ToolsCall, Params: callParams(c, "", "", ""), Why: inspect.ProbeParamMismatch,
			Header: []wire.Field{{Name: mcp.HeaderParamPrefix + mirrored[i].Name, Value: "mcploupe-not-" + mirrored[i].Name}}})
		if gone(ctx, err) {
			return err
		}
	}
	return nil
}

// When a call is slow enough to ask for something beside it, and to cancel it in the middle.
const (
	beside = 100 * time.Millisecond
	slow   = 2 * time.Second
)

// meanwhile calls a tool. With probes, over stdio, it asks for something else when the tool takes its time.
func (w *Walk) meanwhile(ctx context.Context, c Call) (session.Answer, error) {
	info := w.Session.Info()
	if !w.Probe || w.asked || info.Kind != "stdio" || info.Era != session.Modern {
		return w.Session.CallTool(ctx, c.Tool, c.Args, session.CallOptions{})
	}
	under, err := w.Session.StartTool(ctx, c.Tool, c.Args, session.CallOptions{})
	if err != nil {
		return session.Answer{}, err
	}
	wait := time.NewTimer(beside)
	defer wait.Stop()
	select {
	case <-under.Done():
	case <-ctx.Done():
	case <-wait.C:
		w.say("probe %s", inspect.ProbeTwoAtOnce)
		other, err := w.Session.Start(ctx, session.Request{Method: mcp.Discover, Why: inspect.ProbeTwoAtOnce, Timeout: session.DefaultTimeout})
		if err == nil {
			<-other.Done()
			select {
			case <-under.Done(): // perhaps held up by the call
			default:
				w.asked = true
			}
		}
	}
	return under.Wait(ctx)
}

// cancelCalls calls the named tools that were slow once more, and cancels each in the middle.
func (w *Walk) cancelCalls(ctx context.Context) error {
	for i, c := range w.Calls {
		if i >= len(w.took) || w.took[i] < slow {
			continue
		}
		w.say("probe %s", inspect.ProbeCancelCall)
		if err := w.pace(ctx); err != nil {
			return err
		}
		under, err := w.Session.StartTool(ctx, c.Tool, c.Args, session.CallOptions{Why: inspect.ProbeCancelCall})
		if gone(ctx, err) {
			return err
		}
		if err != nil {
			continue
		}
		if err := pause(ctx, under.Done(), w.took[i]/4); err != nil {
			return err
		}
		under.Cancel("a probe")
		<-under.Done()
		// An answer that comes all the same comes when the work is done.
		if err := pause(ctx, nil, min(w.took[i], oddWait)); err != nil {
			return err
		}
		return nil // one is enough
	}
	return nil
}

// pause waits, at most until done.
func pause(ctx context.Context, done <-chan struct{}, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-done:
	case <-ctx.Done():
	}
	return ctx.Err()
}
