// Package drive walks over a whole server, the way `check` does: lists, again past the cache, reads, prompts, one
// completion, one subscription, the calls that a person named, and the probes. It decides what is asked and in which
// order; judging is the reader's business, who sees it all in the journal. It must never know: screens, findings, exit codes.
package drive

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/uritemplate"
	"mcploupe/session/wire"
)

// Call is one tool call that a person named.
type Call struct {
	Tool string
	Args []byte // raw JSON, nil is {}
}

// Walk says how far to go. The zero Walk reads and gets nothing.
type Walk struct {
	Session      *session.Session
	Reads        int           // resources/read of up to so many listed resources
	Gets         int           // prompts/get of up to so many prompts without required arguments
	Calls        []Call        // in this order
	CallReadOnly bool          // also call tools that are marked read-only and have no required arguments
	Probe        bool          // send the probes
	Unsafe       bool          // with Probe: also those that may do something when the server is at fault
	Timeout      time.Duration // how long a subscription may take to be acknowledged; 0 is session.DefaultTimeout
	Hold         time.Duration // how long it is held once it is; 0 is 300 ms: enough to see what comes right behind
	Gap          time.Duration // with Probe: the least time between two probes, for servers that are somebody else's; 0 is none
	// OtherCaller are the headers of a second caller, who is asked for the same lists and resources: what is marked
	// public must not depend on who asks. Over HTTP only.
	OtherCaller []wire.Field
	// Addresses are this machine's addresses, for the probe that tries them; nil asks the system.
	Addresses func() []netip.Addr

	asking []asking        // calls that were asked back
	asked  bool            // something was asked for beside a call, and answered while that went on
	took   []time.Duration // how long each of Calls took to its first answer
	last   time.Time       // when the last probe was sent
	Say    func(step string)
}

// Probes sends the probes alone, after listing what they ask about.
func (w *Walk) Probes(ctx context.Context) error {
	w.Probe = true
	for _, kind := range session.ListKinds() {
		if w.Session.Info().Has(kind.Capability()) && w.Session.Listed(kind) == nil {
			if _, err := w.Session.List(ctx, kind, session.ListOptions{}); gone(ctx, err) {
				return err
			}
		}
	}
	return w.probes(ctx)
}

// Run does all steps. What a server answers never ends the walk; its error is the end of the channel or of ctx.
func (w *Walk) Run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{w.lists, w.reads, w.gets, w.completion, w.listen, w.calls, w.other, w.probes} {
		if err := step(ctx); gone(ctx, err) {
			return err
		}
	}
	return nil
}

// gone tells whether an error leaves nobody to ask.
func gone(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if _, no := errors.AsType[*session.NotConnected](err); no || ctx.Err() != nil {
		return true
	}
	n, lost := errors.AsType[*session.NoReply](err)
	return lost && n.Exit != nil
}

func (w *Walk) say(format string, a ...any) {
	if w.Say != nil {
		w.Say(fmt.Sprintf(format, a...))
	}
}

// lists walks every list of a declared capability, and each once more past the cache: the order must not change.
func (w *Walk) lists(ctx context.Context) error {
	for _, again := range []bool{false, true} {
		for _, kind := range session.ListKinds() {
			if !w.Session.Info().Has(kind.Capability()) {
				continue
			}
			if again {
				if l := w.Session.Listed(kind); l == nil || !l.Complete {
					continue // a walk that failed once is not repeated
				}
				w.say("list %s again", kind)
			} else {
				w.say("list %s", kind)
			}
			if _, err := w.Session.List(ctx, kind, session.ListOptions{Fresh: again}); gone(ctx, err) {
				return err
			}
		}
	}
	return nil
}

func (w *Walk) items(kind session.ListKind) []session.Item {
	if l := w.Session.Listed(kind); l != nil {
		return l.Items
	}
	return nil
}

func (w *Walk) reads(ctx context.Context) error {
	left := w.Reads
	for _, item := range w.items(session.Resources) {
		if left == 0 {
			break
		}
		if item.Name == "" {
			continue
		}
		left--
		w.say("read %s", item.Name)
		a, err := w.Session.Read(ctx, item.Name, session.CallOptions{})
		if err = w.finish(ctx, a, err); gone(ctx, err) {
			return err
		}
	}
	return nil
}

func (w *Walk) gets(ctx context.Context) error {
	left := w.Gets
	for _, item := range w.items(session.Prompts) {
		if left == 0 {
			break
		}
		if item.Name == "" || needsArguments(item.Value) {
			continue
		}
		left--
		w.say("get prompt %s", item.Name)
		a, err := w.Session.Prompt(ctx, item.Name, nil, session.CallOptions{})
		if err = w.finish(ctx, a, err); gone(ctx, err) {
			return err
		}
	}
	return nil
}

func needsArguments(prompt jsondoc.Value) bool {
	for _, a := range prompt.Get("arguments").Elements() {
		if on, _ := a.Get("required").Bool(); on {
			return true
		}
	}
	return false
}

// completion asks for one completion, of the first prompt argument or template variable there is.
func (w *Walk) completion(ctx context.Context) error {
	if !w.Session.Info().Has("completions") {
		return nil
	}
	q, ok := w.question()
	if !ok {
		return nil
	}
	w.say("complete %s", q.Argument)
	_, err := w.Session.Complete(ctx, q, session.CallOptions{})
	return err
}

