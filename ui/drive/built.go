package drive

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
)

// oddWait is the longest wait for the answer to what a server at fault may never answer.
const oddWait = 5 * time.Second

// built sends a probe whose requests depend on what the server sent before.
func (w *Walk) built(ctx context.Context, name string) error {
	switch name {
	case inspect.ProbeCancelUnknown:
		return w.cancelUnknown(ctx)
	case inspect.ProbeGet:
		return w.bare(ctx, name, http.MethodGet)
	case inspect.ProbeDelete:
		return w.bare(ctx, name, http.MethodDelete)
	case inspect.ProbeConnection:
		return w.otherConnection(ctx)
	case inspect.ProbeBindAll:
		return w.otherAddresses(ctx)
	case inspect.ProbeNotification:
		return w.notification(ctx)
	case inspect.ProbeForeignHost:
		return w.foreignHost(ctx)
	case inspect.ProbeNarrow:
		return w.listenNarrow(ctx)
	case inspect.ProbeNoArgument:
		return w.noArgument(ctx)
	case inspect.ProbeParamMismatch:
		return w.paramMismatch(ctx)
	case inspect.ProbeCancelCall:
		return w.cancelCalls(ctx)
	case inspect.ProbeTraversal:
		return w.traverse(ctx)
	case inspect.ProbeTaskParam:
		return w.taskParam(ctx)
	case inspect.ProbeAnswerMalformed, inspect.ProbeAnswerMissing, inspect.ProbeAnswerExtra, inspect.ProbeStateTampered, inspect.ProbeStateReplayed:
		return w.answers(ctx, name)
	}
	return nil // sent with the calls: see task, meanwhile
}

// cancelUnknown cancels a request that was never made, and asks for something behind it.
func (w *Walk) cancelUnknown(ctx context.Context) error {
	w.say("probe %s", inspect.ProbeCancelUnknown)
	params := []byte(`{"requestId":"mcploupe-no-such-request","reason":"probe"}`)
	if _, err := w.Session.Notify(ctx, mcp.Cancelled, params, inspect.ProbeCancelUnknown); gone(ctx, err) {
		return err
	}
	r := session.Request{Method: mcp.Ping, Why: inspect.ProbeCancelUnknown}
	if w.Session.Info().Era == session.Modern {
		r.Method = mcp.Discover
	}
	_, err := w.odd(ctx, r)
	return err
}

func (w *Walk) bare(ctx context.Context, probe, method string) error {
	w.say("probe %s", probe)
	return w.Session.Bare(ctx, method)
}

// otherConnection asks for the first page of each list on the usual connection, twice, on one of its own, and on the usual one again.
func (w *Walk) otherConnection(ctx context.Context) error {
	w.say("probe %s", inspect.ProbeConnection)
	for _, kind := range session.ListKinds() {
		if !w.Session.Info().Has(kind.Capability()) {
			continue
		}
		for _, alone := range []bool{false, false, true, false} {
			r := session.Request{Method: kind.Method(), Why: inspect.ProbeConnection}
			if alone {
				r.Header = []wire.Field{{Name: "Connection", Value: "close"}}
			}
			if _, err := w.odd(ctx, r); gone(ctx, err) {
				return err
			}
		}
	}
	return nil
}

// knockWait is the longest wait for a connection to another address of this machine; it needs no network.
const knockWait = 300 * time.Millisecond

// otherAddresses tries to connect to a server of this machine by this machine's other addresses. Nothing is sent there.
func (w *Walk) otherAddresses(ctx context.Context) error {
	u, err := url.Parse(w.Session.Info().Target)
	if err != nil || !local(w.Session.Info().Target) {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	addresses := w.Addresses
	if addresses == nil {
		addresses = ownAddresses
	}
	w.say("probe %s", inspect.ProbeBindAll)
	for _, a := range addresses() {
		d := net.Dialer{Timeout: knockWait}
		at := net.JoinHostPort(a.String(), port)
		if c, err := d.DialContext(ctx, "tcp", at); err == nil {
			_ = c.Close()
			w.Session.Log().Append(wire.Entry{Note: &wire.Note{From: inspect.NoteProbe, Level: "warning", Text: inspect.ReachText + at}})
		}
	}
	return ctx.Err()
}

// local tells that a URL is one of this machine.
func local(target string) bool {
	u, err := url.Parse(target)
	return err == nil && loopback(u.Hostname())
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// ownAddresses are the addresses by which other machines may reach this one, a few at most.
func ownAddresses() []netip.Addr {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var out []netip.Addr
	for _, a := range all {
		prefix, err := netip.ParsePrefix(a.String())
		if err == nil && prefix.Addr().IsGlobalUnicast() && len(out) < 8 {
			out = append(out, prefix.Addr().Unmap())
		}
	}
	return out
}

// traverse reads a file that every system has, by addresses that climb out of the folder of a listed file.
func (w *Walk) traverse(ctx context.Context) error {
	for _, item := range w.items(session.Resources) {
		if !strings.HasPrefix(item.Name, "file:///") {
			continue
		}
		w.say("probe %s", inspect.ProbeTraversal)
		for _, up := range []string{"..", "%2e%2e"} {
			uri := item.Name + strings.Repeat("/"+up, strings.Count(item.Name, "/")+2) + "/etc/hostname"
			r := session.Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":` + jsondoc.Quote(uri) + `}`), Why: inspect.ProbeTraversal}
			if _, err := w.odd(ctx, r); gone(ctx, err) {
				return err
			}
		}
		return nil
	}
	return nil
}

// taskParam calls the named tools once more, with a member that means nothing any more.
func (w *Walk) taskParam(ctx context.Context) error {
	if !listsExtension(w.Session.Info(), mcp.ExtensionTasks) {
		return nil
	}
	for _, c := range w.Calls {
		w.say("probe %s", inspect.ProbeTaskParam)
		r := session.Request{Method: mcp.ToolsCall, Why: inspect.ProbeTaskParam, Params: callParams(c, "", "", `"task":{"ttl":1000}`)}
		if _, err := w.odd(ctx, r); gone(ctx, err) {
			return err
		}
	}
	return nil
}

// task follows the task that a call became. With probes it is first given an answer that nobody asked for, and asked for by a client
// that does not say that it knows of tasks.
func (w *Walk) task(ctx context.Context, c Call, t task.Task) error {
	if w.Probe && w.Session.Info().Era == session.Modern && t.ID != "" {
		w.say("probe %s", inspect.ProbeTaskKey)
		id := jsondoc.Quote(t.ID)
		for _, r := range []session.Request{
			{Method: mcp.TasksUpdate, Why: inspect.ProbeTaskKey, Params: []byte(`{"taskId":` + id + `,"inputResponses":{"` + inspect.ProbeKey + `":{"action":"decline"}}}`)},
			{Method: mcp.TasksGet, Why: inspect.ProbeTaskUndeclared, Params: []byte(`{"taskId":` + id + `}`),
				SetMeta: []session.Member{{Name: mcp.MetaClientCapabilities, Raw: []byte(`{"elicitation":{"form":{}}}`)}}},
		} {
			if _, err := w.odd(ctx, r); gone(ctx, err) {
				return err
			}
		}
	}
	w.say("wait for the task of %s", c.Tool)
	a, err := w.Session.Follow(ctx, session.FollowOptions{Task: t, Tool: c.Tool, Longest: orElse(w.Timeout, session.DefaultTimeout)})
	if err == nil && a.OK() && a.Exchange.Method() == mcp.TasksGet {
		w.say("ask for it once more") // what is over must stay as it was
		_, err = w.Session.Task(ctx, t.ID, session.CallOptions{})
	}
	return err
}
