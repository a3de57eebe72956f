package session

import (
	"context"
	"sync"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Filter says what a subscription is to bring.
type Filter struct {
	Tools, Prompts, Resources bool     // their list_changed
	URIs                      []string // updates of these resources
	Tasks                     []string // states of the tasks with these ids (tasks extension)
}

func (f Filter) params() []byte {
	var members []Member
	on := func(name string, yes bool) {
		if yes {
			members = append(members, Member{name, []byte("true")})
		}
	}
	on("toolsListChanged", f.Tools)
	on("promptsListChanged", f.Prompts)
	on("resourcesListChanged", f.Resources)
	texts := func(name string, texts []string) {
		if len(texts) == 0 {
			return
		}
		list := []byte{'['}
		for i, text := range texts {
			if i > 0 {
				list = append(list, ',')
			}
			list = jsondoc.AppendQuote(list, text)
		}
		members = append(members, Member{name, append(list, ']')})
	}
	texts("resourceSubscriptions", f.URIs)
	texts("taskIds", f.Tasks)
	return appendObject(nil, []Member{{"notifications", appendObject(nil, members)}})
}

// Subscription is a subscriptions/listen held open. What it brings stands in the log (and has its effect
// on the cache); this is only the handle to it.
type Subscription struct {
	call *Call
	ack  chan struct{}
}

// Seq is the number of the request's frame.
func (s *Subscription) Seq() wire.Seq { return s.call.Seq() }

// Acknowledged is closed when the server acknowledged the subscription.
func (s *Subscription) Acknowledged() <-chan struct{} { return s.ack }

// Done is closed when the subscription ended, by us or by the server.
func (s *Subscription) Done() <-chan struct{} { return s.call.Done() }

// Answer is how it ended.
func (s *Subscription) Answer() Answer { return s.call.Answer() }

// Close ends the subscription in the transport's way.
func (s *Subscription) Close(reason string) { s.call.Cancel(reason) }

// Listen opens subscriptions/listen and holds it open without a timeout. It exists from 2026-07-28 on;
// *Unsupported otherwise.
func (s *Session) Listen(ctx context.Context, f Filter, why string) (*Subscription, error) {
	d, _, err := s.ready()
	if err != nil {
		return nil, err
	}
	if !d.modern {
		return nil, &Unsupported{What: mcp.Listen, Version: d.version}
	}
	sub := &Subscription{ack: make(chan struct{})}
	acknowledge := sync.OnceFunc(func() { close(sub.ack) })
	watch := func(x *wire.Exchange) {
		for i := range x.During {
			if x.During[i].Method == mcp.Acknowledged {
				acknowledge()
				return
			}
		}
	}
	sub.call, err = s.start(ctx, Request{Method: mcp.Listen, Params: f.params(), Why: why, NoTimeout: true, Tasks: len(f.Tasks) > 0}, jsondoc.Value{}, startOptions{watch: watch})
	if err != nil {
		return nil, err
	}
	return sub, nil
}
