package drive

import (
	"context"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// probes sends the deliberately odd requests, safe ones first. Those for another era or transport are left out, those that another
// caller must send, and those that may do something, unless that was said to be all right.
func (w *Walk) probes(ctx context.Context) error {
	if !w.Probe {
		return nil
	}
	info := w.Session.Info()
	for _, p := range inspect.Probes() {
		if !p.For(info.Era, info.Version, info.Kind) || !p.Safe && !w.Unsafe {
			continue
		}
		if p.Built {
			if err := w.built(ctx, p.Name); gone(ctx, err) {
				return err
			}
			continue
		}
		said := false
		for _, r := range p.Requests {
			if !wanted(info, r) || r.Guarded && !w.Session.Challenged() || r.Session && !w.Session.InSession() {
				continue
			}
			if !said {
				said = true
				w.say("probe %s", p.Name)
			}
			a, err := w.odd(ctx, w.request(p.Name, r))
			if gone(ctx, err) {
				return err
			}
			if h := a.Exchange.Head; r.Method == mcp.Initialize && h != nil { // it may have opened a session of its own
				w.Session.EndSession(ctx, h.Get(mcp.HeaderSessionID), a.Result().Get("protocolVersion").Text())
			}
		}
	}
	return nil
}

// odd sends a request of a probe, and keeps the distance to the one before.
func (w *Walk) odd(ctx context.Context, r session.Request) (session.Answer, error) {
	if err := w.pace(ctx); err != nil {
		return session.Answer{}, err
	}
	return w.Session.Do(ctx, r)
}

// pace waits until Gap has passed since the last probe.
func (w *Walk) pace(ctx context.Context) error {
	if wait := w.Gap - time.Since(w.last); w.Gap > 0 && !w.last.IsZero() && wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	w.last = time.Now()
	return nil
}

// wanted tells whether a probe's request has anything to show on this server.
func wanted(info session.Info, r inspect.ProbeRequest) bool {
	return (r.Capability == "" || info.Has(r.Capability)) && (r.Undeclared == "" || !info.Has(r.Undeclared)) &&
		(r.Extension == "" || listsExtension(info, r.Extension))
}

// listsExtension tells whether the server declared an extension.
func listsExtension(info session.Info, id string) bool {
	v := info.Capabilities.Get("extensions").Get(id)
	return v.Exists() && !v.Is(jsondoc.Null)
}

// request turns a probe's words into a request of the session.
func (w *Walk) request(why string, r inspect.ProbeRequest) session.Request {
	out := session.Request{
		Method: r.Method, Params: []byte(r.Params), Why: why,
		OmitMeta: r.OmitMeta, OmitHeader: r.DropHeader, Header: r.Header,
	}
	if r.Params == "" {
		out.Params = nil
	}
	if r.Version != "" {
		out.SetMeta = append(out.SetMeta, session.Member{Name: mcp.MetaProtocolVersion, Raw: jsondoc.AppendQuote(nil, r.Version)})
		out.Header = append(out.Header, wire.Field{Name: mcp.HeaderProtocolVersion, Value: r.Version})
	}
	if r.Client != "" {
		out.SetMeta = append(out.SetMeta, session.Member{Name: mcp.MetaClientCapabilities, Raw: []byte(r.Client)})
	}
	if r.Extension != "" || r.Method == mcp.Listen {
		out.Timeout = min(orElse(w.Timeout, session.DefaultTimeout), oddWait) // a server at fault may not answer these at all
	}
	return out
}