func (w *Walk) question() (session.Completion, bool) {
	for _, item := range w.items(session.Prompts) {
		for _, a := range item.Value.Get("arguments").Elements() {
			if name := a.Get("name").Text(); name != "" && item.Name != "" {
				ref := []byte(`{"type":"ref/prompt","name":` + jsondoc.Quote(item.Name) + `}`)
				return session.Completion{Ref: ref, Argument: name}, true
			}
		}
	}
	for _, item := range w.items(session.Templates) {
		if t, err := uritemplate.Parse(item.Name); err == nil && len(t.Names()) > 0 {
			ref := []byte(`{"type":"ref/resource","uri":` + jsondoc.Quote(item.Name) + `}`)
			return session.Completion{Ref: ref, Argument: t.Names()[0]}, true
		}
	}
	return session.Completion{}, false
}

// listen opens one subscription for everything that is declared, and holds it until the acknowledgment and a
// moment more. It exists from 2026-07-28 on.
func (w *Walk) listen(ctx context.Context) error {
	f := w.filter()
	if w.Session.Info().Era != session.Modern || kinds(f) == 0 && len(f.URIs) == 0 {
		return nil
	}
	w.say("listen")
	return w.hold(ctx, f, "")
}

// filter asks for all that is declared.
func (w *Walk) filter() session.Filter {
	info := w.Session.Info()
	f := session.Filter{
		Tools: info.Has("tools.listChanged"), Prompts: info.Has("prompts.listChanged"), Resources: info.Has("resources.listChanged"),
	}
	if info.Has("resources.subscribe") {
		for _, item := range w.items(session.Resources) {
			if item.Name != "" && len(f.URIs) < 20 {
				f.URIs = append(f.URIs, item.Name)
			}
		}
	}
	return f
}

// kinds is for how many kinds of lists a filter asks.
func kinds(f session.Filter) (n int) {
	for _, on := range []bool{f.Tools, f.Prompts, f.Resources} {
		if on {
			n++
		}
	}
	return n
}

// hold opens a subscription and holds it until the acknowledgment and a moment more.
func (w *Walk) hold(ctx context.Context, f session.Filter, why string) error {
	s, err := w.Session.Listen(ctx, f, why)
	if err != nil {
		return err
	}
	timeout := time.NewTimer(orElse(w.Timeout, session.DefaultTimeout))
	defer timeout.Stop()
	select {
	case <-s.Acknowledged():
		hold := time.NewTimer(orElse(w.Hold, 300*time.Millisecond))
		defer hold.Stop()
		select {
		case <-hold.C:
		case <-s.Done():
		case <-ctx.Done():
		}
	case <-s.Done():
	case <-timeout.C:
	case <-ctx.Done():
	}
	s.Close("seen enough")
	<-s.Done()
	return ctx.Err()
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

func (w *Walk) calls(ctx context.Context) error {
	calls := w.Calls
	if w.CallReadOnly {
		for _, item := range w.items(session.Tools) {
			readOnly, _ := item.Value.Get("annotations").Get("readOnlyHint").Bool()
			if readOnly && item.Name != "" && len(inspect.Exclusions(item.Value)) == 0 && item.Value.Get("inputSchema").Get("required").Len() == 0 {
				calls = append(calls, Call{Tool: item.Name})
			}
		}
	}
	for _, c := range calls {
		w.say("call %s", c.Tool)
		if err := w.call(ctx, c); gone(ctx, err) {
			return err
		}
	}
	return nil
}

// call calls a tool, answers what it asks back, and follows the task that it may become.
func (w *Walk) call(ctx context.Context, c Call) error {
	began := time.Now()
	first, err := w.meanwhile(ctx, c)
	w.took = append(w.took, time.Since(began))
	last := first
	if err == nil && first.InputRequired() {
		w.say("answer what is asked")
		last, err = w.Session.Finish(ctx, first, session.CallOptions{})
		w.asking = append(w.asking, asking{call: c, first: first, last: last})
	}
	if t, ok := w.Session.TaskOf(last); ok && err == nil {
		return w.task(ctx, c, t)
	}
	return err
}

// finish answers what an answer asks back. A question that stays unanswered ends nothing.
func (w *Walk) finish(ctx context.Context, a session.Answer, err error) error {
	if err != nil || !a.InputRequired() {
		return err
	}
	w.say("answer what is asked")
	_, err = w.Session.Finish(ctx, a, session.CallOptions{})
	return err
}

// other asks once more as a second caller.
func (w *Walk) other(ctx context.Context) error {
	if len(w.OtherCaller) == 0 || w.Session.Info().Kind == "stdio" {
		return nil
	}
	var requests []session.Request
	for _, kind := range session.ListKinds() {
		if w.Session.Info().Has(kind.Capability()) {
			requests = append(requests, session.Request{Method: kind.Method()})
		}
	}
	for i, item := range w.items(session.Resources) {
		if i < w.Reads && item.Name != "" {
			requests = append(requests, session.Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":` + jsondoc.Quote(item.Name) + `}`)})
		}
	}
	w.say("ask as another caller")
	for _, r := range requests {
		r.Why, r.Header = inspect.ProbeOtherCaller, w.OtherCaller
		if _, err := w.Session.Do(ctx, r); gone(ctx, err) {
			return err
		}
	}
	return nil
}
